//! The validation of a mask pack: afterwards a look-up finds something or nothing, and never anything outside a table.
//!
//! That a row says the truth about the format cannot be seen from the row: whoever can write an artifact decides what it
//! allows. What is checked is that it says something about this vocabulary.

use super::MaskPack;
use super::record::{BLOCK, DELTA, DENSE, EMPTY, Key, NO_EXITS, NO_ROW, RowRecord, SPARSE, Slot, find};
use crate::artifact::{LoadError, check};
use crate::automaton::Automaton;

impl MaskPack {
    pub(super) fn check(&self, automaton: &Automaton) -> Result<(), LoadError> {
        let head = &self.head;
        check(head.reserved == [0; 2], "masks", "a reserved field is set")?;
        check(head.complete <= 1, "masks", "a flag is neither 0 nor 1")?;
        self.check_rows()?;
        self.check_exits()?;
        self.check_bases(automaton)?;
        self.check_keys(automaton)?;
        self.check_tails(automaton)
    }

    fn check_rows(&self) -> Result<(), LoadError> {
        for record in self.rows.records() {
            match record.kind {
                SPARSE => {
                    let plain = record.removed == 0 && record.base == 0;
                    check(plain, "rows", "an unused field is set")?;
                    self.check_tokens(record.at, 0, record.len)?;
                }
                DENSE => self.check_dense(record)?,
                DELTA => {
                    let base = self.rows.records().get(record.base as usize);
                    let is_dense = base.is_some_and(|base| base.kind == DENSE);
                    check(is_dense, "rows", "the base is no dense row")?;
                    self.check_tokens(record.at, 0, record.len)?;
                    self.check_tokens(record.at, record.len, record.removed)?;
                }
                _ => check(false, "rows", "an unknown kind")?,
            }
        }
        Ok(())
    }

    /// A list of tokens inside the row data, ascending, of this vocabulary.
    fn check_tokens(&self, at: u32, skip: u32, len: u32) -> Result<(), LoadError> {
        let from = at as usize * BLOCK + skip as usize;
        let list = self.data.records().get(from..from + len as usize);
        let list = list.ok_or(LoadError::Invalid { section: "rows", what: "a list lies outside" })?;
        check(list.is_sorted_by(|a, b| a < b), "row data", "tokens do not ascend")?;
        let known = list.last().is_none_or(|&last| last < self.head.tokens);
        check(known, "row data", "an unknown token")
    }

    fn check_dense(&self, record: &RowRecord) -> Result<(), LoadError> {
        let words = self.head.tokens.div_ceil(32);
        let plain = record.removed == 0 && record.base == 0 && record.len == words;
        check(plain, "rows", "a dense row of another width")?;
        let from = record.at as usize * BLOCK;
        let row = self.data.records().get(from..from + words as usize);
        let row = row.ok_or(LoadError::Invalid { section: "rows", what: "a row lies outside" })?;
        let used = self.head.tokens % 32;
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
            let known = nodes.last().is_none_or(|&last| last < self.head.nodes);
            check(known, "exit nodes", "an unknown node")?;
        }
        Ok(())
    }

    fn has_row(&self, row: u32) -> bool {
        row == NO_ROW || (row as usize) < self.rows.records().len()
    }

    fn has_exits(&self, exits: u32) -> bool {
        exits == NO_EXITS || (exits as usize) < self.exits.records().len()
    }

    fn check_bases(&self, automaton: &Automaton) -> Result<(), LoadError> {
        for base in self.bases.records() {
            check(self.has_row(base.row), "bases", "an unknown row")?;
            check(self.has_exits(base.exits), "bases", "unknown exits")?;
            check(base.at_once <= 1, "bases", "a flag is neither 0 nor 1")?;
        }
        let direct = self.direct.records();
        check(direct.len() == automaton.states.len(), "states' bases", "not one a state")?;
        let bases = self.bases.records().len();
        let known = direct.iter().all(|&base| base as usize <= bases);
        check(known, "states' bases", "an unknown base")
    }

    fn check_keys(&self, automaton: &Automaton) -> Result<(), LoadError> {
        let slots = self.keys.records();
        check_slots(slots, automaton, "keyed bases")?;
        let bases = self.bases.records().len();
        let known = slots.iter().all(|slot| slot.state == EMPTY || (slot.base as usize) < bases);
        check(known, "keyed bases", "an unknown base")
    }

    fn check_tails(&self, automaton: &Automaton) -> Result<(), LoadError> {
        let slots = self.tails.records();
        check_slots(slots, automaton, "tails")?;
        for slot in slots.iter().filter(|slot| slot.state != EMPTY) {
            let exits = slot.exits != NO_EXITS && self.has_exits(slot.exits);
            check(exits && self.has_exits(slot.next), "tails", "unknown exits")?;
            check(self.has_row(slot.row), "tails", "an unknown row")?;
        }
        Ok(())
    }
}

/// A power of two of slots, at most half of them used, each found by its key and of a state that exists.
fn check_slots<T: Slot + PartialEq>(
    slots: &[T],
    automaton: &Automaton,
    section: &'static str,
) -> Result<(), LoadError> {
    check(slots.len().is_power_of_two(), section, "not a power of two of slots")?;
    let keys = || slots.iter().filter_map(Slot::key);
    check(keys().count() <= slots.len() / 2, section, "the table is too full")?;
    let states = automaton.states.len();
    check(keys().all(|key: Key| (key.state as usize) < states), section, "an unknown state")?;
    let found = slots.iter().all(|slot| slot.key().is_none_or(|key| find(slots, &key) == Some(*slot)));
    check(found, section, "a slot is not in its place")
}
