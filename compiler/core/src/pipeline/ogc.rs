//! Queries of `.ogc` files: items -> module -> automaton, definition by definition.

use std::collections::BTreeSet;
use std::sync::Arc;

use indexmap::IndexSet;
use ogc_grammar::diagnostic::DIAGNOSTIC_LIMIT;
use ogc_grammar::ogc::ast::{Expr, ExprKind, ItemKind};
use ogc_grammar::{Code, Diagnostic, Span};
use ogc_regular::budget::{Usage, spend};
use ogc_runtime::automaton::{Automaton, Escapes};
use ogc_schema::source::{NodeId, Origin};

use super::{Format, LoweredCaptures};
use crate::SchemaFault;
use crate::budget::{Spent, exceeded, within};
use crate::db::{Db, Limits, SourceFile, VocabularyInput};
use crate::hir::budget::{Budget, budget_of};
use crate::hir::cases::{TestCase, item_cases};
use crate::hir::check::{checked_items, name_of, settle};
use crate::hir::elaborate::module;
use crate::hir::items::{ItemId, Keyword, file_items, item_start, item_tree, signature};
use crate::hir::level;
use crate::hir::scope::{item_named, scope};
use crate::hir::uses::reach;
use crate::hir::{Module, Root};
use crate::lower::json::{lower_inside, lower_value, unsatisfiable};
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

/// What lowering a module gives; its origins are those of the module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoweredModule {
    /// The work and memory that it took.
    pub usage: Usage,
    /// The automaton.
    pub automaton: Option<Arc<Automaton>>,
    /// What was found.
    pub diagnostics: Vec<Diagnostic<Origin>>,
}

/// Lowers a definition.
#[salsa::tracked]
pub fn lower_module(db: &dyn Db, file: SourceFile, name: Arc<str>) -> LoweredModule {
    match module(db, file, name) {
        Some(module) => lowered(&module, &file.options(db).limits(db)),
        None => LoweredModule::default(),
    }
}

