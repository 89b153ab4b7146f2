//! `unused-item`: a type, rule or import that no output, test or policy reaches, in a file that has outputs.

use std::collections::BTreeSet;

use ogc_grammar::ogc::ast::{Definition, Expr, ExprKind, Import, Imported, ImportedName, Item, ItemKind};
use ogc_grammar::{Diagnostic, Fix, Span};
use rustc_hash::FxHashMap;

use crate::db::{Db, Language, SourceFile, Workspace};
use crate::hir::items::{ItemId, Keyword, file_items, item_start, item_tree};
use crate::hir::scope::{Binding, import_target, scope};

/// What is found.
const CODE: &str = "unused-item";

/// The name before a dot, or the only one, and the one behind it.
type Used = (String, Option<String>);

/// What each item uses.
type Uses<'db> = FxHashMap<&'db ItemId, Vec<Used>>;

pub(super) fn lint(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let items = &file_items(db, file).items;
    let sound = items.iter().all(|(item, _)| !item_tree(db, item).diagnostics.iter().any(Diagnostic::is_error));
    if !sound || !items.iter().any(|(item, _)| item.key.kind == Keyword::Output) {
        return Vec::new();
    }
    let reached = reached(db, file);
    items.iter().flat_map(|(item, span)| of_item(db, item, *span, &reached)).collect()
}

fn of_item(db: &dyn Db, item: &ItemId, whole: Span, reached: &BTreeSet<&str>) -> Vec<Diagnostic> {
    let base = item_start(db, item);
    let text = item.file.text(db);
    match &item_tree(db, item).item.kind {
        ItemKind::Type(one) | ItemKind::Rule(one) if !reached.contains(one.name.text.as_str()) => {
            vec![found(&one.name.text, one.name.span.shifted(base)).fix(removal(text, whole))]
        }
        ItemKind::Import(import) => of_import(import, base, reached, removal(text, whole)),
        _ => Vec::new(),
    }
}

fn found(name: &str, span: Span) -> Diagnostic {
    let message = format!("no output and no test uses `{name}`");
    Diagnostic::warning(CODE, span, message).help("remove it, or use it")
}

fn of_import(import: &Import, base: u32, reached: &BTreeSet<&str>, removal: Fix) -> Vec<Diagnostic> {
    let names = match &import.imported {
        Imported::Whole(name) if reached.contains(name.text.as_str()) => return Vec::new(),
        Imported::Whole(name) => return vec![found(&name.text, name.span.shifted(base)).fix(removal)],
        Imported::Names(names) => names,
    };
    let unused = |one: &&ImportedName| !reached.contains(here(one));
    if names.iter().filter(unused).count() == names.len() {
        return names.iter().map(|one| found(here(one), place(one).shifted(base)).fix(removal.clone())).collect();
    }
    let one = |(at, one): (usize, &ImportedName)| {
        let fix = Fix::new("remove the name", without(names, at), "").shifted(base);
        unused(&one).then(|| found(here(one), place(one).shifted(base)).fix(fix))
    };
    names.iter().enumerate().filter_map(one).collect()
}

/// What an imported name is called here.
fn here(name: &ImportedName) -> &str {
    &name.alias.as_ref().unwrap_or(&name.name).text
}

/// The name as it is written, with its alias.
fn place(name: &ImportedName) -> Span {
    name.alias.iter().fold(name.name.span, |span, alias| span.merge(alias.span))
}

/// What is to be removed with a name of a list: the comma before or behind it, too.
fn without(names: &[ImportedName], at: usize) -> Span {
    let own = place(&names[at]);
    match (names.get(at + 1), at.checked_sub(1)) {
        (Some(next), _) => Span::new(own.start, next.name.span.start),
        (None, Some(before)) => Span::new(place(&names[before]).end, own.end),
        (None, None) => own,
    }
}

/// Without the item, its documentation, the end of its line, and one of the empty lines around it.
fn removal(text: &str, item: Span) -> Fix {
    let rest = &text[item.end as usize..];
    let line = rest.find('\n').map_or(rest.len(), |end| end + 1);
    let alone = rest[..line].trim().is_empty();
    let mut end = item.end as usize + if alone { line } else { 0 };
    let before = &text[..item.start as usize];
    if alone && (before.is_empty() || before.ends_with("\n\n")) {
        end += text[end..].len() - text[end..].trim_start_matches('\n').len();
    }
    Fix::new("remove it", Span::of(item.start as usize, end), "")
}

