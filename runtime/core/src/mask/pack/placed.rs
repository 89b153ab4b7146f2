//! Decoded records of a loaded pack's rows: the kind of each row, and the place of its content in the row data.
//!
//! In the file, a kind is an unchecked number. Loading checks it once; afterwards the kind is an `enum`.

use super::record::BLOCK;
use crate::mask::row::RowView;

/// A range of the row data: `len` words from the start of a block on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) block: u32,
    pub(super) len: u32,
}

impl Span {
    /// Returns the words of the range; empty if the data is too short, which happens only if the file changes while it
    /// is mapped.
    #[inline]
    fn of(self, data: &[u32]) -> &[u32] {
        let from = self.block as usize * BLOCK;
        data.get(from..from + self.len as usize).unwrap_or_default()
    }
}

/// The place of one row's content.
#[derive(Clone, Copy, Debug)]
pub(super) enum PlacedRow {
    /// A list of tokens.
    Sparse(Span),
    /// One bit a token.
    Dense(Span),
    /// Differences from a dense row: the tokens added, followed in the same block by the tokens removed.
    Delta {
        /// The tokens added.
        add: Span,
        /// The number of tokens removed.
        removed: u32,
        /// The number of the dense row.
        dense: u32,
        /// The content of the dense row.
        dense_span: Span,
    },
}

impl PlacedRow {
    /// Returns the content of the row, which stays in place in the row data.
    #[inline]
    pub(super) fn view(self, data: &[u32]) -> RowView<'_> {
        match self {
            Self::Sparse(tokens) => RowView::Sparse(tokens.of(data)),
            Self::Dense(words) => RowView::Dense(words.of(data)),
            Self::Delta { add, removed, dense: _, dense_span } => {
                let both = Span { len: add.len.saturating_add(removed), ..add }.of(data);
                let (add, remove) = both.split_at_checked(add.len as usize).unwrap_or_default();
                RowView::Delta { dense: dense_span.of(data), add, remove }
            }
        }
    }

    /// Returns the size of the row's own content in bytes; a delta counts without its dense row.
    pub(super) fn bytes(self) -> usize {
        match self {
            Self::Sparse(own) | Self::Dense(own) => 4 * own.len as usize,
            Self::Delta { add, removed, .. } => 4 * (add.len as usize + removed as usize),
        }
    }

    /// Returns the number of a delta's dense row; `None` for other rows.
    pub(super) fn dense(self) -> Option<u32> {
        match self {
            Self::Delta { dense, .. } => Some(dense),
            Self::Sparse(_) | Self::Dense(_) => None,
        }
    }
}
