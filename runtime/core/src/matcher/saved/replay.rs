//! Reads the text of a saved state again.

use std::sync::Arc;

use super::RestoreError;
use super::bytes::invalid;
use super::state::MatcherState;
use crate::matcher::budget::{Returning, SavedPlan};
use crate::matcher::log::Accepted;
use crate::matcher::{MatchError, Matcher, budget};

/// Makes a matcher at the saved place, with the format and the vocabulary of the matcher `of`.
pub(super) fn restored(of: &Matcher, state: &MatcherState<'_>) -> Result<Matcher, RestoreError> {
    let mut matcher = at_start(of);
    let mut budget = state.budget.as_ref().map(|budget| Returning::new(&matcher, budget));
    let mut plans = Plans { left: &state.plans, current: None };
    // Checkpoints that will be dropped anyway take no memory.
    matcher.window = Some(0);
    for at in 0..=state.accepted.len() {
        if at == state.forgotten {
            matcher.forget_first(matcher.history.len());
            matcher.window = None;
        }
        budget.iter_mut().for_each(|budget| budget.look(&matcher));
        let plan = plans.at(at, &mut matcher)?;
        let Some(&accepted) = state.accepted.get(at) else {
            matcher.budget = budget.map(|budget| budget.finish(plan));
            break;
        };
        let is_last = at + 1 == state.accepted.len();
        if let Accepted::Token(token) = accepted
            && is_last
            && state.is_ended
        {
            if !matcher.is_complete() {
                return Err(invalid("the text ends where it is not complete"));
            }
            matcher.end(token, plan);
            continue;
        }
        budget.iter_mut().for_each(|budget| budget.follow(accepted.token()));
        read(&mut matcher, accepted, plan).map_err(|error| RestoreError::Refused { at, error })?;
        matcher.forget();
    }
    matcher.window = state.window;
    matcher.set_stop_tokens(state.stops.as_deref());
    Ok(matcher)
}

/// Makes a matcher at the beginning of the text.
fn at_start(of: &Matcher) -> Matcher {
    let start = Matcher::new(Arc::clone(&of.automaton), Arc::clone(&of.store));
    Matcher { pack: of.pack.clone(), ..start }
}

/// Reads one accepted token or text. Stop tokens and budgets are not checked, as they may have been different when it was accepted.
fn read(matcher: &mut Matcher, accepted: Accepted<'_>, plan: Option<budget::Plan>) -> Result<(), MatchError> {
    let mark = matcher.stack.mark();
    let read = match accepted {
        Accepted::Token(token) => matcher.read_token(token),
        Accepted::Text(text) => matcher.read_bytes(text),
    };
    match read {
        Ok(()) => matcher.go_on(mark, accepted, plan),
        Err(_) => matcher.stack.truncate(mark),
    }
    read
}

/// The plans of a state, while the state's text is read.
struct Plans<'a> {
    left: &'a [SavedPlan],
    /// The budget's plan at the place that was read last, and the last place at which that plan applies.
    current: Option<(budget::Plan, usize)>,
}

impl Plans<'_> {
    /// Returns the plan for the next place, where the matcher stands.
    fn at(&mut self, at: usize, matcher: &mut Matcher) -> Result<Option<budget::Plan>, RestoreError> {
        if let Some((plan, last)) = &self.current
            && at <= *last
        {
            let was_read = matcher.log.last().and_then(Accepted::token);
            return match was_read.is_some() && was_read == plan.token_before(at) {
                true => Ok(Some(plan.clone())),
                false => Err(invalid("a plan was not followed")),
            };
        }
        self.current = None;
        let Some((saved, left)) = self.left.split_first().filter(|(saved, _)| saved.first == at) else {
            return Ok(None);
        };
        self.left = left;
        if !completes(saved, matcher) {
            return Err(invalid("a plan does not complete the text"));
        }
        let plan = saved.plan();
        self.current = Some((plan.clone(), saved.last));
        Ok(Some(plan))
    }
}

/// Returns whether the tokens of a plan complete the text from the plan's first place, where the matcher stands.
fn completes(saved: &SavedPlan, matcher: &mut Matcher) -> bool {
    matcher.and_back(|matcher| {
        saved.tokens.iter().all(|&token| read(matcher, Accepted::Token(token), None).is_ok()) && matcher.is_complete()
    })
}
