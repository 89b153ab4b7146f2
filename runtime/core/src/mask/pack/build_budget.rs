//! The budget of a build: caps on the work and the memory of all rows of a pack together.
//!
//! The masks that a budget leaves out must be the same in every run, with any number of threads. So work is counted in units, not measured;
//! parts pay in one fixed order, whichever thread finished first; and after the first part that cannot pay, no part is accepted. A *part*
//! is the answers for one group: the rows of frames of one state that differ only in the register of their runs. A part stops when it has
//! taken one [`PARTS`]th of the budget, which bounds the work that threads do in vain.
//!
//! With a budget of 640 units, a part stops after 10. If 200 units are left, and finished parts of 150 units are waiting to pay, threads
//! work on at most 5 more parts, which could take the rest. A part that cannot pay closes the budget for all parts after it.
//!
//! This budget has nothing to do with the token budget of a matcher, which bounds the length of a text.

use std::sync::Arc;
use std::time::Duration;

use rustc_hash::FxHashSet;

use super::super::exit_set::ExitSet;
use super::super::part::{Base, Tail, Way};
use super::super::row::Row;
use super::limits::{PackLimit, PackLimits};

/// One part may take at most the budget divided by this.
const PARTS: u64 = 64;

/// Quarters of the budget that bases may take. The rest is reserved for tails, as bases without tails are of little use.
const BASE_QUARTERS: u64 = 3;

/// The answers of one part of a build, and the work and time that they took.
#[derive(Debug)]
pub(super) struct GroupAnswers<R> {
    pub(super) answers: Vec<Option<R>>,
    /// The sets of exits that were found, each with its number of nodes before follow sets filtered it.
    pub(super) exits: Vec<(ExitSet, usize)>,
    pub(super) work: u64,
    /// Whether answers are missing because the part reached the cap on the work of one part.
    pub(super) cut: bool,
    pub(super) took: Duration,
}

/// A base or a tail.
pub(super) trait Answer {
    /// Returns the row, the exits and the ways.
    fn content(&self) -> (Option<&Arc<Row>>, &ExitSet, &[Way]);

    /// Replaces all exits, one by one.
    fn change_exits(&mut self, change: &mut dyn FnMut(ExitSet) -> ExitSet);

    /// Returns all rows.
    fn rows(&self) -> impl Iterator<Item = &Arc<Row>> {
        let (row, _, ways) = self.content();
        row.into_iter().chain(ways.iter().filter_map(|way| way.row.as_ref()))
    }

    /// Returns all exits except empty sets.
    fn all_exits(&self) -> impl Iterator<Item = &ExitSet> {
        let (_, exits, ways) = self.content();
        let all = std::iter::once(exits).chain(ways.iter().map(|way| &way.exits));
        all.filter(|exits| **exits != ExitSet::NONE)
    }
}

fn change_exits_of(ways: &mut Option<Arc<[Way]>>, change: &mut dyn FnMut(ExitSet) -> ExitSet) {
    if let Some(ways) = ways {
        let own: &mut [Way] = Arc::make_mut(ways);
        own.iter_mut().for_each(|way| way.exits = change(std::mem::take(&mut way.exits)));
    }
}

impl Answer for Base {
    fn content(&self) -> (Option<&Arc<Row>>, &ExitSet, &[Way]) {
        (Some(&self.row), &self.exits, self.ways.as_deref().unwrap_or_default())
    }

    fn change_exits(&mut self, change: &mut dyn FnMut(ExitSet) -> ExitSet) {
        self.exits = change(std::mem::take(&mut self.exits));
        change_exits_of(&mut self.ways, change);
    }
}

impl Answer for Tail {
    fn content(&self) -> (Option<&Arc<Row>>, &ExitSet, &[Way]) {
        (self.row.as_ref(), &self.exits, self.ways.as_deref().unwrap_or_default())
    }

    fn change_exits(&mut self, change: &mut dyn FnMut(ExitSet) -> ExitSet) {
        self.exits = change(std::mem::take(&mut self.exits));
        change_exits_of(&mut self.ways, change);
    }
}

