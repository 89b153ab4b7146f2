//! A reading of a text, and the machine that steps it.

use super::mark::is_mark;
use super::trail::Trail;
use crate::automaton::Automaton;
use crate::matcher::MatchError;
use crate::step::{Canon, Head, Scratch, Stack, can_finish, step};

/// All readings of the text with the same marks, stepped together.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    pub(super) heads: Vec<Head>,
    pub(super) trail: Trail,
}

/// Buffers that stepping needs.
#[derive(Clone, Debug, Default)]
pub(super) struct Machine {
    pub(super) stack: Stack,
    pub(super) canon: Canon,
    scratch: Scratch,
}

impl Machine {
    /// Makes a machine that reads a text.
    pub(super) fn of_text(automaton: &Automaton) -> Self {
        Self { stack: Stack::of_text(automaton.has_distinct_items()), ..Self::default() }
    }

    /// Returns whether a byte or the end of the text can follow.
    pub(super) fn may_go_on(&mut self, automaton: &Automaton, heads: &[Head]) -> bool {
        let mark = self.stack.mark();
        let mut follows = |byte: u8| {
            let stepped = self.step(automaton, heads, &[byte]);
            self.stack.truncate(mark);
            // A step that exceeds a limit does not prove the heads dead.
            stepped.is_err() || stepped.is_ok_and(|after| !after.is_empty())
        };
        let mut bytes = (0..=u8::MAX).filter(|byte| !is_mark(*byte));
        bytes.any(&mut follows) || heads.iter().any(|head| can_finish(automaton, &self.stack, *head))
    }

    /// Returns the heads after the bytes; empty if the automaton cannot read them.
    pub(super) fn step(
        &mut self,
        automaton: &Automaton,
        heads: &[Head],
        bytes: &[u8],
    ) -> Result<Vec<Head>, MatchError> {
        let mark = self.stack.mark();
        let mut before = heads.to_vec();
        for &byte in bytes {
            let mut after = Vec::new();
            step(automaton, &mut self.stack, &mut self.scratch, &before, byte, &mut after);
            if self.stack.take_overflow() {
                return Err(MatchError::of_overflow(&mut self.stack));
            }
            before = after;
        }
        if before.is_empty() {
            self.stack.truncate(mark);
        }
        Ok(before)
    }
}
