//! Stop tokens: a matcher's own set of tokens that end its text.

use std::sync::Arc;

use super::{MatchError, Matcher};
use crate::mask::{Mask, RowView};
use crate::vocabulary::TokenId;

impl Matcher {
    /// Replaces the vocabulary's end-of-sequence tokens by other tokens, for this matcher alone; `None` restores the vocabulary's.
    ///
    /// A stop token ends the text if the text is complete, and is not allowed anywhere else, even if the format could read its text there:
    /// whoever runs the model stops at it. If the format leaves only stop tokens, by their names or their texts, [`Matcher::mask`] fails
    /// with [`MatchError::StopToken`] rather than return an empty mask. Budgets do not rely on completions that contain a stop token.
    /// Rolling back keeps the set.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// matcher.set_stop_tokens(Some(&[TokenId(1)])); // `b`
    /// matcher.accept_token(TokenId(0))?;
    /// let stuck = MatchError::StopToken { token: 1 }; // `ab+` needs another token with a `b`
    /// assert_eq!(matcher.mask().err(), Some(stuck));
    /// matcher.rollback(1)?;
    /// matcher.accept_token(TokenId(2))?;
    /// assert_eq!(matcher.mask()?.tokens(), [TokenId(1)]);
    /// matcher.accept_token(TokenId(1))?;
    /// assert!(matcher.is_terminated());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_stop_tokens(&mut self, tokens: Option<&[TokenId]>) {
        self.stops = tokens.map(|tokens| {
            let mut tokens = tokens.to_vec();
            tokens.sort_unstable();
            tokens.dedup();
            Arc::from(tokens)
        });
    }

    /// Returns the tokens that end the text, ascending: the stop tokens that were set, or else the vocabulary's.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert_eq!(matcher.stop_tokens(), [TokenId(4)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn stop_tokens(&self) -> &[TokenId] {
        self.stops.as_deref().unwrap_or(self.store.vocabulary().eos())
    }

    /// Returns whether stop tokens were set. Those are never read as text.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert!(!matcher.has_own_stop_tokens());
    /// matcher.set_stop_tokens(Some(&[TokenId(1)]));
    /// assert!(matcher.has_own_stop_tokens());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn has_own_stop_tokens(&self) -> bool {
        self.stops.is_some()
    }

    /// Refuses a mask that would be empty because all its tokens are stop tokens, and the text is not complete.
    pub(super) fn check_goes_on(&self, mask: &Mask) -> Result<(), MatchError> {
        let stops = self.stops.as_deref().filter(|_| !mask.eos && !self.terminated).unwrap_or_default();
        let goes_on = |row: RowView<'_>| match row {
            RowView::Sparse(tokens) => tokens.iter().any(|&token| stops.binary_search(&TokenId(token)).is_err()),
            RowView::Dense(_) | RowView::Delta { .. } => false,
        };
        if stops.is_empty() || mask.rows().any(goes_on) || !mask.is_empty() {
            return Ok(());
        }
        let needed = stops.iter().find(|stop| mask.rows().any(|row| row.contains(stop.0)));
        needed.map_or(Ok(()), |stop| Err(MatchError::StopToken { token: stop.0 }))
    }

    /// Returns whether the token is one of the stop tokens that were set, which are never read as text.
    pub(super) fn is_only_stop(&self, token: TokenId) -> bool {
        self.stops.as_deref().is_some_and(|stops| stops.contains(&token))
    }
}
