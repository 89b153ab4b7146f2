//! Token budgets: withholds tokens after which the text could not be completed with the tokens that are left.
//!
//! # Guarantee
//!
//! With a budget of `n` tokens set, the text is complete after at most `n` tokens, whatever allowed tokens are accepted (end-of-sequence
//! tokens do not count). A token is withheld if no completion was found that fits into the tokens left after it. It is never withheld too
//! late. If the search ([`search`]) ends within its bounds, it is never withheld too early either. It may be withheld early
//!
//! * where the search would have to visit more places than its cap (24 with at most 12 tokens left, 3 with at most 64, none with more), or
//!   where a completion leads through a place whose known completion has more than twice as many tokens as are left;
//! * in rules that count tokens: they are completed as if no tokens of their own count were left;
//! * in formats with arrays without duplicate items, which are not searched, and in formats with objects in which no undeclared key may
//!   come twice, where some tokens are reserved for keys that must be new;
//! * in objects that count their members: the known completion takes the first remaining keys.
//!
//! While the budget is *far*, which means that a completion fits whichever token comes next, it changes no mask.
//!
//! # Algorithm
//!
//! Far from the end, only a bound is checked ([`crate::completion::Most`]), and the result holds for many tokens to come: see [`Far`]. Near
//! the end, tokens that leave the same text to be written form a group ([`parts`]), and for each group it is checked whether a completion
//! fits ([`fit`]).
//!
//! The first completion that was found is kept as the *plan*: its tokens stay allowed, whatever later searches find, as a search from the
//! next place may reach its bounds where this one did not. With 3 tokens left and the plan `"`, `]`, `}`, the token `"` is allowed because
//! the rest of the plan has 2 tokens, even if a search from there would find only 3.

mod all_tokens;
mod asked;
mod asked_of_heads;
mod far;
mod fit;
mod groups;
mod parts;
mod saved;
mod search;

use std::sync::Arc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{MatchError, Matcher};
use crate::automaton::Automaton;
use crate::completion::{Completions, MAX_TEXT};
use crate::mask::{Mask, MaskStore, Row, RowRef};
use crate::vocabulary::TokenId;
use crate::watch;
use all_tokens::Walk;
use asked::Asked;
pub(super) use asked_of_heads::{cheapest, cut, fits, forget_far, left, pieces, plan_tokens, set_plan, with_less};
use far::Far;
use fit::Fit;
use parts::Fitting;
pub(super) use saved::{Returning, SavedBudget, SavedPlan, saved_plans};

type Rows = SmallVec<[RowRef; 4]>;

/// Tokens that complete the text: the cheapest completion that was found, kept so that its tokens stay allowed.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// The number of tokens that were accepted before the first token of the plan.
    at: usize,
    tokens: Arc<[TokenId]>,
}

impl Plan {
    /// Returns the rest of the plan once `len` tokens have been accepted.
    fn rest(&self, len: usize) -> &[TokenId] {
        len.checked_sub(self.at).and_then(|done| self.tokens.get(done..)).unwrap_or_default()
    }
}

/// A bound on the tokens of a sequence.
#[derive(Clone, Debug)]
pub(super) struct Budget {
    /// The number of accepted tokens at which the text must be complete.
    end: usize,
    completions: Arc<Completions>,
    far: Far,
    pub(super) plan: Option<Plan>,
}

/// Results of the checks of a budget, kept so that they can be restored.
pub(super) struct FoundSoFar {
    far: Far,
    plan: Option<Plan>,
}

impl Budget {
    fn left(&self, len: usize) -> usize {
        self.end.saturating_sub(len)
    }

    fn fit<'a>(&'a self, automaton: &'a Automaton, store: &'a MaskStore, left: usize) -> Fit<'a> {
        Fit { asked: Asked { automaton, store, completions: &self.completions }, left }
    }

    /// Returns the results of the checks so far: the range in which the budget is far, and the plan.
    pub(super) fn found(&self) -> FoundSoFar {
        FoundSoFar { far: self.far, plan: self.plan.clone() }
    }

    /// Restores the results from before a check that was stopped.
    pub(super) fn go_back(&mut self, before: FoundSoFar) {
        (self.far, self.plan) = (before.far, before.plan);
    }

    /// Rolls back to `len` accepted tokens, with the `plan` of that place.
    pub(super) fn roll_back(&mut self, len: usize, plan: Option<&Plan>) {
        self.far.roll_back(len);
        self.plan = plan.cloned();
    }
}

