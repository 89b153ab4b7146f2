//! The readings of the text so far, each with its heads and its marks.
//!
//! Readings with the same marks are stepped together, as a matcher steps its heads. Readings are kept in order of preference. Of two
//! readings with the same head only the first keeps it, as the same continuations follow both. This is the search of a regular-expression
//! machine with submatches (Pike's, as Cox describes it in "Regular Expression Matching: the Virtual Machine Approach", 2009), with stacks
//! added.

use super::machine::{Machine, Reading};
use super::marking::Marking;
use super::trail::{Mark, Trail, Trails};
use super::{Capture, Captures};
use crate::automaton::Automaton;
use crate::matcher::MatchError;
use crate::step::{Canon, Head, Mark as StackMark, can_finish, count_token, start};

/// If there are at most this many readings, each is checked for whether a byte or the end can follow.
const FEW_READINGS: usize = 16;

/// Unneeded stack nodes are dropped once there are this many more than twice the nodes kept last time.
const MANY_NODES: usize = 4_096;

/// All readings, most preferred first. Invariant: there is one for each possible sequence of marks after the last byte.
#[derive(Clone, Debug)]
pub(crate) struct Readings {
    /// The readings, or an error if too many sequences of marks are possible before the first byte.
    all: Result<Vec<Reading>, MatchError>,
    machine: Machine,
    trails: Trails,
    nothing_read: bool,
    /// The number of stack nodes kept when unneeded ones were last dropped.
    kept: usize,
}

impl Readings {
    /// Makes the readings of the empty text.
    pub(crate) fn new(captures: &Captures) -> Self {
        let first = Reading { heads: vec![start(&captures.automaton)], trail: None };
        let (mut machine, mut trails) = (Machine::of_text(&captures.automaton), Trails::default());
        let all = Marking::of(captures, &mut machine, &mut trails, 0).all(vec![first]);
        Self { all, machine, trails, nothing_read: true, kept: 0 }
    }

    /// Reads one token, whose first byte is at `at` in the text. On an error nothing has changed.
    pub(crate) fn read(&mut self, captures: &Captures, at: usize, bytes: &[u8]) -> Result<(), MatchError> {
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
            // Every reading reads the byte, but the text gets it once.
            let len = machine.stack.text_len();
            for reading in &mut all {
                machine.stack.set_text(len, &[]);
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

    /// Returns the marks of the preferred reading of the text, if the text is complete.
    pub(super) fn finished(&self, captures: &Captures) -> Option<Trail> {
        let ends = |head: &Head| can_finish(&captures.automaton, &self.machine.stack, *head);
        let whole = self.all.iter().flatten().find(|reading| reading.heads.iter().any(ends));
        let nothing = (self.nothing_read && captures.automaton.nullable).then_some(None);
        whole.map(|reading| reading.trail).or(nothing)
    }

    /// Removes and returns the marks that all readings have in common; no continuation can change them. Also returns the offset up to which
    /// these are all marks of the text, and the number of marks that were visited.
    ///
    /// `end` is the length of the text so far.
    pub(crate) fn take_decided(&mut self, captures: &Captures, end: usize) -> (Vec<Mark>, usize, usize) {
        self.drop_dead(&captures.automaton);
        let Ok(all) = &mut self.all else { return (Vec::new(), 0, 0) };
        let lists: Vec<Vec<Mark>> = all.iter().map(|reading| self.trails.marks(reading.trail)).collect();
        let Some((first, others)) = lists.split_first() else { return (Vec::new(), 0, 0) };
        let same = |list: &Vec<Mark>| first.iter().zip(list).take_while(|(one, other)| one == other).count();
        let common = others.iter().map(same).min().unwrap_or(first.len());
        let until = lists.iter().filter_map(|list| list.get(common)).map(|mark| mark.at).min().unwrap_or(end);
        let mut trails = Trails::default();
        for (reading, list) in all.iter_mut().zip(&lists) {
            reading.trail = list.iter().skip(common).fold(None, |trail, mark| trails.then(trail, mark.event, mark.at));
        }
        self.trails = trails;
        let looked = lists.iter().map(|list| list.len() + 1).sum();
        (first.iter().take(common).copied().collect(), until, looked)
    }

    /// Drops readings that only marks can follow: the readings with these marks are in the list as well. The next byte would drop them too,
    /// but the end of a part would then be known one byte later. If there are many readings, all are kept, as checking one can take a step
    /// for every byte value.
    fn drop_dead(&mut self, automaton: &Automaton) {
        let Self { all: Ok(all), machine, .. } = self else { return };
        if (2..=FEW_READINGS).contains(&all.len()) {
            all.retain(|reading| machine.may_go_on(automaton, &reading.heads));
        }
    }

    /// Returns the marks of a complete text that [`take_decided`](Self::take_decided) has not removed; `None` if the text is not complete.
    pub(crate) fn finished_marks(&self, captures: &Captures) -> Option<Vec<Mark>> {
        self.finished(captures).map(|trail| self.trails.marks(trail))
    }

    /// Drops stack nodes that the readings do not need, once there are many.
    pub(crate) fn compact(&mut self) {
        let Ok(all) = &mut self.all else { return };
        let stack = &mut self.machine.stack;
        if stack.len_since(StackMark::ZERO) < 2 * self.kept + MANY_NODES {
            return;
        }
        let mut heads: Vec<Head> = all.iter().flat_map(|reading| reading.heads.iter().copied()).collect();
        stack.compact(&mut [], &mut heads);
        let mut moved = heads.into_iter();
        for reading in all {
            reading.heads.iter_mut().zip(&mut moved).for_each(|(head, moved)| *head = moved);
        }
        self.kept = stack.len_since(StackMark::ZERO);
        self.machine.canon = Canon::default();
    }

    /// Returns the captures of the text. If it is not complete, they are the captures of the reading that is preferred so far.
    pub(super) fn captures(&self, captures: &Captures) -> Vec<Capture> {
        let preferred = || self.all.iter().flatten().next().and_then(|reading| reading.trail);
        let trail = self.finished(captures).unwrap_or_else(preferred);
        self.trails.captures(trail, &captures.parts)
    }
}
