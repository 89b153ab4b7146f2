//! The tables of a pack as they lie in an artifact, for engines that look masks up themselves.
//!
//! A record is its words, in the order of the fields in [`super::record`].

use std::ops::Range;

use zerocopy::{FromBytes, Immutable, KnownLayout};

use super::{MaskPack, PackRow};
use crate::automaton::StateId;
use crate::mask::row::RowView;

/// The tables of a pack, by words.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct PackTables<'p> {
    /// The ids of the vocabulary, and the bytes of its longest token.
    pub tokens: u32,
    pub longest: u32,
    /// Bases: row, exits, whether the frame can return at once, tree of ways.
    pub bases: &'p [[u32; 4]],
    /// Runs of bases: four registers, the last one of the last frame, base.
    pub base_runs: &'p [[u32; 6]],
    /// Runs of tails: four registers, the last one of the last frame, row, exits, tree of ways.
    pub tail_runs: &'p [[u32; 8]],
    /// Sets of seen keys, ascending.
    pub sets: &'p [[u32; 4]],
    /// Trees of ways: the first entry, and how many there are.
    pub trees: &'p [[u32; 2]],
    /// Entries of trees: 0 and an operation, or 1, a state and an escape; how many lie below; row, exits.
    pub way_entries: &'p [[u32; 6]],
}

/// What stands for no row in [`PackTables`].
#[doc(hidden)]
pub const NO_PACK_ROW: u32 = super::record::NO_ROW;

/// A row of a pack with the hash of its tokens, by which rows of packs of one vocabulary are the same.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct PackedRow<'p> {
    pub name: [u8; 16],
    pub view: RowView<'p>,
    /// The number of the dense row that it is the difference from, if it is one. It may be behind those that tables name.
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

    /// Returns which runs are those of a state: of bases, and of tails.
    #[doc(hidden)]
    #[must_use]
    pub fn runs_of(&self, state: StateId) -> [Range<u32>; 2] {
        [self.base_runs.range_of(state), self.tail_runs.range_of(state)]
    }

    /// Returns a row by its number, from 0 on; `None` behind the last.
    #[doc(hidden)]
    #[must_use]
    pub fn packed_row(&self, row: u32) -> Option<PackedRow<'_>> {
        let placed = self.rows.get(row)?;
        let view = self.row(PackRow(row));
        Some(PackedRow { name: super::pool::name(view, self.header.tokens).bytes(), view, dense: placed.dense() })
    }
}

/// Returns records as words; none if there are bytes that make no record, which loading has excluded.
fn words<R: FromBytes + Immutable + KnownLayout>(bytes: &[u8]) -> &[R] {
    <[R]>::ref_from_bytes(bytes).unwrap_or_default()
}
