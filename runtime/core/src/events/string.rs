//! Reads a JSON string after its opening quote: characters and escapes.

use super::characters::Characters;

/// Error: a string does not allow the byte at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NoString;

/// The result of reading one byte of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StringPiece {
    /// Nothing yet: the byte is part of a character or of an escape.
    Nothing,
    /// A character of the string.
    Character(char),
    /// The end of the string.
    End,
}

/// The position of a reader in a string.
#[derive(Clone, Debug, Default)]
pub(super) struct StringReader {
    characters: Characters,
    escape: Escape,
    /// The first half of a surrogate pair of `\u` escapes, whose second half must follow.
    high: Option<u16>,
}

/// The position in an escape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Escape {
    /// Not in an escape.
    #[default]
    None,
    /// After the backslash.
    Begun,
    /// After some hexadecimal digits of a `\u` escape: their number, and their value so far.
    Digits(u8, u16),
}

impl StringReader {
    /// Reads a byte.
    pub(super) fn push(&mut self, byte: u8) -> Result<StringPiece, NoString> {
        match self.escape {
            Escape::Begun => self.escaped(byte),
            Escape::Digits(read, value) => self.digit(byte, read, value),
            Escape::None if self.characters.is_inside() => self.character(byte),
            Escape::None if byte == b'\\' => {
                self.escape = Escape::Begun;
                Ok(StringPiece::Nothing)
            }
            // A first half needs its second; control characters need escapes.
            Escape::None if self.high.is_some() || byte < b' ' => Err(NoString),
            Escape::None if byte == b'"' => Ok(StringPiece::End),
            Escape::None => self.character(byte),
        }
    }

    fn character(&mut self, byte: u8) -> Result<StringPiece, NoString> {
        let char = self.characters.push(byte).map_err(|_| NoString)?;
        Ok(char.map_or(StringPiece::Nothing, StringPiece::Character))
    }

    /// Reads the byte after a backslash.
    fn escaped(&mut self, byte: u8) -> Result<StringPiece, NoString> {
        if byte == b'u' {
            self.escape = Escape::Digits(0, 0);
            return Ok(StringPiece::Nothing);
        }
        let char = match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            _ => return Err(NoString),
        };
        if self.high.is_some() {
            return Err(NoString);
        }
        self.escape = Escape::None;
        Ok(StringPiece::Character(char))
    }

    /// Reads a digit of a `\u` escape.
    fn digit(&mut self, byte: u8, read: u8, value: u16) -> Result<StringPiece, NoString> {
        let digit = char::from(byte).to_digit(16).ok_or(NoString)?;
        let value = value << 4 | digit as u16;
        if read < 3 {
            self.escape = Escape::Digits(read + 1, value);
            return Ok(StringPiece::Nothing);
        }
        self.escape = Escape::None;
        match (self.high.take(), value) {
            (None, 0xD800..=0xDBFF) => {
                self.high = Some(value);
                Ok(StringPiece::Nothing)
            }
            (high, value) => {
                let units = high.into_iter().chain([value]);
                let mut decoded = char::decode_utf16(units);
                match (decoded.next(), decoded.next()) {
                    (Some(Ok(char)), None) => Ok(StringPiece::Character(char)),
                    _ => Err(NoString),
                }
            }
        }
    }
}
