//! `large-pattern`: a pattern, a string format or a set of numbers whose automaton has many states.

use ogc_compiler::db::Language;
use ogc_compiler::ir::ExprKind;
use ogc_grammar::{Code, Diagnostic};
use ogc_runtime::automaton::StateId;
use ogc_schema::source::Origin;

use super::compiled::{Compiled, Source};

/// The least states of a part that is reported. Every state is a place in which the masks have a row or share one; all
/// the formats of strings that the compiler knows but `email`-like unions stay below, and so do patterns that people
/// write by hand.
const STATES: usize = 1_000;

/// The rules of a JSON value that are regular languages, by the names that lowering gives them.
const RULES: [&str; 2] = ["number", "pattern"];

pub(super) fn lint(compiled: &Compiled<'_>) -> Vec<Diagnostic<Origin>> {
    let parts = patterns(compiled).into_iter().filter(|(_, states)| states.len() > STATES);
    parts.map(|(handle, states)| found(compiled, handle, &states)).collect()
}

fn found(compiled: &Compiled<'_>, handle: u32, states: &[StateId]) -> Diagnostic<Origin> {
    let cost = compiled.cost(states.iter().copied());
    let help = "count repetitions outside of the pattern (`string<1..80>`, `x[1..80]`), or list fewer alternatives";
    Diagnostic::warning(Code::LargePattern, Compiled::place(handle), format!("this pattern needs {cost}"))
        .help(help)
        .cost(cost)
}

/// Returns the states of every regular part, by its place.
fn patterns(compiled: &Compiled<'_>) -> Vec<(u32, Vec<StateId>)> {
    if compiled.file.language(compiled.db) == Language::Regex {
        return vec![(1, (0..compiled.automaton.states.len() as u32).map(StateId).collect())];
    }
    let rules = compiled.automaton.rules.iter().filter(|rule| RULES.contains(&rule.name.as_str()));
    let mut parts: Vec<_> = rules.map(|rule| (rule.origin, Compiled::states(rule).collect())).collect();
    let Source::Module(module) = &compiled.source else { return parts };
    let exprs = module.grammar.exprs.iter().filter(|expr| is_regular(&expr.kind));
    let places: rustc_hash::FxHashSet<_> = exprs.map(|expr| expr.origin).collect();
    parts.extend(compiled.by_place().into_iter().filter(|(handle, _)| places.contains(&Origin(*handle))));
    parts
}

/// Returns whether an expression becomes one automaton of bytes, whatever it holds.
fn is_regular(kind: &ExprKind) -> bool {
    match kind {
        ExprKind::Machine(_)
        | ExprKind::Exception(..)
        | ExprKind::Intersection(..)
        | ExprKind::Lazy(_)
        | ExprKind::Free { .. }
        | ExprKind::Limited { .. } => true,
        ExprKind::Literal(_)
        | ExprKind::Rule(_)
        | ExprKind::Sequence(_)
        | ExprKind::Alternation(_)
        | ExprKind::Repeat { .. }
        | ExprKind::External(_) => false,
    }
}
