//! Texts and masks of formats with arrays without duplicate items (`uniqueItems`), or with objects in which no undeclared key may come
//! twice.
//!
//! The automaton steps through such arrays as if each item were new, and through such objects as if each key were new. Rows of masks, packs
//! and completions are computed in the same way. A matcher of such a format keeps its text ([`crate::step`], `seen.rs`), and drops a head
//! at the `,` or `]` after an item that has come before, or at the closing quote of a key that has come before. In the following, such an
//! object counts as an array whose items are its keys. This module does the rest:
//!
//! 1. *Dead ends*: after each text, readings are dropped if one of their items can no longer become new ([`search`]).
//! 2. *Masks* are made as if no item had come before; then tokens are removed after which no reading is left ([`removal`]).
//! 3. *Budgets* are handled in the same way; in addition, a reading must have a completion that fits ([`completing`]).

mod completing;
mod fates;
mod places;
mod removal;
mod search;
mod written;

use super::{MatchError, Matcher, budget, mask as masks};
use crate::mask::Mask;
use crate::step::{Head, merge};
use fates::Fates;
use places::{OpenItems, readings_of};
use removal::{is_alive, is_head_alive, without_refused};

pub(super) use completing::{check_budget, set_budget, shortest};

/// Calls `act` as if no item had come before.
pub(super) fn on_readings<T>(matcher: &mut Matcher, act: impl FnOnce(&mut Matcher) -> T) -> T {
    let heads = matcher.heads.to_vec();
    on_heads(matcher, &heads, act)
}

/// Calls `act` with the matcher at other heads of its stack, as if no item had come before.
fn on_heads<T>(matcher: &mut Matcher, heads: &[Head], act: impl FnOnce(&mut Matcher) -> T) -> T {
    let (mut stack, mut heads) = matcher.stack.without_items(heads);
    merge(&matcher.automaton, &mut stack, &mut heads);
    let kept = (std::mem::replace(&mut matcher.stack, stack), std::mem::replace(&mut matcher.heads, heads.into()));
    let done = act(matcher);
    (matcher.stack, matcher.heads) = kept;
    done
}

/// Drops the heads in `matcher.before` that no text can follow. The stack keeps the text that they have read.
pub(super) fn drop_dead(matcher: &mut Matcher) -> Result<(), MatchError> {
    let heads = std::mem::take(&mut matcher.before);
    let alive = alive(matcher, &heads);
    matcher.before = heads;
    let mut alive = alive?.into_iter();
    matcher.before.retain(|_| alive.next().unwrap_or(true));
    Ok(())
}

/// Returns for each head whether some text can follow it.
fn alive(matcher: &mut Matcher, heads: &[Head]) -> Result<Vec<bool>, MatchError> {
    let arrays = readings_of(&matcher.stack, heads)?;
    let items = OpenItems::read(&matcher.stack, &arrays);
    let mut fates = Fates::new(&matcher.stack, &items);
    heads.iter().map(|head| is_head_alive(matcher, *head, &items, &mut fates)).collect()
}

/// Returns whether some text can follow one of the heads. The stack keeps the text that they have read.
pub(super) fn leads_on(matcher: &mut Matcher, heads: &[Head]) -> bool {
    if !matcher.stack.keeps_text() {
        return !heads.is_empty();
    }
    alive(matcher, heads).is_ok_and(|alive| alive.contains(&true))
}

/// Computes the mask of a matcher.
pub(super) fn mask(matcher: &mut Matcher) -> Result<Mask, MatchError> {
    let mask = on_readings(matcher, masks::collect)?;
    let mask = without_refused(matcher, mask, &mut is_alive)?;
    matcher.check_goes_on(&mask)?;
    if matcher.budget.is_none() || matcher.terminated {
        return Ok(mask);
    }
    completing::restrict(matcher, mask)
}

/// Returns whether the budget changes no mask. A budget never counts as far if the stack keeps the text.
pub(super) fn is_budget_far(matcher: &mut Matcher) -> bool {
    if matcher.stack.keeps_text() { matcher.budget.is_none() } else { budget::is_far(matcher) }
}
