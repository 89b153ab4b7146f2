//! Makes a mask under a budget from the parts of a mask, split by what their tokens leave to be written.
//!
//! The parts are those of a mask without a budget (`matcher/mask.rs`): bases of heads, and tails of the frames below. For each
//! group of tokens, the cost of the group and that of the frames below it are a completion. Where these fit, the group's row is part of
//! the mask. Where they do not, one token of the group is tried, as frames that are completed together may take fewer tokens
//! than each by itself.

use std::sync::Arc;

use smallvec::SmallVec;

use super::fit::{Asked, Fit};
use super::{Budget, Rows};
use crate::completion::{Below, Costs};
use crate::mask::{CostGroup, Costed, ExitsId, RowRef, Walker};
use crate::matcher::Matcher;
use crate::step::{BOTTOM, Head, NodeId, Stack};
use crate::vocabulary::TokenId;

/// A part that is still to be looked at: the head, and the exits after which it begins, if it is a tail.
type Part = (Option<ExitsId>, Head);

/// Calls `f` with each group of tokens that may come next, and the tokens that complete the text after it, where each frame is
/// completed by itself. `None` if the format is too ambiguous.
pub(super) fn each_group(
    asked: Asked<'_>,
    walker: &mut Walker,
    costs: &mut Costs<'_>,
    (stack, heads): (&Stack, &[Head]),
    mut f: impl FnMut(&CostGroup, u32),
) -> Option<()> {
    let Asked { store, completions, .. } = asked;
    let mut below = Below::tokens(asked.cutter());
    let live = heads.iter().copied().filter(|head| !head.is_returned());
    let mut todo: SmallVec<[Part; 8]> = live.map(|head| (None, head)).collect();
    let mut done = 0;
    while let Some(&(after, head)) = todo.get(done) {
        done += 1;
        let costed = store.costed(walker, stack, (after, head), (completions, &mut *costs))?;
        let rest = costs.below(stack, head.parent, &mut below);
        costed.groups.iter().for_each(|group| f(group, group.cost.saturating_add(rest)));
        let exits = store.exits_with_follow_if_many(costs.automaton(), head.state, costed.exits);
        add_below(stack, &costed, exits, head.parent, &mut todo);
    }
    Some(())
}

/// Adds the parts of the frames below: their tails after the exits, and their bases if the top frame can return at once.
fn add_below(stack: &Stack, costed: &Costed, exits: ExitsId, parent: NodeId, todo: &mut SmallVec<[Part; 8]>) {
    let mut add = |after: Option<ExitsId>| {
        stack.frames(parent, |frame, below| {
            let part = (after, frame.resume(below));
            if !todo.contains(&part) {
                todo.push(part);
            }
        });
    };
    if exits != ExitsId::NONE && parent != BOTTOM {
        add(Some(exits));
    }
    if costed.at_once {
        add(None);
    }
}

/// Returns the rows of the tokens after which a completion fits into `left` tokens; `None` if the format is too ambiguous.
pub(super) fn rows(matcher: &mut Matcher, budget: &Budget, left: usize) -> Option<Rows> {
    let automaton = Arc::clone(&matcher.automaton);
    let store = Arc::clone(&matcher.store);
    let costs = &mut budget.completions.costs(&automaton);
    let fit = budget.fit(&automaton, &store, left);
    let is_one = matches!(*matcher.heads.as_slice(), [head] if matcher.stack.is_one(head.parent));
    match is_one.then(|| by_parts(matcher, fit, costs)).flatten() {
        Some(rows) => Some(rows),
        None => together(matcher, fit, costs),
    }
}

/// Returns the rows part by part. `None` where the text has several readings after a token: one token of a group then does not
/// speak for the others, which may be read in other ways as well.
fn by_parts(matcher: &mut Matcher, fit: Fit<'_>, costs: &mut Costs<'_>) -> Option<Rows> {
    let (mut rows, mut others) = (Rows::new(), Vec::new());
    let place = (&matcher.stack, matcher.heads.as_slice());
    each_group(fit.asked, &mut matcher.walker, costs, place, |group, cost| {
        let row = RowRef::Shared(Arc::clone(&group.row));
        if cost as usize <= fit.left { rows.push(row) } else { others.push((group.sample, row)) }
    })?;
    for (sample, row) in others {
        let tried = tried(matcher, fit, costs, sample);
        if tried.readings > 1 {
            return None;
        }
        rows.extend(tried.fits.then_some(row));
    }
    Some(rows)
}

/// Returns the rows from a walk of all heads together: a group has the tokens after which all readings go on alike.
fn together(matcher: &mut Matcher, fit: Fit<'_>, costs: &mut Costs<'_>) -> Option<Rows> {
    let live: Vec<Head> = matcher.heads.iter().copied().filter(|head| !head.is_returned()).collect();
    let Fit { asked, left } = fit;
    let groups =
        asked.store.costed_together(&mut matcher.walker, (&matcher.stack, &live), (asked.completions, &mut *costs))?;
    let mut rows = Rows::new();
    for group in groups {
        if group.cost as usize <= left || tried(matcher, fit, costs, group.sample).fits {
            rows.push(RowRef::Shared(group.row));
        }
    }
    Some(rows)
}

/// The result of trying a token.
struct Tried {
    /// Whether a completion fits after it.
    fits: bool,
    /// The number of readings after it.
    readings: usize,
}

/// Tries a token.
fn tried(matcher: &mut Matcher, fit: Fit<'_>, costs: &mut Costs<'_>, token: TokenId) -> Tried {
    let mark = matcher.stack.mark();
    let read = matcher.read_token(token).is_ok();
    let fits = read && fit.fits(&mut matcher.walker, costs, &matcher.stack, &matcher.before);
    matcher.stack.truncate(mark);
    Tried { fits, readings: matcher.before.len() }
}
