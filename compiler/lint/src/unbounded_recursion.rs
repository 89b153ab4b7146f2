//! `unbounded-recursion`: a type that contains itself, to any depth. Nothing makes its texts end.

use ogc_compiler::hir::items::{ItemId, Keyword};
use ogc_compiler::hir::{Module, Root};
use ogc_compiler::pass::scc::components;
use ogc_grammar::{Code, Diagnostic};
use ogc_runtime::automaton::{Automaton, Rule, RuleId};
use ogc_schema::source::Origin;

use super::compiled::{Compiled, Source};

/// Name of the rule of any JSON value. It nests by nature, not because of a declared type.
const ANY: &str = "value";

/// A type that contains itself.
struct Held {
    what: String,
    /// Its place.
    handle: u32,
    /// Advice for bounding it.
    help: &'static str,
}

pub(super) fn lint(compiled: &Compiled<'_>) -> Vec<Diagnostic<Origin>> {
    let held: fn(&Compiled<'_>, &[&Rule]) -> Option<Held> = match &compiled.source {
        Source::Module(module) if matches!(module.root, Root::Text(_)) && module.values.is_empty() => {
            return Vec::new();
        }
        Source::Module(_) => of_module,
        Source::Schema(_) => of_schema,
        // Rules of text are recursive by nature.
        Source::Other => return Vec::new(),
    };
    let mut all = Vec::new();
    for rules in cycles(&compiled.automaton) {
        let rules: Vec<_> = rules.iter().map(|rule| &compiled.automaton.rules[rule.index()]).collect();
        if rules.iter().any(|rule| rule.name == ANY) {
            continue;
        }
        let Some(Held { what, handle, help }) = held(compiled, &rules) else { continue };
        let cost = compiled.cost(rules.iter().flat_map(|rule| Compiled::states(rule)));
        let message = format!("{what} may hold itself to any depth: {cost} are entered again at every level");
        all.push(Diagnostic::note(Code::UnboundedRecursion, Compiled::place(handle), message).help(help).cost(cost));
    }
    all
}

/// Returns the sets of rules that call each other in a cycle.
fn cycles(automaton: &Automaton) -> Vec<Vec<RuleId>> {
    let called = |rule: RuleId| {
        let states = Compiled::states(&automaton.rules[rule.index()]);
        states.flat_map(|state| automaton.calls(state)).map(|call| call.rule.0).collect::<Vec<_>>()
    };
    let edges: Vec<Vec<u32>> = (0..automaton.rules.len() as u32).map(|rule| called(RuleId(rule))).collect();
    let found = components(&edges);
    let on_cycle = |members: &&Vec<u32>| members.first().is_some_and(|&first| found.cyclic[first as usize]);
    let cyclic = found.members.iter().filter(on_cycle);
    cyclic.map(|members| members.iter().copied().map(RuleId).collect()).collect()
}

/// Finds the type of an `.ogc` file that the rules belong to.
fn of_module(compiled: &Compiled<'_>, rules: &[&Rule]) -> Option<Held> {
    let module = compiled.module()?;
    let item = rules.iter().find_map(|rule| type_of(module, rule.origin))?;
    let (node, _) = module.names.iter().find(|(_, name)| *name == item.key.name)?;
    let help = "`@depth(8)` before the type, `depth = 8` in `json<...>` or in `policy` bounds how deep it nests";
    let handle = module.schemas.nodes[node.0 as usize].origin.0;
    Some(Held { what: format!("`{}`", item.key.name), handle, help })
}

/// Returns the first part of a schema in source order.
fn of_schema(_: &Compiled<'_>, rules: &[&Rule]) -> Option<Held> {
    let handle = rules.iter().map(|rule| rule.origin).filter(|origin| *origin != 0).min()?;
    let help =
        "JSON Schema has no bound for it; an `.ogc` file that imports the schema as `m` has: `json<m.root, depth = 8>`";
    Some(Held { what: "this".to_owned(), handle, help })
}

/// Returns the type of an `.ogc` file that contains the place of a handle.
fn type_of(module: &Module, handle: u32) -> Option<&ItemId> {
    module.place(Origin(handle))?.item.as_ref().filter(|item| item.key.kind == Keyword::Type)
}
