//! Numbering rows, exits and bases in the order in which they come, and writing them as the sections of a pack.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use zerocopy::IntoBytes;

use super::super::row::Row;
use super::super::store::{Base, ExitsId, MaskStore, Tail};
use super::PackLimits;
use super::reach::pack_key;
use super::record::{
    BLOCK, BaseRecord, DELTA, DENSE, ExitsRecord, KeyRecord, MasksRecord, NO_EXITS, NO_ROW, RowRecord, SPARSE,
    TailRecord, table,
};
use crate::artifact::container::Kind;
use crate::automaton::Automaton;
use crate::step::{Head, Stack};

/// The tables of a pack while it is built.
#[derive(Debug)]
pub(super) struct Assembly {
    row_bytes: u64,
    rows: Vec<RowRecord>,
    data: Vec<u32>,
    /// Rows seen, by address (kept alive here) and by content.
    by_address: FxHashMap<usize, (Arc<Row>, u32)>,
    by_content: FxHashMap<Row, u32>,
    dense_by_address: FxHashMap<usize, (Arc<[u32]>, u32)>,
    exits: Vec<ExitsRecord>,
    nodes: Vec<u32>,
    exit_numbers: FxHashMap<ExitsId, u32>,
    bases: Vec<BaseRecord>,
    direct: Vec<u32>,
    keys: Vec<KeyRecord>,
    tails: Vec<TailRecord>,
    /// Exits, and the rule whose frames they leave, in the order of the bases.
    pub(super) popped: Vec<(ExitsId, u32)>,
    pub(super) left_out: [u32; 2],
}

impl Assembly {
    pub(super) fn new(automaton: &Automaton, limits: &PackLimits) -> Self {
        Self {
            row_bytes: limits.row_bytes,
            rows: Vec::new(),
            data: Vec::new(),
            by_address: FxHashMap::default(),
            by_content: FxHashMap::default(),
            dense_by_address: FxHashMap::default(),
            exits: vec![ExitsRecord { at: 0, len: 0 }],
            nodes: Vec::new(),
            exit_numbers: FxHashMap::from_iter([(ExitsId::NONE, NO_EXITS)]),
            bases: Vec::new(),
            direct: vec![0; automaton.states.len()],
            keys: Vec::new(),
            tails: Vec::new(),
            popped: Vec::new(),
            left_out: [0; 2],
        }
    }

    /// The number of a row; `None` if there is no more room.
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

    fn add_row(&mut self, row: &Arc<Row>) -> Option<u32> {
        let base = match &**row {
            Row::Delta { base, .. } => self.dense(base)?,
            Row::Sparse(_) | Row::Dense(_) => 0,
        };
        if 4 * self.data.len() as u64 + row.bytes() as u64 > self.row_bytes {
            return None;
        }
        let record = RowRecord { kind: SPARSE, at: (self.data.len() / BLOCK) as u32, len: 0, removed: 0, base };
        let record = match &**row {
            Row::Sparse(tokens) => self.put(record, SPARSE, tokens, &[]),
            Row::Dense(words) => self.put(record, DENSE, words, &[]),
            Row::Delta { add, remove, .. } => self.put(record, DELTA, add, remove),
        };
        let number = self.rows.len() as u32;
        self.rows.push(record);
        self.by_content.insert(Row::clone(row), number);
        Some(number)
    }

    fn put(&mut self, record: RowRecord, kind: u32, own: &[u32], removed: &[u32]) -> RowRecord {
        self.data.extend_from_slice(own);
        self.data.extend_from_slice(removed);
        self.data.resize(self.data.len().next_multiple_of(BLOCK), 0);
        RowRecord { kind, len: own.len() as u32, removed: removed.len() as u32, ..record }
    }

    fn dense(&mut self, words: &Arc<[u32]>) -> Option<u32> {
        let address = words.as_ptr().addr();
        if let Some((_, number)) = self.dense_by_address.get(&address) {
            return Some(*number);
        }
        let number = self.row(&Arc::new(Row::Dense(Arc::clone(words))))?;
        self.dense_by_address.insert(address, (Arc::clone(words), number));
        Some(number)
    }

