//! The reader of events: for formats of JSON values, formats with parts, and other text.

use super::json::JsonReader;
use super::marked::MarkedReader;
use super::text::TextReader;
use super::{Event, EventError};
use crate::captures::Content;
use crate::matcher::MatchError;
use crate::vocabulary::{TokenId, Vocabulary, is_text, marker, unfinished};

/// Reads one text as it grows, and reports events as soon as they are certain.
///
/// Its input must be text that a matcher has accepted. After an error it reports nothing more, and returns the same error again.
///
/// ```
/// use ogc_runtime::captures::Content;
/// use ogc_runtime::events::{Event, EventReader};
/// let mut reader = EventReader::new(&Content::Value);
/// let mut shown = String::new();
/// for piece in ["[\"gr", "\\u00", "fc", "n\"]"] {
///     for event in reader.read_bytes(piece.as_bytes())? {
///         if let Event::StringGrows { path, text } = event {
///             assert_eq!(path.to_string(), "/0");
///             shown += &text;
///         }
///     }
/// }
/// assert_eq!(shown, "grün");
/// assert_eq!(reader.finish()?, [Event::Ended { at: 13 }]);
/// # Ok::<(), ogc_runtime::events::EventError>(())
/// ```
#[derive(Clone, Debug)]
pub struct EventReader {
    reading: Reading,
    /// The length of the text so far.
    at: usize,
    /// The error after which no more events are reported.
    failed: Option<EventError>,
}

/// The reader for the content of the format.
#[derive(Clone, Debug)]
enum Reading {
    Text(TextReader),
    Value(JsonReader),
    Parts(Box<MarkedReader>),
}

impl EventReader {
    /// Makes a reader at the beginning of a text of this [content](crate::artifact::Format::content).
    ///
    /// ```
    /// use ogc_runtime::captures::Content;
    /// use ogc_runtime::events::EventReader;
    /// assert!(EventReader::new(&Content::Text).read_bytes(b"").is_ok());
    /// ```
    #[must_use]
    pub fn new(content: &Content) -> Self {
        let reading = match content {
            Content::Text => Reading::Text(TextReader::default()),
            Content::Value => Reading::Value(JsonReader::new(0)),
            Content::Parts(captures) => Reading::Parts(Box::new(MarkedReader::new(captures))),
        };
        Self { reading, at: 0, failed: None }
    }

    /// Reads bytes. They may end in the middle of a character, but not of a [marker](marker()).
    ///
    /// # Errors
    ///
    /// [`EventError`]. Only texts with parts are checked against the format; other text must be UTF-8, or JSON if the format is a value.
    ///
    /// ```
    #[doc = include_str!("../captures/example.md")]
    /// use ogc_runtime::events::{Event, EventReader};
    /// let mut reader = EventReader::new(&Content::Parts(captures));
    /// let events = reader.read_bytes(b"id: 4")?;
    /// assert_eq!(events, [
    ///     Event::TextGrows { text: "id: ".into() },
    ///     Event::CaptureBegins { name: "id".into(), at: 4 },
    ///     Event::TextGrows { text: "4".into() },
    /// ]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read_bytes(&mut self, bytes: &[u8]) -> Result<Vec<Event>, EventError> {
        self.tried(|reader, out| match unfinished(bytes) {
            Some(at) => Err(MatchError::NotAllowed { at }.into()),
            None => reader.read(bytes, out),
        })
    }

    /// Reads a token: its marker if the format asks for it by name, else its text. An end-of-sequence token has no text, unless the format
    /// asks for it by name; call [`EventReader::finish`] after it.
    ///
    /// # Errors
    ///
    /// The errors of [`EventReader::read_bytes`].
    ///
    /// ```
    #[doc = include_str!("../captures/example.md")]
    /// use ogc_runtime::events::{Event, EventReader};
    /// use ogc_runtime::vocabulary::{TokenId, Vocabulary};
    /// let vocabulary = Vocabulary::from_tokens(&[Some("id: "), Some("7")], &[("</s>", 2)])?;
    /// let mut reader = EventReader::new(&Content::Parts(captures));
    /// let begins = Event::CaptureBegins { name: "id".into(), at: 4 };
    /// assert_eq!(reader.read_token(&vocabulary, TokenId(0))?.last(), Some(&begins));
    /// assert_eq!(reader.read_token(&vocabulary, TokenId(1))?, [Event::TextGrows { text: "7".into() }]);
    /// assert!(reader.read_token(&vocabulary, TokenId(2))?.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read_token(&mut self, vocabulary: &Vocabulary, token: TokenId) -> Result<Vec<Event>, EventError> {
        self.tried(|reader, out| reader.token(vocabulary, token, out))
    }

    /// Ends the text: reports the events that only the end decides, and finally [`Event::Ended`].
    ///
    /// # Errors
    ///
    /// [`EventError::Incomplete`] if the text is not complete, and the errors of [`EventReader::read_bytes`].
    ///
    /// ```
    /// use ogc_runtime::captures::Content;
    /// use ogc_runtime::events::{EventError, EventReader};
    /// let mut reader = EventReader::new(&Content::Value);
    /// reader.read_bytes(b"12")?;
    /// assert_eq!(reader.clone().finish()?.len(), 2, "a number is complete, and the text");
    /// reader.read_bytes(b".")?;
    /// assert!(reader.finish().is_err());
    /// # Ok::<(), EventError>(())
    /// ```
    pub fn finish(&mut self) -> Result<Vec<Event>, EventError> {
        self.tried(|reader, out| {
            match &mut reader.reading {
                Reading::Text(text) => text.finish(reader.at)?,
                Reading::Value(value) => value.finish(out)?,
                Reading::Parts(parts) => parts.finish(out)?,
            }
            out.push(Event::Ended { at: reader.at });
            Ok(())
        })
    }

    /// Calls `read`, unless an earlier call failed; keeps its error.
    fn tried(
        &mut self,
        read: impl FnOnce(&mut Self, &mut Vec<Event>) -> Result<(), EventError>,
    ) -> Result<Vec<Event>, EventError> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        let mut out = Vec::new();
        match read(self, &mut out) {
            Ok(()) => Ok(out),
            Err(error) => {
                self.failed = Some(error.clone());
                Err(error)
            }
        }
    }

    fn read(&mut self, bytes: &[u8], out: &mut Vec<Event>) -> Result<(), EventError> {
        match &mut self.reading {
            Reading::Text(text) => text.read(bytes, self.at, out)?,
            Reading::Value(value) => value.read(bytes, out)?,
            Reading::Parts(parts) => parts.read(bytes, out)?,
        }
        self.at += bytes.len();
        Ok(())
    }

    fn token(&mut self, vocabulary: &Vocabulary, token: TokenId, out: &mut Vec<Event>) -> Result<(), EventError> {
        let is_end = vocabulary.eos().contains(&token);
        let text = vocabulary.text(token).filter(|text| is_text(text));
        // If a token has a name and a text, only an automaton knows which of them is meant.
        let by_name = match &self.reading {
            Reading::Parts(parts) => parts.reads_markers(),
            Reading::Text(_) | Reading::Value(_) => text.is_none() && !is_end,
        };
        if let Some(name) = vocabulary.name_of(token).filter(|_| by_name) {
            match self.read(&marker(name), out) {
                Err(EventError::Match(MatchError::NotAllowed { .. })) => {}
                read => return read,
            }
        }
        match text {
            _ if is_end => Ok(()),
            Some(text) => self.read(text, out),
            None => Err(MatchError::TokenNotAllowed { token: token.0 }.into()),
        }
    }
}
