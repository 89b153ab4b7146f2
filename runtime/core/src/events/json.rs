//! Follows one JSON value, byte by byte, and reports its structure.
//!
//! It does not check that the format allows the value, as a matcher has accepted it. It does check that the value is JSON, so that no input
//! causes a wrong event. Python's words for `null`, `true` and `false` are read too, as formats may have them.

use super::string::{StringPiece, StringReader};
use super::{Complete, Event, EventError, MAX_DEPTH, Path, Step, ValueKind};

/// The position of a reader in a JSON value, with white space around the value.
#[derive(Clone, Debug)]
pub(super) struct JsonReader {
    /// The objects and arrays that are open, the outermost first.
    open: Vec<Open>,
    /// The path of the value that is being read or comes next; after an item, the path of the array or object around it.
    path: Path,
    place: Place,
    /// The offset of the next byte in the text.
    at: usize,
    /// The offset of the first byte of the string, number or word that is being read.
    start: usize,
    /// The characters of a key, or the characters of a string that were not reported yet.
    piece: String,
}

/// An object or an array.
#[derive(Clone, Copy, Debug)]
struct Open {
    start: usize,
    kind: Container,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Container {
    Object,
    /// An array, with the number of its items so far.
    Array(usize),
}

/// The part of a JSON value that comes next.
#[derive(Clone, Debug)]
enum Place {
    /// A value.
    Value,
    /// A value, or the end of the array that has just begun.
    FirstItem,
    /// A key, or the end of the object that has just begun.
    FirstKey,
    /// A key.
    Key,
    /// The rest of a key.
    InKey(StringReader),
    /// A colon.
    Colon,
    /// The rest of a string.
    InString(StringReader),
    /// The rest of a number, with the part read so far.
    InNumber(String),
    /// The rest of a word such as `true`, with that rest and the value of the word.
    InWord(&'static [u8], Complete),
    /// A comma, or the end of the object or array; after the outermost value, only white space.
    Behind,
}

impl JsonReader {
    /// Makes a reader of a value that begins at offset `at` of the text.
    pub(super) fn new(at: usize) -> Self {
        Self { open: Vec::new(), path: Path::default(), place: Place::Value, at, start: at, piece: String::new() }
    }

    /// Reads bytes, and reports everything that is certain after them.
    pub(super) fn read(&mut self, bytes: &[u8], out: &mut Vec<Event>) -> Result<(), EventError> {
        for &byte in bytes {
            self.byte(byte, out)?;
            self.at += 1;
        }
        self.tell(out);
        Ok(())
    }

    /// Ends the value.
    pub(super) fn finish(&mut self, out: &mut Vec<Event>) -> Result<(), EventError> {
        self.end_number(out)?;
        let is_complete = self.open.is_empty() && matches!(self.place, Place::Behind);
        if is_complete { Ok(()) } else { Err(EventError::Incomplete { at: self.at }) }
    }

    fn byte(&mut self, byte: u8, out: &mut Vec<Event>) -> Result<(), EventError> {
        if matches!(self.place, Place::InNumber(_)) && !is_of_number(byte) {
            self.end_number(out)?;
        }
        let is_space = matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        match &mut self.place {
            Place::InKey(string) | Place::InString(string) => match string.push(byte) {
                Ok(StringPiece::Nothing) => Ok(()),
                Ok(StringPiece::Character(char)) => {
                    self.piece.push(char);
                    Ok(())
                }
                Ok(StringPiece::End) => {
                    self.end_string(out);
                    Ok(())
                }
                Err(_) => self.refused(),
            },
            Place::InNumber(written) => {
                written.push(char::from(byte));
                Ok(())
            }
            Place::InWord(rest, value) => match rest.split_first() {
                Some((&first, after)) if first == byte => {
                    *rest = after;
                    if after.is_empty() {
                        let value = value.clone();
                        self.complete(value, self.start, self.at + 1, out);
                    }
                    Ok(())
                }
                _ => self.refused(),
            },
            Place::Value | Place::FirstItem | Place::FirstKey | Place::Key | Place::Colon | Place::Behind
                if is_space =>
            {
                Ok(())
            }
            Place::FirstItem if byte == b']' => self.close(byte, out),
            Place::FirstKey if byte == b'}' => self.close(byte, out),
            Place::Value | Place::FirstItem => self.begin(byte, out),
            Place::FirstKey | Place::Key if byte == b'"' => {
                (self.start, self.place) = (self.at, Place::InKey(StringReader::default()));
                Ok(())
            }
            Place::Colon if byte == b':' => {
                self.place = Place::Value;
                Ok(())
            }
            Place::Behind => self.behind(byte, out),
            Place::FirstKey | Place::Key | Place::Colon => self.refused(),
        }
    }

