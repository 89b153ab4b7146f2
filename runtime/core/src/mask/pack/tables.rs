//! The tables of a pack as stored in an artifact, for engines that look up masks themselves.
//!
//! Each record is an array of words, in the order of the fields in [`super::record`].

use std::ops::Range;

use zerocopy::{FromBytes, Immutable, KnownLayout};

use super::{MaskPack, PackRow};
use crate::automaton::StateId;
use crate::mask::row::RowView;

/// The tables of a pack, as words.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct PackTables<'p> {
    /// Number of ids of the vocabulary.
    pub tokens: u32,
    /// Length of the longest token, in bytes.
    pub longest: u32,
    /// Bases: row, exits, whether the frame can return at once, tree of ways.
    pub bases: &'p [[u32; 4]],
    /// Runs of bases: four registers of the first frame, the last value of the fourth register, base.
    pub base_runs: &'p [[u32; 6]],
    /// Runs of tails: four registers of the first frame (the exits among them), the last value of the fourth register,
    /// row, next exits, tree of ways.
    pub tail_runs: &'p [[u32; 8]],
    /// Sets of seen keys, ascending.
    pub sets: &'p [[u32; 4]],
    /// Trees of ways: index of the first entry, number of entries.
    pub trees: &'p [[u32; 2]],
    /// Entries of trees. An entry is: 0, an operation and 0; or 1, a state and an escape; then the number of entries below, row, exits.
    pub way_entries: &'p [[u32; 6]],
}

/// Row number in [`PackTables`] that means no row.
#[doc(hidden)]
pub const NO_PACK_ROW: u32 = super::record::NO_ROW;

/// A row of a pack, with the hash of its tokens. In packs for one vocabulary, equal rows have equal hashes.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct PackedRow<'p> {
    pub name: [u8; 16],
    pub view: RowView<'p>,
    /// For a delta: the number of its dense row, which may be greater than all numbers in the tables.
    pub dense: Option<u32>,
}

impl MaskPack {
    /// Returns the tables.
    #[doc(hidden)]
    #[must_use]
    pub fn tables(&self) -> PackTables<'_> {
        PackTables {
            tokens: self.header.tokens,
            longest: self.header.longest,
            bases: words(self.bases.raw()),
            base_runs: words(self.base_runs.raw()),
            tail_runs: words(self.tail_runs.raw()),
            sets: words(self.sets.raw()),
            trees: words(self.ways.raw()),
            way_entries: words(self.way_entries.raw()),
        }
    }

    /// Returns the ranges of a state's runs in `base_runs` and in `tail_runs`.
    #[doc(hidden)]
    #[must_use]
    pub fn runs_of(&self, state: StateId) -> [Range<u32>; 2] {
        [self.base_runs.range_of(state), self.tail_runs.range_of(state)]
    }

    /// Returns a row by its number; `None` beyond the last row.
    #[doc(hidden)]
    #[must_use]
    pub fn packed_row(&self, row: u32) -> Option<PackedRow<'_>> {
        let placed = self.rows.get(row)?;
        let view = self.row(PackRow(row));
        Some(PackedRow { name: super::pool::name(view, self.header.tokens).bytes(), view, dense: placed.dense() })
    }
}

/// Views bytes as records; empty if the length is not a multiple of the record size, which loading has excluded.
fn words<R: FromBytes + Immutable + KnownLayout>(bytes: &[u8]) -> &[R] {
    <[R]>::ref_from_bytes(bytes).unwrap_or_default()
}
