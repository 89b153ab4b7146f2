//! Finds the shortest text after which the next byte can tell two calls apart.
//!
//! Only lints of the compiler use it. It is part of this crate because it steps pairs of configurations with the stack and the heads of the
//! engine, which are not public.

use rustc_hash::FxHashSet;

use super::{BOTTOM, Head, Scratch, Stack, describe, entered, step};
use crate::automaton::{Automaton, Call};

/// A node of the search: one configuration for each call, and the byte and the node that led here.
struct Both {
    one: Vec<Head>,
    other: Vec<Head>,
    before: usize,
    byte: u8,
}

/// Number of heads that cost one unit of the budget.
const HEADS: usize = 32;

impl Automaton {
    /// Finds a shortest text after which the next byte can tell two calls apart: every shorter text can begin texts of both calls, or of
    /// neither. For calls of `"abc"` and `"abd"` it is `ab`.
    ///
    /// Escapes in strings are not followed, as each is only a longer spelling of a character. `None` if nothing tells the calls apart, or
    /// if the search would visit more than `budget` pairs of configurations (a pair with many heads counts more than once). The visited
    /// pairs are subtracted from the budget.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// // A call of `ab+`, and the same call: nothing tells them apart.
    /// let call = Call { rule: RuleId(0), ret: StateId(0), op: OpId::NONE, a: 0, b: 0 };
    /// assert_eq!(format.shortest_distinguishing_prefix(&call, &call, &mut 100), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn shortest_distinguishing_prefix(&self, one: &Call, other: &Call, budget: &mut usize) -> Option<Vec<u8>> {
        let begin = |call: &Call| vec![entered(&self.rules[call.rule.index()], call.a, call.b, BOTTOM)];
        Search { automaton: self, stack: Stack::default(), scratch: Scratch::default() }
            .run(Both { one: begin(one), other: begin(other), before: 0, byte: 0 }, budget)
    }

    /// Returns whether a text of the call's rule can begin with `text`.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// let call = Call { rule: RuleId(0), ret: StateId(0), op: OpId::NONE, a: 0, b: 0 };
    /// assert!(format.can_begin(&call, b"ab") && !format.can_begin(&call, b"b"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn can_begin(&self, call: &Call, text: &[u8]) -> bool {
        let mut search = Search { automaton: self, stack: Stack::default(), scratch: Scratch::default() };
        let mut heads = vec![entered(&self.rules[call.rule.index()], call.a, call.b, BOTTOM)];
        for &byte in text {
            heads = search.after(&heads, byte);
        }
        !heads.is_empty()
    }
}

struct Search<'a> {
    automaton: &'a Automaton,
    stack: Stack,
    scratch: Scratch,
}

impl Search<'_> {
    fn after(&mut self, heads: &[Head], byte: u8) -> Vec<Head> {
        let mut out = Vec::new();
        step(self.automaton, &mut self.stack, &mut self.scratch, heads, byte, &mut out);
        out
    }

    /// Runs the search, breadth first, so that it finds a shortest text.
    fn run(mut self, begin: Both, budget: &mut usize) -> Option<Vec<u8>> {
        // The nodes of the search are pairs of configurations after one text, as in the product of two automata. `all` is both its queue
        // and its tree: `before` leads back along the text. A pair that was seen is not searched again.
        let mut known: FxHashSet<Vec<u32>> = FxHashSet::default();
        let mut all = vec![begin];
        let mut at = 0;
        while at < all.len() {
            let weight = (all[at].one.len() + all[at].other.len()) / HEADS;
            if weight > *budget {
                *budget = 0;
                return None;
            }
            *budget -= weight;
            for byte in 0..=u8::MAX {
                let (one, other) = (self.after(&all[at].one, byte), self.after(&all[at].other, byte));
                if self.stack.take_overflow() {
                    *budget = 0;
                    return None;
                }
                if one.is_empty() != other.is_empty() || ends(&one) != ends(&other) {
                    return Some(text(&all, at));
                }
                let escaped = one.iter().chain(&other).any(|head| head.esc != 0);
                if escaped || one.is_empty() || !known.insert(self.key(&one, &other)) {
                    continue;
                }
                *budget = budget.checked_sub(1)?;
                all.push(Both { one, other, before: at, byte });
            }
            at += 1;
        }
        None
    }

    /// Returns a key for the set of visited pairs. Pairs with equal continuations have equal keys, unless their joins of stacks were made
    /// in different places.
    fn key(&self, one: &[Head], other: &[Head]) -> Vec<u32> {
        let mut key = Vec::new();
        for head in one {
            describe(&self.stack, head, &mut key);
        }
        key.push(u32::MAX);
        for head in other {
            describe(&self.stack, head, &mut key);
        }
        key
    }
}

/// Returns whether a text of the rule can end here.
fn ends(heads: &[Head]) -> bool {
    heads.iter().any(Head::is_returned)
}

/// Returns the bytes that led to a node of the search.
fn text(all: &[Both], mut at: usize) -> Vec<u8> {
    let mut text = Vec::new();
    while at > 0 {
        text.push(all[at].byte);
        at = all[at].before;
    }
    text.reverse();
    text
}
