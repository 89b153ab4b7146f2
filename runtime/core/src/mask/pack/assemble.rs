//! Numbers rows, exits and bases in the order in which they are added, and writes them as the sections of a pack.
//!
//! Equal contents get one number. A dense row that differs in few tokens from one of the last dense rows is stored as a
//! delta (the difference from that row), which is smaller.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use zerocopy::IntoBytes;

use super::super::exit_set::ExitSet;
use super::super::part::{Base, Tail, Way};
use super::super::row::{Row, SPARSE as SPARSE_TOKENS, ones};
use super::super::store::MaskStore;
use super::build_budget::Answer;
use super::limits::PackLimits;
use super::reach::Reach;
use super::record::{
    BaseRecord, BaseRun, ExitsRecord, MasksRecord, NO_EXITS, NO_ROW, NO_WAYS, RowKind, RowRecord, Run, TailRun,
    WayKind, WayRecord, WaysRecord,
};
use super::row_record::append;
use super::way_table::{DEEPEST, MOST_WAYS};
use super::{registers, run_table};
use crate::automaton::{Automaton, StateId};
use crate::container::SectionKind;
use crate::step::WayStep;

/// A new dense row is compared with this many of the latest dense rows.
const RECENT: usize = 8;

/// The tables of a pack while it is built.
#[derive(Debug)]
pub(super) struct Assembly {
    row_bytes: u64,
    rows: Vec<RowRecord>,
    data: Vec<u32>,
    /// Numbers of rows by address, which is a quicker look-up than by content. The table keeps each row alive, so that no other row takes
    /// its address.
    by_address: FxHashMap<usize, (Arc<Row>, u32)>,
    by_content: FxHashMap<Row, u32>,
    /// Numbers of the dense rows from which deltas of the store differ, by the address of their bits.
    dense_by_address: FxHashMap<usize, (Arc<[u32]>, u32)>,
    /// The most recently added dense rows, newest first.
    recent: Vec<(Arc<[u32]>, u32)>,
    exits: Vec<ExitsRecord>,
    nodes: Vec<u32>,
    exit_numbers: FxHashMap<ExitSet, u32>,
    ways: Vec<WaysRecord>,
    way_entries: Vec<WayRecord>,
    ways_by_content: FxHashMap<Box<[u32]>, u32>,
    bases: Vec<BaseRecord>,
    base_numbers: FxHashMap<[u32; 4], u32>,
    /// Runs with their states, in the order in which they were added.
    base_runs: Vec<(u32, BaseRun)>,
    tail_runs: Vec<(u32, TailRun)>,
    /// The exits of bases, each with the rule that returns there, in the order of the bases: the first wave of tails.
    pub(super) exits_of_rules: Vec<(ExitSet, u32)>,
    /// Whether a row was left out because the row data had reached its limit.
    pub(super) is_full: bool,
    /// The number of frames, and of tails, that were left out.
    pub(super) left_out: [u32; 2],
}

impl Assembly {
    pub(super) fn new(limits: &PackLimits) -> Self {
        Self {
            row_bytes: limits.row_bytes,
            rows: Vec::new(),
            data: Vec::new(),
            by_address: FxHashMap::default(),
            by_content: FxHashMap::default(),
            dense_by_address: FxHashMap::default(),
            recent: Vec::new(),
            exits: vec![ExitsRecord { at: 0, len: 0 }],
            nodes: Vec::new(),
            exit_numbers: FxHashMap::from_iter([(ExitSet::NONE, NO_EXITS)]),
            ways: vec![WaysRecord { at: 0, len: 0 }],
            way_entries: Vec::new(),
            ways_by_content: FxHashMap::default(),
            bases: Vec::new(),
            base_numbers: FxHashMap::default(),
            base_runs: Vec::new(),
            tail_runs: Vec::new(),
            exits_of_rules: Vec::new(),
            is_full: false,
            left_out: [0; 2],
        }
    }

