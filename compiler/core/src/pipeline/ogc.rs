//! Queries of `.ogc` files: items -> module -> automaton, definition by definition.

mod budgets;
mod empty_types;

use std::collections::BTreeSet;
use std::sync::Arc;

use always_assert::never;
use ogc_grammar::diagnostic::DIAGNOSTIC_LIMIT;
use ogc_grammar::ogc::ast::ItemKind;
use ogc_grammar::{Diagnostic, Span};
use ogc_regular::budget::{Usage, spend};
use ogc_runtime::automaton::{Automaton, Escapes};
use ogc_runtime::captures::Captures;
use ogc_schema::source::Origin;

pub(super) use budgets::budgeted;
use budgets::over_budget;
use empty_types::{emptiness, types_beside, users_first};

use super::Format;
use crate::SchemaFault;
use crate::budget::{Spent, exceeded, within};
use crate::db::{Db, Limits, SourceFile};
use crate::hir::AttributeKind;
use crate::hir::cases::{TestCase, item_cases};
use crate::hir::check::{checked_items, name_of, sort_and_dedup};
use crate::hir::elaborate::module;
use crate::hir::items::{ItemId, Keyword, file_items, item_start, item_tree, signature};
use crate::hir::level;
use crate::hir::resolve::{Target, resolution};
use crate::hir::scope::item_named;
use crate::hir::tested::{tested_at, tested_name};
use crate::hir::{Module, Root};
use crate::lower::json::{lower_inside, lower_value};
use crate::pass::{Base, External, compile_captures, compile_on};

/// Returns the outputs of a file, in source order.
pub(super) fn outputs(db: &dyn Db, file: SourceFile) -> Vec<Format> {
    let items = file_items(db, file).items.iter();
    let outputs = items.filter(|(item, _)| item.key.kind == Keyword::Output && item.key.nth == 0);
    outputs.map(|(item, _)| Format::named(file, &item.key.name)).collect()
}

/// Returns the types, rules and outputs without parameters, in source order.
pub(super) fn definitions(db: &dyn Db, file: SourceFile) -> Vec<Format> {
    let items = file_items(db, file).items.iter().map(|(item, _)| item);
    let defines = |item: &&ItemId| item.key.kind.defines();
    let plain = items.filter(defines).filter(|item| item.key.nth == 0 && signature(db, item).parameters.is_empty());
    plain.map(|item| Format::named(file, &item.key.name)).collect()
}

/// The result of lowering a module; origins are those of the module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoweredModule {
    /// Work and memory that lowering used.
    pub usage: Usage,
    /// The automaton.
    pub automaton: Option<Arc<Automaton>>,
    /// Findings of lowering.
    pub diagnostics: Vec<Diagnostic<Origin>>,
}

/// Lowers a definition.
#[salsa::tracked]
pub fn lower_module(db: &dyn Db, file: SourceFile, name: Arc<str>) -> LoweredModule {
    let module = module(db, file, name);
    let lowered = module.map(|module| lowered(&module, &file.options(db).limits(db))).unwrap_or_default();
    db.count_kept(lowered.usage.kept);
    lowered
}

/// Lowers a module to an automaton.
#[must_use]
pub fn lowered(module: &Module, limits: &Limits) -> LoweredModule {
    let ((automaton, mut diagnostics), mut usage) = spend(limits.budget, || automaton_of(module, limits));
    if let Some((error, place)) = usage.exceeded {
        diagnostics = vec![exceeded(place, &error)];
    }
    let automaton = automaton.filter(|_| usage.exceeded.is_none());
    let automaton = automaton.map(|automaton| Arc::new(Automaton { token_policy: module.token_policy, ..automaton }));
    // Only the automaton is kept, so only its memory counts.
    usage.kept = automaton.as_ref().map_or(0, |automaton| bytes(automaton));
    LoweredModule { usage, automaton, diagnostics }
}

fn automaton_of(module: &Module, limits: &Limits) -> (Option<Automaton>, Vec<Diagnostic<Origin>>) {
    let refused = |faults: Vec<SchemaFault>| (None, faults.iter().map(SchemaFault::in_ogc).collect());
    match module.root {
        Root::Nothing => Default::default(),
        Root::Value(value) => match lower_value(&module.schemas, value, &module.policies, &limits.schema) {
            Ok(lowered) => (Some(lowered.automaton), Vec::new()),
            Err(errors) => refused(errors),
        },
        Root::Text(escapes) => match base(module, escapes, limits) {
            Ok(base) => compile_on(module.grammar.clone(), base, &limits.grammar),
            Err(errors) => refused(errors),
        },
    }
}

/// Estimates the memory of an automaton, in bytes.
fn bytes(automaton: &Automaton) -> u64 {
    let states = size_of_val(automaton.states.as_slice()) + size_of_val(automaton.origins.as_slice());
    let rules =
        size_of_val(automaton.rules.as_slice()) + automaton.rules.iter().map(|rule| rule.name.len()).sum::<usize>();
    (states + rules + size_of_val(automaton.edges.as_slice()) + size_of_val(automaton.calls.as_slice())) as u64
}

