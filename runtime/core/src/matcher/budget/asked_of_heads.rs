//! Functions on a matcher's heads and plan, for budgets of formats with arrays without duplicate items.

use std::sync::Arc;

use super::{Budget, Far, Plan};
use crate::completion::{Completions, Piece};
use crate::matcher::Matcher;
use crate::vocabulary::TokenId;

/// Returns the number of tokens left; `None` without a budget.
pub(in crate::matcher) fn left(matcher: &Matcher) -> Option<usize> {
    Some(matcher.budget.as_ref()?.left(matcher.len()))
}

/// Calls `act` as if `tokens` fewer tokens were left.
pub(in crate::matcher) fn with_less<T>(matcher: &mut Matcher, tokens: usize, act: impl FnOnce(&mut Matcher) -> T) -> T {
    let end = matcher.budget.as_ref().map(|budget| budget.end);
    let set = |matcher: &mut Matcher, end: Option<usize>| {
        if let Some((budget, end)) = matcher.budget.as_mut().zip(end) {
            budget.end = end;
        }
    };
    set(matcher, end.map(|end| end.saturating_sub(tokens)));
    let done = act(matcher);
    set(matcher, end);
    done
}

/// Forgets the range in which the budget is far, so that it is computed again.
pub(in crate::matcher) fn forget_far(matcher: &mut Matcher) {
    matcher.budget.iter_mut().for_each(|budget| budget.far = Far::default());
}

/// Returns the remaining tokens of the plan; empty if there is no plan.
pub(in crate::matcher) fn plan_tokens(matcher: &Matcher) -> Vec<TokenId> {
    let plan = matcher.budget.as_ref().and_then(|budget| budget.plan.as_ref());
    plan.map(|plan| plan.rest(matcher.len()).to_vec()).unwrap_or_default()
}

/// Replaces the plan.
pub(in crate::matcher) fn set_plan(matcher: &mut Matcher, tokens: Vec<TokenId>) {
    let at = matcher.len();
    if let Some(budget) = &mut matcher.budget {
        budget.plan = (!tokens.is_empty()).then(|| Plan { at, tokens: tokens.into() });
    }
}

/// Returns the tokens of a completion in which each frame is completed with the fewest bytes and cut into tokens by itself.
pub(in crate::matcher) fn cheapest(matcher: &mut Matcher) -> Option<Vec<TokenId>> {
    if matcher.is_complete() {
        return Some(Vec::new());
    }
    let budget = unbounded(matcher);
    super::plan(matcher, &budget, usize::MAX).ok()
}

/// Returns the pieces of a completion in which each frame is completed with the fewest bytes, and items must still be chosen; empty if the
/// text is complete.
pub(in crate::matcher) fn pieces(matcher: &mut Matcher) -> Option<Vec<Piece>> {
    if matcher.is_complete() {
        return Some(Vec::new());
    }
    let completions = completions(matcher);
    let Matcher { automaton, store, stack, heads, .. } = matcher;
    let cutter = completions.cut.cutter(store.trie());
    completions.costs(automaton).pieces_of(stack, heads, cutter)
}

/// Returns whether a completion from the matcher's heads fits into `left` tokens.
pub(in crate::matcher) fn fits(matcher: &mut Matcher, left: usize) -> bool {
    let budget = unbounded(matcher);
    let Matcher { automaton, store, stack, walker, heads, .. } = matcher;
    let costs = &mut budget.completions.costs(automaton);
    let fits = budget.fit(automaton, store, left).fits(walker.get(store, automaton), costs, stack, heads);
    walker.give_back(store, automaton);
    fits
}

/// Cuts a text into tokens; `None` if some byte has no token.
pub(in crate::matcher) fn cut(matcher: &Matcher, text: &[u8]) -> Option<Vec<TokenId>> {
    if text.is_empty() {
        return Some(Vec::new());
    }
    let completions = completions(matcher);
    completions.cut.cutter(matcher.store.trie()).tokens(text)
}

fn unbounded(matcher: &Matcher) -> Budget {
    let completions = completions(matcher);
    Budget { end: matcher.len(), completions, far: Far::default(), plan: None }
}

/// Returns the completions of the matcher's budget, or else those of the store. The store may drop completions and make them anew, which
/// may then find other texts of the same cost; a mask and a check of the same budget must find the same.
fn completions(matcher: &Matcher) -> Arc<Completions> {
    let own = matcher.budget.as_ref().map(|budget| Arc::clone(&budget.completions));
    own.unwrap_or_else(|| matcher.store.completions(&matcher.automaton))
}
