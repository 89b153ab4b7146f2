//! Checks each item by itself, whether or not an output uses it.
//!
//! The findings of an item come from its parser, its attributes, its names, and from elaborating it alone. The findings
//! of a file are those of its items, with places in the file, and those that its modules add (see `pipeline`).

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use always_assert::never;
use ogc_grammar::diagnostic::DIAGNOSTIC_LIMIT;
use ogc_grammar::ogc::ast::{
    Argument, Expr, ExprKind, Import, Imported, Item, ItemKind, Name, Parameter, Reference, Test,
};
use ogc_grammar::{Code, Diagnostic, Fix, Span};
use ogc_regular::budget::Usage;
use rustc_hash::FxHashSet;

use super::attribute::check_attributes;
use super::builtin::Builtin;
use super::cases::item_cases;
use super::elaborate::{elaborate_alone, elaborate_test_alone};
use super::importable::{names_of, not_there};
use super::items::{ItemId, ItemKey, Keyword, file_items, item_tree, policies, signature};
use super::resolve::{Target, resolution};
use super::schema_policy::{self, schema_policy};
use super::scope::{Binding, check_import, import, import_target, is_whole_list, scope};
use super::setting::{BudgetKind, Setting, SettingKind};
use crate::budget::Spent;
use crate::db::{Db, Language, SourceFile};
use crate::foreign::foreign_error_by;
use ogc_grammar::nearest;
use ogc_grammar::ogc::print_expr;

/// The findings of all items of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedItems {
    /// The findings, with places in the file.
    pub diagnostics: Vec<Diagnostic>,
    /// Work and memory used by the checks.
    pub spent: Spent,
    /// Whether the check stopped before the last item, because there were more errors than are shown or the budget was
    /// used up.
    pub stopped: bool,
}

impl CheckedItems {
    /// Returns whether every item was checked and none has an error.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        !self.stopped && !self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// Checks the items of a file one by one, in source order.
#[salsa::tracked]
pub fn checked_items(db: &dyn Db, file: SourceFile) -> CheckedItems {
    let budget = file.options(db).limits(db).budget;
    let mut checked = CheckedItems { diagnostics: Vec::new(), spent: Spent::default(), stopped: false };
    let mut errors = 0;
    for (item, span) in &file_items(db, file).items {
        let of_item = item_findings(db, file, Arc::clone(&item.key));
        errors += of_item.diagnostics.iter().filter(|one| one.is_error()).count();
        checked.diagnostics.extend(of_item.diagnostics.iter().map(|one| one.clone().shifted(span.start)));
        // The module of an item elaborated alone is dropped, so its memory does not count.
        let added = checked.spent.add(&[Usage { kept: 0, ..of_item.usage }], budget);
        let place = || name_of(db, item).unwrap_or_default().shifted(span.start);
        checked.diagnostics.extend(added.err().map(|refused| refused.at(place())));
        checked.stopped = added.is_err() || errors > DIAGNOSTIC_LIMIT;
        if checked.stopped {
            break;
        }
    }
    checked
}

/// Returns the place of the name that an item defines, relative to the item's start.
pub(crate) fn name_of(db: &dyn Db, item: &ItemId) -> Option<Span> {
    item_tree(db, item).item.definition().map(|definition| definition.name.span)
}

/// The findings about one item by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ItemFindings {
    /// The findings; places are relative to the item's start.
    diagnostics: Vec<Diagnostic>,
    /// Work and memory used.
    usage: Usage,
}

/// Parses and checks an item by itself.
#[salsa::tracked]
fn item_findings(db: &dyn Db, file: SourceFile, key: Arc<ItemKey>) -> ItemFindings {
    let item = ItemId { file, key };
    let mut usage = Usage::default();
    let tree = item_tree(db, &item);
    let mut found = tree.diagnostics.clone();
    check_attributes(&tree.item, &mut found);
    taken(db, &item, &tree.item, &mut found);
    match &tree.item.kind {
        ItemKind::Type(_) | ItemKind::Rule(_) | ItemKind::Output(_) => {
            let module = elaborate_alone(db, &item);
            usage = module.usage;
            found.extend(module.diagnostics.iter().filter_map(|one| module.resolve_in_item(&item, one)));
        }
        ItemKind::Import(import) => of_import(db, &item, import, &mut found),
        ItemKind::Test(test) => of_test(db, &item, test, &mut found),
        ItemKind::Policy(policy) => {
            of_policy(db, &item, &policy.settings, &mut found);
            let module = super::elaborate::elaborate_policy(db, &item);
            found.extend(module.diagnostics.iter().filter_map(|one| module.resolve_in_item(&item, one)));
        }
        ItemKind::Error(_) => {}
    }
    names_in_arguments(db, &item, &tree.item, &mut found);
    drop_explained(&mut found);
    sort_and_dedup(&mut found);
    ItemFindings { diagnostics: found, usage }
}

