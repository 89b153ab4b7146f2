//! The history of a matcher: the checkpoints to which it rolls back.

use std::sync::Arc;

use smallvec::SmallVec;

use super::canonical::RunAhead;
use super::{Accepted, MatchError, Matcher, budget};
use crate::step::{ForkVec, Head, Mark, Moment, Stack, start};
use crate::vocabulary::TokenId;

/// The state of a matcher before a token, to which a rollback returns.
#[derive(Clone, Debug)]
pub(super) struct Checkpoint {
    pub(super) heads: SmallVec<[Head; 1]>,
    pub(super) nothing_read: bool,
    pub(super) mark: Mark,
    pub(super) terminated: bool,
    pub(super) plan: Option<Box<budget::Plan>>,
    /// The canonical tokens of the run ahead, as they were known here.
    pub(super) ahead: Option<Arc<RunAhead>>,
}

/// Checkpoints are dropped only once there are this many more than twice the window, so that dropping costs little per token.
const SLACK: usize = 256;

impl Matcher {
    /// Ends the text with a stop token; `plan` is the budget's plan before the token.
    pub(super) fn end(&mut self, token: TokenId, plan: Option<budget::Plan>) {
        let checkpoint = Checkpoint {
            heads: self.heads.clone(),
            nothing_read: self.nothing_read,
            mark: self.stack.mark(),
            terminated: self.terminated,
            plan: plan.map(Box::new),
            ahead: self.run_ahead(),
        };
        self.keep_checkpoint(checkpoint, Accepted::Token(token));
        self.terminated = true;
    }

    /// Adds a checkpoint, and what was accepted after it.
    pub(super) fn keep_checkpoint(&mut self, checkpoint: Checkpoint, accepted: Accepted<'_>) {
        self.history.push(checkpoint);
        self.history.share();
        self.follow_run(accepted);
        self.log.push(accepted);
    }

