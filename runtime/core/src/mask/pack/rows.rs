//! Holds the rows of a loaded pack: in its own row data, or in a pool that formats of a vocabulary share.

use std::sync::Arc;

use zerocopy::IntoBytes;

use super::check::RowWords;
use super::placed::{PlacedRow, Span};
use super::pool::{RowPool, ShortName};
use super::record::{BLOCK, MasksRecord, PoolUseRecord, RowKind, RowRecord};
use crate::container::{Kind, LoadError, Sections, Table, check};
use crate::mask::row::RowView;

/// The rows of a pack by number, decoded, and the data that they lie in.
#[derive(Clone, Debug)]
pub(super) struct PackRows {
    placed: Box<[PlacedRow]>,
    /// The number of rows that bases and tails may name. Behind them are dense rows of the pool that deltas differ from.
    len: usize,
    data: Table<u32>,
    source: Source,
}

/// Where the rows of a pack come from.
#[derive(Clone, Debug)]
enum Source {
    Own(Table<RowRecord>),
    Pool(Table<ShortName>, PoolUseRecord),
}

impl PackRows {
    /// Reads and checks the rows of an artifact; `pool` has them if the artifact does not.
    pub(super) fn open(
        sections: &Sections,
        header: &MasksRecord,
        pool: Option<&Arc<RowPool>>,
    ) -> Result<Self, LoadError> {
        if !sections.has(Kind::PoolUse) {
            return Self::own(sections, header);
        }
        let pool = pool.ok_or_else(|| LoadError::NoPool { file: RowPool::file_name(header.vocabulary) })?;
        let used = sections.table::<PoolUseRecord>(Kind::PoolUse)?;
        let [used] = *used.records() else {
            return Err(LoadError::Invalid { section: "use of a pool", what: "there must be one" });
        };
        check(!sections.has(Kind::Rows) && !sections.has(Kind::RowData), "use of a pool", "there are own rows too")?;
        let names = sections.table::<ShortName>(Kind::RowNames)?;
        let placed = pool.placed(header, names.records(), used)?;
        let len = names.records().len();
        Ok(Self { placed, len, data: pool.data().clone(), source: Source::Pool(names, used) })
    }

    fn own(sections: &Sections, header: &MasksRecord) -> Result<Self, LoadError> {
        let records = sections.table::<RowRecord>(Kind::Rows)?;
        let data = sections.table::<u32>(Kind::RowData)?;
        let words = RowWords { data: data.records(), tokens: header.tokens };
        let all = records.records();
        let place = |record: &RowRecord| {
            let placed = decode(record, |dense| all.get(dense as usize).copied())?;
            words.check(placed)?;
            Ok(placed)
        };
        let placed = all.iter().map(place).collect::<Result<Box<[_]>, LoadError>>()?;
        Ok(Self { len: placed.len(), placed, data, source: Source::Own(records) })
    }

    /// Returns the number of rows.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Returns the bytes of the row data: of own rows with their padding, of a pool's rows without.
    pub(super) fn bytes(&self) -> usize {
        match self.source {
            Source::Own(_) => 4 * self.data.records().len(),
            Source::Pool(..) => self.placed.iter().map(|placed| placed.bytes()).sum(),
        }
    }

    /// Returns the place of a row, or of a dense row that a delta differs from.
    #[inline]
    pub(super) fn get(&self, row: u32) -> Option<PlacedRow> {
        self.placed.get(row as usize).copied()
    }

    /// Returns the content of a row, in place.
    #[inline]
    pub(super) fn view(&self, row: u32) -> RowView<'_> {
        match self.placed.get(row as usize) {
            Some(placed) => placed.view(self.data.records()),
            // Loading checked every number; only a file that changed under its map leads here.
            None => RowView::Sparse(&[]),
        }
    }

    /// Returns the sections of the rows as an artifact of its own stores them: a pool's rows are copied.
    pub(super) fn own_sections(&self) -> Vec<(Kind, Vec<u8>)> {
        let (records, data) = match &self.source {
            Source::Own(records) => (records.raw().to_vec(), self.data.raw().to_vec()),
            Source::Pool(..) => self.copied(),
        };
        vec![(Kind::Rows, records), (Kind::RowData, data)]
    }

    fn copied(&self) -> (Vec<u8>, Vec<u8>) {
        let (mut records, mut data) = (Vec::with_capacity(self.placed.len()), Vec::new());
        for (row, placed) in (0..).zip(&self.placed) {
            records.push(append(&mut data, self.view(row), placed.dense().unwrap_or(0)));
        }
        (records.as_bytes().to_vec(), data.as_bytes().to_vec())
    }

    /// Returns the sections of the rows as an artifact beside a pool stores them: their names.
    pub(super) fn pooled_sections(&self, tokens: u32) -> Vec<(Kind, Vec<u8>)> {
        let (names, used) = match &self.source {
            Source::Pool(names, used) => (names.raw().to_vec(), *used),
            Source::Own(_) => {
                let names: Vec<_> = (0..self.len as u32).map(|row| super::pool::name(self.view(row), tokens)).collect();
                let short: Vec<ShortName> = names.iter().map(|name| name.short()).collect();
                (short.as_bytes().to_vec(), PoolUseRecord { names: super::pool::digest(names.iter().copied()) })
            }
        };
        vec![(Kind::PoolUse, used.as_bytes().to_vec()), (Kind::RowNames, names)]
    }
}

/// Appends the content of a row to row data, padded to a whole block; returns its record. `dense` is the number of the row that a
/// delta differs from.
pub(super) fn append(data: &mut Vec<u32>, row: RowView<'_>, dense: u32) -> RowRecord {
    let (kind, own, removed, dense): (_, _, &[u32], _) = match row {
        RowView::Sparse(tokens) => (RowKind::Sparse, tokens, &[], 0),
        RowView::Dense(words) => (RowKind::Dense, words, &[], 0),
        RowView::Delta { add, remove, .. } => (RowKind::Delta, add, remove, dense),
    };
    let at = (data.len() / BLOCK) as u32;
    data.extend_from_slice(own);
    data.extend_from_slice(removed);
    data.resize(data.len().next_multiple_of(BLOCK), 0);
    RowRecord { kind: kind.code(), at, len: own.len() as u32, removed: removed.len() as u32, dense }
}

/// Decodes the record of a row, and checks that it is of a known kind and, if it is a delta, differs from a dense row. `record_of`
/// looks up the record of a number.
pub(super) fn decode(record: &RowRecord, record_of: impl Fn(u32) -> Option<RowRecord>) -> Result<PlacedRow, LoadError> {
    let invalid = |what| LoadError::Invalid { section: "rows", what };
    let own = Span { block: record.at, len: record.len };
    let kind = RowKind::from_code(record.kind).ok_or(invalid("an unknown kind"))?;
    let is_plain = record.removed == 0 && record.dense == 0;
    check(is_plain || kind == RowKind::Delta, "rows", "an unused field is set")?;
    Ok(match kind {
        RowKind::Sparse => PlacedRow::Sparse(own),
        RowKind::Dense => PlacedRow::Dense(own),
        RowKind::Delta => {
            let is_dense = |dense: &RowRecord| RowKind::from_code(dense.kind) == Some(RowKind::Dense);
            let dense = record_of(record.dense).filter(is_dense);
            let dense = dense.ok_or(invalid("the differences are from no dense row"))?;
            let dense_span = Span { block: dense.at, len: dense.len };
            PlacedRow::Delta { add: own, removed: record.removed, dense: record.dense, dense_span }
        }
    })
}
