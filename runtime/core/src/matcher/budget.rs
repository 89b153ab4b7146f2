//! Token budgets: withholds tokens after which the text could not be completed with the tokens that are left.
//!
//! # What is promised
//!
//! With a budget of `n` tokens set, whatever allowed tokens are accepted, the text is complete after at most `n` of them
//! (end-of-sequence tokens are not counted). A token is withheld if no completion after it was found that fits into what is
//! then left. The completion that is looked for has the least bytes ([`costs`]) and is cut into tokens by longest match,
//! so that a text in fewer tokens may exist that was not considered: tokens are withheld a little early, never late.
//!
//! # How
//!
//! Far from the end nothing is looked at but a bound ([`worst`]). Near it the tokens are walked. The completion that was
//! found first stays allowed, token by token, whatever later searches find: it is kept as the *plan*.
//!
//! The plan is what keeps the promise. A search is a heuristic (least bytes, longest matches), so that the completion found
//! after a token of the last one can take a token more than its rest did. With 3 tokens left and the plan `"`, `]`, `}`, the
//! token `"` is allowed because the plan goes on with 2, even if a search from there should find 3.

mod costs;
mod cut;
mod moves;
mod worst;

use std::sync::{Arc, Mutex, MutexGuard};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{MatchError, Matcher};
use crate::automaton::Automaton;
use crate::mask::{Mask, MaskStore, Row, RowRef};
use crate::step::{Head, Mark, Scratch, Stack, step};
use crate::trie;
use crate::vocabulary::TokenId;
use costs::{Below, Costs};
use cut::Cut;
use worst::Worst;

/// Tokens that complete the text: the cheapest completion that was found, kept so that it stays allowed.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// The number of tokens that had been accepted before the first token of the plan.
    at: usize,
    tokens: Arc<[TokenId]>,
}

impl Plan {
    /// Returns the rest of the plan when `len` tokens have been accepted.
    fn rest(&self, len: usize) -> &[TokenId] {
        len.checked_sub(self.at).and_then(|done| self.tokens.get(done..)).unwrap_or_default()
    }
}

/// A bound on the tokens of a sequence, with the memos that answer for it.
#[derive(Clone, Debug)]
pub(super) struct Budget {
    /// The number of accepted tokens at which the text must be complete.
    end: usize,
    /// Whether every byte is a token, so that a text never takes more tokens than bytes.
    all_bytes: bool,
    cut: Cut,
    shared: Arc<Mutex<Shared>>,
    pub(super) plan: Option<Plan>,
}

/// The memos that forks share.
#[derive(Debug)]
struct Shared {
    costs: Costs,
    worst: Worst,
}

impl Budget {
    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn left(&self, len: usize) -> usize {
        self.end.saturating_sub(len)
    }

    fn question<'a>(&'a self, store: &'a MaskStore, left: usize) -> Question<'a> {
        Question { store, all_bytes: self.all_bytes, cut: &self.cut, left }
    }
}

/// Asks whether a completion fits into a number of tokens; holds all that the count depends on.
struct Question<'a> {
    store: &'a MaskStore,
    all_bytes: bool,
    cut: &'a Cut,
    /// The number of tokens that are left for the completion.
    left: usize,
}

impl Question<'_> {
    /// Returns whether a completion from these heads fits.
    fn fits(&self, costs: &mut Costs, stack: &Stack, heads: &[Head]) -> bool {
        let mut below = Below::default();
        let Some(found) = costs.cheapest(stack, heads, &mut below) else {
            return false;
        };
        let bytes = found.cost as usize;
        let longest = self.store.trie().max_depth();
        if self.all_bytes && bytes <= self.left {
            return true;
        }
        bytes <= self.left.saturating_mul(longest)
            && (self.cut.tokens(self.store.trie(), &costs.text(found, &below)))
                .is_some_and(|tokens| tokens.len() <= self.left)
    }
}