/// Lowers the values in the texts of a module; the module's grammar is then compiled on top of that base.
fn base(module: &Module, escapes: Escapes, limits: &Limits) -> Result<Base, Vec<SchemaFault>> {
    let (builder, values) = lower_inside(&module.schemas, &module.values, &module.policies, &limits.schema)?;
    Ok(Base { builder, externals: values.into_iter().map(External::from).collect(), escapes })
}

/// Lowers the values that the texts of a definition call; `None` for definitions of values, or if there are errors.
pub(super) fn text_base(db: &dyn Db, file: SourceFile, name: Arc<str>) -> Option<Base> {
    let module = module(db, file, name)?;
    match module.root {
        Root::Text(escapes) => base(&module, escapes, &file.options(db).limits(db)).ok(),
        Root::Value(_) | Root::Nothing => None,
    }
}

/// Returns the values in the texts of a module as external rules; `None` if there are errors.
#[must_use]
pub fn externals(module: &Module, limits: &Limits) -> Option<Vec<External>> {
    match module.root {
        Root::Text(escapes) => base(module, escapes, limits).ok().map(|base| base.externals),
        Root::Value(_) | Root::Nothing => None,
    }
}

/// Returns whether the texts of a definition are JSON values.
pub(super) fn is_value(db: &dyn Db, file: SourceFile, name: Arc<str>) -> bool {
    module(db, file, name).is_some_and(|module| matches!(module.root, Root::Value(_)))
}

/// Returns the automaton that finds the parts of a valid definition, or the error that prevented it; neither if its
/// texts have no parts.
pub(super) fn captures(db: &dyn Db, file: SourceFile, name: Arc<str>) -> (Option<Captures>, Option<Diagnostic>) {
    let Some(module) = module(db, file, name) else { return (None, None) };
    let Root::Text(escapes) = module.root else { return (None, None) };
    if !module.grammar.has_parts() {
        return (None, None);
    }
    let limits = file.options(db).limits(db);
    let make =
        || base(&module, escapes, &limits).map(|base| compile_captures(module.grammar.clone(), base, &limits.grammar));
    let (captures, found) = within(&limits, make, |found| Ok((None, vec![found]))).unwrap_or_else(|faults| {
        never!("values are lowered for masks and not for captures: {:?}", faults);
        (None, Vec::new())
    });
    let refused = found.iter().find(|one| one.is_error()).map(|error| module.resolve(db, file, error));
    (captures, refused)
}

/// Returns the findings about a definition and all that it uses. Places are in its file.
pub(super) fn format_diagnostics(db: &dyn Db, file: SourceFile, name: &Arc<str>) -> Vec<Diagnostic> {
    let Some(module) = module(db, file, Arc::clone(name)) else { return Vec::new() };
    findings_of(db, file, name, &module, lower_module(db, file, Arc::clone(name)))
}

/// Returns the findings of elaborating and lowering a definition. Places are in its file.
pub(super) fn findings_of(
    db: &dyn Db,
    file: SourceFile,
    name: &Arc<str>,
    module: &Module,
    lowered: &LoweredModule,
) -> Vec<Diagnostic> {
    let all = module.diagnostics.iter().chain(&lowered.diagnostics);
    let all = all.filter_map(|one| leveled_elsewhere(db, file, module, one));
    let mut found: Vec<Diagnostic> = all.map(|one| module.resolve(db, file, &one)).collect();
    // The target of a test may stand in another file.
    let item = item_named(db, file, name);
    never!(item.is_none() && tested_at(db, file, name).is_none(), "`{}` has a module and is no item", name);
    if let Some((item, automaton)) = item.zip(lowered.automaton.as_ref()) {
        found.extend(over_budget(db, &item, automaton));
    }
    // Findings without a place get the place of the definition.
    let whole = definition_span(db, file, name);
    found.iter_mut().filter(|one| one.span == Span::default()).for_each(|one| one.span = whole);
    found
}

/// Returns the place of a definition's name.
pub(super) fn definition_span(db: &dyn Db, file: SourceFile, name: &Arc<str>) -> Span {
    let Some(item) = item_named(db, file, name) else { return tested_at(db, file, name).unwrap_or_default() };
    name_of(db, &item).unwrap_or_default().shifted(item_start(db, &item))
}

/// Applies to a finding in an item of another file the level that the item sets. Findings in the own file get their
/// levels all together.
fn leveled_elsewhere(
    db: &dyn Db,
    file: SourceFile,
    module: &Module,
    found: &Diagnostic<Origin>,
) -> Option<Diagnostic<Origin>> {
    let place = module.place(found.span).filter(|place| place.file != file);
    match place.and_then(|place| place.item.as_ref()) {
        Some(item) => level::inside(db, item, found.clone()),
        None => Some(found.clone()),
    }
}

