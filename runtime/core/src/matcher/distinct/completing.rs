//! Budgets of formats with arrays without duplicate items, or with objects in which no undeclared key may come twice.
//!
//! If such arrays need at most one item, a completion with the fewest bytes ends the current item and adds none. So it is valid wherever
//! the current item can only become a new one. Elsewhere, the bytes found by a search ([`super::search`]) precede it.
//!
//! If arrays need several items, the completion counts each item as the longest of several different ones ([`ItemChoices`]), and plans are
//! written with items that are new ([`super::written`]).
//!
//! Objects may need several undeclared keys, and a completion with the fewest bytes writes the same key again and again. So its keys are
//! replaced one by one ([`super::written`]). Where a completion is not written out, some tokens are reserved for the longer keys
//! ([`Derived::spare_tokens`]).
//!
//! [`Derived::spare_tokens`]: crate::automaton::Derived
//! [`ItemChoices`]: crate::completion::ItemChoices

use smallvec::SmallVec;

use super::fates::Fates;
use super::places::{Arrays, OpenItems, Outlook, readings, readings_of};
use super::removal::without_refused;
use super::search::Search;
use super::{on_heads, on_readings, written};
use crate::mask::{Mask, Row, RowRef};
use crate::matcher::budget::Shortest;
use crate::matcher::{MatchError, Matcher, budget};
use crate::step::{Head, step};
use crate::vocabulary::TokenId;

/// Withholds tokens after which no fitting completion was found.
pub(super) fn restrict(matcher: &mut Matcher, mask: Mask) -> Result<Mask, MatchError> {
    let Some(left) = budget::left(matcher) else { return Ok(mask) };
    let before = budget::plan_tokens(matcher);
    let (stops, eos) = (mask.stops.clone(), mask.eos);
    let (vocabulary, pack) = (mask.vocabulary.clone(), mask.pack.clone());
    let none = Mask { rows: Default::default(), pack, eos, stops, vocabulary };
    let spare = matcher.automaton.derived.spare_tokens() as usize;
    let restricted =
        on_readings(matcher, |matcher| budget::with_less(matcher, spare, |matcher| budget::restrict(matcher, mask)));
    let restricted = match restricted {
        Err(MatchError::Budget { .. }) => none,
        restricted => restricted?,
    };
    keep_plan(matcher, before, left, restricted.rows.is_empty())?;
    let mut fitting =
        |matcher: &mut Matcher, heads: &[Head], items: &OpenItems, _: &mut Fates| match left.checked_sub(1 + spare) {
            Some(left) => fits(matcher, heads, items, left),
            None => Ok(false),
        };
    let mut mask = without_refused(matcher, restricted, &mut fitting)?;
    let mut plan = budget::plan_tokens(matcher);
    if plan.is_empty() && mask.rows.is_empty() && !mask.eos {
        plan = own_plan(matcher)?.filter(|own| own.len() <= left).unwrap_or_default();
        budget::set_plan(matcher, plan.clone());
    }
    if let Some(next) = plan.first().filter(|_| plan.len() <= left) {
        mask.rows.push(RowRef::Shared(std::sync::Arc::new(Row::Sparse([next.0].into()))));
    }
    if mask.rows.is_empty() && !mask.eos {
        return Err(MatchError::Budget { given: left as u32, limit: left as u32 + 1 });
    }
    Ok(mask)
}

/// Checks the plan that was found, and replaces it by one without repeated items if it cannot be read to its end, or if none was found and
/// a plan `is_needed`. `before` is the plan from before the search.
fn keep_plan(matcher: &mut Matcher, before: Vec<TokenId>, left: usize, is_needed: bool) -> Result<(), MatchError> {
    let found = budget::plan_tokens(matcher);
    let derived = &matcher.automaton.derived;
    let is_missing = is_needed && found.is_empty() && (derived.spare_tokens() > 0 || derived.chooses_items());
    if !is_missing && (found == before || found.is_empty() || reads_to_end(matcher, &found)) {
        return Ok(());
    }
    let own = own_plan(matcher)?.filter(|own| own.len() <= left);
    let best = own.filter(|own| before.is_empty() || own.len() < before.len()).unwrap_or(before);
    budget::set_plan(matcher, best);
    Ok(())
}

/// Checks that a completion still fits after `token` (or other text) has led to the heads in `matcher.before`.
pub(in crate::matcher) fn check_budget(matcher: &mut Matcher, token: Option<TokenId>) -> Result<(), MatchError> {
    let Some(left) = budget::left(matcher) else { return Ok(()) };
    let plan = budget::plan_tokens(matcher);
    if token.is_some() && plan.first().copied() == token && plan.len() <= left {
        return Ok(());
    }
    let heads = matcher.before.clone();
    let arrays = readings_of(&matcher.stack, &heads)?;
    let items = OpenItems::read(&matcher.stack, &arrays);
    let spare = matcher.automaton.derived.spare_tokens() as usize;
    let fits = match left.checked_sub(1 + spare) {
        Some(left) => fits(matcher, &heads, &items, left)?,
        None => false,
    };
    if fits { Ok(()) } else { Err(MatchError::Budget { given: left as u32, limit: left as u32 + 1 }) }
}