/// Sets or lifts the bound; see [`Matcher::set_budget`].
pub(super) fn set(matcher: &mut Matcher, max_tokens: Option<u32>) -> Result<(), MatchError> {
    let Some(given) = max_tokens else {
        matcher.budget = None;
        return Ok(());
    };
    let shared = match &matcher.budget {
        Some(budget) => Arc::clone(&budget.shared),
        None => {
            Arc::new(Mutex::new(Shared { costs: Costs::new(Arc::clone(&matcher.automaton)), worst: Worst::default() }))
        }
    };
    let cut = Cut::new(&matcher.automaton, matcher.store.vocabulary());
    let mut budget = Budget {
        end: matcher.len().saturating_add(given as usize),
        all_bytes: cut.has_all_bytes(&matcher.automaton, matcher.store.vocabulary()),
        cut,
        shared,
        plan: None,
    };
    if !matcher.is_complete() {
        let tokens = completion(matcher, &budget, given as usize);
        let limit = tokens.as_ref().map_or_else(|least| *least, |tokens| tokens.len() as u32);
        if limit > given {
            return Err(MatchError::Budget { given, limit });
        }
        budget.plan = tokens.ok().map(|tokens| Plan { at: matcher.len(), tokens: tokens.into() });
    }
    matcher.budget = Some(Box::new(budget));
    Ok(())
}

/// The longest completion that is written out, in bytes, whatever the budget allows: a format of a few bytes can ask
/// for gigabytes.
const MAX_COMPLETION: usize = 1 << 22;

/// Returns the tokens of the cheapest completion that is found. If it is too long to be written out, returns the number
/// of tokens that it takes at least; `u32::MAX` if none was found, or if that number may be within `most`.
fn completion(matcher: &Matcher, budget: &Budget, most: usize) -> Result<Vec<TokenId>, u32> {
    let costs = &mut budget.lock().costs;
    let mut below = Below::default();
    let found = costs.cheapest(&matcher.stack, &matcher.heads, &mut below).ok_or(u32::MAX)?;
    let bytes = found.cost as usize;
    let least = bytes.div_ceil(matcher.store.trie().max_depth().max(1));
    if bytes > MAX_COMPLETION {
        return Err(if least > most { least as u32 } else { u32::MAX });
    }
    budget.cut.tokens(matcher.store.trie(), &costs.text(found, &below)).ok_or(u32::MAX)
}

/// Checks that a completion still fits after `token` (or other text) has led to `heads`, before anything is remembered.
pub(super) fn check(matcher: &Matcher, heads: &[Head], token: Option<TokenId>) -> Result<(), MatchError> {
    let Some(budget) = &matcher.budget else {
        return Ok(());
    };
    let left = budget.left(matcher.len());
    let planned = planned(matcher, budget).filter(|planned| planned.tokens <= left);
    if token.is_some() && planned.map(|planned| planned.next) == token {
        return Ok(());
    }
    let question = budget.question(&matcher.store, left.saturating_sub(1));
    let fits = left > 0 && question.fits(&mut budget.lock().costs, &matcher.stack, heads);
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

/// Drops the plan unless the token is its next.
pub(super) fn follow(matcher: &mut Matcher, token: Option<TokenId>) {
    let Some(budget) = &matcher.budget else {
        return;
    };
    let next = planned(matcher, budget).map(|planned| planned.next);
    let followed = token.is_some() && next == token;
    if let Some(budget) = matcher.budget.as_mut().filter(|_| !followed) {
        budget.plan = None;
    }
}

/// Withholds tokens after which the text could not be completed in time.
pub(super) fn restrict(matcher: &mut Matcher, mask: Mask) -> Result<Mask, MatchError> {
    let Some(budget) = matcher.budget.clone() else {
        return Ok(mask);
    };
    if matcher.terminated || mask.rows().next().is_none() {
        return Ok(mask);
    }
    let left = budget.left(matcher.len());
    if left > 0 && budget.all_bytes {
        let shared = &mut *budget.lock();
        let bound = shared.worst.bound(
            &mut shared.costs,
            &matcher.store,
            &matcher.stack,
            &matcher.heads,
            &mut Below::default(),
        );
        if (bound as usize) < left {
            return Ok(mask);
        }
    }
    near(matcher, &budget, mask, left)
}

/// Makes a mask of the plan's next token and of the tokens after which a completion fits, by a walk over all tokens.
fn near(matcher: &mut Matcher, budget: &Budget, mask: Mask, left: usize) -> Result<Mask, MatchError> {
    let found = completion(matcher, budget, left);
    let limit = found.as_ref().map_or_else(|least| *least as usize, Vec::len);
    make_plan(matcher, found.ok());
    let mut tokens = if left > 0 {
        let question = budget.question(&matcher.store, left - 1);
        let mut walk = Walk {
            automaton: &matcher.automaton,
            question,
            costs: &mut budget.lock().costs,
            stack: &mut matcher.stack,
            scratch: &mut matcher.scratch,
            memo: FxHashMap::default(),
        };
        walk.tokens(&matcher.heads)
    } else {
        Vec::new()
    };
    let own = matcher.budget.as_ref();
    let next = own.and_then(|budget| planned(matcher, budget));
    tokens.extend(next.filter(|planned| planned.tokens <= left).map(|planned| planned.next.0));
    tokens.sort_unstable();
    tokens.dedup();
    if tokens.is_empty() && !mask.eos {
        return Err(MatchError::Budget { given: left as u32, limit: u32::try_from(limit).unwrap_or(u32::MAX) });
    }
    let row = Row::from_tokens(&tokens, matcher.store.vocabulary().len());
    Ok(Mask { rows: SmallVec::from_iter([RowRef::Shared(Arc::new(row))]), ..mask })
}

/// Makes a completion the plan if it is shorter than the rest of the plan.
fn make_plan(matcher: &mut Matcher, found: Option<Vec<TokenId>>) {
    let at = matcher.len();
    let Some(budget) = &mut matcher.budget else {
        return;
    };
    let have = budget.plan.as_ref().map(|plan| plan.rest(at).len());
    if let Some(tokens) = found.filter(|tokens| have.is_none_or(|have| tokens.len() < have)) {
        budget.plan = Some(Plan { at, tokens: tokens.into() });
    }
}

/// A walk over the token trie that asks for each token whether a completion fits after it.
struct Walk<'a> {
    automaton: &'a Automaton,
    question: Question<'a>,
    costs: &'a mut Costs,
    stack: &'a mut Stack,
    scratch: &'a mut Scratch,
    /// Answers for single heads whose frames and keys are older than the walk.
    memo: FxHashMap<[u32; 6], bool>,
}