/// Sets or lifts the bound; see [`Matcher::set_budget`].
pub(super) fn set(matcher: &mut Matcher, max_tokens: Option<u32>) -> Result<(), MatchError> {
    let Some(given) = max_tokens else {
        matcher.budget = None;
        return Ok(());
    };
    let mut budget = Budget {
        end: matcher.len().saturating_add(given as usize),
        completions: matcher.store.completions(&matcher.automaton),
        far: Far::default(),
        plan: None,
    };
    budget.far.look(
        &budget.completions,
        &matcher.automaton,
        &matcher.stack,
        &matcher.heads,
        (matcher.len(), given as usize),
    );
    if !budget.far.holds(matcher.len()) && !matcher.is_complete() {
        let at = matcher.len();
        match plan(matcher, &budget, given as usize) {
            Ok(tokens) => budget.plan = Some(Plan { at, tokens: tokens.into() }),
            // Where items or keys must be new, `distinct` makes the plan: it knows those that have come.
            Err(_) if matcher.automaton.has_distinct_items() => {}
            Err(tokens) => return Err(MatchError::Budget { given, limit: tokens.unwrap_or(u32::MAX) }),
        }
    }
    if watch::is_stopped() {
        return Err(MatchError::STOPPED);
    }
    matcher.budget = Some(Box::new(budget));
    Ok(())
}

/// The shortest known completion.
pub(super) struct Shortest {
    /// The least budget with which [`set`] finds a completion; the completion may have fewer tokens.
    pub(super) budget: usize,
    pub(super) tokens: Vec<TokenId>,
}

/// Returns the shortest known completion: searches with ever smaller budgets until none is found.
pub(super) fn shortest(matcher: &mut Matcher) -> Option<Shortest> {
    let completions = matcher.store.completions(&matcher.automaton);
    let budget = Budget { end: matcher.len(), completions, far: Far::default(), plan: None };
    let most = plan(matcher, &budget, 0).err().flatten().map_or(MAX_TEXT as usize, |tokens| tokens as usize);
    let tokens = plan(matcher, &budget, most).ok()?;
    let mut shortest = Shortest { budget: most, tokens };
    while let Some(fewer) = shortest.budget.checked_sub(1) {
        let fewer = fewer.min(shortest.tokens.len());
        match plan(matcher, &budget, fewer) {
            Ok(tokens) => shortest = Shortest { budget: fewer, tokens },
            Err(_) => return Some(between(matcher, &budget, fewer, shortest)),
        }
    }
    Some(shortest)
}

/// Returns a completion that is found with a budget, but not with one token less. None is found with `too_few` tokens: with fewer tokens
/// left, a search drops more places.
fn between(matcher: &mut Matcher, budget: &Budget, mut too_few: usize, mut found: Shortest) -> Shortest {
    while found.budget - too_few > 1 {
        let middle = too_few + (found.budget - too_few) / 2;
        match plan(matcher, budget, middle) {
            Ok(tokens) => found = Shortest { budget: middle, tokens },
            Err(_) => too_few = middle,
        }
    }
    found
}

/// Returns the tokens of a completion that fits into `left` tokens. Otherwise fails with the number of tokens of a known completion that
/// does not fit, if there is one.
fn plan(matcher: &mut Matcher, budget: &Budget, left: usize) -> Result<Vec<TokenId>, Option<u32>> {
    shorter_plan(matcher, budget, left, usize::MAX).map(Option::unwrap_or_default)
}

/// Like [`plan`], but returns `None` if the completion has at least `have` tokens. Such a completion may be known only by its length.
fn shorter_plan(
    matcher: &mut Matcher,
    budget: &Budget,
    left: usize,
    have: usize,
) -> Result<Option<Vec<TokenId>>, Option<u32>> {
    let Matcher { automaton, store, stack, walker, heads, stops, .. } = matcher;
    let costs = &mut budget.completions.costs(automaton);
    let plan = budget.fit(automaton, store, left).plan(walker.get(store, automaton), costs, (stack, heads), have);
    walker.give_back(store, automaton);
    let plan = plan?;
    let stops = stops.as_deref().unwrap_or_default();
    let has_stop = plan.iter().flatten().any(|token| stops.contains(token));
    if has_stop { Err(None) } else { Ok(plan.filter(|plan| plan.len() < have)) }
}

/// Checks that a completion still fits after `token` (or other text) has led to the heads in `matcher.before`, which are not committed yet.
pub(super) fn check(matcher: &mut Matcher, token: Option<TokenId>) -> Result<(), MatchError> {
    let len = matcher.len();
    let Some(budget) = &matcher.budget else {
        return Ok(());
    };
    let left = budget.left(len);
    if token.is_some() && budget.far.holds(len) {
        return Ok(());
    }
    let planned = planned(matcher, budget).filter(|planned| planned.tokens <= left);
    if token.is_some() && planned.map(|planned| planned.next) == token {
        return Ok(());
    }
    let Matcher { automaton, store, stack, walker, before, budget: Some(budget), .. } = matcher else {
        return Ok(());
    };
    let fits = |left| {
        let costs = &mut budget.completions.costs(automaton);
        budget.fit(automaton, store, left).fits(walker.get(store, automaton), costs, stack, before)
    };
    let fits = left.checked_sub(1).is_some_and(fits);
    walker.give_back(store, automaton);
    if fits {
        return Ok(());
    }
    Err(MatchError::Budget { given: left as u32, limit: left as u32 + 1 })
}