    fn exits(&mut self, store: &MaskStore, exits: ExitsId) -> u32 {
        if let Some(&number) = self.exit_numbers.get(&exits) {
            return number;
        }
        let number = self.exits.len() as u32;
        let nodes = store.exit_nodes(exits);
        self.exits.push(ExitsRecord { at: self.nodes.len() as u32, len: nodes.len() as u32 });
        self.nodes.extend(nodes.iter().map(|node| node.0));
        self.exit_numbers.insert(exits, number);
        number
    }

    pub(super) fn add_base(
        &mut self,
        automaton: &Automaton,
        store: &MaskStore,
        stack: &Stack,
        head: &Head,
        base: Option<&Base>,
    ) {
        let row = base.and_then(|base| self.row(&base.row));
        let (Some(base), Some(row)) = (base, row) else {
            self.left_out[0] = self.left_out[0].saturating_add(1);
            return;
        };
        let exits = self.exits(store, base.exits);
        let record = BaseRecord { row, exits, at_once: u32::from(base.at_once) };
        let number = self.bases.len() as u32;
        self.bases.push(record);
        self.note_base(automaton, stack, head, number);
        let rule = automaton.states[head.state.index()].rule.0;
        self.popped.extend((base.exits != ExitsId::NONE).then_some((base.exits, rule)));
    }

    fn note_base(&mut self, automaton: &Automaton, stack: &Stack, head: &Head, number: u32) {
        let rule = automaton.rule_of(head.state);
        let id = automaton.states[head.state.index()].rule;
        let without_registers = automaton.derived.threshold(id) == 0 && rule.object.is_none();
        if without_registers && head.esc == 0 {
            self.direct[head.state.index()] = number + 1;
        } else if let Some(key) = pack_key(stack, head, head.esc) {
            self.keys.push(KeyRecord {
                state: key.state,
                a: key.a,
                b: key.b,
                esc: key.extra,
                aux: key.aux,
                base: number,
            });
        }
    }

    pub(super) fn add_tail(&mut self, store: &MaskStore, stack: &Stack, exits: ExitsId, head: &Head, tail: &Tail) {
        let row = match &tail.row {
            Some(row) => self.row(row),
            None => Some(NO_ROW),
        };
        let Some(row) = row else {
            self.left_out[1] = self.left_out[1].saturating_add(1);
            return;
        };
        let exits = self.exits(store, exits);
        let next = self.exits(store, tail.exits);
        if let Some(key) = pack_key(stack, head, exits) {
            self.tails.push(TailRecord { exits, state: key.state, a: key.a, b: key.b, aux: key.aux, row, next });
        }
    }

    /// The mask sections, in their order.
    pub(super) fn sections(&self, store: &MaskStore, format: [u8; 32]) -> Vec<(Kind, Vec<u8>)> {
        let head = MasksRecord {
            vocabulary: store.vocabulary().fingerprint(),
            format,
            tokens: store.vocabulary().len() as u32,
            nodes: store.trie().len() as u32,
            longest: store.trie().max_depth() as u32,
            complete: u32::from(self.left_out == [0; 2]),
            left_out: self.left_out,
            reserved: [0; 2],
        };
        vec![
            (Kind::Masks, head.as_bytes().to_vec()),
            (Kind::Rows, self.rows.as_bytes().to_vec()),
            (Kind::RowData, self.data.as_bytes().to_vec()),
            (Kind::Exits, self.exits.as_bytes().to_vec()),
            (Kind::ExitNodes, self.nodes.as_bytes().to_vec()),
            (Kind::Bases, self.bases.as_bytes().to_vec()),
            (Kind::Direct, self.direct.as_bytes().to_vec()),
            (Kind::Keys, table(&self.keys).as_bytes().to_vec()),
            (Kind::Tails, table(&self.tails).as_bytes().to_vec()),
        ]
    }
}