/// The names of everything that outputs, tests, policies and other files reach.
fn reached(db: &dyn Db, file: SourceFile) -> BTreeSet<&str> {
    let scope = scope(db, file);
    let items = file_items(db, file).items.iter();
    let uses: Uses<'_> = items.map(|(item, _)| (item, uses(&item_tree(db, item).item))).collect();
    let mut open: Vec<&str> = Vec::new();
    for (item, _) in &file_items(db, file).items {
        match item.key.kind {
            Keyword::Output if !item.key.name.is_empty() => open.push(&item.key.name),
            Keyword::Test | Keyword::Policy => open.extend(names(&uses, item)),
            _ => {}
        }
    }
    let outside = used_outside(db, file);
    open.extend(outside.iter().filter_map(|name| scope.names.get_key_value(name)).map(|(name, _)| name.as_str()));
    let mut reached = BTreeSet::new();
    while let Some(name) = open.pop() {
        let Some((name, binding)) = scope.names.get_key_value(name) else { continue };
        if reached.insert(name.as_str()) {
            let (Binding::Item(item) | Binding::Imported(item, _) | Binding::Module(item)) = binding;
            open.extend(names(&uses, item));
        }
    }
    reached
}

/// The names that an item uses, as they stand in it.
fn names<'u>(uses: &'u Uses<'_>, item: &ItemId) -> impl Iterator<Item = &'u str> + use<'u> {
    uses.get(item).into_iter().flatten().map(|(name, _)| name.as_str())
}

/// The names that an item uses; its own parameters are none.
fn uses(item: &Item) -> Vec<Used> {
    let mut used = Vec::new();
    for attribute in &item.attributes {
        attribute.arguments.iter().for_each(|argument| collect(&argument.value, &mut used));
    }
    match &item.kind {
        ItemKind::Type(one) | ItemKind::Rule(one) | ItemKind::Output(one) => {
            collect(&one.body, &mut used);
            one.parameters.iter().filter_map(|one| one.default.as_ref()).for_each(|value| collect(value, &mut used));
            used.retain(|(name, _)| !is_parameter(one, name));
        }
        ItemKind::Test(test) => used.extend(test.target.segments.first().map(|name| (name.text.clone(), None))),
        ItemKind::Import(import) => import.overrides.iter().for_each(|one| collect(&one.value, &mut used)),
        ItemKind::Policy(policy) => policy.settings.iter().for_each(|one| collect(&one.value, &mut used)),
        ItemKind::Error(_) => {}
    }
    used
}

fn is_parameter(definition: &Definition, name: &str) -> bool {
    definition.parameters.iter().any(|parameter| parameter.name.text == name)
}

fn collect(expr: &Expr, used: &mut Vec<Used>) {
    expr.walk(&mut |inner| {
        if let ExprKind::Reference(reference) = &inner.kind
            && let Some((first, rest)) = reference.path.segments.split_first()
        {
            used.push((first.text.clone(), rest.first().map(|name| name.text.clone())));
        }
    });
}

/// The names that other files of the workspace import from a file.
fn used_outside(db: &dyn Db, file: SourceFile) -> BTreeSet<String> {
    let Some(workspace) = Workspace::try_get(db) else { return BTreeSet::new() };
    let others = workspace.files(db).values().filter(|other| **other != file && other.language(db) == Language::Ogc);
    others
        .flat_map(|other| imported_by(db, *other))
        .filter(|(of, _)| *of == file)
        .map(|(_, name)| name.clone())
        .collect()
}

/// The names that a file imports, each with the file that it is from.
#[salsa::tracked]
fn imported_by(db: &dyn Db, file: SourceFile) -> Vec<(SourceFile, String)> {
    let items = &file_items(db, file).items;
    let mut found = Vec::new();
    for (item, _) in items {
        let ItemKind::Import(import) = &item_tree(db, item).item.kind else { continue };
        let Some(target) = import_target(db, item) else { continue };
        match &import.imported {
            Imported::Names(names) => found.extend(names.iter().map(|one| (target, one.name.text.clone()))),
            Imported::Whole(module) => {
                let all = items.iter().flat_map(|(item, _)| uses(&item_tree(db, item).item));
                let inside = all.filter(|(name, _)| *name == module.text).filter_map(|(_, inner)| inner);
                found.extend(inside.map(|name| (target, name)));
            }
        }
    }
    found
}