struct Level {
    heads: Vec<Head>,
    mark: Mark,
    fits: Option<bool>,
}

impl Walk<'_> {
    fn tokens(&mut self, heads: &[Head]) -> Vec<u32> {
        let trie = self.question.store.trie();
        let start = self.stack.mark();
        let mut levels = vec![Level { heads: heads.to_vec(), mark: start, fits: None }];
        let (mut node, mut tokens) = (trie::NodeId(1), Vec::new());
        let markers = trie.markers();
        while (node.0 as usize) < trie.len() {
            levels.truncate(trie.depth(node));
            let Some(above) = levels.last() else { break };
            self.stack.truncate(above.mark);
            let mut heads = Vec::new();
            step(self.automaton, self.stack, self.scratch, &above.heads, trie.byte(node), &mut heads);
            if self.stack.take_overflow() || heads.is_empty() {
                node = trie.subtree_end(node);
                continue;
            }
            let mut fits = above.fits.filter(|_| heads == above.heads);
            if !trie.tokens(node).is_empty() {
                let answer = fits.unwrap_or_else(|| self.fits(start, &heads));
                fits = Some(answer);
                if answer {
                    tokens.extend(trie.tokens(node).iter().map(|token| token.0));
                } else if node >= markers {
                    // Read by its marker, a token is not read as text: what its text was granted does not hold.
                    tokens.retain(|token| !trie.tokens(node).contains(&TokenId(*token)));
                }
            }
            let mark = self.stack.mark();
            levels.push(Level { heads, mark, fits });
            node = trie::NodeId(node.0 + 1);
        }
        self.stack.truncate(start);
        tokens
    }

    fn fits(&mut self, start: Mark, heads: &[Head]) -> bool {
        let key = match *heads {
            [head] if start.covers(&head) => [head.state.0, head.a, head.b, head.aux, head.esc, head.parent.0],
            _ => return self.question.fits(self.costs, self.stack, heads),
        };
        if let Some(&answer) = self.memo.get(&key) {
            return answer;
        }
        let answer = self.question.fits(self.costs, self.stack, heads);
        self.memo.insert(key, answer);
        answer
    }
}
