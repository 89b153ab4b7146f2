//! A matcher that allows only canonical tokens where the bytes that come next are determined.

use std::sync::Arc;

use super::forced::ForcedRun;
use super::{Accepted, MatchError, Matcher};
use crate::canonical::CanonicalTokens;
use crate::mask::{Mask, Row, RowRef};
use crate::vocabulary::{MarkerPart, TokenId, parts};

/// What is known of the run behind the text, until something else than a part of it is accepted or tokens are taken back.
#[derive(Clone, Debug)]
pub(super) struct RunAhead {
    run: ForcedRun,
    /// The bytes of it that were accepted.
    read: usize,
    /// The tokens that may come next, ascending; the outer `None` if nobody asked for them here.
    tokens: Option<Option<Arc<[u32]>>>,
}

/// Canonical tokens, and what one matcher knows of its place.
#[derive(Clone, Debug)]
pub(super) struct Canonical {
    tokens: Arc<CanonicalTokens>,
    ahead: Option<RunAhead>,
}

impl Canonical {
    /// Goes on by what was accepted.
    pub(super) fn follow(&mut self, text: Option<&[u8]>) {
        self.ahead = self.ahead.take().and_then(|ahead| {
            let rest = ahead.run.bytes[ahead.read..].strip_prefix(text?)?;
            let read = ahead.run.bytes.len() - rest.len();
            (!rest.is_empty()).then_some(RunAhead { read, tokens: None, ..ahead })
        });
    }

    /// Forgets what is known of the place.
    pub(super) fn forget(&mut self) {
        self.ahead = None;
    }
}

impl Matcher {
    /// Allows only [canonical tokens](crate::canonical) where the format determines the bytes that come next, in masks and for
    /// [`Matcher::accept_token`]; `None` allows every token of the same bytes, as at first.
    ///
    /// Where budgets, limits of tokens or stop tokens leave no canonical token, those that they leave are allowed: a text is never stuck.
    /// Text accepted as bytes may be any. A [saved state](Matcher::save) does not have the policy; a matcher that is restored keeps its own.
    ///
    /// # Errors
    ///
    /// [`MatchError::OtherVocabulary`] if the tokens are of another vocabulary.
    ///
    /// ```
    /// use ogc_runtime::canonical::CanonicalTokens;
    #[doc = include_str!("../example.md")]
    /// let encode = |text: &[u8]| if text == b"ab" { vec![TokenId(2)] } else { vec![TokenId(u32::from(text == b"b"))] };
    /// matcher.set_canonical_tokens(Some(Arc::new(CanonicalTokens::new(store, encode))))?;
    /// assert_eq!(matcher.accept_token(TokenId(0)), Err(MatchError::NotCanonical { token: 0 }));
    /// matcher.accept_token(TokenId(2))?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_canonical_tokens(&mut self, tokens: Option<Arc<CanonicalTokens>>) -> Result<(), MatchError> {
        if tokens
            .as_ref()
            .is_some_and(|tokens| tokens.store().vocabulary().fingerprint() != self.store.vocabulary().fingerprint())
        {
            return Err(MatchError::OtherVocabulary);
        }
        self.canonical = tokens.map(|tokens| Box::new(Canonical { tokens, ahead: None }));
        Ok(())
    }

    /// Returns the canonical tokens, if only those are allowed.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert!(matcher.canonical_tokens().is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn canonical_tokens(&self) -> Option<&Arc<CanonicalTokens>> {
        self.canonical.as_ref().map(|canonical| &canonical.tokens)
    }

    /// Returns whether only some of the tokens that the format allows are [allowed](Matcher::set_canonical_tokens) here, as the bytes that come
    /// next are determined.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert!(!matcher.is_canonical_here());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_canonical_here(&mut self) -> bool {
        self.canonical_here().is_some()
    }

    /// Withholds tokens that are not canonical, unless no other is left.
    pub(super) fn restrict_to_canonical(&mut self, mask: Mask) -> Mask {
        let Some(tokens) = self.canonical_here() else { return mask };
        let kept: Vec<u32> = tokens.iter().copied().filter(|&token| mask.contains(TokenId(token))).collect();
        if kept.is_empty() {
            return mask;
        }
        let row = Row::from_tokens(&kept, self.store.vocabulary().len());
        Mask { rows: [RowRef::Shared(Arc::new(row))].into_iter().collect(), eos: false, ..mask }
    }

    /// Refuses a token that is not canonical where others are allowed.
    pub(super) fn check_canonical(&mut self, token: TokenId) -> Result<(), MatchError> {
        let Some(tokens) = self.canonical_here() else { return Ok(()) };
        if tokens.binary_search(&token.0).is_ok() {
            return Ok(());
        }
        match self.mask_of_any_tokens() {
            Ok(mask) if tokens.iter().any(|&other| mask.contains(TokenId(other))) && mask.contains(token) => {
                Err(MatchError::NotCanonical { token: token.0 })
            }
            // Whatever else is wrong with the token is said where it is read.
            _ => Ok(()),
        }
    }

    /// Returns the canonical tokens of this place, ascending; `None` if all are allowed.
    fn canonical_here(&mut self) -> Option<Arc<[u32]>> {
        let canonical = self.canonical.as_ref().filter(|_| !self.terminated)?;
        if let Some(known) = canonical.ahead.as_ref().and_then(|ahead| ahead.tokens.clone()) {
            return known;
        }
        let tokens = Arc::clone(&canonical.tokens);
        let ahead = canonical.ahead.clone();
        let mut ahead = ahead.unwrap_or_else(|| RunAhead { run: self.forced_run(), read: 0, tokens: None });
        let rest = &ahead.run.bytes[ahead.read..];
        let found = match parts(rest).next() {
            Some(MarkerPart::Text(text)) => tokens.first(&self.last_tokens(), ahead.run.run_of(text, rest.len())),
            Some(MarkerPart::Token(_)) | None => None,
        };
        ahead.tokens = Some(found.clone());
        if let Some(canonical) = self.canonical.as_mut().filter(|_| !crate::watch::is_stopped()) {
            canonical.ahead = Some(ahead);
        }
        found
    }

    /// Tells what was accepted to what is known of the run ahead.
    pub(super) fn follow_run(&mut self, accepted: Accepted<'_>) {
        let Some(canonical) = &mut self.canonical else { return };
        match accepted {
            Accepted::Token(token) => canonical.follow(self.store.vocabulary().text(token)),
            Accepted::Text(text) => canonical.follow(Some(text)),
        }
    }

    /// Forgets what is known of the run ahead, if tokens are taken back.
    pub(super) fn forget_run(&mut self, taken_back: usize) {
        if let Some(canonical) = self.canonical.as_mut().filter(|_| taken_back > 0) {
            canonical.forget();
        }
    }
}