/// The unspent rest of a build's budget, and the rows and exits that are already paid for.
#[derive(Debug)]
pub(super) struct BuildBudget {
    work: u64,
    memory: u64,
    /// The work that one part may take.
    part: u64,
    /// Work and memory that are reserved for tails.
    reserve: (u64, u64),
    /// The rows (by address) and the exits that are paid for.
    rows: FxHashSet<usize>,
    exits: FxHashSet<ExitSet>,
    /// Set once a part could not pay. No later part is accepted.
    pub(super) closed: bool,
    /// The limit that ended the build, or cut a part of it short.
    pub(super) stopped: Option<PackLimit>,
    limits: PackLimits,
}

impl BuildBudget {
    pub(super) fn new(limits: &PackLimits) -> Self {
        let (work, memory) = (limits.work / 4 * BASE_QUARTERS, limits.memory / 4 * BASE_QUARTERS);
        Self {
            work,
            memory,
            part: limits.work / PARTS,
            reserve: (limits.work - work, limits.memory - memory),
            rows: FxHashSet::default(),
            exits: FxHashSet::default(),
            closed: false,
            stopped: None,
            limits: *limits,
        }
    }

    /// Returns the work that one part may take.
    pub(super) fn part(&self) -> u64 {
        self.part
    }

    /// Releases the reserve for tails, once the bases are done; reopens the budget if bases have used up their share.
    pub(super) fn release(&mut self) {
        self.closed = false;
        let (work, memory) = std::mem::take(&mut self.reserve);
        self.work += work;
        self.memory += memory;
    }

    /// Pays for a part and returns it. If the budget does not suffice, drops this part and every later one.
    pub(super) fn accept<R: Answer>(&mut self, part: GroupAnswers<R>) -> Option<GroupAnswers<R>> {
        let paid = !self.closed && {
            let rows = part.answers.iter().flatten().flat_map(R::rows);
            self.pays(part.work, rows, part.exits.iter())
        };
        if paid && part.cut {
            self.cut();
        }
        paid.then_some(part)
    }

    /// Returns whether the work that is left suffices for the finished parts that are waiting to pay (`waiting` units) and for `in_work`
    /// unfinished parts of the greatest size. However much is left, at most half of the whole budget may be waiting.
    pub(super) fn has_room(&self, waiting: u64, in_work: u64) -> bool {
        let most = self.work.min(self.limits.work / 2);
        waiting.saturating_add(self.part.saturating_mul(in_work)) <= most
    }

    /// Pays for work, for rows, and for exits with their sizes; returns `false` if the budget is not enough.
    fn pays<'r>(
        &mut self,
        work: u64,
        rows: impl Iterator<Item = &'r Arc<Row>>,
        exits: impl Iterator<Item = &'r (ExitSet, usize)>,
    ) -> bool {
        // Rows and exits are shared: the first part that has a row or a set of exits pays for it.
        let new = rows.filter(|row| self.rows.insert(Arc::as_ptr(row).addr()));
        let mut memory: u64 = new.map(|row| row.bytes() as u64).sum();
        let new = exits.filter(|(exits, _)| self.exits.insert(exits.clone()));
        memory += new.map(|(_, nodes)| 4 * *nodes as u64).sum::<u64>();
        let left = (self.work.checked_sub(work), self.memory.checked_sub(memory));
        let (Some(work), Some(memory)) = left else {
            let (work, memory) = (self.limits.work, self.limits.memory);
            let limit =
                if left.0.is_none() { PackLimit::Work { limit: work } } else { PackLimit::Memory { limit: memory } };
            self.stopped = Some(limit);
            self.closed = true;
            return false;
        };
        (self.work, self.memory) = (work, memory);
        true
    }

    /// Records that a part stopped early, because it reached the cap on the work of one part.
    fn cut(&mut self) {
        self.stopped.get_or_insert(PackLimit::Part { limit: self.part });
    }
}
