//! Makes a mask under a budget by stepping all heads through the whole token trie, and checking after each token whether a completion fits.
//!
//! It is used for formats that read tokens by name, where the name takes precedence over the text, and for formats that are too ambiguous
//! to be split into parts.

use rustc_hash::FxHashMap;

use super::fit::Fit;
use crate::automaton::Automaton;
use crate::completion::Costs;
use crate::mask::Walker;
use crate::step::{Head, Mark, Scratch, Stack, count_token, step};
use crate::trie;
use crate::vocabulary::TokenId;

/// A walk over the token trie that checks for each token whether a completion fits after it.
pub(super) struct Walk<'a, 'c> {
    pub(super) automaton: &'a Automaton,
    pub(super) fit: Fit<'a>,
    pub(super) costs: &'a mut Costs<'c>,
    pub(super) stack: &'a mut Stack,
    pub(super) scratch: &'a mut Scratch,
    pub(super) walker: &'a mut Walker,
    /// Results for single heads whose frames and keys are older than the walk.
    pub(super) memo: FxHashMap<[u32; 6], bool>,
}

struct Level {
    heads: Vec<Head>,
    mark: Mark,
    fits: Option<bool>,
}

impl Walk<'_, '_> {
    /// Returns the tokens after which a completion fits.
    pub(super) fn tokens(&mut self, heads: &[Head]) -> Vec<u32> {
        let trie = self.fit.asked.store.trie();
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
                    // A token that is read by its marker is not read as text, so that the result for its text does not count.
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
            [head] if start.covers(&head) => {
                [head.state.0, head.a, head.b, head.memory.word(), head.esc, head.parent.0]
            }
            _ => return self.fits_counted(heads),
        };
        if let Some(&answer) = self.memo.get(&key) {
            return answer;
        }
        let answer = self.fits_counted(heads);
        self.memo.insert(key, answer);
        answer
    }

    /// Returns whether a completion fits after a token whose text has led to these heads: as when it is accepted, the token is counted.
    fn fits_counted(&mut self, heads: &[Head]) -> bool {
        let mark = self.stack.mark();
        let mut heads = heads.to_vec();
        count_token(self.automaton, self.stack, &mut heads);
        let fits = !self.stack.take_overflow() && self.fit.fits(self.walker, self.costs, self.stack, &heads);
        self.stack.truncate(mark);
        fits
    }
}