/// Lowers a module to an automaton.
pub(crate) fn lowered(module: &Module, limits: &Limits) -> LoweredModule {
    let ((automaton, mut diagnostics), mut usage) = spend(limits.budget, || automaton_of(module, limits));
    if let Some((error, place)) = usage.exceeded {
        diagnostics = vec![exceeded(place, &error)];
    }
    let automaton = automaton.filter(|_| usage.exceeded.is_none()).map(Arc::new);
    // Of what was built the automaton stays.
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

/// Lowers the values in the texts of a module, on which its grammar is then compiled.
fn base(module: &Module, escapes: Escapes, limits: &Limits) -> Result<Base, Vec<SchemaFault>> {
    let (builder, values) = lower_inside(&module.schemas, &module.values, &module.policies, &limits.schema)?;
    Ok(Base { builder, externals: values.into_iter().map(External::from).collect(), escapes })
}

/// Lowers the values that the texts of a definition call; `None` of definitions of values, and beside errors.
pub(super) fn text_base(db: &dyn Db, file: SourceFile, name: Arc<str>) -> Option<Base> {
    let module = module(db, file, name)?;
    match module.root {
        Root::Text(escapes) => base(&module, escapes, &file.options(db).limits(db)).ok(),
        Root::Value(_) | Root::Nothing => None,
    }
}

/// Returns the values in the texts of a module, as their texts are read; `None` beside errors.
pub(crate) fn externals(module: &Module, limits: &Limits) -> Option<Vec<External>> {
    match module.root {
        Root::Text(escapes) => base(module, escapes, limits).ok().map(|base| base.externals),
        Root::Value(_) | Root::Nothing => None,
    }
}

/// Returns the captures of a definition that compiles.
pub(super) fn captures(db: &dyn Db, file: SourceFile, name: Arc<str>) -> LoweredCaptures {
    let Some(module) = module(db, file, name) else { return LoweredCaptures::default() };
    let Root::Text(escapes) = module.root else { return LoweredCaptures::default() };
    if module.grammar.captures.is_empty() {
        return LoweredCaptures::default();
    }
    let limits = file.options(db).limits(db);
    let make =
        || base(&module, escapes, &limits).map(|base| compile_captures(module.grammar.clone(), base, &limits.grammar));
    let (captures, found) = within(&limits, make, |found| Ok((None, vec![found]))).unwrap_or_default();
    let refused = found.iter().find(|one| one.is_error()).map(|error| module.resolve(db, file, error));
    LoweredCaptures::of(captures, refused)
}

/// Returns the findings about a definition with all that it uses; places are in its file.
pub(super) fn format_diagnostics(db: &dyn Db, file: SourceFile, name: &Arc<str>) -> Vec<Diagnostic> {
    let Some(module) = module(db, file, Arc::clone(name)) else { return Vec::new() };
    let lowered = lower_module(db, file, Arc::clone(name));
    let all = module.diagnostics.iter().chain(&lowered.diagnostics);
    let all = all.filter_map(|one| leveled_elsewhere(db, file, &module, one));
    let mut found: Vec<Diagnostic> = all.map(|one| module.resolve(db, file, &one)).collect();
    let Some(item) = item_named(db, file, name) else { return found };
    if let Some(automaton) = &lowered.automaton {
        found.extend(over_budget(db, &item, automaton));
    }
    // What has no place of its own is said of the definition.
    let whole = definition_span(db, file, name);
    found.iter_mut().filter(|one| one.span == Span::default()).for_each(|one| one.span = whole);
    found
}

/// Returns the name of a definition where it is defined.
pub(super) fn definition_span(db: &dyn Db, file: SourceFile, name: &Arc<str>) -> Span {
    let Some(item) = item_named(db, file, name) else { return Span::default() };
    name_of(db, &item).unwrap_or_default().shifted(item_start(db, &item))
}

/// A finding in an item of another file, at the level that the item says. Those of its own file are looked at together.
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

/// Returns an error if the automaton has more states than the definition's budget allows.
fn over_budget(db: &dyn Db, item: &ItemId, automaton: &Automaton) -> Option<Diagnostic> {
    let (limit, span) = budget_of(db, item).states?;
    let given = automaton.states.len() as u64;
    (given > limit).then(|| {
        let message = format!("`{}` has {given} states; the budget is {limit}", item.key.name);
        Diagnostic::error(Code::Budget, span, message).help("`ogc cost` shows which part has most of them")
    })
}

/// Returns findings about the masks of a definition that cost more than its budget allows: in bytes, or in build time.
/// Without a vocabulary, that these budgets are not checked.
pub fn build_findings(db: &dyn Db, format: &Format, vocabulary: Option<VocabularyInput>) -> Vec<Diagnostic> {
    let item = format.name.as_ref().and_then(|name| item_named(db, format.file, name));
    let Some(item) = item else { return Vec::new() };
    let budget = budget_of(db, &item);
    let name = &item.key.name;
    let (Some(_), Some(vocabulary)) = (budget.mask.or(budget.build), vocabulary) else {
        return unchecked(name, &budget).into_iter().collect();
    };
    let Ok(Some(masks)) = super::masks(db, format.clone(), vocabulary) else { return Vec::new() };
    let over = |(limit, span): (u64, Span), given: f64, takes: String, unit: &str| {
        (given > limit as f64).then(|| {
            let message = format!("`{name}` takes {takes}; the budget is {limit} {unit}");
            Diagnostic::error(Code::Budget, span, message).help("`ogc cost` shows which part costs most")
        })
    };
    let report = masks.report();
    let bytes = report.row_bytes + report.exit_bytes;
    let of_bytes = |limit| over(limit, bytes as f64, format!("{bytes} bytes of masks"), "bytes");
    let time = masks.build_time().unwrap_or_default().as_secs_f64() * 1e3;
    let of_time = |limit| over(limit, time, format!("{time:.1} ms to build its masks"), "ms");
    budget.mask.and_then(of_bytes).into_iter().chain(budget.build.and_then(of_time)).collect()
}

/// Returns a note that a budget of masks or of time is not checked, because there is no vocabulary.
fn unchecked(name: &str, budget: &Budget) -> Option<Diagnostic> {
    let (what, (_, span)) = match (budget.mask, budget.build) {
        (Some(mask), Some(_)) => ("`mask` and `build`", mask),
        (Some(mask), None) => ("`mask`", mask),
        (None, build) => ("`build`", build?),
    };
    let message = format!("the budget {what} of `{name}` is not checked without a vocabulary");
    Some(Diagnostic::note(Code::UncheckedBudget, span, message).help("`ogc check --vocab` and `ogc build` check it"))
}

/// Returns the definitions of a file that have a budget of masks or of time, outputs or not.
pub(super) fn budgeted(db: &dyn Db, file: SourceFile) -> Vec<Format> {
    let has_budget = |format: &Format| {
        let item = format.name.as_ref().and_then(|name| item_named(db, file, name));
        item.is_some_and(|item| {
            let budget = budget_of(db, &item);
            budget.mask.is_some() || budget.build.is_some()
        })
    };
    definitions(db, file).into_iter().filter(has_budget).collect()
}

/// Returns the findings of a file; if there are more errors than are shown, not all of them.
pub(super) fn diagnostics(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let mut found = file_items(db, file).diagnostics.clone();
    let checked = checked_items(db, file);
    found.extend(checked.diagnostics.iter().cloned());
    if !checked.stopped {
        of_definitions(db, file, checked.spent, &mut found);
    }
    settle(&mut found);
    level::leveled(db, file, found)
}

/// Returns the findings of compiling the definitions of a file, until more were found than are shown or the file has
/// used its budget.
fn of_definitions(db: &dyn Db, file: SourceFile, spent: Spent, found: &mut Vec<Diagnostic>) {
    if let Err(refused) = compiled_definitions(db, file, spent, found) {
        found.push(*refused);
    }
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
    found: &mut Vec<Diagnostic>,
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
        found.extend(of_format);
        add(name, &usage(db, file, name))?;
    }
    let beside = types_beside(db, file);
    let mut asked: BTreeSet<&str> = BTreeSet::new();
    for name in beside {
        if errors > DIAGNOSTIC_LIMIT {
            return Ok(());
        }
        if asked.contains(&**name) {
            continue;
        }
        let Some(module) = module(db, file, Arc::clone(name)) else { continue };
        let of_group = emptiness(db, file, Arc::clone(name));
        let decided = of_group.decided.iter().filter_map(|name| beside.get(name.as_str()));
        asked.extend(decided.map(|name| &**name));
        errors += of_group.found.len();
        found.extend(of_group.found.iter().map(|one| module.resolve(db, file, one)));
        add(name, &[module.usage, of_group.usage])?;
    }
    Ok(())
}