/// The length of the rest of a plan, and its first token.
struct Planned {
    tokens: usize,
    next: TokenId,
}

/// Returns the rest of the matcher's plan, if it has one.
fn planned(matcher: &Matcher, budget: &Budget) -> Option<Planned> {
    let rest = budget.plan.as_ref()?.rest(matcher.len());
    Some(Planned { tokens: rest.len(), next: *rest.first()? })
}

/// Drops the plan unless `token` is its next token. Text that is not a token may nest deeper than any token, so that the budget may no
/// longer be far.
pub(super) fn follow(matcher: &mut Matcher, token: Option<TokenId>) {
    let Some(budget) = &matcher.budget else {
        return;
    };
    let next = planned(matcher, budget).map(|planned| planned.next);
    let followed = token.is_some() && next == token;
    if let Some(budget) = matcher.budget.as_mut().filter(|_| !followed) {
        budget.plan = None;
        if token.is_none() {
            budget.far = Far::default();
        }
    }
}

/// Returns whether the budget cannot withhold any token here: there is none, or it is far.
pub(super) fn is_far(matcher: &mut Matcher) -> bool {
    let len = matcher.len();
    let Some(budget) = &mut matcher.budget else {
        return true;
    };
    if !budget.far.holds(len) {
        let left = budget.left(len);
        budget.far.look(&budget.completions, &matcher.automaton, &matcher.stack, &matcher.heads, (len, left));
    }
    budget.far.holds(len)
}

/// Withholds tokens after which the text could not be completed in time.
pub(super) fn restrict(matcher: &mut Matcher, mask: Mask) -> Result<Mask, MatchError> {
    if matcher.terminated || mask.rows().next().is_none() || is_far(matcher) {
        return Ok(mask);
    }
    match matcher.budget.clone() {
        Some(budget) => near(matcher, &budget, mask, budget.left(matcher.len())),
        None => Ok(mask),
    }
}

/// Makes a mask of the plan's next token, and of the tokens after which a completion fits.
fn near(matcher: &mut Matcher, budget: &Budget, mask: Mask, left: usize) -> Result<Mask, MatchError> {
    let have = budget.plan.as_ref().map_or(usize::MAX, |plan| plan.rest(matcher.len()).len());
    let found = shorter_plan(matcher, budget, left, have);
    let limit = found
        .as_ref()
        .map_or_else(|tokens| tokens.unwrap_or(u32::MAX), |tokens| tokens.as_ref().map_or(have, Vec::len) as u32);
    if let Ok(Some(tokens)) = found {
        make_plan(matcher, tokens);
    }
    let fitting = left.checked_sub(1).map(|left| fitting(matcher, budget, left));
    let mut rows = match fitting {
        Some(Fitting::All) => return Ok(mask),
        Some(Fitting::Only(rows)) => rows,
        None => Rows::new(),
    };
    let own = matcher.budget.as_ref();
    let next = own.and_then(|budget| planned(matcher, budget)).filter(|planned| planned.tokens <= left);
    if let Some(planned) = next {
        rows.push(RowRef::Shared(Arc::new(Row::Sparse([planned.next.0].into()))));
    }
    if rows.is_empty() && !mask.eos {
        return Err(MatchError::Budget { given: left as u32, limit });
    }
    Ok(Mask { rows, ..mask })
}

/// Returns the tokens after which a completion fits into `left` tokens.
fn fitting(matcher: &mut Matcher, budget: &Budget, left: usize) -> Fitting {
    if !matcher.automaton.derived.reads_markers()
        && let Some(fitting) = parts::fitting(matcher, budget, left)
    {
        matcher.give_walker_back();
        return fitting;
    }
    let automaton = Arc::clone(&matcher.automaton);
    let mut walk = Walk {
        automaton: &automaton,
        fit: budget.fit(&automaton, &matcher.store, left),
        costs: &mut budget.completions.costs(&automaton),
        stack: &mut matcher.stack,
        scratch: &mut matcher.scratch,
        walker: matcher.walker.get(&matcher.store, &automaton),
        memo: FxHashMap::default(),
    };
    let mut tokens = walk.tokens(&matcher.heads);
    matcher.give_walker_back();
    tokens.sort_unstable();
    tokens.dedup();
    let row = Row::from_tokens(&tokens, matcher.store.vocabulary().len());
    Fitting::Only(if tokens.is_empty() { Rows::new() } else { Rows::from_iter([RowRef::Shared(Arc::new(row))]) })
}

/// Makes a completion the current plan.
fn make_plan(matcher: &mut Matcher, tokens: Vec<TokenId>) {
    let at = matcher.len();
    if let Some(budget) = &mut matcher.budget {
        budget.plan = Some(Plan { at, tokens: tokens.into() });
    }
}
