//! The ways in which a tokenizer can write a run, found once and followed token by token.

use std::sync::Arc;

use super::{CanonicalTokens, FREE, Run};
use crate::vocabulary::TokenId;
use crate::watch;

/// The encodings of a run up to each possible last boundary in it, and how many of their tokens have been written.
///
/// For the run `": "` and the tokens `":`, ` "` and `"`: one way is `":`, ` "`, where the text after the run shares no token with it. If a
/// token begins with ` "` and extends beyond, another way is `":` alone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ways {
    ways: Vec<Arc<[TokenId]>>,
    /// The number of tokens of each way that have been written.
    written: usize,
}

impl Ways {
    /// Advances by a token, and drops the ways that have another token there.
    pub(crate) fn follow(&mut self, token: TokenId) {
        let written = self.written;
        self.ways.retain(|way| way.get(written) == Some(&token));
        self.written += 1;
    }

    /// Returns the next token of each way; there may be duplicates.
    pub(super) fn next(&self) -> impl Iterator<Item = TokenId> {
        self.ways.iter().filter_map(|way| way.get(self.written).copied())
    }
}

impl CanonicalTokens {
    /// Returns the ways to write a run after a context; `None` if the tokenizer reproduces the context's tokens before no part of the run.
    ///
    /// There is a way for each place in the run that can be its last boundary.
    pub(super) fn ways(&self, context: &[TokenId], run: Run<'_>) -> Option<Ways> {
        let mut ways = Vec::new();
        let mut is_written = context.is_empty();
        let is_free = run.next.iter().map(|word| word.count_ones()).sum::<u32>() > FREE;
        // Try the whole run first: before free text, no other way is needed.
        for end in std::iter::once(run.text.len()).chain(self.ends(run.text)) {
            if watch::is_stopped() {
                break;
            }
            let (text, rest) = run.text.split_at(end);
            let Some(tokens) = self.encoder().encoded(context, text) else { continue };
            is_written = true;
            if (rest.is_empty() && run.may_end) || self.is_left(context, &tokens, rest, run.next) {
                ways.push(tokens.into());
                if rest.is_empty() && is_free {
                    break;
                }
            }
        }
        is_written.then_some(Ways { ways, written: 0 })
    }
}
