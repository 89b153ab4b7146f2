//! Masks of many sequences at once, as the rows of one buffer.

use std::borrow::BorrowMut;
use std::num::NonZeroUsize;
use std::thread;

use super::{MatchError, Matcher};

/// A buffer of masks, one per row: row `r` begins at word `r * stride`.
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
    width: usize,
    stride: NonZeroUsize,
}

/// A row whose mask could not be computed. The row allows nothing.
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
    /// The error of computing the mask.
    pub error: MatchError,
}

impl<'a> MaskRows<'a> {
    /// Makes rows of `stride` words, 32 tokens a word. Words after the last whole row are left unchanged. `None` for a stride of 0.
    ///
    /// ```
    /// let mut words = [0; 4];
    /// assert!(ogc_runtime::matcher::MaskRows::new(&mut words, 2).is_some());
    /// ```
    #[must_use]
    pub fn new(words: &'a mut [u32], stride: usize) -> Option<Self> {
        Some(Self { words, width: stride, stride: NonZeroUsize::new(stride)? })
    }

    /// Makes rows of `width` words that begin `stride` words apart. The words between rows are left unchanged. `None` for a stride of 0, or
    /// for a stride less than the width.
    ///
    /// ```
    /// let mut words = [0; 5];
    /// assert_eq!(ogc_runtime::matcher::MaskRows::apart(&mut words, 2, 3).map(|rows| rows.len()), Some(2));
    /// ```
    #[must_use]
    pub fn apart(words: &'a mut [u32], width: usize, stride: usize) -> Option<Self> {
        (width <= stride).then_some(Self { words, width, stride: NonZeroUsize::new(stride)? })
    }

    /// Returns the number of rows.
    ///
    /// ```
    /// let mut words = [0; 4];
    /// assert_eq!(ogc_runtime::matcher::MaskRows::new(&mut words, 4).map(|rows| rows.len()), Some(1));
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        let whole = self.words.len() / self.stride;
        whole + usize::from(self.width > 0 && self.words.len() % self.stride >= self.width)
    }

    /// Returns whether there are no rows.
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
        let words =
            row.checked_mul(self.stride.get()).and_then(|first| self.words.get_mut(first..)?.get_mut(..self.width));
        words.unwrap_or_default()
    }

    /// Returns the words of all rows.
    fn all(&mut self) -> impl Iterator<Item = &mut [u32]> {
        let width = self.width;
        self.words.chunks_mut(self.stride.get()).filter_map(move |row| row.get_mut(..width))
    }
}

/// A thread is started only for at least this many rows: a row from an artifact takes about a microsecond.
const ROWS_OF_A_THREAD: usize = 64;

/// Writes the mask of matcher `i` to row `i`, as [`Mask::fill`](crate::mask::Mask::fill) does: every word of a row is overwritten, and bits
/// beyond the vocabulary are cleared. Takes matchers, or references to matchers. Uses up to `threads` threads if there are many rows.
///
/// Returns the rows whose masks could not be computed, with the errors; these rows allow nothing. Matchers without a row are left
/// unchanged.
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
    let jobs = matchers.iter_mut().zip(rows.all().enumerate());
    let jobs = jobs.map(|(matcher, (row, words))| Fill { matcher: matcher.borrow_mut(), row, words });
    fill_all(&mut jobs.collect::<Vec<_>>(), threads)
}

/// Masks cannot be written to the given row indices; no row has changed.
///
/// ```
/// use ogc_runtime::matcher::RowIndexError;
/// assert_eq!(RowIndexError::Twice { row: 2 }.to_string(), "row 2 is named twice");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RowIndexError {
    /// There is no such row.
    #[error("row {row} is named, of {rows} rows")]
    Outside {
        /// The row.
        row: usize,
        /// The number of rows.
        rows: usize,
    },
    /// Two matchers would write to the same row.
    #[error("row {row} is named twice")]
    Twice {
        /// The row.
        row: usize,
    },
    /// The number of row indices differs from the number of matchers.
    #[error("{given} rows are named for {matchers} matchers")]
    Count {
        /// The number of row indices.
        given: usize,
        /// The number of matchers.
        matchers: usize,
    },
}

/// As [`fill_masks`], but the mask of matcher `i` goes to row `indices[i]`; other rows are left unchanged.
///
/// # Errors
///
/// [`RowIndexError`] if a row index occurs twice or does not exist, or if the numbers of indices and matchers differ.
///
/// ```
#[doc = include_str!("../example.md")]
/// use std::num::NonZeroUsize;
/// let mut words = [u32::MAX; 3];
/// let mut rows = MaskRows::new(&mut words, 1).expect("a stride");
/// assert!(fill_masks_at(&mut [matcher], &[1], &mut rows, NonZeroUsize::MIN)?.is_empty());
/// assert_eq!(words, [u32::MAX, 0b101, u32::MAX]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fill_masks_at<M: BorrowMut<Matcher> + Send>(
    matchers: &mut [M],
    indices: &[usize],
    rows: &mut MaskRows<'_>,
    threads: NonZeroUsize,
) -> Result<Vec<RowError>, RowIndexError> {
    if indices.len() != matchers.len() {
        return Err(RowIndexError::Count { given: indices.len(), matchers: matchers.len() });
    }
    let count = rows.len();
    let mut free: Vec<Option<&mut [u32]>> = rows.all().map(Some).collect();
    let mut take = |row: usize| {
        let words = free.get_mut(row).ok_or(RowIndexError::Outside { row, rows: count })?;
        words.take().ok_or(RowIndexError::Twice { row })
    };
    let jobs = matchers.iter_mut().zip(indices);
    let jobs = jobs.map(|(matcher, &row)| Ok(Fill { words: take(row)?, matcher: matcher.borrow_mut(), row }));
    Ok(fill_all(&mut jobs.collect::<Result<Vec<_>, _>>()?, threads))
}

/// A matcher, and the row to which its mask is written.
struct Fill<'a> {
    matcher: &'a mut Matcher,
    row: usize,
    words: &'a mut [u32],
}

fn fill_all(jobs: &mut [Fill<'_>], threads: NonZeroUsize) -> Vec<RowError> {
    let threads = threads.get().min(jobs.len().div_ceil(ROWS_OF_A_THREAD)).max(1);
    if threads == 1 {
        return fill_part(jobs);
    }
    thread::scope(|scope| {
        let parts = jobs.chunks_mut(jobs.len().div_ceil(threads));
        let running: Vec<_> = parts.map(|part| scope.spawn(|| fill_part(part))).collect();
        let join = |thread: thread::ScopedJoinHandle<'_, Vec<RowError>>| match thread.join() {
            Ok(refused) => refused,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        running.into_iter().flat_map(join).collect()
    })
}

fn fill_part(jobs: &mut [Fill<'_>]) -> Vec<RowError> {
    let mut refused = Vec::new();
    for Fill { matcher, row, words } in jobs {
        if let Err(error) = matcher.fill_mask(words) {
            words.fill(0);
            refused.push(RowError { row: *row, error });
        }
    }
    refused
}
