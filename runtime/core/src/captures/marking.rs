//! Searches for all marks that are possible at one place of a text, in order of preference.

use rustc_hash::FxHashSet;

use super::Captures;
use super::machine::{Machine, Reading};
use super::mark::{BEGIN, END, FIRST, OTHER, spelling};
use super::trail::{Event, Trails};
use crate::matcher::MatchError;
use crate::step::Head;
use crate::vocabulary::MARKER_END;

/// Cap on the heads, over all readings with different marks, at one place of a text.
const MAX_READINGS: usize = 4_096;

/// An open task of the search; the last of the list is done next.
enum Step {
    /// Try all marks after a reading, in this order: beginnings, choices, no further mark, an end.
    Visit(Reading),
    /// Try the marks that begin parts.
    Begin(Reading),
    /// Try one digit of a choice.
    Digit(Reading, u8),
    /// Keep the reading without another mark.
    Keep(Reading),
    /// Try the end of the part that began last.
    End(Reading),
}

/// Searches for the marks that are possible at one place of a text. The search is depth-first, and so finds them in order of preference.
pub(super) struct Marking<'a> {
    captures: &'a Captures,
    machine: &'a mut Machine,
    trails: &'a mut Trails,
    at: usize,
    /// The heads of readings found so far. A later reading with the same heads is dropped: the earlier one is preferred.
    seen: FxHashSet<Head>,
    open: Vec<Step>,
}

impl<'a> Marking<'a> {
    /// Begins a search at a byte of the text.
    pub(super) fn of(captures: &'a Captures, machine: &'a mut Machine, trails: &'a mut Trails, at: usize) -> Self {
        Self { captures, machine, trails, at, seen: FxHashSet::default(), open: Vec::new() }
    }

    /// Returns the readings extended by every possible sequence of marks.
    pub(super) fn all(mut self, readings: Vec<Reading>) -> Result<Vec<Reading>, MatchError> {
        self.open.extend(readings.into_iter().rev().map(Step::Visit));
        let mut made = Vec::new();
        while let Some(next) = self.open.pop() {
            match next {
                Step::Visit(reading) => self.visit(reading)?,
                Step::Begin(reading) => self.begin(&reading)?,
                Step::Digit(reading, digit) => {
                    let heads = self.step(&reading.heads, digit)?;
                    self.open.push(Step::Visit(Reading { heads, ..reading }));
                }
                Step::Keep(reading) => made.push(reading),
                Step::End(reading) => {
                    let heads = self.step(&reading.heads, END)?;
                    self.marked(&reading, heads, Event::End);
                }
            }
        }
        Ok(made)
    }

    /// Adds the tasks of a reading, without the heads that an earlier reading had: their continuations are equal, and the earlier reading
    /// is preferred.
    fn visit(&mut self, mut reading: Reading) -> Result<(), MatchError> {
        reading.heads.retain(|&head| self.seen.insert(self.machine.canon.head(&self.machine.stack, head)));
        if reading.heads.is_empty() {
            return Ok(());
        }
        if self.seen.len() > MAX_READINGS {
            let (given, limit) = (self.seen.len() as u64, MAX_READINGS as u64);
            return Err(MatchError::Limit { what: "readings with marks", given, limit });
        }
        self.open.extend([
            Step::End(reading.clone()),
            Step::Keep(reading.clone()),
            Step::Digit(reading.clone(), OTHER),
            Step::Digit(reading.clone(), FIRST),
            Step::Begin(reading),
        ]);
        Ok(())
    }

    /// Tries the beginnings of all parts, in their order.
    fn begin(&mut self, reading: &Reading) -> Result<(), MatchError> {
        let begun = self.step(&reading.heads, BEGIN)?;
        let mut spelled: Vec<(Vec<usize>, usize, Vec<Head>)> = Vec::new();
        if !begun.is_empty() {
            spelled.push(((0..self.captures.parts.len()).collect(), 0, begun));
        }
        let mut found = Vec::new();
        // Parts whose names share a prefix are stepped together.
        while let Some((names, len, heads)) = spelled.pop() {
            let mut rest = names;
            while let Some(&first) = rest.first() {
                let byte = self.byte(first, len);
                let (same, others) = rest.into_iter().partition(|&name| self.byte(name, len) == byte);
                rest = others;
                let after = self.step(&heads, byte)?;
                if after.is_empty() {
                    continue;
                }
                if byte == MARKER_END { found.push((first, after)) } else { spelled.push((same, len + 1, after)) }
            }
        }
        found.sort_unstable_by_key(|(name, _)| std::cmp::Reverse(*name));
        for (name, heads) in found {
            self.marked(reading, heads, Event::Begin(name));
        }
        Ok(())
    }

    /// Returns byte `at` of the mark with which a part begins, counted from the byte after 0xFD.
    fn byte(&self, part: usize, at: usize) -> u8 {
        let Some((letter, name)) = self.captures.parts.get(part).map(spelling) else { return MARKER_END };
        match at.checked_sub(1) {
            None => letter,
            Some(at) => name.as_bytes().get(at).copied().unwrap_or(MARKER_END),
        }
    }

    fn step(&mut self, heads: &[Head], byte: u8) -> Result<Vec<Head>, MatchError> {
        let len = self.machine.stack.text_len();
        let after = self.machine.step(&self.captures.automaton, heads, &[byte]);
        // Marks are not part of the text, so that the stack does not keep them.
        self.machine.stack.set_text(len, &[]);
        after
    }

    fn marked(&mut self, reading: &Reading, heads: Vec<Head>, event: Event) {
        if !heads.is_empty() {
            let trail = self.trails.then(reading.trail, event, self.at);
            self.open.push(Step::Visit(Reading { heads, trail }));
        }
    }
}