    /// Begins a value.
    fn begin(&mut self, byte: u8, out: &mut Vec<Event>) -> Result<(), EventError> {
        let (kind, place) = match byte {
            b'{' => (ValueKind::Object, Place::FirstKey),
            b'[' => (ValueKind::Array, Place::FirstItem),
            b'"' => (ValueKind::String, Place::InString(StringReader::default())),
            b'-' | b'0'..=b'9' => (ValueKind::Number, Place::InNumber(char::from(byte).to_string())),
            b't' => (ValueKind::Bool, Place::InWord(b"rue", Complete::Bool(true))),
            b'f' => (ValueKind::Bool, Place::InWord(b"alse", Complete::Bool(false))),
            b'n' => (ValueKind::Null, Place::InWord(b"ull", Complete::Null)),
            b'T' => (ValueKind::Bool, Place::InWord(b"rue", Complete::Bool(true))),
            b'F' => (ValueKind::Bool, Place::InWord(b"alse", Complete::Bool(false))),
            b'N' => (ValueKind::Null, Place::InWord(b"one", Complete::Null)),
            _ => return self.refused(),
        };
        if let Some(Open { kind: Container::Array(items), .. }) = self.open.last_mut() {
            self.path = self.path.then(Step::Index(*items));
            *items += 1;
        }
        match kind {
            ValueKind::Object => self.push(Container::Object)?,
            ValueKind::Array => self.push(Container::Array(0))?,
            ValueKind::String | ValueKind::Number | ValueKind::Bool | ValueKind::Null => self.start = self.at,
        }
        self.place = place;
        out.push(Event::ValueBegins { path: self.path.clone(), kind, at: self.at });
        Ok(())
    }

    fn push(&mut self, kind: Container) -> Result<(), EventError> {
        if self.open.len() == MAX_DEPTH {
            return Err(EventError::Depth { given: self.open.len() + 1, limit: MAX_DEPTH });
        }
        self.open.push(Open { start: self.at, kind });
        Ok(())
    }

    /// Reads a byte after a value.
    fn behind(&mut self, byte: u8, out: &mut Vec<Event>) -> Result<(), EventError> {
        self.place = match (byte, self.open.last().map(|open| open.kind)) {
            (b',', Some(Container::Object)) => Place::Key,
            (b',', Some(Container::Array(_))) => Place::Value,
            _ => return self.close(byte, out),
        };
        Ok(())
    }

    /// Ends the innermost open object or array.
    fn close(&mut self, byte: u8, out: &mut Vec<Event>) -> Result<(), EventError> {
        let value = match (byte, self.open.last().map(|open| open.kind)) {
            (b'}', Some(Container::Object)) => Complete::Object,
            (b']', Some(Container::Array(_))) => Complete::Array,
            _ => return self.refused(),
        };
        let start = self.open.pop().map_or(self.at, |open| open.start);
        self.complete(value, start, self.at + 1, out);
        Ok(())
    }

    /// Ends a key or a string at its closing quote.
    fn end_string(&mut self, out: &mut Vec<Event>) {
        if matches!(self.place, Place::InKey(_)) {
            self.path = self.path.then(Step::Key(std::mem::take(&mut self.piece)));
            self.place = Place::Colon;
            out.push(Event::FieldBegins { path: self.path.clone(), at: self.start });
        } else {
            self.tell(out);
            self.complete(Complete::String, self.start, self.at + 1, out);
        }
    }

    /// Ends a number, if one is being read, before the current byte.
    fn end_number(&mut self, out: &mut Vec<Event>) -> Result<(), EventError> {
        let Place::InNumber(written) = &mut self.place else { return Ok(()) };
        let written = std::mem::take(written);
        if !is_number(written.as_bytes()) {
            return self.refused();
        }
        self.complete(Complete::Number(written), self.start, self.at, out);
        Ok(())
    }

    fn complete(&mut self, value: Complete, start: usize, end: usize, out: &mut Vec<Event>) {
        let around = self.path.parent();
        let path = std::mem::replace(&mut self.path, around);
        self.place = Place::Behind;
        out.push(Event::ValueComplete { path, value, start, end });
    }

    /// Reports the characters of a string that were not reported yet. Keys are reported as a whole.
    fn tell(&mut self, out: &mut Vec<Event>) {
        if matches!(self.place, Place::InString(_)) && !self.piece.is_empty() {
            out.push(Event::StringGrows { path: self.path.clone(), text: std::mem::take(&mut self.piece) });
        }
    }

    fn refused(&self) -> Result<(), EventError> {
        Err(EventError::NotJson { at: self.at })
    }
}

fn is_of_number(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E')
}

/// Returns whether bytes are a JSON number.
fn is_number(bytes: &[u8]) -> bool {
    let digits = |bytes: &[u8]| bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let unsigned = bytes.strip_prefix(b"-").unwrap_or(bytes);
    let whole = digits(unsigned);
    if whole == 0 || whole > 1 && unsigned.starts_with(b"0") {
        return false;
    }
    let mut rest = &unsigned[whole..];
    if let Some(fraction) = rest.strip_prefix(b".") {
        let len = digits(fraction);
        if len == 0 {
            return false;
        }
        rest = &fraction[len..];
    }
    let [b'e' | b'E', exponent @ ..] = rest else { return rest.is_empty() };
    let exponent = exponent.strip_prefix(b"+").or(exponent.strip_prefix(b"-")).unwrap_or(exponent);
    !exponent.is_empty() && digits(exponent) == exponent.len()
}
