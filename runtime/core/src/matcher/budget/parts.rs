//! Makes a mask under a budget from the parts of a mask, split by the text that remains to be written after their tokens.
//!
//! The parts are those of a mask without a budget (`matcher/mask.rs`): bases of heads, and tails of the frames below. For each group of
//! tokens, the cost of the group plus the cost of the frames below is the cost of a completion. If this completion fits, the group's row is
//! part of the mask. If not, one token of the group is tried, as frames that are completed together may take fewer tokens than separately.
//!
//! If every completion fits, no token is withheld, and the mask is the one without a budget. With several readings, this is found out for
//! each reading by itself, from parts that are kept; only if some completion does not fit are the readings walked together.

use std::sync::Arc;

use super::fit::Fit;
use super::groups::each_group;
use super::{Budget, Rows};
use crate::completion::Costs;
use crate::mask::RowRef;
use crate::matcher::Matcher;
use crate::step::Head;
use crate::vocabulary::TokenId;

/// The tokens of a mask after which a completion fits.
pub(super) enum Fitting {
    /// All tokens that the mask without a budget has.
    All,
    Only(Rows),
}

/// With more heads than this, they are walked together at once.
const FEW_HEADS: usize = 32;

/// Returns the tokens after which a completion fits into `left` tokens; `None` if the format is too ambiguous.
pub(super) fn fitting(matcher: &mut Matcher, budget: &Budget, left: usize) -> Option<Fitting> {
    let automaton = Arc::clone(&matcher.automaton);
    let store = Arc::clone(&matcher.store);
    let costs = &mut budget.completions.costs(&automaton);
    let fit = budget.fit(&automaton, &store, left);
    let is_one = matches!(*matcher.heads.as_slice(), [head] if matcher.stack.is_one(head.parent));
    if is_one && let Some(fitting) = by_parts(matcher, fit, costs) {
        return Some(fitting);
    }
    if !is_one && all_fit(matcher, fit, costs) {
        return Some(Fitting::All);
    }
    together(matcher, fit, costs).map(Fitting::Only)
}

/// Returns whether a completion of each head fits, whatever token the head reads. A token that several heads read leaves at least the
/// completions of one of them. `false` if there are many heads, or if the format is too ambiguous.
fn all_fit(matcher: &mut Matcher, fit: Fit<'_>, costs: &mut Costs<'_>) -> bool {
    let Matcher { automaton, stack, heads, walker, .. } = matcher;
    heads.len() <= FEW_HEADS
        && heads.iter().all(|head| {
            let walker = walker.get(fit.asked.store, automaton);
            let mut fits = true;
            let place = (&*stack, std::slice::from_ref(head));
            let seen = each_group(fit.asked, walker, costs, place, |_, cost| fits &= cost as usize <= fit.left);
            seen.is_some() && fits
        })
}

/// Returns the tokens part by part. `None` if the text has several readings after a token: then one token of a group is not representative,
/// as the others may be read in more ways.
fn by_parts(matcher: &mut Matcher, fit: Fit<'_>, costs: &mut Costs<'_>) -> Option<Fitting> {
    let (mut rows, mut others) = (Rows::new(), Vec::new());
    let place = (&matcher.stack, matcher.heads.as_slice());
    each_group(fit.asked, matcher.walker.get(fit.asked.store, &matcher.automaton), costs, place, |group, cost| {
        let row = RowRef::Shared(Arc::clone(&group.row));
        if cost as usize <= fit.left { rows.push(row) } else { others.push((group.sample, row)) }
    })?;
    if others.is_empty() {
        return Some(Fitting::All);
    }
    for (sample, row) in others {
        let tried = tried(matcher, fit, costs, sample);
        if tried.readings > 1 {
            return None;
        }
        rows.extend(tried.fits.then_some(row));
    }
    Some(Fitting::Only(rows))
}

/// Returns the rows from a walk of all heads together, in which a group has the tokens after which all readings have equal continuations.
fn together(matcher: &mut Matcher, fit: Fit<'_>, costs: &mut Costs<'_>) -> Option<Rows> {
    let live: Vec<Head> = matcher.heads.iter().copied().filter(|head| !head.is_returned()).collect();
    let Fit { asked, left } = fit;
    let walker = matcher.walker.get(asked.store, &matcher.automaton);
    let groups = asked.store.costed_together(walker, (&matcher.stack, &live), (asked.completions, &mut *costs))?;
    let mut rows = Rows::new();
    for group in &*groups {
        if group.cost as usize <= left || tried(matcher, fit, costs, group.sample).fits {
            rows.push(RowRef::Shared(Arc::clone(&group.row)));
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

/// Reads a token, checks whether a completion fits after it, and takes it back.
fn tried(matcher: &mut Matcher, fit: Fit<'_>, costs: &mut Costs<'_>, token: TokenId) -> Tried {
    let mark = matcher.stack.mark();
    let read = matcher.read_token(token).is_ok();
    let walker = matcher.walker.get(fit.asked.store, &matcher.automaton);
    let fits = read && fit.fits(walker, costs, &matcher.stack, &matcher.before);
    matcher.stack.truncate(mark);
    Tried { fits, readings: matcher.before.len() }
}
