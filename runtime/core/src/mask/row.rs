//! A row: an immutable set of tokens in one of three forms, chosen by size.

use std::sync::Arc;

/// Cap on the tokens of a sparse row, and on the differences of a delta.
pub(crate) const SPARSE: usize = 2_048;

/// An immutable set of tokens, shared by all masks that contain it.
///
/// ```
/// use ogc_runtime::mask::Row;
/// assert!(Row::Sparse([1, 5].into()).view().contains(5));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Row {
    /// Few tokens, ascending.
    Sparse(Box<[u32]>),
    /// One bit a token.
    Dense(Arc<[u32]>),
    /// A dense row with few differences.
    Delta {
        /// The dense row that the delta changes.
        dense: Arc<[u32]>,
        /// Tokens to add to the dense row, ascending.
        add: Box<[u32]>,
        /// Tokens to remove from the dense row, ascending.
        remove: Box<[u32]>,
    },
}

impl std::hash::Hash for Row {
    /// Hashes a row. For a delta, hashes only the differences: few distinct dense rows are in use, and equality still compares them.
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        match self {
            Row::Sparse(tokens) => tokens.hash(state),
            Row::Dense(words) => words.hash(state),
            Row::Delta { add, remove, .. } => (add, remove).hash(state),
        }
    }
}

/// A borrowed view of a row's content, in a [`Row`] or in the bytes of a pack.
///
/// ```
/// use ogc_runtime::mask::RowView;
/// assert!(RowView::Dense(&[0b10]).contains(1));
/// ```
#[derive(Clone, Copy, Debug)]
pub enum RowView<'a> {
    /// Few tokens, ascending.
    Sparse(&'a [u32]),
    /// One bit a token.
    Dense(&'a [u32]),
    /// A dense row with few differences.
    Delta {
        /// The dense row that the delta changes.
        dense: &'a [u32],
        /// Tokens to add to the dense row, ascending.
        add: &'a [u32],
        /// Tokens to remove from the dense row, ascending.
        remove: &'a [u32],
    },
}

/// Returns whether a token is in the bit set.
#[inline]
pub(crate) fn get(words: &[u32], token: u32) -> bool {
    words.get(token as usize / 32).is_some_and(|word| word >> (token % 32) & 1 == 1)
}

/// Adds a token to the bit set.
#[inline]
pub(crate) fn set(words: &mut [u32], token: u32) {
    if let Some(word) = words.get_mut(token as usize / 32) {
        *word |= 1 << (token % 32);
    }
}

/// Removes a token from the bit set.
#[inline]
pub(crate) fn clear(words: &mut [u32], token: u32) {
    if let Some(word) = words.get_mut(token as usize / 32) {
        *word &= !(1 << (token % 32));
    }
}

/// Returns the tokens of a bit set, ascending.
pub(crate) fn ones(words: &[u32]) -> impl Iterator<Item = u32> {
    words.iter().enumerate().flat_map(|(i, &word)| {
        let mut left = word;
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            let bit = left.trailing_zeros();
            left &= left - 1;
            Some(i as u32 * 32 + bit)
        })
    })
}

impl Row {
    /// Makes a row from ascending tokens. `len` is the number of ids of the vocabulary.
    pub(crate) fn from_tokens(tokens: &[u32], len: usize) -> Self {
        if tokens.len() <= SPARSE {
            return Row::Sparse(tokens.into());
        }
        let mut bits = vec![0; len.div_ceil(32)];
        tokens.iter().for_each(|&token| set(&mut bits, token));
        Row::Dense(bits.into())
    }

    /// Makes a row of bits: a list if it has few tokens.
    pub(crate) fn from_bits(bits: Vec<u32>) -> Self {
        let count: u32 = bits.iter().map(|word| word.count_ones()).sum();
        if count as usize <= SPARSE { Row::Sparse(ones(&bits).collect()) } else { Row::Dense(bits.into()) }
    }

