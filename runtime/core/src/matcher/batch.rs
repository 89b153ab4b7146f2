//! Masks of many sequences at once, as the rows of one buffer.

use std::borrow::BorrowMut;
use std::num::NonZeroUsize;
use std::thread;

use super::{MatchError, Matcher};

/// A buffer of masks, one a row: row `r` begins at word `r * stride`.
///
/// ```
/// use ogc_runtime::matcher::MaskRows;
/// let mut words = [0; 7];
/// assert_eq!(MaskRows::new(&mut words, 3).map(|rows| rows.len()), Some(2));
/// assert!(MaskRows::new(&mut words, 0).is_none());
/// ```
#[derive(Debug)]
pub struct MaskRows<'a> {
    words: &'a mut [u32],
    stride: NonZeroUsize,
}

/// A row whose mask could not be computed; nothing is allowed in it.
///
/// ```
/// use ogc_runtime::matcher::{MatchError, RowError};
/// let error = RowError { row: 2, error: MatchError::Terminated };
/// assert_eq!(error.to_string(), "row 2: the sequence has ended");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("row {row}: {error}")]
pub struct RowError {
    /// The number of the row.
    pub row: usize,
    /// The reason.
    pub error: MatchError,
}

impl<'a> MaskRows<'a> {
    /// Makes rows of `stride` words of 32 tokens each; a rest at the end is left alone. `None` for a stride of 0.
    ///
    /// ```
    /// let mut words = [0; 4];
    /// assert!(ogc_runtime::matcher::MaskRows::new(&mut words, 2).is_some());
    /// ```
    #[must_use]
    pub fn new(words: &'a mut [u32], stride: usize) -> Option<Self> {
        Some(Self { words, stride: NonZeroUsize::new(stride)? })
    }

    /// Returns the number of rows.
    ///
    /// ```
    /// let mut words = [0; 4];
    /// assert_eq!(ogc_runtime::matcher::MaskRows::new(&mut words, 4).map(|rows| rows.len()), Some(1));
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.len() / self.stride
    }

    /// Returns whether there is no row.
    ///
    /// ```
    /// let mut words = [0; 4];
    /// assert_eq!(ogc_runtime::matcher::MaskRows::new(&mut words, 5).map(|rows| rows.is_empty()), Some(true));
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the words of a row; empty if there is no such row.
    pub(super) fn row(&mut self, row: usize) -> &mut [u32] {
        self.words.chunks_exact_mut(self.stride.get()).nth(row).unwrap_or_default()
    }
}

/// The fewest rows for which a thread is worth its start: a row from an artifact takes about a microsecond.
const ROWS_OF_A_THREAD: usize = 64;

/// Writes the masks of many matchers, or references to them, each to the row of its index, as [`Mask::fill`](crate::mask::Mask::fill) does: every word
/// of a row is overwritten, and those beyond the vocabulary are cleared. Uses up to `threads` threads where there are many.
///
/// Returns the rows whose masks could not be computed, with the reasons; they allow nothing. Matchers without a row are
/// left alone.
///
/// ```
#[doc = include_str!("../example.md")]
/// use std::num::NonZeroUsize;
/// let mut fork = matcher.fork();
/// fork.accept_token(TokenId(2))?;
/// let mut words = [u32::MAX; 4];
/// let mut rows = MaskRows::new(&mut words, 2).expect("a stride");
/// let refused = fill_masks(&mut [matcher, fork], &mut rows, NonZeroUsize::MIN);
/// assert!(refused.is_empty());
/// assert_eq!(words, [0b101, 0, 0b1_0010, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fill_masks<M: BorrowMut<Matcher> + Send>(
    matchers: &mut [M],
    rows: &mut MaskRows<'_>,
    threads: NonZeroUsize,
) -> Vec<RowError> {
    let stride = rows.stride.get();
    let count = matchers.len().min(rows.len());
    let threads = threads.get().min(count.div_ceil(ROWS_OF_A_THREAD)).max(1);
    let part = count.div_ceil(threads).max(1);
    let parts = matchers[..count].chunks_mut(part).zip(rows.words[..count * stride].chunks_mut(part * stride));
    if threads == 1 {
        return parts.flat_map(|(matchers, words)| fill_part(matchers, words, stride, 0)).collect();
    }
    thread::scope(|scope| {
        let run = |(at, (matchers, words))| scope.spawn(move || fill_part(matchers, words, stride, at * part));
        let running: Vec<_> = parts.enumerate().map(run).collect();
        let join = |thread: thread::ScopedJoinHandle<'_, Vec<RowError>>| match thread.join() {
            Ok(refused) => refused,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        running.into_iter().flat_map(join).collect()
    })
}

fn fill_part<M: BorrowMut<Matcher>>(
    matchers: &mut [M],
    words: &mut [u32],
    stride: usize,
    first: usize,
) -> Vec<RowError> {
    let mut refused = Vec::new();
    for ((at, matcher), row) in matchers.iter_mut().enumerate().zip(words.chunks_mut(stride)) {
        if let Err(error) = matcher.borrow_mut().fill_mask(row) {
            row.fill(0);
            refused.push(RowError { row: first + at, error });
        }
    }
    refused
}