/// Returns the definitions that are compiled to check a file: its outputs, and those with a budget of their own.
fn roots(db: &dyn Db, file: SourceFile) -> Vec<Arc<str>> {
    let budgeted = |format: &Format| {
        let item = format.name.as_ref().and_then(|name| item_named(db, file, name));
        item.is_some_and(|item| {
            item.key.kind == Keyword::Output
                || item_tree(db, &item).item.attributes.iter().any(|attribute| attribute.name.text == "budget")
        })
    };
    definitions(db, file).into_iter().filter(budgeted).filter_map(|format| format.name).collect()
}

/// Returns the types that none of these definitions reaches, which would be compiled nowhere, in source order; those
/// with parameters are no sets.
#[salsa::tracked]
fn types_beside(db: &dyn Db, file: SourceFile) -> IndexSet<Arc<str>> {
    let roots = roots(db, file);
    let items = file_items(db, file).items.iter().map(|(item, _)| item);
    let types = items.filter(|item| item.key.kind == Keyword::Type && item.key.nth == 0 && !item.key.name.is_empty());
    let meant = |item: &&ItemId| signature(db, item).parameters.is_empty() && !is_never(db, item);
    let mut types = types.filter(meant).peekable();
    if types.peek().is_none() {
        return IndexSet::new();
    }
    let names = scope(db, file).names.keys();
    let roots: BTreeSet<&str> = roots.iter().map(|root| &**root).collect();
    let from = names.map(String::as_str).filter(|name| roots.contains(name));
    let reached = reach(db, file, from.collect());
    types.filter(|item| !reached.contains(item.key.name.as_str())).map(|item| item.key.name.as_str().into()).collect()
}

