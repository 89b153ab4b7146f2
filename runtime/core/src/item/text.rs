//! Reads strings from their text.

/// The text of a string so far, decoded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct StringText {
    /// The bytes of the string so far, without an incomplete escape.
    pub(super) decoded: Vec<u8>,
    escape: Escape,
}

/// An incomplete escape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Escape {
    #[default]
    None,
    /// A backslash, perhaps after the first half of a surrogate pair.
    Backslash(Option<u32>),
    /// `\u` and some digits, perhaps after the first half of a surrogate pair.
    Digits { count: u8, value: u32, half: Option<u32> },
    /// The first half of a surrogate pair.
    Half(u32),
}

impl StringText {
    /// Reads a byte. Returns whether it ends the string.
    pub(super) fn push(&mut self, byte: u8) -> bool {
        self.escape = match (self.escape, byte) {
            (Escape::None, b'"') => return true,
            (Escape::None, b'\\') => Escape::Backslash(None),
            (Escape::None, _) => {
                self.decoded.push(byte);
                Escape::None
            }
            (Escape::Half(half), _) => Escape::Backslash(Some(half)),
            (Escape::Backslash(half), b'u') => Escape::Digits { count: 0, value: 0, half },
            (Escape::Backslash(_), _) => {
                self.decoded.push(short_escape(byte));
                Escape::None
            }
            (Escape::Digits { count, value, half }, _) => {
                let value = value << 4 | char::from(byte).to_digit(16).unwrap_or(0);
                if count < 3 { Escape::Digits { count: count + 1, value, half } } else { self.character(value, half) }
            }
        };
        false
    }

    /// Adds the character of an escape. If the escape is the first half of a surrogate pair, waits for the second half.
    fn character(&mut self, value: u32, half: Option<u32>) -> Escape {
        let code = match (half, value) {
            (None, 0xD800..=0xDBFF) => return Escape::Half(value),
            (Some(half), _) => 0x10000 + ((half - 0xD800) << 10) + (value & 0x3FF),
            (None, _) => value,
        };
        let character = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
        self.decoded.extend(character.encode_utf8(&mut [0; 4]).as_bytes());
        Escape::None
    }

    /// Describes the text: texts with equal descriptions have equal continuations.
    pub(super) fn describe(&self, out: &mut Vec<u8>) {
        out.extend(&self.decoded);
        let (form, value, half) = match self.escape {
            Escape::None => (0, 0, None),
            Escape::Backslash(half) => (1, 0, half),
            Escape::Half(half) => (2, 0, Some(half)),
            Escape::Digits { count, value, half } => (3 + count, value, half),
        };
        out.push(form);
        out.extend(value.to_le_bytes());
        out.extend(half.unwrap_or(0).to_le_bytes());
    }
}

fn short_escape(byte: u8) -> u8 {
    match byte {
        b'b' => 0x08,
        b'f' => 0x0C,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        other => other,
    }
}
