//! The validation of a loaded pack: every number is within its table, so that a look-up cannot read outside of one.
//!
//! It does not check that the rows are right for the format, as that would mean computing them again. Whoever can write an artifact decides
//! which tokens it allows.

use super::MaskPack;
use super::placed::{PlacedRow, Span};
use super::record::{BLOCK, NO_EXITS, NO_ROW};
use crate::automaton::Automaton;
use crate::container::{LoadError, check};

impl MaskPack {
    pub(super) fn check(&self, automaton: &Automaton) -> Result<(), LoadError> {
        let header = &self.header;
        check(header.complete <= 1, "masks", "a flag is neither 0 nor 1")?;
        self.check_exits()?;
        self.check_bases()?;
        self.check_tails()?;
        self.check_sets()?;
        self.check_ways(automaton)
    }

    fn check_exits(&self) -> Result<(), LoadError> {
        let first = self.exits.records().first();
        check(first.is_some_and(|none| none.len == 0), "exits", "the first is not empty")?;
        for range in self.exits.records() {
            let from = range.at as usize;
            let nodes = self.nodes.records().get(from..from + range.len as usize);
            let nodes = nodes.ok_or(LoadError::Invalid { section: "exits", what: "a list lies outside" })?;
            check(nodes.is_sorted_by(|a, b| a < b), "exit nodes", "they do not ascend")?;
            let known = nodes.last().is_none_or(|&last| last < self.header.nodes);
            check(known, "exit nodes", "an unknown node")?;
        }
        Ok(())
    }

    pub(super) fn has_row(&self, row: u32) -> bool {
        row == NO_ROW || (row as usize) < self.rows.len()
    }

    pub(super) fn has_exits(&self, exits: u32) -> bool {
        exits == NO_EXITS || (exits as usize) < self.exits.records().len()
    }

    fn has_ways(&self, ways: u32) -> bool {
        (ways as usize) < self.ways.records().len()
    }

    fn check_bases(&self) -> Result<(), LoadError> {
        for base in self.bases.records() {
            check(self.has_row(base.row), "bases", "an unknown row")?;
            check(self.has_exits(base.exits), "bases", "unknown exits")?;
            check(self.has_ways(base.ways), "bases", "unknown ways")?;
            check(base.at_once <= 1, "bases", "a flag is neither 0 nor 1")?;
        }
        let bases = self.bases.records().len();
        check(self.base_runs.all().iter().all(|run| (run.base as usize) < bases), "runs of bases", "an unknown base")
    }

    fn check_tails(&self) -> Result<(), LoadError> {
        for run in self.tail_runs.all() {
            let exits = run.fixed[0] != NO_EXITS && self.has_exits(run.fixed[0]);
            check(exits && self.has_exits(run.next), "runs of tails", "unknown exits")?;
            check(self.has_row(run.row), "runs of tails", "an unknown row")?;
            check(self.has_ways(run.ways), "runs of tails", "unknown ways")?;
        }
        Ok(())
    }

    fn check_sets(&self) -> Result<(), LoadError> {
        let sets = self.sets.records();
        check(sets.is_sorted_by(|a, b| a.words < b.words), "key sets", "they do not ascend")?;
        let empty = sets.first().is_none_or(|first| first.words == [0; 4]);
        check(empty, "key sets", "the first is not empty")
    }
}

/// Row data for a vocabulary with `tokens` ids.
#[derive(Clone, Copy)]
pub(super) struct RowWords<'d> {
    pub(super) data: &'d [u32],
    pub(super) tokens: u32,
}

impl RowWords<'_> {
    /// Checks that a row lies inside the row data and holds tokens of the vocabulary.
    pub(super) fn check(&self, row: PlacedRow) -> Result<(), LoadError> {
        match row {
            PlacedRow::Sparse(own) => self.check_list(own, 0),
            PlacedRow::Dense(own) => self.check_dense(own),
            PlacedRow::Delta { add, removed, dense: _, dense_span } => {
                self.check_list(add, 0)?;
                self.check_list(Span { len: removed, ..add }, add.len)?;
                self.check_dense(dense_span)
            }
        }
    }

    /// Checks a list of tokens that begins `skip` words after the start of a block: it lies inside the row data, ascends, and has tokens of
    /// this vocabulary only.
    fn check_list(&self, list: Span, skip: u32) -> Result<(), LoadError> {
        let from = list.block as usize * BLOCK + skip as usize;
        let list = self.data.get(from..from + list.len as usize);
        let list = list.ok_or(LoadError::Invalid { section: "rows", what: "a list lies outside" })?;
        // The loop has no early exit, so that the compiler can compare several pairs at once.
        let pairs = list.iter().zip(list.get(1..).unwrap_or_default());
        let ascend = pairs.fold(true, |ascend, (one, next)| ascend & (one < next));
        check(ascend, "row data", "tokens do not ascend")?;
        let known = list.last().is_none_or(|&last| last < self.tokens);
        check(known, "row data", "an unknown token")
    }

    fn check_dense(&self, row: Span) -> Result<(), LoadError> {
        let words = self.tokens.div_ceil(32);
        check(row.len == words, "rows", "a dense row of another width")?;
        let from = row.block as usize * BLOCK;
        let row = self.data.get(from..from + words as usize);
        let row = row.ok_or(LoadError::Invalid { section: "rows", what: "a row lies outside" })?;
        let used = self.tokens % 32;
        let unknown = if used == 0 { 0 } else { u32::MAX << used };
        let clean = row.last().is_none_or(|last| last & unknown == 0);
        check(clean, "row data", "an unknown token")
    }
}
