//! Searches for a completion of few tokens, token by token.
//!
//! After each possible token, a completion of the remaining frames is known, in which each frame is cut into tokens by itself. The search
//! is best-first (A*; Hart, Nilsson and Raphael 1968): it expands the place with the fewest tokens, counted from the start and including
//! that completion, until they fit. Tokens that leave the same text are one step. A place is visited once.
//!
//! Say `"]}` is left to be written, each of its characters is a token, and so is `]}`. The known completion has three tokens. After the
//! token `"`, the known completion has two; after `"` and `]}` it has none. So two tokens suffice.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashSet;

use super::asked::Asked;
use super::groups::each_group;
use crate::completion::Costs;
use crate::mask::Walker;
use crate::step::{Canon, Head, Scratch, Stack, count_token, step};
use crate::vocabulary::{TokenId, marker};

/// Cap on the places that one search expands. Beyond it, the known completions decide.
const MAX_PLACES: usize = 24;

/// Cap on the places that one search expands while more than [`VERY_NEAR`] tokens are left.
const FEW_PLACES: usize = 3;

/// Search only if at most this many tokens are left.
const NEAR: usize = 64;

/// Expand up to [`MAX_PLACES`] places only if at most this many tokens are left.
const VERY_NEAR: usize = 12;

/// Returns whether to search for a completion of `most` tokens if the known one has `known` tokens: not if that is far longer.
pub(super) fn is_hopeful(known: u32, most: usize) -> bool {
    known as usize <= HOPE * most + 1
}

/// A place is dropped if its known completion has more than this many times the tokens that are left.
const HOPE: usize = 2;

/// A place that a search has reached.
struct Place {
    heads: Vec<Head>,
    /// The number of tokens from the start of the search.
    depth: usize,
    token: TokenId,
    before: usize,
}

/// A search from one place. It has a stack of its own.
pub(super) struct Search<'a> {
    asked: Asked<'a>,
    stack: Stack,
    scratch: Scratch,
    canon: Canon,
    seen: FxHashSet<Vec<Head>>,
    places: Vec<Place>,
    /// Places to expand: fewest tokens first; among equals the latest, which is nearest to the end.
    queue: BinaryHeap<(Reverse<usize>, usize)>,
}

impl<'a> Search<'a> {
    pub(super) fn new(asked: Asked<'a>) -> Self {
        Self {
            asked,
            stack: Stack::default(),
            scratch: Scratch::default(),
            canon: Canon::default(),
            seen: FxHashSet::default(),
            places: Vec::new(),
            queue: BinaryHeap::new(),
        }
    }

    /// Returns a completion of at most `most` tokens; `None` if there is none, or if the search would be too long.
    pub(super) fn run(
        mut self,
        walker: &mut Walker,
        costs: &mut Costs<'_>,
        (stack, heads): (&Stack, &[Head]),
        most: usize,
    ) -> Option<Vec<TokenId>> {
        let places = match most {
            _ if most <= VERY_NEAR => MAX_PLACES,
            _ if most <= NEAR => FEW_PLACES,
            _ => return None,
        };
        let (own, heads) = stack.part(heads);
        self.stack = own;
        self.places.push(Place { heads, depth: 0, token: TokenId(0), before: usize::MAX });
        self.queue.push((Reverse(0), 0));
        for _ in 0..places {
            let (_, at) = self.queue.pop()?;
            if let Some(found) = self.look(walker, costs, at, most) {
                return Some(found);
            }
        }
        None
    }

    /// Expands a place: returns a completion if one fits, or else queues the places after its tokens.
    fn look(&mut self, walker: &mut Walker, costs: &mut Costs<'_>, at: usize, most: usize) -> Option<Vec<TokenId>> {
        let Place { heads, depth, .. } = &self.places[at];
        let (heads, depth) = (heads.clone(), depth + 1);
        let mut behind: Vec<(u32, TokenId)> = Vec::new();
        each_group(self.asked, walker, costs, (&self.stack, &heads), |group, cost| behind.push((cost, group.sample)))?;
        behind.sort_unstable();
        let left = most.checked_sub(depth)?;
        for (cost, token) in behind {
            if !is_hopeful(cost, left) {
                break;
            }
            let heads = self.after(&heads, token);
            let cost = self.cost(costs, &heads, cost);
            if cost <= left {
                return self.tokens(costs, &heads, token, at);
            }
            let canonical: Vec<Head> = heads.iter().map(|&head| self.canon.head(&self.stack, head)).collect();
            if left > 0 && !heads.is_empty() && self.seen.insert(canonical) {
                self.queue.push((Reverse(depth + cost), self.places.len()));
                self.places.push(Place { heads, depth, token, before: at });
            }
        }
        None
    }

    /// Returns the number of tokens of the known completion after a token. `by_text` is this number after the token's text; if tokens are
    /// read by name, the result may differ.
    fn cost(&self, costs: &mut Costs<'_>, heads: &[Head], by_text: u32) -> usize {
        if !self.asked.automaton.derived.reads_markers() {
            return by_text as usize;
        }
        costs.tokens_of(&self.stack, heads, self.asked.cutter()) as usize
    }

    /// Steps heads through a token as a matcher does: by its name if that is read, else by its text.
    fn after(&mut self, heads: &[Head], token: TokenId) -> Vec<Head> {
        let vocabulary = self.asked.store.vocabulary();
        let name = vocabulary.name_of(token).filter(|_| self.asked.automaton.derived.reads_markers());
        let named = name.map(|name| self.read(heads, &marker(name))).unwrap_or_default();
        if named.is_empty() { self.read(heads, vocabulary.text(token).unwrap_or_default()) } else { named }
    }

    fn read(&mut self, heads: &[Head], bytes: &[u8]) -> Vec<Head> {
        let automaton = self.asked.automaton;
        let (mut heads, mut next) = (heads.to_vec(), Vec::new());
        for &byte in bytes {
            next.clear();
            step(automaton, &mut self.stack, &mut self.scratch, &heads, byte, &mut next);
            std::mem::swap(&mut heads, &mut next);
        }
        count_token(automaton, &mut self.stack, &mut heads);
        if self.stack.take_overflow() { Vec::new() } else { heads }
    }

    /// Returns the tokens up to the place `at`, then `token`, then the completion after it.
    fn tokens(&self, costs: &mut Costs<'_>, heads: &[Head], token: TokenId, mut at: usize) -> Option<Vec<TokenId>> {
        let mut tokens = vec![token];
        while let Some(place) = self.places.get(at).filter(|place| place.depth > 0) {
            tokens.push(place.token);
            at = place.before;
        }
        tokens.reverse();
        tokens.extend(costs.completion(&self.stack, heads, self.asked.cutter())?);
        Some(tokens)
    }
}
