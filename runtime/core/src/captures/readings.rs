//! The readings of a text so far: where each stands in the machine, and what it has marked.
//!
//! Readings with the same marks are stepped as one, as a matcher steps its heads. They are kept in the order in which they
//! are preferred; of two that stand in the same place only the first is kept, for whatever follows, follows both. That is
//! the search of a regular expression machine with submatches (Pike's, as Cox describes it in "Regular Expression Matching:
//! the Virtual Machine Approach", 2009), with stacks.

use rustc_hash::FxHashSet;

use super::mark::{BEGIN, FIRST, OTHER};
use super::trail::{Event, Trail, Trails};
use super::{Capture, Captures, END, begin};
use crate::automaton::Automaton;
use crate::matcher::MatchError;
use crate::step::{Canon, Head, MAX_HEADS, Scratch, Stack, can_finish, count_token, start, step};

/// At most so many marks stand at one place of a text.
const MARKS: usize = 256;

/// Readings with the same marks.
#[derive(Clone, Debug)]
struct Reading {
    heads: Vec<Head>,
    trail: Trail,
}

/// All readings, the preferred first. Invariant: every way to put marks behind the last byte is among them.
#[derive(Clone, Debug)]
pub(super) struct Readings {
    all: Vec<Reading>,
    machine: Machine,
    trails: Trails,
    nothing_read: bool,
}

/// What stepping needs beside the automaton.
#[derive(Clone, Debug, Default)]
struct Machine {
    stack: Stack,
    canon: Canon,
    scratch: Scratch,
}

impl Readings {
    /// The readings of the empty text.
    pub(super) fn new(captures: &Captures) -> Self {
        let first = Reading { heads: vec![start(&captures.automaton)], trail: None };
        let (mut machine, mut trails) = (Machine::default(), Trails::default());
        // What cannot be read here is told when it is read on.
        let all = Marking::of(captures, &mut machine, &mut trails, 0).all(vec![first.clone()]);
        Self { all: all.unwrap_or(vec![first]), machine, trails, nothing_read: true }
    }

    /// Reads one token, whose first byte is at `at` in the text. On an error nothing has changed.
    pub(super) fn read(&mut self, captures: &Captures, at: usize, bytes: &[u8]) -> Result<(), MatchError> {
        let mark = self.machine.stack.mark();
        match self.step_all(captures, at, bytes) {
            Ok(all) => {
                self.all = all;
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
        let mut all = all.clone();
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

    /// The marks of the text, if it is whole.
    pub(super) fn finished(&self, captures: &Captures) -> Option<Trail> {
        let ends = |head: &Head| can_finish(&captures.automaton, &self.machine.stack, *head);
        let whole = self.all.iter().find(|reading| reading.heads.iter().any(ends));
        let nothing = (self.nothing_read && captures.automaton.nullable).then_some(None);
        whole.map(|reading| reading.trail).or(nothing)
    }

    /// The captures of the text; while it is not whole, of the reading that is preferred so far.
    pub(super) fn captures(&self, captures: &Captures) -> Vec<Capture> {
        let preferred = || self.all.first().and_then(|reading| reading.trail);
        let trail = self.finished(captures).unwrap_or_else(preferred);
        self.trails.captures(trail, &captures.names)
    }
}

impl Machine {
    /// The heads after the bytes; none if they cannot be read.
    fn step(&mut self, automaton: &Automaton, heads: &[Head], bytes: &[u8]) -> Result<Vec<Head>, MatchError> {
        let mark = self.stack.mark();
        let mut before = heads.to_vec();
        for &byte in bytes {
            let mut after = Vec::new();
            step(automaton, &mut self.stack, &mut self.scratch, &before, byte, &mut after);
            if self.stack.take_overflow() {
                return Err(MatchError::TooManyHeads { limit: MAX_HEADS });
            }
            before = after;
        }
        if before.is_empty() {
            self.stack.truncate(mark);
        }
        Ok(before)
    }
}

/// Putting marks at one place of the text.
struct Marking<'a> {
    captures: &'a Captures,
    machine: &'a mut Machine,
    trails: &'a mut Trails,
    at: usize,
    /// Where a reading that is preferred stands already.
    seen: FxHashSet<Head>,
    made: Vec<Reading>,
}

impl<'a> Marking<'a> {
    fn of(captures: &'a Captures, machine: &'a mut Machine, trails: &'a mut Trails, at: usize) -> Self {
        Self { captures, machine, trails, at, seen: FxHashSet::default(), made: Vec::new() }
    }

    /// The readings with all marks that can stand here.
    fn all(mut self, readings: Vec<Reading>) -> Result<Vec<Reading>, MatchError> {
        for reading in readings {
            self.mark(reading, 0)?;
        }
        Ok(self.made)
    }

    /// A reading with all marks that can stand here: more beginnings, choices, nothing, an end; in this order.
    fn mark(&mut self, mut reading: Reading, depth: usize) -> Result<(), MatchError> {
        reading.heads.retain(|&head| self.seen.insert(self.machine.canon.head(&self.machine.stack, head)));
        if reading.heads.is_empty() {
            return Ok(());
        }
        if depth > MARKS || self.seen.len() > MAX_HEADS {
            return Err(MatchError::TooManyHeads { limit: MAX_HEADS });
        }
        if self.begins(&reading)? {
            for (name, spelled) in self.captures.names.iter().enumerate() {
                self.marked(&reading, &begin(spelled), Some(Event::Begin(name)), depth)?;
            }
        }
        self.marked(&reading, &[FIRST], None, depth)?;
        self.marked(&reading, &[OTHER], None, depth)?;
        self.made.push(reading.clone());
        self.marked(&reading, &[END], Some(Event::End), depth)
    }

    /// Some capture can begin here.
    fn begins(&mut self, reading: &Reading) -> Result<bool, MatchError> {
        let mark = self.machine.stack.mark();
        let begun = self.machine.step(&self.captures.automaton, &reading.heads, &[BEGIN])?;
        self.machine.stack.truncate(mark);
        Ok(!begun.is_empty())
    }

    /// The reading behind a mark; choices are not remembered.
    fn marked(
        &mut self,
        reading: &Reading,
        spelled: &[u8],
        event: Option<Event>,
        depth: usize,
    ) -> Result<(), MatchError> {
        let heads = self.machine.step(&self.captures.automaton, &reading.heads, spelled)?;
        if heads.is_empty() {
            return Ok(());
        }
        let trail = event.map_or(reading.trail, |event| self.trails.then(reading.trail, event, self.at));
        self.mark(Reading { heads, trail }, depth + 1)
    }
}