/// Sets or lifts the bound on the tokens that may still come.
pub(in crate::matcher) fn set_budget(matcher: &mut Matcher, max_tokens: Option<u32>) -> Result<(), MatchError> {
    let before = matcher.budget.clone();
    on_readings(matcher, |matcher| budget::set(matcher, max_tokens))?;
    if matcher.automaton.derived.spare_tokens() > 0 {
        budget::forget_far(matcher);
    }
    let Some(given) = max_tokens.filter(|_| !matcher.is_complete()) else { return Ok(()) };
    let refused = |limit: usize| MatchError::Budget { given, limit: limit as u32 };
    let set = match budget::plan_tokens(matcher) {
        plan if !plan.is_empty() && reads_to_end(matcher, &plan) => Ok(()),
        _ => match own_plan(matcher)? {
            Some(own) if own.len() <= given as usize => {
                budget::set_plan(matcher, own);
                Ok(())
            }
            own => Err(refused(own.map_or(u32::MAX as usize, |own| own.len()))),
        },
    };
    if set.is_err() {
        matcher.budget = before;
    }
    set
}

/// Returns the shortest known completion; `None` if none is known.
pub(in crate::matcher) fn shortest(matcher: &mut Matcher) -> Option<Shortest> {
    let shortest = on_readings(matcher, budget::shortest);
    match shortest {
        Some(shortest) if reads_to_end(matcher, &shortest.tokens) => Some(shortest),
        _ => own_plan(matcher).ok().flatten().map(|tokens| Shortest { budget: tokens.len(), tokens }),
    }
}

/// Returns whether the tokens complete the text.
pub(super) fn reads_to_end(matcher: &mut Matcher, tokens: &[TokenId]) -> bool {
    let (mark, heads, nothing_read) = (matcher.stack.mark(), matcher.heads.clone(), matcher.nothing_read);
    let mut reads = true;
    for &token in tokens {
        if matcher.read_token(token).is_err() {
            reads = false;
            break;
        }
        matcher.heads = matcher.before.as_slice().into();
        matcher.nothing_read = false;
    }
    reads &= matcher.is_complete();
    (matcher.heads, matcher.nothing_read) = (heads, nothing_read);
    matcher.stack.truncate(mark);
    reads
}

/// Returns the tokens of a completion without repeated items.
fn own_plan(matcher: &mut Matcher) -> Result<Option<Vec<TokenId>>, MatchError> {
    let stops = matcher.stops.clone().unwrap_or_default();
    let chooses_items = matcher.automaton.derived.chooses_items();
    if matcher.automaton.derived.spare_tokens() > 0 && !chooses_items {
        let plan = written::plan(matcher)?;
        return Ok(plan.filter(|plan| !plan.iter().any(|token| stops.contains(token))));
    }
    let heads = matcher.heads.to_vec();
    let arrays = readings_of(&matcher.stack, &heads)?;
    let items = OpenItems::read(&matcher.stack, &arrays);
    let mut best: Option<Vec<TokenId>> = None;
    for head in heads {
        let plan = behind_way_out(matcher, head, &items, |matcher, heads, mut tokens| {
            let rest = match chooses_items {
                true => written::chosen_plan(matcher, heads)?,
                false => on_heads(matcher, heads, budget::cheapest),
            };
            Ok(rest.map(|rest| {
                tokens.extend(rest);
                tokens
            }))
        })?;
        let plan = plan.transpose()?.flatten();
        if let Some(plan) = plan.filter(|plan| best.as_ref().is_none_or(|best| plan.len() < best.len())) {
            best = Some(plan);
        }
    }
    Ok(best.filter(|best| !best.iter().any(|token| stops.contains(token))))
}

/// Returns whether a completion without repeated items fits, from one of the heads.
fn fits(matcher: &mut Matcher, heads: &[Head], items: &OpenItems, left: usize) -> Result<bool, MatchError> {
    for &head in heads {
        let fits = behind_way_out(matcher, head, items, |matcher, heads, tokens| {
            let left = left.checked_sub(tokens.len());
            left.is_some_and(|left| on_heads(matcher, heads, |matcher| budget::fits(matcher, left)))
        })?;
        if fits == Some(true) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Calls `act` at the heads after a text after which all items are new, with the tokens of that text. `None` if there is no such text.
fn behind_way_out<T>(
    matcher: &mut Matcher,
    head: Head,
    items: &OpenItems,
    act: impl FnOnce(&mut Matcher, &[Head], Vec<TokenId>) -> T,
) -> Result<Option<T>, MatchError> {
    let Matcher { automaton, stack, scratch, .. } = &mut *matcher;
    let Some(text) = Search { automaton, stack, scratch }.way_out(head, items)? else { return Ok(None) };
    let mark = stack.mark();
    let mut heads = vec![head];
    for &byte in &text {
        let before = std::mem::take(&mut heads);
        step(automaton, stack, scratch, &before, byte, &mut heads);
    }
    let mut free = Vec::new();
    if text.is_empty() {
        free.push(head);
    } else {
        let arrays = readings_of(stack, &heads)?;
        let items = OpenItems::read(stack, &arrays);
        for head in heads {
            let is_free =
                |readings: SmallVec<[Arrays; 1]>| readings.iter().any(|arrays| items.outlook(arrays) == Outlook::Free);
            if head.is_returned() || is_free(readings(stack, &head)?) {
                free.push(head);
            }
        }
    }
    let done = budget::cut(matcher, &text).map(|tokens| act(matcher, &free, tokens));
    matcher.stack.truncate(mark);
    Ok(done)
}
