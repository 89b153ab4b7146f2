//! Token masks: the set of tokens that may come next, as a union of rows that matchers share.
//!
//! # Words
//!
//! * A *frame* is a rule that is not finished: one of its states, and the registers (countdowns `a` and `b`, keys seen).
//! * A *head* is the top frame of one reading of the text, with a pointer to the frames below it.
//! * A *row* is an immutable set of tokens. A *mask* is a union of rows.
//! * An *exit* is a node of the token trie at which the top frame can return while tokens continue below the node. The *return frame*,
//!   which is the frame below the top one, reads the rest of such a token.
//! * The *base* of a head is the row of the tokens whose bytes are all read by the top frame or by rules that it calls
//!   (the frame may return with the last byte), together with the exits.
//! * The *tail* of a return frame after some exits is the row of the tokens whose remaining bytes this frame reads, together with the exits
//!   at which it returns in turn.
//! * A *run* is a range of the countdown `b` (how many characters or items may still come), or of the position among
//!   keys in declared order, within which all frames with otherwise equal registers have the same base or tail.
//! * A [`MaskStore`] computes bases and tails at first use and keeps them. A [`MaskPack`] holds the bases and tails of
//!   one format that were computed ahead of time, in an artifact.
//!
//! # Split masks
//!
//! The tokens of the base depend on the top frame alone, whatever is below it. XGrammar (Dong et al. 2024) calls them
//! context-independent, and checks all other tokens against the stack at every step. Here the other tokens are looked
//! up as well, by the return frame and the set of exits.
//!
//! After `{"k":["x`, the top frame is in a string; the frames below it are in an array and an object. The tokens `y`
//! and `"` are in the base of the string. The token `"]}` begins there too, but the string returns at the trie node
//! `"`: an exit. The tail of the array after this exit has the token `"]`, and the node `"]` as its exit. The tail of
//! the object after that has `"]}`. The mask is the union of the three rows. The row of a string's body is the same wherever the string
//! stands, so that formats share it; only the few tokens that continue after the closing quote differ.
//!
//! If a frame can return before it reads anything, no exit records this. Instead, the frames below are heads too, each with its own base
//! (`Base::at_once`).
//!
//! # Sharing
//!
//! Rows are looked up by content: the fingerprint of the rule (not of the format), the state, and the class of registers that no single
//! token can tell apart (`classes.rs`). The same functions compute a row at first use and for an artifact.

mod build_time;
mod classes;
mod compute;
mod effort;
mod exit_set;
mod free;
mod making;
mod pack;
mod part;
mod reference;
mod row;
mod runs;
mod separators;
mod spelling;
mod store;
mod table;
mod vocabulary_tables;
mod walk;

#[doc(hidden)]
pub use classes::ClassFacts;
pub(crate) use exit_set::ExitSet;
pub use pack::{
    ListedRow, MaskPack, PackLimit, PackLimits, PackReport, PartTime, RowPool, RowPoolBuilder, RowUse, StateRows,
    StateWidth,
};
#[doc(hidden)]
pub use pack::{NO_PACK_ROW, PackTables, PackedRow};
pub(crate) use pack::{PackExits, PackWays, RowRef};
pub(crate) use part::{CostGroup, Costed};
pub use row::{Row, RowView};
pub(crate) use row::{clear as clear_bit, get as get_bit};
pub(crate) use separators::Separators;
pub use spelling::{DeadEnd, SpelledTexts, spelling};
pub use store::{MaskStore, StoreStats};
pub(crate) use walk::{MASK_WORK, Walker};

use std::sync::Arc;

use always_assert::never;
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
    /// The pack to which the numbers in [`RowRef::Packed`] refer.
    pub(crate) pack: Option<Arc<MaskPack>>,
    pub(crate) eos: bool,
    /// Tokens that end the text instead of the vocabulary's end-of-sequence tokens; they are never read as text.
    pub(crate) stops: Option<Arc<[TokenId]>>,
    pub(crate) vocabulary: Arc<Vocabulary>,
}

impl Mask {
    fn view<'a>(&'a self, row: &'a RowRef) -> RowView<'a> {
        match (row, &self.pack) {
            (RowRef::Shared(row), _) => row.view(),
            (RowRef::Packed(row), Some(pack)) => pack.row(*row),
            (RowRef::Packed(row), None) => {
                never!("{:?} is of a pack, and the mask has none", row);
                RowView::Sparse(&[])
            }
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
        match &self.stops {
            Some(stops) if stops.contains(&token) => self.eos,
            Some(_) => self.rows().any(|row| row.contains(token.0)),
            None => {
                self.rows().any(|row| row.contains(token.0)) || (self.eos && self.vocabulary.eos().contains(&token))
            }
        }
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
        let ends = self.stops.as_deref().unwrap_or(self.vocabulary.eos());
        match &self.stops {
            _ if self.eos => ends.iter().for_each(|token| row::set(words, token.0)),
            Some(stops) => stops.iter().for_each(|token| row::clear(words, token.0)),
            None => {}
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
        match &self.stops {
            _ if self.eos => false,
            None => self.rows().all(|row| row.is_empty()),
            Some(_) => self.count() == 0,
        }
    }

    /// Returns views of the rows that make up the mask, without copying them.
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