    /// Returns the row's content.
    ///
    /// ```
    /// use ogc_runtime::mask::Row;
    /// assert!(Row::Sparse([].into()).view().is_empty());
    /// ```
    #[must_use]
    #[inline]
    pub fn view(&self) -> RowView<'_> {
        match self {
            Row::Sparse(tokens) => RowView::Sparse(tokens),
            Row::Dense(words) => RowView::Dense(words),
            Row::Delta { dense, add, remove } => RowView::Delta { dense, add, remove },
        }
    }

    /// Returns the size of the row's own content in bytes; a delta counts without its dense row.
    ///
    /// ```
    /// use ogc_runtime::mask::Row;
    /// assert_eq!(Row::Sparse([1, 5].into()).bytes(), 8);
    /// ```
    #[must_use]
    pub fn bytes(&self) -> usize {
        match self {
            Row::Sparse(tokens) => 4 * tokens.len(),
            Row::Dense(words) => 4 * words.len(),
            Row::Delta { add, remove, .. } => 4 * (add.len() + remove.len()),
        }
    }
}

fn copy(from: &[u32], to: &mut [u32]) {
    let common = from.len().min(to.len());
    to[..common].copy_from_slice(&from[..common]);
    to[common..].fill(0);
}

impl RowView<'_> {
    /// Returns whether the token is in the row.
    ///
    /// ```
    /// use ogc_runtime::mask::RowView;
    /// let row = RowView::Delta { dense: &[0b11], add: &[4], remove: &[0] };
    /// assert!(!row.contains(0) && row.contains(1) && row.contains(4));
    /// ```
    #[must_use]
    pub fn contains(&self, token: u32) -> bool {
        match *self {
            RowView::Sparse(tokens) => tokens.binary_search(&token).is_ok(),
            RowView::Dense(words) => get(words, token),
            RowView::Delta { dense, add, remove } => {
                (get(dense, token) && remove.binary_search(&token).is_err()) || add.binary_search(&token).is_ok()
            }
        }
    }

    /// Counts the row's tokens.
    ///
    /// ```
    /// use ogc_runtime::mask::RowView;
    /// assert_eq!(RowView::Delta { dense: &[0b11], add: &[4], remove: &[0] }.count(), 2);
    /// ```
    #[must_use]
    pub fn count(&self) -> usize {
        let ones = |words: &[u32]| words.iter().map(|word| word.count_ones() as usize).sum::<usize>();
        match *self {
            RowView::Sparse(tokens) => tokens.len(),
            RowView::Dense(words) => ones(words),
            RowView::Delta { dense, add, remove } => (ones(dense) + add.len()).saturating_sub(remove.len()),
        }
    }

    /// Returns whether the row has no tokens. Assumes that dense rows and deltas have some, as few tokens make a sparse row.
    ///
    /// ```
    /// use ogc_runtime::mask::RowView;
    /// assert!(!RowView::Sparse(&[3]).is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self {
            RowView::Sparse(tokens) => tokens.is_empty(),
            RowView::Dense(_) | RowView::Delta { .. } => false,
        }
    }

    /// Overwrites `words` with the row, as bits.
    ///
    /// ```
    /// use ogc_runtime::mask::RowView;
    /// let mut words = [7, 7];
    /// RowView::Sparse(&[3]).copy_to(&mut words);
    /// assert_eq!(words, [8, 0]);
    /// ```
    pub fn copy_to(&self, words: &mut [u32]) {
        match *self {
            RowView::Sparse(tokens) => {
                words.fill(0);
                tokens.iter().for_each(|&token| set(words, token));
            }
            RowView::Dense(from) => copy(from, words),
            RowView::Delta { dense, add, remove } => {
                copy(dense, words);
                remove.iter().for_each(|&token| clear(words, token));
                add.iter().for_each(|&token| set(words, token));
            }
        }
    }

    /// Adds the row's tokens to a bit set.
    ///
    /// ```
    /// use ogc_runtime::mask::RowView;
    /// let mut words = [1];
    /// RowView::Sparse(&[3]).or_into(&mut words);
    /// assert_eq!(words, [9]);
    /// ```
    pub fn or_into(&self, words: &mut [u32]) {
        match *self {
            RowView::Sparse(tokens) => tokens.iter().for_each(|&token| set(words, token)),
            RowView::Dense(from) => or(from, words),
            RowView::Delta { dense, add, remove } => {
                // Tokens that the delta removes may have been in `words` before.
                let kept: Vec<u32> = remove.iter().copied().filter(|&token| get(words, token)).collect();
                or(dense, words);
                remove.iter().for_each(|&token| clear(words, token));
                kept.iter().chain(add).for_each(|&token| set(words, token));
            }
        }
    }
}

fn or(from: &[u32], words: &mut [u32]) {
    for (to, from) in words.iter_mut().zip(from) {
        *to |= from;
    }
}