    /// Bounds the memory of long texts: at least the last `tokens` tokens can be taken back, older ones may be dropped. `None` keeps everything
    /// from now on. Masks do not change. The log that [`Matcher::save`] needs stays: four bytes a token.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// matcher.set_rollback_window(Some(8));
    /// matcher.accept_token(TokenId(0))?;
    /// for _ in 0..10_000 {
    ///     matcher.accept_token(TokenId(1))?;
    /// }
    /// matcher.rollback(8)?;
    /// assert_eq!(matcher.len(), 9_993);
    /// assert!(matcher.rollback(9_993).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_rollback_window(&mut self, tokens: Option<usize>) {
        self.window = tokens;
    }

    /// Drops checkpoints older than the window, once there are many.
    pub(super) fn forget(&mut self) {
        let Some(window) = self.window else { return };
        if self.history.len() <= window.saturating_mul(2).saturating_add(SLACK) {
            return;
        }
        self.forget_first(self.history.len() - window);
    }

    /// Drops the oldest `first` checkpoints.
    pub(super) fn forget_first(&mut self, first: usize) {
        let mut kept: Vec<Checkpoint> =
            (first..self.history.len()).filter_map(|at| self.history.get(at).cloned()).collect();
        let mut moments: Vec<Moment<'_>> =
            kept.iter_mut().map(|kept| Moment { heads: &mut kept.heads, mark: &mut kept.mark }).collect();
        self.stack.compact(&mut moments, &mut self.heads);
        self.history = ForkVec::default();
        kept.into_iter().for_each(|checkpoint| self.history.push(checkpoint));
        self.forgotten += first;
    }

    /// Calls `act`, then takes back the tokens that it accepted. No checkpoint is dropped meanwhile.
    pub(super) fn and_back<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> T {
        let (start, window) = (self.len(), self.window.take());
        let done = act(self);
        let _ = self.rollback(self.len() - start);
        self.window = window;
        done
    }

    /// Counts the tokens that could be accepted in a row from here; the matcher does not move.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert_eq!(matcher.validate_tokens(&[TokenId(0), TokenId(1), TokenId(0)]), 2);
    /// assert!(matcher.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn validate_tokens(&mut self, tokens: &[TokenId]) -> usize {
        self.and_back(|matcher| tokens.iter().take_while(|&&token| matcher.accept_token(token).is_ok()).count())
    }

    /// Takes back the last `tokens` accepted tokens.
    ///
    /// # Errors
    ///
    /// [`MatchError::Rollback`] if fewer tokens were accepted, or fewer can be [taken back](Matcher::set_rollback_window).
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// matcher.accept_tokens(&[TokenId(0), TokenId(1)]).map_err(|(_, error)| error)?;
    /// matcher.rollback(1)?;
    /// assert_eq!(matcher.mask()?.tokens(), [TokenId(1)]);
    /// assert_eq!(matcher.rollback(2), Err(MatchError::Rollback { given: 2, limit: 1 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rollback(&mut self, tokens: usize) -> Result<(), MatchError> {
        let Some(keep) = self.history.len().checked_sub(tokens) else {
            return Err(MatchError::Rollback { given: tokens, limit: self.history.len() });
        };
        let len = self.forgotten + keep;
        if let Some(checkpoint) = self.history.get(keep) {
            let ahead = checkpoint.ahead.clone();
            self.heads.clone_from(&checkpoint.heads);
            self.nothing_read = checkpoint.nothing_read;
            self.stack.truncate(checkpoint.mark);
            self.terminated = checkpoint.terminated;
            if let Some(budget) = &mut self.budget {
                budget.roll_back(len, checkpoint.plan.as_deref());
            }
            self.go_back_in_run(ahead);
        }
        self.history.truncate(keep);
        self.log.truncate(len);
        Ok(())
    }

    /// Takes back everything: the matcher returns to the beginning of the format.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// matcher.accept_token(TokenId(0))?;
    /// matcher.reset();
    /// assert!(matcher.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reset(&mut self) {
        if self.forgotten == 0 {
            let _ = self.rollback(self.history.len());
            return;
        }
        self.heads = SmallVec::from_slice(&[start(&self.automaton)]);
        self.stack = Stack::of_text(self.automaton.has_distinct_items());
        (self.nothing_read, self.terminated, self.forgotten) = (true, false, 0);
        self.history.truncate(0);
        self.log.truncate(0);
        self.go_back_in_run(None);
        if let Some(budget) = &mut self.budget {
            budget.roll_back(0, None);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::automaton::{AutomatonBuilder, Call, Escapes, OpId, StateKind};
    use crate::mask::MaskStore;
    use crate::matcher::Matcher;
    use crate::step::Mark;
    use crate::vocabulary::{TokenId, Vocabulary};

    /// A matcher of `("(" "a" ")")+`, where the parenthesised item is a rule of its own.
    fn items() -> Matcher {
        let mut builder = AutomatonBuilder::new();
        let (list, item) = (builder.rule("list", 0), builder.rule("item", 0));
        let states = [list, list, item, item, item, item].map(|rule| builder.state(rule, StateKind::Bytes));
        builder.start(list, states[0]);
        builder.start(item, states[2]);
        for from in &states[..2] {
            builder.call(*from, Call { rule: item, ret: states[1], op: OpId::NONE, a: 0, b: 0 });
        }
        for (at, byte) in (2..5).zip(*b"(a)") {
            builder.edge(states[at], byte, byte, OpId::NONE, states[at + 1]);
        }
        builder.accept(states[1]);
        builder.accept(states[5]);
        let format = builder.finish((list, 0, 0), false, Escapes::Any).expect("a format");
        let vocabulary = Vocabulary::from_tokens(&[Some("("), Some("a"), Some(")")], &[]).expect("a vocabulary");
        Matcher::new(Arc::new(format), MaskStore::new(Arc::new(vocabulary)))
    }

    #[test]
    fn a_rollback_window_bounds_the_memory_of_long_texts() {
        let sizes = [None, Some(16)].map(|window| {
            let mut matcher = items();
            matcher.set_rollback_window(window);
            for at in 0..200_000 {
                matcher.accept_token(TokenId(at % 3)).expect("the next token");
            }
            assert_eq!(matcher.len(), 200_000);
            (matcher.stack.len_since(Mark::ZERO), matcher.history.len())
        });
        assert!(sizes[0].0 > 60_000 && sizes[0].1 == 200_000, "{sizes:?}");
        assert!(sizes[1].0 < 2_000 && sizes[1].1 < 2_000, "{sizes:?}");
    }
}
