//! Writes and reads the records of rows.

use super::placed::{PlacedRow, Span};
use super::record::{BLOCK, RowKind, RowRecord};
use crate::container::{LoadError, check};
use crate::mask::row::RowView;

/// Appends the content of a row to the row data, padded to a whole block, and returns its record. `dense` is the number of a delta's dense
/// row.
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

/// Decodes the record of a row. Checks that its kind is known, and that the base of a delta is a dense row. `record_of` looks up a record
/// by number.
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