/// Reports unknown names in the arguments of definitions, because elaborating an item alone does not enter definitions.
fn names_in_arguments(db: &dyn Db, item: &ItemId, tree: &Item, found: &mut Vec<Diagnostic>) {
    let names = resolution(db, item);
    let is_definition = |reference: &Reference| {
        names.get(&reference.path).is_some_and(|one| matches!(one.target, Target::Item(_) | Target::Imported { .. }))
    };
    let mut inside = |expr: &Expr| {
        if let ExprKind::Reference(reference) = &expr.kind {
            // A whole file may be an argument: a list of tools.
            let unknown = names.get(&reference.path).filter(|one| one.target == Target::Unknown);
            found.extend(unknown.and_then(|one| one.finding.clone()));
        }
    };
    for root in tree.expressions() {
        root.walk(&mut |expr| match &expr.kind {
            ExprKind::Reference(reference) if is_definition(reference) => {
                reference.arguments.iter().for_each(|argument| argument.value.walk(&mut inside));
            }
            _ => {}
        });
    }
}

/// Drops what another finding explains: how the arguments of an unknown name are written, which matters only once the name
/// exists; how missing or needless arguments are written; and names in an argument that is wrong as a whole.
fn drop_explained(found: &mut Vec<Diagnostic>) {
    let spans = |code: Code| found.iter().filter(|one| one.code == code).map(|one| one.span).collect::<Vec<_>>();
    let (unknown, wrong) = (spans(Code::UnknownName), spans(Code::WrongArguments));
    let behind = |names: &[Span], brackets: Span| names.iter().any(|name| name.end == brackets.start);
    found.retain(|one| match one.code {
        Code::Call => !behind(&unknown, one.span) && !wrong.iter().any(|inside| inside.start == one.span.end),
        Code::EmptyArguments | Code::EmptyBounds => !behind(&wrong, one.span),
        Code::UnknownName => !wrong.iter().any(|whole| whole.start <= one.span.start && one.span.end <= whole.end),
        _ => true,
    });
}

/// Sorts findings by place and removes repetitions.
pub fn sort_and_dedup(found: &mut Vec<Diagnostic>) {
    // Of two equal findings the one with more labels is kept.
    let key = |one: &Diagnostic| (one.span, one.severity, one.code, one.message.clone(), Reverse(one.labels.len()));
    found.sort_by_cached_key(key);
    found.dedup_by(|a, b| a.span == b.span && a.code == b.code && a.message == b.message);
}

/// Reports names that an item declares although an earlier item, a parameter or a built-in name has them.
fn taken(db: &dyn Db, item: &ItemId, tree: &Item, found: &mut Vec<Diagnostic>) {
    for (_, name) in scope(db, item.file).taken.iter().filter(|(other, _)| other == item) {
        let span = name_span(tree, name);
        let message = format!("`{name}` is defined twice in this file");
        let first = match scope(db, item.file).names.get(name) {
            Some(Binding::Item(first)) => Some(first.key.kind),
            _ => None,
        };
        let is_output = |kind: Keyword| kind == Keyword::Output;
        let help = match first.is_some_and(|first| is_output(first) != is_output(item.key.kind)) {
            true => format!(
                "types, rules and outputs share their names; call the output otherwise: `output {name}Output = {name}`"
            ),
            false => "give one of them another name".to_owned(),
        };
        found.push(Diagnostic::error(Code::DuplicateName, span, message).help(help));
    }
    if let Some(definition) = tree.definition() {
        of_parameters(&definition.parameters, found);
    }
    let builtin = declared(tree).into_iter().filter(|(name, _)| Builtin::of(name).is_some());
    for (name, span) in builtin {
        let message = format!("`{name}` is a built-in name");
        let help = format!("choose another name, for example `{name}_value`");
        let guess = Fix::instead(span, format!("{name}_value"));
        found.push(Diagnostic::error(Code::BuiltinName, span, message).help(help).guess(guess));
    }
}

