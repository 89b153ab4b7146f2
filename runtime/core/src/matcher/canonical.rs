//! Restricts a matcher to canonical tokens where the next bytes are determined.

use std::sync::Arc;

use super::forced::ForcedRun;
use super::{Accepted, MatchError, Matcher, budget};
use crate::canonical::{CanonicalTokens, Ways};
use crate::mask::{Mask, Row, RowRef};
use crate::vocabulary::{MarkerPart, TokenId, parts};

/// Up to this many canonical tokens are read one by one. If there are more, they are looked up in the mask of all tokens.
const FEW: usize = 16;

/// The forced run after the text. It is kept until something else than the run is accepted; a rollback returns to the one of its place, as
/// the ways that are found anew, behind the tokens of the text, may be others.
#[derive(Clone, Debug)]
pub(super) struct RunAhead {
    /// The canonical tokens by which the ways were found.
    of: Arc<CanonicalTokens>,
    run: Arc<ForcedRun>,
    /// The number of the run's bytes that were accepted.
    read: usize,
    /// The ways to write the run from here, if they are known.
    ways: Option<Ways>,
    /// The canonical tokens that may come next, ascending. Outer `None`: not computed here yet; inner `None`: every token is allowed.
    tokens: Option<Option<Arc<[u32]>>>,
}

impl RunAhead {
    fn new(of: &Arc<CanonicalTokens>, run: ForcedRun) -> Self {
        Self { of: Arc::clone(of), run: Arc::new(run), read: 0, ways: None, tokens: None }
    }
}

/// The canonical tokens, and what one matcher knows about its place.
#[derive(Clone, Debug)]
pub(super) struct Canonical {
    tokens: Arc<CanonicalTokens>,
    ahead: Option<RunAhead>,
}

impl Canonical {
    /// Advances along the run by an accepted text, and by its token if it was accepted as one.
    fn follow(&mut self, text: Option<&[u8]>, token: Option<TokenId>) {
        self.ahead = self.ahead.take().and_then(|ahead| {
            let RunAhead { of, run, read, ways, .. } = ahead;
            let left = run.bytes[read..].strip_prefix(text?)?.len();
            let ways = ways.zip(token).map(|(mut ways, token)| {
                ways.follow(token);
                ways
            });
            (left > 0).then(|| RunAhead { read: run.bytes.len() - left, of, run, ways, tokens: None })
        });
    }
}

impl Matcher {
    /// Allows only [canonical tokens](crate::canonical) where the format determines the next bytes, in masks and for
    /// [`Matcher::accept_token`]. `None`, the default, allows every token of these bytes.
    ///
    /// If budgets, limits on tokens or stop tokens exclude all canonical tokens, the remaining tokens are allowed, so that a text never
    /// gets stuck. Text accepted as bytes is not checked. A [saved state](Matcher::save) does not contain this setting; a restored matcher
    /// keeps its own.
    ///
    /// # Errors
    ///
    /// [`MatchError::OtherVocabulary`] if `tokens` is for another vocabulary.
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

    /// Returns the canonical tokens, if only they are allowed.
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

