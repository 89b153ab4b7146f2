//! Budgets and their plans in saved states. They are verified while the text is read again.

use std::sync::Arc;

use super::{Budget, Far, Plan};
use crate::completion::Completions;
use crate::matcher::Matcher;
use crate::vocabulary::TokenId;

/// The saved form of a budget.
#[derive(Clone, Copy, Debug)]
pub(in crate::matcher) struct SavedBudget {
    /// The number of accepted tokens at which the text must be complete.
    pub(in crate::matcher) end: usize,
    /// The number of accepted tokens at which the budget was last found to be far.
    pub(in crate::matcher) far: Option<usize>,
}

/// The saved form of a plan: it was the budget's plan from place `first` to place `last`, both as numbers of accepted tokens.
#[derive(Clone, Debug)]
pub(in crate::matcher) struct SavedPlan {
    pub(in crate::matcher) first: usize,
    pub(in crate::matcher) last: usize,
    /// The tokens that complete the text from the first place.
    pub(in crate::matcher) tokens: Vec<TokenId>,
}

impl SavedPlan {
    pub(in crate::matcher) fn plan(&self) -> Plan {
        Plan { at: self.first, tokens: self.tokens.as_slice().into() }
    }
}

impl Plan {
    /// Returns the token of the plan that was the last accepted one when `len` tokens had been accepted.
    pub(in crate::matcher) fn token_before(&self, len: usize) -> Option<TokenId> {
        self.tokens.get(len.checked_sub(self.at + 1)?).copied()
    }

    fn is_same(&self, other: &Plan) -> bool {
        self.at == other.at && Arc::ptr_eq(&self.tokens, &other.tokens)
    }
}

impl Budget {
    pub(in crate::matcher) fn saved(&self) -> SavedBudget {
        SavedBudget { end: self.end, far: self.far.place() }
    }
}

/// Returns the plans at all places to which a matcher can roll back, and at its own place. After the end of a text there is no plan.
pub(in crate::matcher) fn saved_plans(matcher: &Matcher) -> Vec<SavedPlan> {
    let here = matcher.plan().filter(|_| !matcher.terminated);
    let before = (0..matcher.history.len()).map(|at| matcher.history.get(at).and_then(|place| place.plan.as_deref()));
    let mut saved: Vec<SavedPlan> = Vec::new();
    let mut previous: Option<&Plan> = None;
    for (at, plan) in (matcher.forgotten..).zip(before.chain([here.as_ref()])) {
        match (plan, previous, saved.last_mut()) {
            (Some(plan), Some(previous), Some(last)) if plan.is_same(previous) => last.last = at,
            (Some(plan), ..) => saved.push(SavedPlan { first: at, last: at, tokens: plan.rest(at).to_vec() }),
            (None, ..) => {}
        }
        previous = plan;
    }
    saved
}

/// A budget while the text is read again.
#[derive(Debug)]
pub(in crate::matcher) struct Returning {
    saved: SavedBudget,
    completions: Arc<Completions>,
    far: Far,
}

impl Returning {
    pub(in crate::matcher) fn new(matcher: &Matcher, saved: &SavedBudget) -> Self {
        let completions = matcher.store.completions(&matcher.automaton);
        Self { saved: *saved, completions, far: Far::default() }
    }

    /// Checks whether the budget is far, if it was saved as last found far at the matcher's place.
    pub(in crate::matcher) fn look(&mut self, matcher: &Matcher) {
        let len = matcher.len();
        if self.saved.far == Some(len) {
            let left = self.saved.end.saturating_sub(len);
            let (stack, heads) = matcher.stack.without_items(&matcher.heads);
            self.far.look(&self.completions, &matcher.automaton, &stack, &heads, (len, left));
        }
    }

    /// Follows a token. Text that is not a token may nest deeper than any token, so that the budget may no longer be far.
    pub(in crate::matcher) fn follow(&mut self, token: Option<TokenId>) {
        if token.is_none() {
            self.far = Far::default();
        }
    }

    /// Returns the budget at the end of the text.
    pub(in crate::matcher) fn finish(self, plan: Option<Plan>) -> Box<Budget> {
        Box::new(Budget { end: self.saved.end, completions: self.completions, far: self.far, plan })
    }
}
