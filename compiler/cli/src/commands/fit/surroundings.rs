//! Follows a text, and tracks whether its end is inside a JSON value, and where in that value.

use ogc_runtime::captures::Content;
use ogc_runtime::events::{Event, EventError, EventReader};
use ogc_runtime::vocabulary::{TokenId, Vocabulary};

use super::scan::Scanner;

/// The context of the place that a text has reached.
#[derive(Clone, Debug)]
pub(super) struct Surroundings {
    /// Finds the JSON values in a text that is not a JSON value as a whole.
    reader: Option<EventReader>,
    /// The bytes since the last place that the reader reported.
    text: Vec<u8>,
    pub(super) json: Option<Scanner>,
}

impl Surroundings {
    pub(super) fn new(content: &Content) -> Self {
        match content {
            Content::Value => Self { reader: None, text: Vec::new(), json: Some(Scanner::new()) },
            _ => Self { reader: Some(EventReader::new(content)), text: Vec::new(), json: None },
        }
    }

    /// Reads a token of the text.
    pub(super) fn read_token(&mut self, vocabulary: &Vocabulary, token: TokenId) -> Result<(), EventError> {
        let bytes = vocabulary.text(token).unwrap_or_default();
        let events = match &mut self.reader {
            Some(reader) => reader.read_token(vocabulary, token)?,
            None => Vec::new(),
        };
        self.follow(bytes, &events);
        Ok(())
    }

    /// Returns the context after some more bytes.
    pub(super) fn after(&self, bytes: &[u8]) -> Self {
        let mut after = self.clone();
        let events = after.reader.as_mut().and_then(|reader| reader.read_bytes(bytes).ok()).unwrap_or_default();
        after.follow(bytes, &events);
        after
    }

    /// Starts and ends the scanner where outermost values begin and end. `bytes` must be few, because places inside
    /// them are counted from the end of the text.
    fn follow(&mut self, bytes: &[u8], events: &[Event]) {
        self.text.extend_from_slice(bytes);
        if let Some(json) = &mut self.json {
            json.read(bytes);
        }
        for event in events {
            match event {
                Event::ValueBegins { path, at, .. } if path.to_string().is_empty() => {
                    let mut json = Scanner::new();
                    json.read(self.since(*at, bytes));
                    self.json = Some(json);
                }
                Event::ValueComplete { path, .. } if path.to_string().is_empty() && self.reader.is_some() => {
                    self.json = None;
                }
                _ => {}
            }
        }
    }

    /// Returns the bytes from the offset `at` on (named tokens count as their markers); if some of them were not kept,
    /// returns all of `bytes`.
    fn since<'a>(&'a self, at: usize, bytes: &'a [u8]) -> &'a [u8] {
        self.text.get(at..).filter(|rest| rest.len() <= bytes.len()).unwrap_or(bytes)
    }
}
