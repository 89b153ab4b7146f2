//! `large-repetition`: a bound of a repetition or a length that makes a format large.
//!
//! Most bounds are counted at run time and cost next to nothing, however large they are. The others are written out,
//! copy by copy: bounds inside patterns and inside operands of `-`, `&` and similar operators, lengths next to patterns
//! that cannot be counted along with them, and lengths of keys. The cost of a bound is measured by compiling the format
//! without it, so a counted bound is never reported. The characters of a text are counted too, but masks differ for
//! every count near its end.

mod bounds;
mod pattern;
mod without;

use std::collections::{BTreeMap, BTreeSet};

use ogc_grammar::{Code, Cost, Diagnostic};
use ogc_runtime::automaton::{Automaton, Rule, StateId};
use ogc_schema::source::Origin;

use super::Measured;
use super::compiled::Compiled;
use bounds::{Bound, bounds};

/// Report a bound only if it adds at least this many states: as many as make a pattern large.
const STATES: usize = 1_000;

/// Report a bound on the characters of a text only if it adds at least this many rows: a text with no other constraint
/// has about two hundred.
const ROWS: usize = 500;

/// Cap on the states of a format that is compiled again for several bounds; for a larger format, only its greatest
/// bound is tried.
const CHEAP_STATES: usize = 40_000;

/// Cap on the bounds for which a format is compiled again.
const TRIES: usize = 8;

/// A finding, and the places at which other lints would report the same cause.
pub(super) struct MeasuredBound {
    pub(super) measured: Measured,
    pub(super) explained: BTreeSet<Origin>,
}

pub(super) fn lint(compiled: &Compiled<'_>) -> Vec<MeasuredBound> {
    let large = compiled.automaton.rules.iter().any(|rule| rule.states.len as usize > STATES);
    if !large && compiled.whole().row_count() <= ROWS {
        return Vec::new();
    }
    let mut bounds = bounds(compiled, large);
    bounds.sort_by_key(|bound| std::cmp::Reverse(bound.promise()));
    bounds.dedup_by_key(|bound| bound.handle);
    bounds.truncate(if compiled.automaton.states.len() > CHEAP_STATES { 1 } else { TRIES });
    bounds.iter().filter_map(|bound| measured(compiled, bound)).collect()
}

/// Measures a bound by compiling the format without it; returns a finding if the bound is expensive.
fn measured(compiled: &Compiled<'_>, bound: &Bound) -> Option<MeasuredBound> {
    let other = compiled.masked(without::bound(compiled, &bound.change)?);
    let (whole, without) = (compiled.whole(), other.whole());
    let fewer = |of: fn(&Cost) -> usize| of(&whole).saturating_sub(of(&without));
    let much = fewer(|cost| cost.states) > STATES || bound.counts_characters() && fewer(Cost::row_count) > ROWS;
    much.then(|| found(compiled, bound, &other.automaton, without))
}

fn found(compiled: &Compiled<'_>, bound: &Bound, other: &Automaton, without: Cost) -> MeasuredBound {
    let (handles, states) = part(compiled, bound.handle, other);
    let (part, whole) = (compiled.cost(states.iter().copied()), compiled.whole());
    let mut message = format!(
        "{} takes {part}; {} the whole format needs {} states instead of {}",
        bound.what, bound.instead, without.states, whole.states
    );
    if let (Some(now), Some(then)) = (whole.masks, without.masks) {
        message += &format!(", and {} mask rows instead of {}", then.rows, now.rows);
    }
    let diagnostic =
        Diagnostic::warning(Code::LargeRepetition, Compiled::place(bound.handle), message).help(bound.help).cost(part);
    let measured = Measured { diagnostic, written: Some(bound.written.clone()) };
    MeasuredBound { measured, explained: handles.into_iter().map(Compiled::place).collect() }
}

/// Returns the states that a bound causes, and the handles of their places: of the bound's own place, or most of the
/// rule that shrinks without it.
fn part(compiled: &Compiled<'_>, handle: u32, other: &Automaton) -> (Vec<u32>, Vec<StateId>) {
    let mut handles = vec![handle];
    let own = states_at(compiled, handle);
    let Some(rule) = shrunk(&compiled.automaton, other).filter(|_| own.is_empty()) else { return (handles, own) };
    handles.push(rule.origin);
    let inside = |states: &[StateId]| Compiled::states(rule).any(|state| states.first() == Some(&state));
    let groups = compiled.by_place().into_iter().filter(|(_, states)| inside(states));
    let most = groups.max_by_key(|(_, states)| states.len());
    match most.filter(|(_, states)| 2 * states.len() > rule.states.len as usize) {
        Some((place, states)) => {
            handles.push(place);
            (handles, states)
        }
        None => (handles, Compiled::states(rule).collect()),
    }
}

/// Returns the states that come from a place.
fn states_at(compiled: &Compiled<'_>, handle: u32) -> Vec<StateId> {
    let at = compiled.by_place().into_iter().find(|(place, _)| Compiled::place(*place) == Compiled::place(handle));
    at.map(|(_, states)| states).unwrap_or_default()
}

/// Returns the rule that shrinks most in the other automaton.
fn shrunk<'a>(automaton: &'a Automaton, other: &Automaton) -> Option<&'a Rule> {
    let then: BTreeMap<_, u32> = other.rules.iter().map(|rule| ((&*rule.name, rule.origin), rule.states.len)).collect();
    let fewer = |rule: &&Rule| {
        let then = then.get(&(&*rule.name, rule.origin)).copied().unwrap_or(0);
        rule.states.len.saturating_sub(then)
    };
    automaton.rules.iter().max_by_key(fewer)
}