    /// Returns the number of a row, and stores the row if it is new; `None` if there is no more room.
    fn row(&mut self, row: &Arc<Row>) -> Option<u32> {
        if row.view().is_empty() {
            return Some(NO_ROW);
        }
        let address = Arc::as_ptr(row).addr();
        if let Some((_, number)) = self.by_address.get(&address) {
            return Some(*number);
        }
        let number = match self.by_content.get(&**row) {
            Some(&number) => number,
            None => self.add_row(row)?,
        };
        self.by_address.insert(address, (Arc::clone(row), number));
        Some(number)
    }

    /// Stores a row with new content. A dense row becomes a delta of a recent dense row if they differ in few tokens. A delta of the store
    /// is stored after its dense row. Any other row is stored as it is.
    fn add_row(&mut self, row: &Arc<Row>) -> Option<u32> {
        let near = match &**row {
            Row::Dense(words) => self.near(words),
            Row::Sparse(_) | Row::Delta { .. } => None,
        };
        let (dense, stored) = match (&**row, near) {
            (_, Some((dense, delta))) => (dense, Arc::new(delta)),
            (Row::Delta { dense, .. }, None) => (self.dense(dense)?, Arc::clone(row)),
            (Row::Sparse(_) | Row::Dense(_), None) => (0, Arc::clone(row)),
        };
        let number = self.store(&stored, dense)?;
        self.by_content.insert(Row::clone(row), number);
        Some(number)
    }

    /// Writes a row in its own form; `None` if there is no more room. For a delta, `dense` is the number of its dense row.
    fn store(&mut self, row: &Row, dense: u32) -> Option<u32> {
        if 4 * self.data.len() as u64 + row.bytes() as u64 > self.row_bytes {
            self.is_full = true;
            return None;
        }
        let number = self.rows.len() as u32;
        if let Row::Dense(words) = row {
            self.recent.truncate(RECENT - 1);
            self.recent.insert(0, (Arc::clone(words), number));
        }
        let record = append(&mut self.data, row.view(), dense);
        self.rows.push(record);
        Some(number)
    }

    /// Returns the row as a delta of the nearest of the latest dense rows, if they differ in few tokens. Neighbouring states of a pattern
    /// have similar rows, and so have neighbouring countdowns: `.{3}` after one character and after two.
    fn near(&self, words: &[u32]) -> Option<(u32, Row)> {
        let different = |other: &[u32]| -> u32 { words.iter().zip(other).map(|(x, y)| (x ^ y).count_ones()).sum() };
        let nearest = self.recent.iter().min_by_key(|(other, _)| different(other));
        let (dense, number) = nearest.filter(|(other, _)| different(other) as usize <= SPARSE_TOKENS)?;
        let only = |x: &[u32], y: &[u32]| -> Vec<u32> { x.iter().zip(y).map(|(x, y)| x & !y).collect() };
        let add = ones(&only(words, dense)).collect();
        let remove = ones(&only(dense, words)).collect();
        Some((*number, Row::Delta { dense: Arc::clone(dense), add, remove }))
    }

    /// Returns the number of the dense row from which a delta of the store differs, and stores that row if it is new.
    fn dense(&mut self, words: &Arc<[u32]>) -> Option<u32> {
        let address = words.as_ptr().addr();
        if let Some((_, number)) = self.dense_by_address.get(&address) {
            return Some(*number);
        }
        let row = Arc::new(Row::Dense(Arc::clone(words)));
        let known = self.by_content.get(&*row).copied();
        let kind = |number: u32| self.rows.get(number as usize).and_then(|record| RowKind::from_code(record.kind));
        let is_dense = |number: &u32| kind(*number) == Some(RowKind::Dense);
        // A delta needs a dense row to differ from, even if the same set is already stored as a delta.
        let number = match known.filter(is_dense) {
            Some(number) => number,
            None => self.store(&row, 0)?,
        };
        self.by_content.insert(Row::clone(&row), number);
        self.dense_by_address.insert(address, (Arc::clone(words), number));
        Some(number)
    }

