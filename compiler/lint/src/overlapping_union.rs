//! `overlapping-union`: branches of a union that stay indistinguishable for many bytes, so that all of them are
//! followed in parallel.

use ogc_grammar::{Code, Diagnostic};
use ogc_runtime::automaton::{Call, Rule, StateId};
use ogc_schema::source::Origin;

use super::compiled::Compiled;

/// Report two branches that are distinguished only after at least this many bytes. A discriminator that comes first
/// needs fewer: its key and the first letters of its value.
const BYTES: usize = 32;

/// From this number of parallel branches on, report them as soon as a whole member or item of each has been read: every
/// byte is stepped, and every mask joined, once for each branch.
const BRANCHES: usize = 4;

/// Cap on the configurations visited for one pair of branches; a pair that needs more is skipped, not guessed about.
const BUDGET: usize = 400;

/// Cap on the configurations visited in one format: about thirty milliseconds.
const BUDGET_OF_ALL: usize = 1_200;

/// Cap on the pairs of branches examined in one format; a pair that the next byte distinguishes needs no configuration.
const PAIRS: usize = 10_000;

/// The remaining budget for a format.
struct Left {
    situations: usize,
    pairs: usize,
}

/// Two calls from one state, and a text that does not distinguish them.
struct Overlap {
    pair: (Call, Call),
    text: Vec<u8>,
    /// The number of branches that can begin with this text.
    branches: usize,
}

pub(super) fn lint(compiled: &Compiled<'_>) -> Vec<Diagnostic<Origin>> {
    let mut left = Left { situations: BUDGET_OF_ALL, pairs: PAIRS };
    let rules = compiled.automaton.rules.iter();
    rules.filter_map(|rule| Some(found(compiled, rule, &worst(compiled, rule, &mut left)?))).collect()
}

/// Returns the longest overlap at a state of the rule, if it is long enough to be reported.
fn worst(compiled: &Compiled<'_>, rule: &Rule, left: &mut Left) -> Option<Overlap> {
    let overlaps = Compiled::states(rule).filter_map(|state| overlap(compiled, state, left));
    overlaps.max_by_key(|overlap| overlap.text.len())
}

/// Returns the first pair of calls that stays undistinguished for long.
fn overlap(compiled: &Compiled<'_>, state: StateId, left: &mut Left) -> Option<Overlap> {
    let automaton = &*compiled.automaton;
    let calls = automaton.calls(state);
    for (at, one) in calls.iter().enumerate() {
        for other in
            calls.iter().skip(at + 1).filter(|other| other.rule != one.rule && begin_alike(compiled, one, other))
        {
            left.pairs = left.pairs.checked_sub(1).filter(|_| left.situations > 0)?;
            let mut budget = BUDGET.min(left.situations);
            let given = budget;
            let text = automaton.shortest_distinguishing_prefix(one, other, &mut budget);
            left.situations -= given - budget;
            let Some(text) = text else { continue };
            let branches = calls.iter().filter(|call| automaton.can_begin(call, &text)).count();
            if is_long(compiled, one, &text, branches) {
                return Some(Overlap { pair: (*one, *other), text, branches });
            }
        }
    }
    None
}

/// Returns whether a text is too long for the number of branches that begin with it. In records and arrays it must
/// contain a comma: before that, the first member distinguishes the branches, however long it is.
fn is_long(compiled: &Compiled<'_>, call: &Call, text: &[u8], branches: usize) -> bool {
    let rule = &compiled.automaton.rules[call.rule.index()];
    if !matches!(rule.name.as_str(), "object" | "array") {
        return text.len() >= BYTES;
    }
    text.contains(&b',') && (text.len() >= BYTES || branches >= BRANCHES)
}

/// Returns whether some byte begins texts of both calls.
fn begin_alike(compiled: &Compiled<'_>, one: &Call, other: &Call) -> bool {
    let first = |call: &Call| compiled.automaton.rules[call.rule.index()].first;
    first(one).iter().zip(first(other)).any(|(one, other)| one & other != 0)
}

fn found(compiled: &Compiled<'_>, rule: &Rule, overlap: &Overlap) -> Diagnostic<Origin> {
    let (one, other) = (&overlap.pair.0, &overlap.pair.1);
    let [one, other] = [one, other].map(|call| &compiled.automaton.rules[call.rule.index()]);
    let (count, bytes) = (overlap.branches, overlap.text.len());
    let text = String::from_utf8_lossy(&overlap.text);
    let message = format!(
        "{count} branches are followed at once: no text tells them apart before byte {}, after {text}",
        bytes + 1
    );
    let cost = compiled.cost(Compiled::states(one).chain(Compiled::states(other)));
    let help = format!(
        "put a key with a literal of its own first in every branch (a discriminator); these two have {cost} of their own"
    );
    let mut found =
        Diagnostic::warning(Code::OverlappingUnion, Compiled::place(rule.origin), message).help(help).cost(cost);
    for (rule, what) in [(one, "this branch"), (other, "and this one")] {
        if rule.origin != 0 {
            found = found.label(Compiled::place(rule.origin), what);
        }
    }
    found
}
