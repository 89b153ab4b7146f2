//! Counts the rows of a pack that some states use, which shows the share of one part of a format in the pack's size.

use std::collections::BTreeSet;

use super::MaskPack;
use super::placed::PlacedRow;
use super::record::{BaseRecord, NO_ROW, TailRun};
use crate::automaton::StateId;

/// Counts of the rows and runs that some states use. States share rows, so that the counts of a format's parts add up to more than the
/// counts of the whole.
///
/// ```
/// assert_eq!(ogc_runtime::mask::RowUse::default().rows, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowUse {
    /// Distinct rows.
    pub rows: usize,
    /// Bytes of the data of these rows, and of the dense rows that deltas among them differ from.
    pub row_bytes: usize,
    /// Base runs of the states; see [`PackReport::bases`](super::PackReport::bases).
    pub bases: usize,
    /// Tail runs of the states; see [`PackReport::tails`](super::PackReport::tails).
    pub tails: usize,
}

impl MaskPack {
    /// Counts the rows that some states use: the rows of their bases, and of their tails when a call returns to them.
    ///
    /// ```
    #[doc = include_str!("../../example.md")]
    /// let masks = MaskPack::build(&format, &store, &PackLimits::default(), |_, _| {})?;
    /// let all = masks.row_use((0..3).map(StateId));
    /// assert_eq!((all.rows, all.bases), (masks.report().rows, masks.report().bases));
    /// // At the start, `a` and `ab` may come: a row of two tokens, padded to a block.
    /// assert_eq!(masks.row_use([format.rules[0].start]).rows, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn row_use(&self, states: impl IntoIterator<Item = StateId>) -> RowUse {
        let mut used = RowUse::default();
        let mut rows = BTreeSet::new();
        for state in states {
            let bases = self.base_runs.of(state);
            used.bases += bases.len();
            for run in bases {
                rows.extend(
                    self.bases.records().get(run.base as usize).into_iter().flat_map(|base| self.rows_of_base(base)),
                );
            }
            let tails = self.tail_runs.of(state);
            used.tails += tails.len();
            rows.extend(tails.iter().flat_map(|run| self.rows_of_tail(run)));
        }
        rows.remove(&NO_ROW);
        used.rows = rows.len();
        used.row_bytes = self.bytes_of(rows);
        used
    }

    /// Returns the rows of a base and of its ways.
    pub(super) fn rows_of_base(&self, base: &BaseRecord) -> impl Iterator<Item = u32> {
        std::iter::once(base.row).chain(self.rows_of_ways(base.ways))
    }

    /// Returns the rows of a tail and of its ways.
    pub(super) fn rows_of_tail(&self, tail: &TailRun) -> impl Iterator<Item = u32> {
        std::iter::once(tail.row).chain(self.rows_of_ways(tail.ways))
    }

    /// Sums the bytes of rows and of the dense rows that deltas among them differ from, each row once.
    fn bytes_of(&self, mut rows: BTreeSet<u32>) -> usize {
        let placed = |row: &u32| self.rows.get(*row);
        let dense: Vec<u32> = rows.iter().filter_map(placed).filter_map(PlacedRow::dense).collect();
        rows.extend(dense);
        rows.iter().filter_map(placed).map(PlacedRow::bytes).sum()
    }
}
