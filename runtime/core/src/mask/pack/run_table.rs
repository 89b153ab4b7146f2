//! The runs of all states of a pack. States with equal runs share one list, as half of the states of a pattern do.
//!
//! A table is three sections: the number of each state's list, the index of each list's first run, and the runs. If states 0 and 2 have the
//! runs A and B, and state 1 has the run C, the sections are `0, 1, 0`, then `0, 2, 3`, then `A, B, C`.

use std::ops::Range;

use rustc_hash::FxHashMap;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

use super::record::Run;
use crate::automaton::StateId;
use crate::container::{LoadError, SectionKind, Sections, Table, check};

/// The kinds of the three sections of a table of runs: the list of each state, the start of each list, and the runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct RunKinds {
    pub(super) lists: SectionKind,
    pub(super) ranges: SectionKind,
    pub(super) runs: SectionKind,
}

/// The sections of the runs of bases.
pub(super) const BASES: RunKinds =
    RunKinds { lists: SectionKind::BaseLists, ranges: SectionKind::BaseRanges, runs: SectionKind::BaseRuns };

/// The sections of the runs of tails.
pub(super) const TAILS: RunKinds =
    RunKinds { lists: SectionKind::TailLists, ranges: SectionKind::TailRanges, runs: SectionKind::TailRuns };

/// The runs of all states, used in place.
#[derive(Clone, Debug)]
pub(super) struct RunTable<T> {
    kinds: RunKinds,
    lists: Table<u32>,
    ranges: Table<u32>,
    runs: Table<T>,
}

impl<T: Run + FromBytes + Immutable + KnownLayout> RunTable<T> {
    /// Reads and checks the runs of `states` states: each state has a list; in each list the runs ascend and do not overlap.
    pub(super) fn open(sections: &Sections, kinds: RunKinds, states: usize) -> Result<Self, LoadError> {
        let RunKinds { lists, ranges, runs } = kinds;
        let table =
            Self { kinds, lists: sections.table(lists)?, ranges: sections.table(ranges)?, runs: sections.table(runs)? };
        table.check(states)?;
        Ok(table)
    }

    fn check(&self, states: usize) -> Result<(), LoadError> {
        let (lists, ranges, runs) = (self.lists.records(), self.ranges.records(), self.all());
        check(lists.len() == states, self.kinds.lists.name(), "not one list a state")?;
        let known = lists.iter().all(|&list| (list as usize) + 1 < ranges.len());
        check(known, self.kinds.lists.name(), "an unknown list")?;
        let whole = ranges.first() == Some(&0) && ranges.last().is_some_and(|&end| end as usize == runs.len());
        check(whole && ranges.is_sorted(), self.kinds.ranges.name(), "the ranges are not the runs'")?;
        let section = self.kinds.runs.name();
        check(runs.iter().all(|run| run.begin()[3] <= run.last()), section, "a run ends before it begins")?;
        let ascend = |x: &T, y: &T| {
            let (before, after) = (x.begin(), y.begin());
            before < after && (before[..3] != after[..3] || x.last() < after[3])
        };
        for range in ranges.windows(2) {
            let own = runs.get(range[0] as usize..range[1] as usize).unwrap_or_default();
            check(own.is_sorted_by(ascend), section, "the runs do not ascend")?;
        }
        Ok(())
    }

    /// Returns the runs of all lists.
    pub(super) fn all(&self) -> &[T] {
        self.runs.records()
    }

    /// Returns the range of a state's runs in [`RunTable::all`].
    #[inline]
    pub(super) fn range_of(&self, state: StateId) -> Range<u32> {
        let list = self.lists.records().get(state.index()).map_or(usize::MAX, |&list| list as usize);
        match self.ranges.records().get(list..list.saturating_add(2)) {
            Some(&[from, to]) => from..to,
            _ => 0..0,
        }
    }

    /// Returns the runs of a state.
    #[inline]
    pub(super) fn of(&self, state: StateId) -> &[T] {
        let range = self.range_of(state);
        self.all().get(range.start as usize..range.end as usize).unwrap_or_default()
    }

    /// Returns the runs of all lists as they are in the file.
    pub(super) fn raw(&self) -> &[u8] {
        self.runs.raw()
    }

    /// Returns the number of states.
    pub(super) fn states(&self) -> usize {
        self.lists.records().len()
    }

    /// Returns the sections as an artifact stores them.
    pub(super) fn sections(&self) -> [(SectionKind, Vec<u8>); 3] {
        let RunKinds { lists, ranges, runs } = self.kinds;
        let raw = [self.lists.raw(), self.ranges.raw(), self.runs.raw()];
        let [own_lists, own_ranges, own_runs] = raw.map(<[u8]>::to_vec);
        [(lists, own_lists), (ranges, own_ranges), (runs, own_runs)]
    }
}

/// Writes the runs of each state as the sections of a table.
pub(super) fn sections<T: Run + IntoBytes + Immutable>(
    kinds: RunKinds,
    by_state: &[Vec<T>],
) -> [(SectionKind, Vec<u8>); 3] {
    let mut numbers: FxHashMap<&[u8], u32> = FxHashMap::default();
    let (mut lists, mut ranges, mut runs) = (Vec::with_capacity(by_state.len()), vec![0u32], Vec::new());
    for own in by_state {
        let next = numbers.len() as u32;
        let list = *numbers.entry(own.as_slice().as_bytes()).or_insert(next);
        if list == next {
            runs.extend_from_slice(own);
            ranges.push(runs.len() as u32);
        }
        lists.push(list);
    }
    [
        (kinds.lists, lists.as_bytes().to_vec()),
        (kinds.ranges, ranges.as_bytes().to_vec()),
        (kinds.runs, runs.as_slice().as_bytes().to_vec()),
    ]
}