/// Reports parameters with equal names, and parameters without a default after one with a default.
fn of_parameters(parameters: &[Parameter], found: &mut Vec<Diagnostic>) {
    for (at, parameter) in parameters.iter().enumerate() {
        let (name, before) = (&parameter.name, &parameters[..at]);
        if let Some(first) = before.iter().find(|one| one.name.text == name.text) {
            let message = format!("two parameters are called `{}`", name.text);
            let found_here = Diagnostic::error(Code::DuplicateName, name.span, message);
            found.push(found_here.label(first.name.span, "the first").help("give one of them another name"));
        } else if let Some(with) = before.iter().find(|one| one.default.is_some() && parameter.default.is_none()) {
            let message = format!("`{}` has no default and comes after one that has", name.text);
            let help = "put it first, or give it a default";
            found.push(
                Diagnostic::error(Code::ParameterOrder, name.span, message)
                    .label(with.span, "has a default")
                    .help(help),
            );
        }
    }
}

/// Returns the names that an item declares, its parameters included.
fn declared(tree: &Item) -> Vec<(&str, Span)> {
    let names: Vec<&Name> = match (&tree.kind, tree.definition()) {
        (_, Some(one)) => {
            std::iter::once(&one.name).chain(one.parameters.iter().map(|parameter| &parameter.name)).collect()
        }
        (ItemKind::Import(import), None) => match &import.imported {
            Imported::Whole(name) => vec![name],
            Imported::Names(names) => names.iter().map(|one| one.alias.as_ref().unwrap_or(&one.name)).collect(),
        },
        _ => Vec::new(),
    };
    names.into_iter().map(|name| (name.text.as_str(), name.span)).collect()
}

/// Returns the place where an item declares a name; the whole item if it does not.
fn name_span(tree: &Item, name: &str) -> Span {
    let found = declared(tree).into_iter().find(|(declared, _)| *declared == name);
    found.map_or(tree.span, |(_, span)| span)
}

/// Checks an import: the file, the file's own imports, and the imported names.
fn of_import(db: &dyn Db, item: &ItemId, import: &Import, found: &mut Vec<Diagnostic>) {
    if let Some(wrong) = check_import(db, item) {
        return found.push(wrong);
    }
    let Some(target) = import_target(db, item) else { return };
    schema_policy::check_import(db, item, import, target, found);
    let fault = foreign_error_by(db, target, schema_policy(db, item)).map(|wrong| (target.name(db).to_owned(), wrong));
    if let Some((file, wrong)) = fault.or_else(|| behind(db, target)) {
        let message = format!("`{file}` has errors: {wrong}");
        let help = format!("`ogc check {file}` shows all of them");
        return found.push(Diagnostic::error(Code::ImportErrors, import.path.span, message).help(help));
    }
    missing_names(db, item, target, import, found);
}

/// Returns the first error in a file that an imported file imports, directly or not: the file that has it, and the
/// message.
#[salsa::tracked(returns(clone))]
fn behind(db: &dyn Db, file: SourceFile) -> Option<(String, String)> {
    let mut seen = FxHashSet::default();
    let mut open = vec![file];
    while let Some(file) = open.pop() {
        if file.language(db) != Language::Ogc || !seen.insert(file) {
            continue;
        }
        for (item, _) in &file_items(db, file).items {
            let Some(import) = import(db, item) else { continue };
            let mut found: Vec<Diagnostic> = check_import(db, item).into_iter().collect();
            if let Some(target) = import_target(db, item) {
                missing_names(db, item, target, import, &mut found);
                open.push(target);
            }
            if let Some(first) = found.first() {
                return Some((file.name(db).to_owned(), first.message.clone()));
            }
        }
    }
    None
}

/// Reports imported and replaced names that the imported file lacks.
fn missing_names(db: &dyn Db, item: &ItemId, target: SourceFile, import: &Import, found: &mut Vec<Diagnostic>) {
    if foreign_error_by(db, target, schema_policy(db, item)).is_some() {
        return;
    }
    let names = names_of(db, target);
    if let Imported::Names(wanted) = &import.imported {
        let known = |name: &str| names.iter().any(|one| one == name) || is_whole_list(db, item, name);
        for name in wanted.iter().filter(|name| !known(&name.name.text)) {
            let missing = not_there(db, target, &names, &name.name.text, name.name.span);
            let whole = whole_import(&import.path.value, &name.name.text, &names);
            found.push(Diagnostic { help: whole.or(missing.help), ..missing });
        }
    }
    for one in import.overrides.iter().filter(|one| !names.contains(&one.name.text)) {
        found.push(not_there(db, target, &names, &one.name.text, one.name.span));
    }
}

