//! Reads text outside of values: characters, and tokens by their markers.

use super::characters::Characters;
use super::{Event, EventError};
use crate::vocabulary::{MARKER_END, MARKER_START};

/// The position of a reader in text outside of values.
#[derive(Clone, Debug, Default)]
pub(super) struct TextReader {
    characters: Characters,
    /// The name so far of a token whose marker is incomplete.
    token: Option<Vec<u8>>,
    /// The characters that were not reported yet.
    piece: String,
}

impl TextReader {
    /// Reads bytes from offset `at` of the text on, and reports everything that is certain after them.
    pub(super) fn read(&mut self, bytes: &[u8], at: usize, out: &mut Vec<Event>) -> Result<(), EventError> {
        for (at, &byte) in (at..).zip(bytes) {
            self.byte(byte, out).ok_or(EventError::NotText { at })?;
        }
        self.tell(out);
        Ok(())
    }

    /// Checks that no character or marker is incomplete at `at`.
    pub(super) fn finish(&self, at: usize) -> Result<(), EventError> {
        let is_whole = !self.characters.is_inside() && self.token.is_none();
        if is_whole { Ok(()) } else { Err(EventError::NotText { at }) }
    }

    fn byte(&mut self, byte: u8, out: &mut Vec<Event>) -> Option<()> {
        match (&mut self.token, byte) {
            (Some(_), MARKER_END) => {
                let name = String::from_utf8(self.token.take()?).ok()?;
                self.tell(out);
                out.push(Event::Token { name });
            }
            (Some(name), byte) => name.push(byte),
            (None, MARKER_START) if !self.characters.is_inside() => self.token = Some(Vec::new()),
            (None, byte) => self.piece.extend(self.characters.push(byte).ok()?),
        }
        Some(())
    }

    fn tell(&mut self, out: &mut Vec<Event>) {
        if !self.piece.is_empty() {
            out.push(Event::TextGrows { text: std::mem::take(&mut self.piece) });
        }
    }
}
