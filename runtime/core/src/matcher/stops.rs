//! Stop tokens: a matcher's own set of the tokens that end its text.

use std::sync::Arc;

use super::Matcher;
use crate::vocabulary::TokenId;

impl Matcher {
    /// Replaces the vocabulary's end-of-sequence tokens by other tokens, for this matcher alone; `None` takes the vocabulary's
    /// again.
    ///
    /// A stop token ends the text where it is complete, and is not allowed anywhere else, even if the format could read its
    /// text there: whoever runs the model stops at it. A format that asks for one by name before its end cannot be written.
    /// Budgets withhold completions that would be written with one. Rolling back keeps the set.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// matcher.set_stop_tokens(Some(&[TokenId(1)])); // `b`
    /// matcher.accept_token(TokenId(0))?;
    /// assert!(matcher.mask()?.is_empty()); // `ab+` needs another token with a `b`
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

    /// Returns the tokens that end the text, ascending: those that were set, or else the vocabulary's.
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

    /// Returns whether the stop tokens were set, so that they are nothing else.
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

    /// Returns whether the token is one of those that were set, which are nothing else.
    pub(super) fn is_only_stop(&self, token: TokenId) -> bool {
        self.stops.as_deref().is_some_and(|stops| stops.contains(&token))
    }
}
