//! Token masks: the tokens that may come next.
//!
//! # Words
//!
//! * A *frame* is a state with its registers; a *head* is the top frame of one reading, over a stack of frames.
//! * A *row* is a set of tokens. A *mask* is a union of rows.
//! * The *base* of a head: the row of the tokens that its own frame reads, and the exits.
//! * An *exit*: a node of the token trie at which the frame returns, so that the rest of the token is the caller's.
//! * The *tail* of a return frame after some exits: the row of the tokens that it reads on from there, and its own exits.
//! * A *run*: countdowns (how many characters or items are left) that have the same base or tail.
//!
//! # Split masks
//!
//! A mask is a union of immutable *rows*. The *base* row of the top frame's state holds the tokens that are read without
//! returning from that frame; where a token's text returns earlier, the walk records the trie node at which it did (an
//! *exit*), and the *tail* row, the tokens below those nodes that the return state reads on, is looked up by (exits, return
//! state); deeper returns chain. So a string body has one row, whatever it is the body of, and what differs between formats
//! is a few tokens after the closing quote.
//!
//! Rows are memoised in a [`MaskStore`] by content: the fingerprint of the rule (not the format), the state, and as
//! much of the registers as one token can see. The same function computes a row at first use and for an artifact.

mod classes;
mod effort;
mod free;
mod pack;
mod row;
mod runs;
mod spelling;
mod store;
mod table;
mod took;
mod walk;

pub use pack::{MaskPack, PackLimit, PackLimits, PackReport, PartTime, RowUse, StateWidth};
pub(crate) use pack::{PackExits, RowRef};
pub use row::{Row, RowView};
pub use spelling::{DeadEnd, Spelling, spelling};
pub(crate) use store::ExitsId;
pub use store::{MaskStore, StoreStats};
pub(crate) use walk::Walker;

use std::sync::Arc;

use smallvec::SmallVec;

use crate::vocabulary::{TokenId, Vocabulary};

/// The tokens that may come next: a union of shared rows, plus the end-of-sequence tokens if the text may end here.
///
/// Nothing is copied until [`Mask::fill`].
///
/// ```
#[doc = include_str!("example.md")]
/// let mask = matcher.mask()?;
/// assert!(mask.contains(TokenId(0)) && !mask.contains(TokenId(1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Mask {
    pub(crate) rows: SmallVec<[RowRef; 4]>,
    /// The pack that packed rows belong to.
    pub(crate) pack: Option<Arc<MaskPack>>,
    pub(crate) eos: bool,
    pub(crate) vocabulary: Arc<Vocabulary>,
}

impl Mask {
    fn view<'a>(&'a self, row: &'a RowRef) -> RowView<'a> {
        match (row, &self.pack) {
            (RowRef::Shared(row), _) => row.view(),
            (RowRef::Packed(row), Some(pack)) => pack.row(*row),
            (RowRef::Packed(_), None) => RowView::Sparse(&[]),
        }
    }

    /// Returns whether the token is allowed.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// assert!(matcher.mask()?.contains(TokenId(2)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn contains(&self, token: TokenId) -> bool {
        self.rows().any(|row| row.contains(token.0)) || (self.eos && self.vocabulary.eos().contains(&token))
    }

    /// Returns whether the text may end here, so that every end-of-sequence token is allowed.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// matcher.accept_token(TokenId(2))?;
    /// assert!(matcher.mask()?.allows_end());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn allows_end(&self) -> bool {
        self.eos
    }

    /// Writes the mask as bits, token `t` at bit `t % 32` of word `t / 32`; words beyond the vocabulary are cleared.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// let mut words = [u32::MAX; 2];
    /// matcher.mask()?.fill(&mut words);
    /// assert_eq!(words, [0b101, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fill(&self, words: &mut [u32]) {
        let mut rows = self.rows();
        match rows.next() {
            Some(first) => {
                first.copy_to(words);
                rows.for_each(|row| row.or_into(words));
            }
            None => words.fill(0),
        }
        if self.eos {
            for token in self.vocabulary.eos() {
                row::set(words, token.0);
            }
        }
    }

    /// Returns the allowed tokens, ascending.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// assert_eq!(matcher.mask()?.tokens(), [TokenId(0), TokenId(2)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn tokens(&self) -> Vec<TokenId> {
        let mut words = vec![0; self.vocabulary.len().div_ceil(32)];
        self.fill(&mut words);
        row::ones(&words).map(TokenId).collect()
    }

    /// Counts the allowed tokens.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// assert_eq!(matcher.mask()?.count(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn count(&self) -> usize {
        let mut words = vec![0; self.vocabulary.len().div_ceil(32)];
        self.fill(&mut words);
        words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Returns whether no token is allowed at all.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// assert!(!matcher.mask()?.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.eos && self.rows().all(|row| row.is_empty())
    }

    /// Returns the rows that make up the mask, where they lie.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// let mask = matcher.mask()?;
    /// assert!(mask.rows().any(|row| row.contains(0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rows(&self) -> impl Iterator<Item = RowView<'_>> {
        self.rows.iter().map(|row| self.view(row))
    }
}
