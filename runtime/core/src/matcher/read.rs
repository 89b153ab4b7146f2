//! Reads one token or text: steps the matcher's heads, and keeps the result if it is allowed.

use std::sync::Arc;

use smallvec::SmallVec;

use super::{Accepted, Checkpoint, MatchError, Matcher, budget, distinct};
use crate::step::{Mark, count_token, step};
use crate::vocabulary::{TokenId, is_text, marker, unfinished};
use crate::watch;

/// Once one text has added this many stack nodes, unneeded ones are dropped.
const UNNEEDED: usize = 1 << 16;

impl Matcher {
    /// Steps `self.before`, a copy of the heads, through a token: by its marker if the format asks for it by name, else by its text.
    pub(super) fn read_token(&mut self, token: TokenId) -> Result<(), MatchError> {
        let vocabulary = Arc::clone(self.store.vocabulary());
        if self.automaton.derived.reads_markers()
            && let Some(name) = vocabulary.name_of(token)
        {
            let mark = self.stack.mark();
            // If the marker is refused, for whatever reason, the text may still be read.
            match self.advance(&marker(name)) {
                Ok(()) => {
                    self.count();
                    return Ok(());
                }
                Err(_) => self.stack.truncate(mark),
            }
        }
        match vocabulary.text(token).filter(|text| is_text(text)) {
            Some(text) => self.advance(text).map(|()| self.count()),
            None => Err(MatchError::TokenNotAllowed { token: token.0 }),
        }
    }

    /// Steps `self.before`, a copy of the heads, through text that may contain markers. It may not end inside one: a
    /// matcher always stands between tokens.
    pub(super) fn read_bytes(&mut self, bytes: &[u8]) -> Result<(), MatchError> {
        match unfinished(bytes) {
            // A byte before the unfinished marker may be refused first.
            Some(at) => self.advance(bytes.get(..at).unwrap_or_default()).and(Err(MatchError::NotAllowed { at })),
            None if bytes.is_empty() => self.advance(bytes),
            None => self.advance(bytes).map(|()| self.count()),
        }
    }

    /// Takes one token from the count of each frame that counts tokens.
    fn count(&mut self) {
        count_token(&self.automaton, &mut self.stack, &mut self.before);
    }

    /// Steps `self.before`, a copy of the heads, through the bytes.
    pub(super) fn advance(&mut self, bytes: &[u8]) -> Result<(), MatchError> {
        let mark = self.stack.mark();
        let read = self.step_through(bytes);
        if !self.stack.keeps_text() {
            return read;
        }
        // A dead end leads only to dead ends. So the first one is searched for only if the text is refused or leads to one.
        if read.is_ok() {
            distinct::drop_dead(self)?;
        }
        if read.is_err() || self.before.is_empty() {
            let end = if let Err(MatchError::NotAllowed { at }) = read { at } else { bytes.len() };
            for at in 0..end {
                self.stack.truncate(mark);
                self.step_through(&bytes[..=at])?;
                distinct::drop_dead(self)?;
                if self.before.is_empty() {
                    return Err(MatchError::NotAllowed { at });
                }
            }
        }
        read
    }

    /// Returns whether some text can follow the heads in `self.after`, which have read the text that the stack keeps.
    pub(super) fn leads_on_after(&mut self) -> bool {
        let heads = std::mem::take(&mut self.after);
        let leads_on = distinct::leads_on(self, &heads);
        self.after = heads;
        leads_on
    }

    /// Steps `self.before`, a copy of the heads, through the bytes, without checking for dead ends.
    fn step_through(&mut self, bytes: &[u8]) -> Result<(), MatchError> {
        self.before.clear();
        self.before.extend_from_slice(&self.heads);
        let mark = self.stack.mark();
        let mut most = UNNEEDED;
        for (at, &byte) in bytes.iter().enumerate() {
            self.after.clear();
            step(&self.automaton, &mut self.stack, &mut self.scratch, &self.before, byte, &mut self.after);
            if self.stack.take_overflow() {
                return Err(MatchError::of_overflow(&mut self.stack));
            }
            if self.after.is_empty() {
                return Err(MatchError::NotAllowed { at });
            }
            std::mem::swap(&mut self.before, &mut self.after);
            if self.stack.len_since(mark) > most {
                self.stack.drop_unneeded(mark, &mut self.before);
                most = UNNEEDED + 2 * self.stack.len_since(mark);
            }
        }
        Ok(())
    }

    /// Moves to the heads after the text, if it was read and the budget allows it; else undoes the step. `mark` is the stack's length
    /// before the step.
    pub(super) fn keep(
        &mut self,
        read: Result<(), MatchError>,
        mark: Mark,
        accepted: Accepted<'_>,
    ) -> Result<(), MatchError> {
        let token = accepted.token();
        let kept = read.and_then(|()| match self.stack.keeps_text() {
            true => distinct::check_budget(self, token),
            false => budget::check(self, token),
        });
        let kept = if watch::is_stopped() { Err(MatchError::STOPPED) } else { kept };
        if kept.is_err() {
            self.stack.truncate(mark);
            return kept;
        }
        let plan = self.plan();
        budget::follow(self, token);
        self.go_on(mark, accepted, plan);
        self.forget();
        Ok(())
    }

    /// Moves to the heads after the text, which was read; `plan` is the budget's plan before the text.
    pub(super) fn go_on(&mut self, mark: Mark, accepted: Accepted<'_>, plan: Option<budget::Plan>) {
        let heads = std::mem::replace(&mut self.heads, SmallVec::from_slice(&self.before));
        let still_nothing = self.nothing_read && accepted.is_empty();
        let nothing_read = std::mem::replace(&mut self.nothing_read, still_nothing);
        let (plan, ahead) = (plan.map(Box::new), self.run_ahead());
        self.keep_checkpoint(Checkpoint { heads, nothing_read, mark, terminated: false, plan, ahead }, accepted);
        self.stack.share();
    }
}