/// Returns the findings of a file; not all of them if there are more errors than are shown.
pub(super) fn diagnostics(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let mut found = file_items(db, file).diagnostics.clone();
    found.extend(checked_items(db, file).diagnostics.iter().cloned());
    found.extend(checked_definitions(db, file).found.iter().cloned());
    sort_and_dedup(&mut found);
    level::leveled(db, file, found)
}

/// The findings about the definitions of a file, and the definitions that stay compiled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct CheckedDefinitions {
    found: Vec<Diagnostic>,
    /// The definitions that were compiled within the budget of the file: their modules and automata stay in the
    /// database.
    kept: BTreeSet<Arc<str>>,
}

/// Returns the findings of compiling the definitions of a file. Stops when there are more errors than are shown, or the
/// file's budget is used up.
#[salsa::tracked]
fn checked_definitions(db: &dyn Db, file: SourceFile) -> CheckedDefinitions {
    let mut checked = CheckedDefinitions::default();
    let items = checked_items(db, file);
    if !items.stopped
        && let Err(refused) = compiled_definitions(db, file, items.spent, &mut checked)
    {
        checked.found.push(*refused);
    }
    checked
}

/// Returns whether the check of the file has compiled a definition, so that its automaton is in the database already.
pub(super) fn is_kept(db: &dyn Db, file: SourceFile, name: &str) -> bool {
    checked_definitions(db, file).kept.contains(name)
}

/// Returns the usage of elaborating and lowering a definition.
pub(super) fn usage(db: &dyn Db, file: SourceFile, name: &Arc<str>) -> [Usage; 2] {
    let elaborated = module(db, file, Arc::clone(name)).map(|module| module.usage);
    [elaborated.unwrap_or_default(), lower_module(db, file, Arc::clone(name)).usage]
}

fn compiled_definitions(
    db: &dyn Db,
    file: SourceFile,
    mut spent: Spent,
    checked: &mut CheckedDefinitions,
) -> Result<(), Box<Diagnostic>> {
    let budget = file.options(db).limits(db).budget;
    let mut add = |name: &Arc<str>, usages: &[Usage]| {
        spent.add(usages, budget).map_err(|refused| Box::new(refused.at(definition_span(db, file, name))))
    };
    let mut errors = 0;
    for name in &roots(db, file) {
        if errors > DIAGNOSTIC_LIMIT {
            return Ok(());
        }
        let of_format = format_diagnostics(db, file, name);
        errors += of_format.iter().filter(|one| one.is_error()).count();
        checked.found.extend(of_format);
        checked.kept.insert(Arc::clone(name));
        add(name, &usage(db, file, name))?;
    }
    let beside = types_beside(db, file);
    let mut asked: BTreeSet<&str> = BTreeSet::new();
    for name in users_first(db, file, beside) {
        if errors > DIAGNOSTIC_LIMIT {
            return Ok(());
        }
        if asked.contains(&**name) {
            continue;
        }
        let of_group = emptiness(db, file, Arc::clone(name));
        let decided = of_group.decided.iter().filter_map(|name| beside.get(name.as_str()));
        asked.extend(decided.map(|name| &**name));
        errors += of_group.found.len();
        if let Some(module) = module_of_errors(db, file, name, &of_group.found) {
            checked.found.extend(of_group.found.iter().map(|one| module.resolve(db, file, one)));
        }
        add(name, &of_group.usages)?;
    }
    Ok(())
}

/// Returns the module that resolves the places of the findings; `None` if there are no findings.
fn module_of_errors(
    db: &dyn Db,
    file: SourceFile,
    name: &Arc<str>,
    found: &[Diagnostic<Origin>],
) -> Option<Arc<Module>> {
    if found.is_empty() { None } else { module(db, file, Arc::clone(name)) }
}

/// Returns the definitions that are compiled to check a file: its outputs, and definitions with a budget of their own.
fn roots(db: &dyn Db, file: SourceFile) -> Vec<Arc<str>> {
    let budgeted = |format: &Format| {
        let item = format.name.as_ref().and_then(|name| item_named(db, file, name));
        item.is_some_and(|item| {
            item.key.kind == Keyword::Output
                || item_tree(db, &item).item.attributes.iter().any(|one| AttributeKind::Budget.is(one))
        })
    };
    definitions(db, file).into_iter().filter(budgeted).filter_map(|format| format.name).collect()
}

/// Returns the tests of a file: each with its target, and its cases with places in the file.
pub fn tests(db: &dyn Db, file: SourceFile) -> Vec<(Format, Vec<TestCase>)> {
    let mut all = Vec::new();
    for (item, _) in &file_items(db, file).items {
        let ItemKind::Test(test) = &item_tree(db, item).item.kind else { continue };
        let resolved = test.reference().and_then(|target| resolution(db, item).get(&target.path));
        if !resolved.is_some_and(|one| !matches!(one.target, Target::Unknown | Target::WholeFile(_))) {
            continue;
        }
        let base = item_start(db, item);
        let cases = item_cases(db, item).0.into_iter();
        let cases = cases.map(|case| case.shifted(base)).collect();
        all.push((Format::named(file, &tested_name(test)), cases));
    }
    all
}
