//! The validation of a loaded pack: every number in it is within its table, so that a look-up cannot read outside of one.
//!
//! Not checked is whether the rows are right for the format: they would have to be computed again. Whoever can write an
//! artifact decides which tokens it allows.

use super::MaskPack;
use super::placed::{PlacedRow, Span};
use super::record::{BLOCK, NO_EXITS, NO_ROW, RowKind, RowRecord, Run};
use crate::automaton::Automaton;
use crate::container::{LoadError, check};

impl MaskPack {
    pub(super) fn check(&self, automaton: &Automaton) -> Result<(), LoadError> {
        let header = &self.header;
        check(header.complete <= 1, "masks", "a flag is neither 0 nor 1")?;
        self.check_exits()?;
        self.check_bases(automaton)?;
        self.check_tails(automaton)?;
        self.check_sets()?;
        self.check_ways(automaton)
    }

    /// Decodes the records of the rows, and checks that each is of a known kind, lies inside the row data, and holds tokens of
    /// the vocabulary.
    pub(super) fn place_rows(&self) -> Result<Box<[PlacedRow]>, LoadError> {
        self.rows.records().iter().map(|record| self.place_row(record)).collect()
    }

    fn place_row(&self, record: &RowRecord) -> Result<PlacedRow, LoadError> {
        let invalid = |what| LoadError::Invalid { section: "rows", what };
        let own = Span { block: record.at, len: record.len };
        match RowKind::from_code(record.kind).ok_or(invalid("an unknown kind"))? {
            RowKind::Sparse => {
                let plain = record.removed == 0 && record.dense == 0;
                check(plain, "rows", "an unused field is set")?;
                self.check_tokens(record.at, 0, record.len)?;
                Ok(PlacedRow::Sparse(own))
            }
            RowKind::Dense => {
                self.check_dense(record)?;
                Ok(PlacedRow::Dense(own))
            }
            RowKind::Delta => {
                let dense = self.rows.records().get(record.dense as usize);
                let dense = dense.filter(|dense| RowKind::from_code(dense.kind) == Some(RowKind::Dense));
                let dense = dense.ok_or(invalid("the differences are from no dense row"))?;
                self.check_tokens(record.at, 0, record.len)?;
                self.check_tokens(record.at, record.len, record.removed)?;
                let dense_span = Span { block: dense.at, len: dense.len };
                Ok(PlacedRow::Delta { add: own, removed: record.removed, dense: record.dense, dense_span })
            }
        }
    }

    /// Checks a list of tokens: it lies inside the row data, ascends, and is of this vocabulary.
    fn check_tokens(&self, at: u32, skip: u32, len: u32) -> Result<(), LoadError> {
        let from = at as usize * BLOCK + skip as usize;
        let list = self.data.records().get(from..from + len as usize);
        let list = list.ok_or(LoadError::Invalid { section: "rows", what: "a list lies outside" })?;
        check(list.is_sorted_by(|a, b| a < b), "row data", "tokens do not ascend")?;
        let known = list.last().is_none_or(|&last| last < self.header.tokens);
        check(known, "row data", "an unknown token")
    }

    fn check_dense(&self, record: &RowRecord) -> Result<(), LoadError> {
        let words = self.header.tokens.div_ceil(32);
        let plain = record.removed == 0 && record.dense == 0 && record.len == words;
        check(plain, "rows", "a dense row of another width")?;
        let from = record.at as usize * BLOCK;
        let row = self.data.records().get(from..from + words as usize);
        let row = row.ok_or(LoadError::Invalid { section: "rows", what: "a row lies outside" })?;
        let used = self.header.tokens % 32;
        let unknown = if used == 0 { 0 } else { u32::MAX << used };
        let clean = row.last().is_none_or(|last| last & unknown == 0);
        check(clean, "row data", "an unknown token")
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
        row == NO_ROW || (row as usize) < self.rows.records().len()
    }

    pub(super) fn has_exits(&self, exits: u32) -> bool {
        exits == NO_EXITS || (exits as usize) < self.exits.records().len()
    }

    fn has_ways(&self, ways: u32) -> bool {
        (ways as usize) < self.ways.records().len()
    }

    fn check_bases(&self, automaton: &Automaton) -> Result<(), LoadError> {
        for base in self.bases.records() {
            check(self.has_row(base.row), "bases", "an unknown row")?;
            check(self.has_exits(base.exits), "bases", "unknown exits")?;
            check(self.has_ways(base.ways), "bases", "unknown ways")?;
            check(base.at_once <= 1, "bases", "a flag is neither 0 nor 1")?;
        }
        let runs = self.base_runs.records();
        check_runs(self.base_ranges.records(), runs, automaton, "states' bases")?;
        let bases = self.bases.records().len();
        check(runs.iter().all(|run| (run.base as usize) < bases), "runs of bases", "an unknown base")
    }

    fn check_tails(&self, automaton: &Automaton) -> Result<(), LoadError> {
        let runs = self.tail_runs.records();
        check_runs(self.tail_ranges.records(), runs, automaton, "states' tails")?;
        for run in runs {
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

/// Checks that each state has a range of the runs, in order, and that in each range the runs ascend and do not overlap.
fn check_runs<T: Run>(
    ranges: &[u32],
    runs: &[T],
    automaton: &Automaton,
    section: &'static str,
) -> Result<(), LoadError> {
    check(ranges.len() == automaton.states.len() + 1, section, "not one range a state")?;
    let whole = ranges.first() == Some(&0) && ranges.last().is_some_and(|&end| end as usize == runs.len());
    check(whole && ranges.is_sorted(), section, "the ranges are not the runs'")?;
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