/// Returns the help for a name that is a part of the file's name and so probably means the whole file; `None` if
/// another name is near.
fn whole_import(path: &str, name: &str, names: &[String]) -> Option<String> {
    let file = path.rsplit(['/', '\\']).next()?;
    let stands_for_file =
        file.split('.').any(|part| part == name) && nearest(name, names.iter().map(String::as_str)).is_none();
    stands_for_file.then(|| format!("to import all of it under this name write `import \"{path}\" as {name}`"))
}

/// Checks a test: its target must be a set, and its cases must be writable.
fn of_test(db: &dyn Db, item: &ItemId, test: &Test, found: &mut Vec<Diagnostic>) {
    let resolved = test.reference().and_then(|target| Some((target, resolution(db, item).get(&target.path)?)));
    let Some((target, resolved)) = resolved else {
        never!("the target of the test at {:?} is not resolved", test.target.span);
        return;
    };
    let with_arguments = !target.arguments.is_empty();
    match (&resolved.target, test.name()) {
        (Target::Unknown, _) if resolved.is_reported => return,
        (Target::Unknown, Some(name)) => return found.push(unknown_target(db, item, name)),
        (Target::Item(target) | Target::Imported { item: target, .. }, _)
            if !with_arguments && !signature(db, target).parameters.is_empty() =>
        {
            let name = print_expr(&test.target);
            let message = format!("`{name}` has parameters, so it is not one set");
            let help = format!("test a use of it: `test {name}<...> {{ ... }}`");
            return found.push(Diagnostic::error(Code::TestTarget, test.target.span, message).help(help));
        }
        (Target::Item(_), Some(_)) => {}
        _ => {
            let module = elaborate_test_alone(db, item);
            found.extend(module.diagnostics.iter().filter_map(|one| module.resolve_in_item(item, one)));
        }
    }
    found.extend(item_cases(db, item).1);
}

/// Reports a test whose target does not exist.
fn unknown_target(db: &dyn Db, item: &ItemId, name: &Name) -> Diagnostic {
    let names = &scope(db, item.file).names;
    let near = nearest(&name.text, names.keys().map(String::as_str));
    let help = near.map_or_else(
        || "test a type, rule or output of this file, or one that it imports".to_owned(),
        |near| format!("did you mean `{near}`?"),
    );
    let found = Diagnostic::error(Code::UnknownName, name.span, format!("`{}` is not defined", name.text));
    found.help(help).guess(near.map(|near| Fix::instead(name.span, near)))
}

/// Returns for each setting the first item of the file that sets it.
#[salsa::tracked]
fn first_setters(db: &dyn Db, file: SourceFile) -> BTreeMap<String, ItemId> {
    let mut setters = BTreeMap::new();
    for item in policies(db, file) {
        if let ItemKind::Policy(policy) = &item_tree(db, item).item.kind {
            for name in policy.settings.iter().filter_map(|setting| setting.name.as_ref()) {
                setters.entry(name.text.clone()).or_insert_with(|| item.clone());
            }
        }
    }
    setters
}

/// Checks the settings of a `policy` item: each setting may be set once in the file, and budgets must have values.
/// Elaboration checks the values of policies.
fn of_policy(db: &dyn Db, item: &ItemId, settings: &[Argument], found: &mut Vec<Diagnostic>) {
    let first = first_setters(db, item.file);
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for setting in settings {
        let Some(name) = &setting.name else { continue };
        let elsewhere = first.get(&name.text).is_some_and(|first| first != item);
        if !seen.insert(&name.text) || elsewhere {
            let message = format!("`{}` is set twice", name.text);
            found.push(Diagnostic::error(Code::DuplicatePolicy, name.span, message).help("keep one of them"));
        }
        let known = Setting::of(&name.text).filter(|known| matches!(known.kind, SettingKind::Budget(_)));
        if let Some(known) = known.filter(|_| BudgetKind::read(setting).is_none()) {
            let message = format!("this is no value of `{}`", name.text);
            found.push(Diagnostic::error(Code::PolicyValue, setting.value.span, message).help(known.values));
        }
        found.extend(schema_policy::check_setting(db, item.file, setting));
    }
}