/// Returns whether the type says itself that it holds nothing: `any - any`.
fn is_never(db: &dyn Db, item: &ItemId) -> bool {
    let definition = item_tree(db, item).item.definition();
    definition.is_some_and(|definition| match &definition.body.ungrouped().kind {
        ExprKind::Difference { kept, removed } => {
            let is_any = |expr: &Expr| match &expr.ungrouped().kind {
                ExprKind::Reference(reference) => reference.path.segments.iter().all(|name| name.text == "any"),
                _ => false,
            };
            is_any(kept) && removed.iter().any(is_any)
        }
        _ => false,
    })
}

/// Checks whether types hold anything: one type, and those that it uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Emptiness {
    /// What was found.
    found: Vec<Diagnostic<Origin>>,
    /// The names of the types that were decided.
    decided: BTreeSet<String>,
    usage: Usage,
}

/// Returns whether a type, and the types of its file that it uses, hold anything: only the algebra is asked, nothing is
/// lowered. They are decided together, because thousands of types that refer to each other would each ask for all of
/// them.
#[salsa::tracked]
fn emptiness(db: &dyn Db, file: SourceFile, name: Arc<str>) -> Emptiness {
    let Some(module) = module(db, file, Arc::clone(&name)) else { return Emptiness::default() };
    let Root::Value(root) = module.root else { return Emptiness::default() };
    let limits = file.options(db).limits(db);
    let beside = types_beside(db, file);
    let others = plain_types(db, file, &module).filter(|(_, other)| *other != &*name && beside.contains(*other));
    let (nodes, mut decided): (Vec<NodeId>, BTreeSet<String>) =
        others.map(|(node, other)| (node, other.to_owned())).unzip();
    decided.insert(name.to_string());
    let ask = |nodes: &[NodeId]| spend(limits.budget, || unsatisfiable(&module.schemas, nodes, &limits.schema));
    let all: Vec<NodeId> = [root.node].into_iter().chain(nodes).collect();
    let (mut empty, mut usage) = ask(&all);
    if usage.exceeded.is_some() || empty.iter().any(|error| error.kind.code() != Code::EmptyFormat) {
        // All together may be too much, or one of the others alone.
        decided = BTreeSet::from([name.to_string()]);
        (empty, usage) = ask(&[root.node]);
    }
    usage.kept = 0;
    let found = match usage.exceeded {
        Some((error, place)) => vec![exceeded(place, &error)],
        None => empty.iter().map(SchemaFault::in_ogc).collect(),
    };
    Emptiness { found, decided, usage }
}

/// Returns the types without parameters of a file that a module of it has as nodes, by name.
fn plain_types<'m>(db: &dyn Db, file: SourceFile, module: &'m Module) -> impl Iterator<Item = (NodeId, &'m str)> {
    let is_plain = move |(node, name): &(NodeId, &str)| {
        let origin = module.schemas.nodes.get(node.0 as usize).map(|node| node.origin);
        let item = origin.and_then(|origin| module.place(origin)).and_then(|place| place.item.as_ref());
        item.is_some_and(|item| {
            item.file == file
                && item.key.nth == 0
                && item.key.name == *name
                && signature(db, item).parameters.is_empty()
        })
    };
    module.names.iter().map(|(node, name)| (*node, name.as_str())).filter(is_plain)
}

/// Returns the tests of a file: each with its subject, and its cases with places in the file.
pub fn tests(db: &dyn Db, file: SourceFile) -> Vec<(Format, Vec<TestCase>)> {
    let mut all = Vec::new();
    for (item, _) in &file_items(db, file).items {
        let ItemKind::Test(test) = &item_tree(db, item).item.kind else { continue };
        let [name] = test.target.segments.as_slice() else { continue };
        let Some(target) = item_named(db, file, &name.text) else { continue };
        let base = item_start(db, item);
        let cases = item_cases(db, item, &target).0.into_iter();
        let cases = cases.map(|case| TestCase { span: case.span.shifted(base), ..case }).collect();
        all.push((Format::named(file, &name.text), cases));
    }
    all
}
