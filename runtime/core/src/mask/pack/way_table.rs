//! The ways of a pack: rows and exits that a frame has only if its registers allow them ([`crate::mask::compute::by_ways`]).

use smallvec::SmallVec;

use super::record::{NO_WAYS, WayKind, WayRecord};
use super::{MaskPack, PackExits, PackRow, some_exits, some_row};
use crate::automaton::{Automaton, OpId, StateId, StateKind};
use crate::container::{LoadError, check};
use crate::step::{Head, Stack, WayStep, is_escape, may_run, run_way_step};

/// Cap on the entries of one tree of ways.
pub(super) const MOST_WAYS: usize = 1 << 16;
/// Cap on the nesting depth of entries: a token has few steps.
pub(super) const DEEPEST: usize = 256;

/// The number of a tree of ways in a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PackWays(u32);

/// Returns the tree of ways with a number; `None` for [`NO_WAYS`].
#[inline]
pub(super) fn some_ways(ways: u32) -> Option<PackWays> {
    (ways != NO_WAYS).then_some(PackWays(ways))
}

impl WayRecord {
    /// Returns the last step of the way; `None` if the format has no such step.
    fn step(&self, automaton: &Automaton) -> Option<WayStep> {
        match WayKind::from_code(self.kind)? {
            WayKind::Op => {
                ((self.of as usize) < automaton.ops.len() && self.esc == 0).then_some(WayStep::Op(OpId(self.of)))
            }
            WayKind::Escape => {
                let is_text = automaton.states.get(self.of as usize).is_some_and(|state| state.kind == StateKind::Text);
                (is_text && is_escape(self.esc)).then_some(WayStep::Escape(StateId(self.of), self.esc))
            }
        }
    }
}

impl MaskPack {
    /// Calls `take` with the row and the exits of each way that the head's registers allow.
    pub(crate) fn each_way(
        &self,
        automaton: &Automaton,
        stack: &mut Stack,
        head: Head,
        ways: PackWays,
        mut take: impl FnMut(Option<PackRow>, Option<PackExits>),
    ) {
        let entries = self.entries_of(ways.0);
        let mark = stack.mark();
        // `before` has the registers before the current entry, and `end` is the end of the entry around it. `around` has both for the outer
        // entries.
        let mut before = head;
        let mut around: SmallVec<[(usize, Head); 8]> = SmallVec::new();
        let mut end = entries.len();
        let mut at = 0;
        while let Some(entry) = entries.get(at) {
            while at >= end
                && let Some(outer) = around.pop()
            {
                (end, before) = outer;
            }
            let next = at + 1 + entry.below as usize;
            let mut after = before;
            let runs = entry.step(automaton).is_some_and(|step| match entry.below {
                0 => may_run(automaton, stack, step, &before),
                _ => run_way_step(automaton, stack, step, &mut after),
            });
            if !runs {
                at = next;
                continue;
            }
            take(some_row(entry.row), some_exits(entry.exits));
            if entry.below > 0 {
                around.push((end, before));
                (end, before) = (next, after);
            }
            at += 1;
        }
        stack.truncate(mark);
    }

    /// Returns the entries of a tree of ways.
    fn entries_of(&self, ways: u32) -> &[WayRecord] {
        let tree = self.ways.records().get(ways as usize).map(|tree| {
            let from = tree.at as usize;
            self.way_entries.records().get(from..from + tree.len as usize).unwrap_or_default()
        });
        tree.unwrap_or_default()
    }

    /// Returns the rows of a tree of ways.
    pub(super) fn rows_of_ways(&self, ways: u32) -> impl Iterator<Item = u32> {
        self.entries_of(ways).iter().map(|entry| entry.row)
    }

    /// Checks that the trees of ways follow one another without gaps, that entries are properly nested, and that their
    /// steps, rows and exits exist.
    pub(super) fn check_ways(&self, automaton: &Automaton) -> Result<(), LoadError> {
        let trees = self.ways.records();
        check(trees.first().is_some_and(|none| none.len == 0), "ways", "the first is not empty")?;
        let mut end = 0;
        for (number, tree) in trees.iter().enumerate() {
            check(tree.at as usize == end && tree.len as usize <= MOST_WAYS, "ways", "they do not follow one another")?;
            end += tree.len as usize;
            check(end <= self.way_entries.records().len(), "ways", "a tree lies outside")?;
            self.check_tree(automaton, self.entries_of(number as u32))?;
        }
        check(end == self.way_entries.records().len(), "ways", "entries of no tree")
    }

    fn check_tree(&self, automaton: &Automaton, entries: &[WayRecord]) -> Result<(), LoadError> {
        // The ends of the entries around the current one.
        let mut around = Vec::new();
        for (at, entry) in entries.iter().enumerate() {
            while around.last().is_some_and(|end| *end <= at) {
                around.pop();
            }
            let next = (at + 1).saturating_add(entry.below as usize);
            let fits = next <= around.last().copied().unwrap_or(entries.len());
            check(fits && around.len() < DEEPEST, "entries of ways", "they do not lie in each other")?;
            around.push(next);
            check(entry.step(automaton).is_some(), "entries of ways", "an unknown step")?;
            check(self.has_row(entry.row), "entries of ways", "an unknown row")?;
            check(self.has_exits(entry.exits), "entries of ways", "unknown exits")?;
        }
        Ok(())
    }
}
