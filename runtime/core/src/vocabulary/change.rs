//! Changes one property of a finished [`Vocabulary`]: its end-of-sequence tokens, its width, its name.

use super::{MAX_PADDED_LEN, TokenId, TokenKind, Vocabulary, VocabularyError, fingerprint};

/// Changes of one property.
impl Vocabulary {
    /// Replaces the tokens that end a sequence.
    ///
    /// A text token in `eos` becomes special for good: one id cannot both end the text and be part of it. The
    /// fingerprint changes with the set, since masks depend on it.
    ///
    /// # Errors
    /// The vocabulary does not define an id.
    ///
    /// ```
    /// use ogc_runtime::vocabulary::{TokenId, Vocabulary};
    /// let vocabulary = Vocabulary::from_tokens(&[Some(b"a")], &[("stop", 1), ("halt", 2)])?;
    /// assert!(vocabulary.eos().is_empty());
    /// let vocabulary = vocabulary.with_eos(&[TokenId(2), TokenId(1)])?;
    /// assert_eq!(vocabulary.eos(), [TokenId(1), TokenId(2)]);
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    pub fn with_eos(mut self, eos: &[TokenId]) -> Result<Self, VocabularyError> {
        for &id in eos {
            if self.kind(id) == TokenKind::Gap {
                return Err(VocabularyError::NoSuchId { id: id.0, len: self.len() });
            }
        }
        for &id in eos {
            if let Some(kind) = self.kinds.get_mut(id.index()) {
                *kind = TokenKind::Special;
            }
        }
        self.eos = sorted(eos);
        self.fingerprint = fingerprint::of(&self);
        Ok(self)
    }

    /// Sets the width of a row of logits, for models whose output is wider than the vocabulary.
    ///
    /// Logits beyond the vocabulary are always masked. The fingerprint does not change.
    ///
    /// # Errors
    /// The width is below [`Vocabulary::len`] or above [`MAX_PADDED_LEN`].
    ///
    /// ```
    /// use ogc_runtime::vocabulary::Vocabulary;
    /// let vocabulary = Vocabulary::from_tokens(&[Some(b"a")], &[])?.with_padded_len(64)?;
    /// assert_eq!((vocabulary.len(), vocabulary.padded_len()), (1, 64));
    /// assert!(vocabulary.with_padded_len(0).is_err());
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    pub fn with_padded_len(mut self, given: usize) -> Result<Self, VocabularyError> {
        if !(self.len()..=MAX_PADDED_LEN).contains(&given) {
            let (least, limit) = (self.len(), MAX_PADDED_LEN);
            return Err(VocabularyError::PaddedLen { given, least, limit });
        }
        self.padded_len = given;
        Ok(self)
    }

    /// Gives the vocabulary a name for display; it is not part of the fingerprint.
    ///
    /// ```
    /// use ogc_runtime::vocabulary::Vocabulary;
    /// let vocabulary = Vocabulary::from_tokens(&[Some(b"a")], &[])?.with_name("tiny");
    /// assert_eq!(vocabulary.name(), "tiny");
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    #[must_use]
    pub fn with_name(mut self, name: &str) -> Self {
        name.clone_into(&mut self.name);
        self
    }
}

/// Sorts ids and removes duplicates.
pub(super) fn sorted(ids: &[TokenId]) -> Box<[TokenId]> {
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    ids.dedup();
    ids.into()
}
