//! The readings of a text so far, each with its heads and its marks.
//!
//! Readings with the same marks are stepped as one, as a matcher steps its heads. They are kept in the order in which they
//! are preferred; of two that stand in the same place only the first is kept, for whatever follows, follows both. That is
//! the search of a regular expression machine with submatches (Pike's, as Cox describes it in "Regular Expression Matching:
//! the Virtual Machine Approach", 2009), with stacks.

use super::marking::Marking;
use super::trail::{Trail, Trails};
use super::{Capture, Captures};
use crate::automaton::Automaton;
use crate::matcher::MatchError;
use crate::step::{Canon, Head, Scratch, Stack, can_finish, count_token, start, step};

/// All readings of the text that have the same marks.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    pub(super) heads: Vec<Head>,
    pub(super) trail: Trail,
}

/// All readings, the preferred first. Invariant: for each way to put marks behind the last byte there is one.
#[derive(Clone, Debug)]
pub(super) struct Readings {
    /// The readings, or an error if there are too many ways to put marks before the first byte.
    all: Result<Vec<Reading>, MatchError>,
    machine: Machine,
    trails: Trails,
    nothing_read: bool,
}

/// Buffers that stepping needs beside the automaton.
#[derive(Clone, Debug, Default)]
pub(super) struct Machine {
    pub(super) stack: Stack,
    pub(super) canon: Canon,
    scratch: Scratch,
}

impl Readings {
    /// Makes the readings of the empty text.
    pub(super) fn new(captures: &Captures) -> Self {
        let first = Reading { heads: vec![start(&captures.automaton)], trail: None };
        let (mut machine, mut trails) = (Machine::default(), Trails::default());
        let all = Marking::of(captures, &mut machine, &mut trails, 0).all(vec![first]);
        Self { all, machine, trails, nothing_read: true }
    }

    /// Reads one token, whose first byte is at `at` in the text. On an error nothing has changed.
    pub(super) fn read(&mut self, captures: &Captures, at: usize, bytes: &[u8]) -> Result<(), MatchError> {
        let mark = self.machine.stack.mark();
        match self.step_all(captures, at, bytes) {
            Ok(all) => {
                self.all = Ok(all);
                self.nothing_read = false;
                Ok(())
            }
            Err(error) => {
                self.machine.stack.truncate(mark);
                self.machine.canon = Canon::default();
                Err(error)
            }
        }
    }

    fn step_all(&mut self, captures: &Captures, at: usize, bytes: &[u8]) -> Result<Vec<Reading>, MatchError> {
        let Self { all, machine, trails, .. } = self;
        let automaton = &captures.automaton;
        let mut all = all.clone()?;
        for (place, &byte) in (1..).zip(bytes) {
            for reading in &mut all {
                reading.heads = machine.step(automaton, &reading.heads, &[byte])?;
                if place == bytes.len() {
                    count_token(automaton, &mut machine.stack, &mut reading.heads);
                }
            }
            all.retain(|reading| !reading.heads.is_empty());
            if all.is_empty() {
                return Err(MatchError::NotAllowed { at: place - 1 });
            }
            all = Marking::of(captures, machine, trails, at + place).all(all)?;
        }
        Ok(all)
    }

    /// Returns the marks of the text if it is complete.
    pub(super) fn finished(&self, captures: &Captures) -> Option<Trail> {
        let ends = |head: &Head| can_finish(&captures.automaton, &self.machine.stack, *head);
        let whole = self.all.iter().flatten().find(|reading| reading.heads.iter().any(ends));
        let nothing = (self.nothing_read && captures.automaton.nullable).then_some(None);
        whole.map(|reading| reading.trail).or(nothing)
    }

    /// Returns the captures of the text; while it is not complete, those of the reading that is preferred so far.
    pub(super) fn captures(&self, captures: &Captures) -> Vec<Capture> {
        let preferred = || self.all.iter().flatten().next().and_then(|reading| reading.trail);
        let trail = self.finished(captures).unwrap_or_else(preferred);
        self.trails.captures(trail, &captures.names)
    }
}

impl Machine {
    /// Returns the heads after the bytes; none if they cannot be read.
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
                return Err(MatchError::STACKS);
            }
            before = after;
        }
        if before.is_empty() {
            self.stack.truncate(mark);
        }
        Ok(before)
    }
}