    /// Returns the number of exits; copies the trie nodes if they are new.
    fn exits(&mut self, exits: &ExitSet) -> u32 {
        if let Some(&number) = self.exit_numbers.get(exits) {
            return number;
        }
        let number = self.exits.len() as u32;
        let nodes = exits.nodes();
        self.exits.push(ExitsRecord { at: self.nodes.len() as u32, len: nodes.len() as u32 });
        self.nodes.extend(nodes.iter().map(|node| node.0));
        self.exit_numbers.insert(exits.clone(), number);
        number
    }

    /// Returns the number of a tree of ways, and stores the tree if it is new; `None` if there is no more room, or the tree is too large
    /// for a pack.
    fn ways(&mut self, ways: &[Way]) -> Option<u32> {
        if ways.is_empty() {
            return Some(NO_WAYS);
        }
        let mut entries = Vec::with_capacity(ways.len());
        for way in ways {
            let (kind, of, esc) = match way.step {
                WayStep::Op(op) => (WayKind::Op, op.0, 0),
                WayStep::Escape(state, esc) => (WayKind::Escape, state.0, esc),
            };
            let row = match &way.row {
                Some(row) => self.row(row)?,
                None => NO_ROW,
            };
            let exits = self.exits(&way.exits);
            entries.push(WayRecord { kind: kind.code(), of, esc, below: way.below, row, exits });
        }
        if entries.len() > MOST_WAYS || depth(&entries) > DEEPEST {
            return None;
        }
        let content: Box<[u32]> = entries.iter().flat_map(|e| [e.kind, e.of, e.esc, e.below, e.row, e.exits]).collect();
        if let Some(&known) = self.ways_by_content.get(&content) {
            return Some(known);
        }
        let number = self.ways.len() as u32;
        self.ways.push(WaysRecord { at: self.way_entries.len() as u32, len: entries.len() as u32 });
        self.way_entries.extend(entries);
        self.ways_by_content.insert(content, number);
        Some(number)
    }

    /// Adds the base of a head as a run of one value. Returns `false`, and counts the base as left out, if there is no
    /// base or no room. Heads must be added in ascending order.
    pub(super) fn add_base(&mut self, automaton: &Automaton, reach: &Reach, index: usize, base: Option<&Base>) -> bool {
        let row = base.and_then(|base| self.row(&base.row));
        let ways = base.and_then(|base| self.ways(base.ways.as_deref().unwrap_or_default()));
        let (Some(base), Some(row), Some(ways)) = (base, row, ways) else {
            self.left_out[0] = self.left_out[0].saturating_add(1);
            return false;
        };
        let exits = self.exits(&base.exits);
        let content = [row, exits, u32::from(base.at_once), ways];
        let next = self.bases.len() as u32;
        let number = *self.base_numbers.entry(content).or_insert(next);
        // Bases of equal content share a record.
        if number == next {
            self.bases.push(BaseRecord { row, exits, at_once: content[2], ways });
        }
        let head = reach.heads[index];
        let [x, y, z, from] = registers::of_base(automaton, &head, reach.memories[index]);
        let run = BaseRun { fixed: [x, y, z], from, last: from, base: number };
        self.base_runs.push((head.state.0, run));
        let rule = automaton.states[head.state.index()].rule.0;
        self.exits_of_rules.extend(base.all_exits().map(|exits| (exits.clone(), rule)));
        true
    }

    /// Adds a tail as a run of one value. Returns `false`, and counts the tail as left out, if there is no room.
    pub(super) fn add_tail(
        &mut self,
        automaton: &Automaton,
        reach: &Reach,
        exits: &ExitSet,
        index: usize,
        tail: &Tail,
    ) -> bool {
        let row = match &tail.row {
            Some(row) => self.row(row),
            None => Some(NO_ROW),
        };
        let ways = self.ways(tail.ways.as_deref().unwrap_or_default());
        let (Some(row), Some(ways)) = (row, ways) else {
            self.left_out[1] = self.left_out[1].saturating_add(1);
            return false;
        };
        let exits = self.exits(exits);
        let next = self.exits(&tail.exits);
        let head = reach.heads[index];
        let [x, y, z, from] = registers::of_tail(automaton, exits, &head, reach.memories[index]);
        let run = TailRun { fixed: [x, y, z], from, last: from, row, next, ways };
        self.tail_runs.push((head.state.0, run));
        true
    }

