//! `large-pattern`: a pattern, a string format or a set of numbers whose automaton has many states.

use ogc_compiler::db::Language;
use ogc_compiler::hir::items::Keyword;
use ogc_compiler::ir::ExprKind;
use ogc_grammar::{Code, Diagnostic};
use ogc_runtime::automaton::StateId;
use ogc_schema::source::Origin;
use rustc_hash::FxHashMap;

use super::compiled::{Compiled, Source};

/// Report parts with at least this many states. Every state has a row of the masks, possibly a shared one. All known
/// string formats except unions such as `email` stay below, and so do handwritten patterns.
const STATES: usize = 1_000;

/// Names that lowering gives to the rules of JSON values that are regular languages.
const RULES: [&str; 2] = ["number", "pattern"];

pub(super) fn lint(compiled: &Compiled<'_>) -> Vec<Diagnostic<Origin>> {
    let parts = patterns(compiled).into_iter().filter(|(_, states)| states.len() > STATES);
    parts.map(|(handle, states)| found(compiled, handle, &states)).collect()
}

fn found(compiled: &Compiled<'_>, handle: u32, states: &[StateId]) -> Diagnostic<Origin> {
    let cost = compiled.cost(states.iter().copied());
    let counted = counted(compiled, handle);
    let (what, help) = match is_finite(compiled, states) {
        true => (
            "set of texts",
            format!("list fewer texts, or shorter ones; bounds are counted outside of a pattern: {counted}"),
        ),
        false => (
            "pattern",
            format!("count repetitions outside of the pattern, as in {counted}, or list fewer alternatives"),
        ),
    };
    let message = format!("this {what} needs {cost}");
    Diagnostic::warning(Code::LargePattern, Compiled::place(handle), message).help(help).cost(cost)
}

/// Returns how a repetition is written outside of a pattern, in the notation of the file at this place.
fn counted(compiled: &Compiled<'_>, handle: u32) -> &'static str {
    match compiled.file.language(compiled.db) {
        Language::Ogc => {
            let place = compiled.module().and_then(|module| module.place(Origin(handle)));
            match place.and_then(|place| place.item.as_ref()).map(|item| item.key.kind) {
                Some(Keyword::Type) => "`string<1..80>`",
                _ => "`/[a-z]/[1..80]`",
            }
        }
        Language::JsonSchema => "`\"maxLength\": 80`",
        Language::Gbnf | Language::Ebnf => "`x{1,80}` of a rule `x`",
        Language::Abnf => "`1*80x` of a rule `x`",
        Language::Lark => "`x~1..80` of a rule `x`",
        Language::Regex => "`/[a-z]/[1..80]` of an `.ogc` file",
    }
}

/// Returns whether the states have no cycle, so that there are finitely many texts: mostly the literals of a list.
fn is_finite(compiled: &Compiled<'_>, states: &[StateId]) -> bool {
    let mut entries: FxHashMap<StateId, usize> = states.iter().map(|state| (*state, 0)).collect();
    let edges = |state: StateId| compiled.automaton.edges(state).iter().map(|edge| edge.to);
    for to in states.iter().flat_map(|state| edges(*state)) {
        entries.entry(to).and_modify(|count| *count += 1);
    }
    let mut open: Vec<StateId> = states.iter().copied().filter(|state| entries[state] == 0).collect();
    let mut left = states.len();
    while let Some(state) = open.pop() {
        left -= 1;
        for to in edges(state) {
            let Some(count) = entries.get_mut(&to) else { continue };
            *count -= 1;
            if *count == 0 {
                open.push(to);
            }
        }
    }
    left == 0
}

/// Returns the states of every regular part, grouped by place.
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

/// Returns whether an expression becomes one automaton of bytes, whatever its parts are.
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
