//! The reader that finds the captures of a text, as it grows or at once.

use std::sync::Arc;

use super::mark::first_mark;
use super::readings::Readings;
use super::{Capture, Captures};
use crate::matcher::MatchError;
use crate::vocabulary::{TokenId, Vocabulary, is_text, marker, unfinished};

/// Reads one text, and finds its captures.
///
/// A token that the format asks for by name stands in the text as its [marker](marker()), as everywhere in this crate.
///
/// ```
#[doc = include_str!("example.md")]
/// let mut reader = CaptureReader::new(captures);
/// reader.accept_bytes(b"id: 42")?;
/// assert!(reader.is_complete());
/// let found = reader.captures();
/// assert_eq!((found[0].name.as_str(), found[0].start, found[0].end), ("id", 4, Some(6)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct CaptureReader {
    captures: Arc<Captures>,
    readings: Readings,
    text: Vec<u8>,
}

impl CaptureReader {
    /// Makes a reader at the beginning of a text.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// assert!(CaptureReader::new(captures).captures().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(captures: Arc<Captures>) -> Self {
        let readings = Readings::new(&captures);
        Self { captures, readings, text: Vec::new() }
    }

    /// Reads a token: its marker if the format asks for it by name, else its text. On an error nothing has changed.
    ///
    /// # Errors
    ///
    /// [`MatchError::NotAllowed`], [`MatchError::TokenNotAllowed`] for a token without text, [`MatchError::Limit`]. An end-of-sequence
    /// token is accepted where the text is complete, and adds nothing.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// use ogc_runtime::vocabulary::{TokenId, Vocabulary};
    /// let vocabulary = Vocabulary::from_tokens(&[Some("id: "), Some("7")], &[("</s>", 2)])?;
    /// let mut reader = CaptureReader::new(captures);
    /// for token in 0..3 {
    ///     reader.accept_token(&vocabulary, TokenId(token))?;
    /// }
    /// assert_eq!(reader.text(), b"id: 7");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn accept_token(&mut self, vocabulary: &Vocabulary, token: TokenId) -> Result<(), MatchError> {
        if vocabulary.eos().contains(&token) && self.is_complete() {
            return Ok(());
        }
        if let Some(name) = vocabulary.name_of(token).filter(|_| self.captures.automaton.derived.reads_markers()) {
            match self.read(&marker(name)) {
                Err(MatchError::NotAllowed { .. }) => {}
                read => return read,
            }
        }
        match vocabulary.text(token).filter(|text| is_text(text)) {
            Some(text) => self.accept_bytes(text),
            None => Err(MatchError::TokenNotAllowed { token: token.0 }),
        }
    }

    /// Reads bytes, all of them or none. Rules that count tokens count them as one token.
    ///
    /// # Errors
    ///
    /// [`MatchError::NotAllowed`], [`MatchError::Limit`].
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// use ogc_runtime::matcher::MatchError;
    /// let mut reader = CaptureReader::new(captures);
    /// assert_eq!(reader.accept_bytes(b"id 4"), Err(MatchError::NotAllowed { at: 2 }));
    /// assert!(reader.text().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn accept_bytes(&mut self, bytes: &[u8]) -> Result<(), MatchError> {
        if let Some(at) = unfinished(bytes) {
            return Err(MatchError::NotAllowed { at });
        }
        self.read(bytes)
    }

    fn read(&mut self, bytes: &[u8]) -> Result<(), MatchError> {
        if bytes.is_empty() {
            return Ok(());
        }
        if let Some(at) = first_mark(bytes) {
            return Err(MatchError::NotAllowed { at });
        }
        self.readings.read(&self.captures, self.text.len(), bytes)?;
        self.text.extend_from_slice(bytes);
        Ok(())
    }

    /// Returns the text so far, with named tokens as their markers.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// let mut reader = CaptureReader::new(captures);
    /// reader.accept_bytes(b"id: ")?;
    /// assert_eq!(reader.text(), b"id: ");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Returns whether the text so far is a complete text of the format.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// assert!(!CaptureReader::new(captures).is_complete());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.readings.finished(&self.captures).is_some()
    }

    /// Returns the captures of the text, in the order of their beginnings. If the text is not [complete], these are the captures of the
    /// reading that is preferred so far.
    ///
    /// [complete]: CaptureReader::is_complete
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// let mut reader = CaptureReader::new(captures);
    /// reader.accept_bytes(b"id: 4")?;
    /// assert_eq!(reader.captures().len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn captures(&self) -> Vec<Capture> {
        self.readings.captures(&self.captures)
    }
}