    /// Returns whether only canonical tokens are [allowed](Matcher::set_canonical_tokens) here, because the format determines the next
    /// bytes.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert!(!matcher.is_canonical_here());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_canonical_here(&mut self) -> bool {
        self.canonical_here().is_some()
    }

    /// Returns the mask of the canonical tokens, if they are few enough to read each of them. `None` if none of them may come, if a budget
    /// may refuse some, or if the stack keeps the text.
    pub(super) fn mask_of_few(&mut self) -> Option<Mask> {
        let tokens = self.canonical_here().filter(|tokens| tokens.len() <= FEW)?;
        if self.stack.keeps_text() || !budget::is_far(self) {
            return None;
        }
        let kept: Vec<u32> = tokens.iter().copied().filter(|&token| self.can_read(TokenId(token))).collect();
        (!kept.is_empty()).then(|| self.mask_of_tokens(&kept))
    }

    /// Withholds tokens that are not canonical, unless that would leave no token.
    pub(super) fn restrict_to_canonical(&mut self, mask: Mask) -> Mask {
        let Some(tokens) = self.canonical_here() else { return mask };
        let kept: Vec<u32> = tokens.iter().copied().filter(|&token| mask.contains(TokenId(token))).collect();
        if kept.is_empty() { mask } else { self.mask_of_tokens(&kept) }
    }

    /// Makes a mask of these tokens, none of which ends the text.
    fn mask_of_tokens(&self, tokens: &[u32]) -> Mask {
        let row = Row::from_tokens(tokens, self.store.vocabulary().len());
        Mask {
            rows: [RowRef::Shared(Arc::new(row))].into_iter().collect(),
            pack: None,
            eos: false,
            stops: self.stops.clone(),
            vocabulary: Arc::clone(self.store.vocabulary()),
        }
    }

    /// Returns whether the format reads a token here; always false for the matcher's own stop tokens. The matcher does not move.
    fn can_read(&mut self, token: TokenId) -> bool {
        if self.is_only_stop(token) {
            return false;
        }
        let mark = self.stack.mark();
        let reads = self.read_token(token).is_ok();
        self.stack.truncate(mark);
        reads
    }

    /// Refuses a token that is not canonical if a canonical one is allowed.
    pub(super) fn check_canonical(&mut self, token: TokenId) -> Result<(), MatchError> {
        let Some(tokens) = self.canonical_here() else { return Ok(()) };
        if tokens.binary_search(&token.0).is_ok() {
            return Ok(());
        }
        match self.mask_of_any_tokens() {
            Ok(mask) if tokens.iter().any(|&other| mask.contains(TokenId(other))) && mask.contains(token) => {
                Err(MatchError::NotCanonical { token: token.0 })
            }
            // Any other error is reported when the token is read.
            _ => Ok(()),
        }
    }

    /// Returns the canonical tokens at this place, ascending; `None` if all tokens are allowed.
    fn canonical_here(&mut self) -> Option<Arc<[u32]>> {
        let canonical = self.canonical.as_ref().filter(|_| !self.terminated)?;
        if let Some(known) = canonical.ahead.as_ref().and_then(|ahead| ahead.tokens.clone()) {
            return known;
        }
        let tokens = Arc::clone(&canonical.tokens);
        let ahead = canonical.ahead.clone();
        let mut ahead = ahead.unwrap_or_else(|| RunAhead::new(&tokens, self.forced_run()));
        let rest = &ahead.run.bytes[ahead.read..];
        let found = match parts(rest).next() {
            Some(MarkerPart::Text(text)) => {
                tokens.next(&self.last_tokens(), ahead.run.run_of(text, rest.len()), &mut ahead.ways)
            }
            Some(MarkerPart::Token(_)) | None => None,
        };
        ahead.tokens = Some(found.clone());
        if let Some(canonical) = self.canonical.as_mut().filter(|_| !crate::watch::is_stopped()) {
            canonical.ahead = Some(ahead);
        }
        found
    }

    /// Advances along the run ahead by what was accepted.
    pub(super) fn follow_run(&mut self, accepted: Accepted<'_>) {
        let Some(canonical) = &mut self.canonical else { return };
        match accepted {
            Accepted::Token(token) => canonical.follow(self.store.vocabulary().text(token), Some(token)),
            Accepted::Text(text) => canonical.follow(Some(text), None),
        }
    }

    /// Returns what is known of the run ahead, for a rollback to this place.
    pub(super) fn run_ahead(&self) -> Option<Arc<RunAhead>> {
        self.canonical.as_ref()?.ahead.clone().map(Arc::new)
    }

    /// Returns to what was known of the run at an earlier place; forgets the run if nothing was, or only by other canonical tokens.
    pub(super) fn go_back_in_run(&mut self, ahead: Option<Arc<RunAhead>>) {
        if let Some(canonical) = &mut self.canonical {
            let own = ahead.filter(|ahead| Arc::ptr_eq(&ahead.of, &canonical.tokens));
            canonical.ahead = own.map(|ahead| RunAhead::clone(&ahead));
        }
    }
}