    /// Writes the mask sections, in their order.
    pub(super) fn sections(
        self,
        automaton: &Automaton,
        store: &MaskStore,
        reach: &Reach,
        format: [u8; 32],
    ) -> Vec<(SectionKind, Vec<u8>)> {
        let header = MasksRecord {
            vocabulary: store.vocabulary().fingerprint(),
            format,
            tokens: store.vocabulary().len() as u32,
            nodes: store.trie().len() as u32,
            longest: store.trie().max_depth() as u32,
            complete: u32::from(self.left_out == [0; 2]),
            left_out: self.left_out,
        };
        let bases = by_state(automaton, self.base_runs, |run| run.base, |run, next| run.last = next.last);
        let content = |run: &TailRun| (run.row, run.next, run.ways);
        let tails = by_state(automaton, self.tail_runs, content, |run, next| {
            run.last = next.last;
        });
        let mut sections = vec![
            (SectionKind::Masks, header.as_bytes().to_vec()),
            (SectionKind::Rows, self.rows.as_bytes().to_vec()),
            (SectionKind::RowData, self.data.as_bytes().to_vec()),
            (SectionKind::Exits, self.exits.as_bytes().to_vec()),
            (SectionKind::ExitNodes, self.nodes.as_bytes().to_vec()),
            (SectionKind::Bases, self.bases.as_bytes().to_vec()),
            (SectionKind::Sets, reach.sets.as_bytes().to_vec()),
            (SectionKind::Ways, self.ways.as_bytes().to_vec()),
            (SectionKind::WayEntries, self.way_entries.as_bytes().to_vec()),
        ];
        sections.extend(run_table::sections(run_table::BASES, &bases));
        sections.extend(run_table::sections(run_table::TAILS, &tails));
        sections.sort_by_key(|(kind, _)| *kind);
        sections
    }
}

/// Returns the greatest nesting depth of the entries of a tree of ways.
fn depth(entries: &[WayRecord]) -> usize {
    let (mut ends, mut most) = (Vec::new(), 0);
    for (at, entry) in entries.iter().enumerate() {
        while ends.last().is_some_and(|end| *end <= at) {
            ends.pop();
        }
        ends.push(at + 1 + entry.below as usize);
        most = most.max(ends.len());
    }
    most
}

/// Groups runs by state, and joins neighbours that differ only in the register of the runs. Positions are joined only
/// if no required key lies between.
///
/// The answers for `b` = 0, 1, 2, 3 with the bases 7, 7, 9, 9 become the runs `0..=1` with base 7 and `2..=3` with base 9.
fn by_state<T: Run, C: PartialEq>(
    automaton: &Automaton,
    mut all: Vec<(u32, T)>,
    content: impl Fn(&T) -> C,
    extend: impl Fn(&mut T, T),
) -> Vec<Vec<T>> {
    all.sort_by_key(|(state, run)| (*state, run.begin()));
    let mut by_state: Vec<Vec<T>> = automaton.states.iter().map(|_| Vec::new()).collect();
    for (state, run) in all {
        let segment = |at: u32| registers::segment(automaton, StateId(state), at);
        let joins = |last: &T| {
            last.begin()[..3] == run.begin()[..3]
                && content(last) == content(&run)
                && segment(last.last()) == segment(run.begin()[3])
        };
        let Some(own) = by_state.get_mut(state as usize) else { continue };
        match own.last_mut() {
            Some(last) if joins(last) => extend(last, run),
            _ => own.push(run),
        }
    }
    by_state
}
