//! White space between JSON tokens: a server may write it differently from the format, without changing the value.

/// Position in a growing JSON text: whether it is inside a string, and the token before the end.
#[derive(Clone, Debug, Default)]
pub(super) struct Json {
    in_string: bool,
    is_escaped: bool,
    /// State of a number or word at the end, with optional white space behind it that was left out.
    word: Word,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Word {
    #[default]
    None,
    /// A number or word may go on.
    Open,
    /// White space behind it was left out: a number or word that comes next would join it.
    Closed,
}

impl Json {
    /// Reads accepted text.
    pub(super) fn read(&mut self, text: &str) {
        for byte in text.bytes() {
            match (self.in_string, byte) {
                (true, _) if self.is_escaped => self.is_escaped = false,
                (true, b'\\') => self.is_escaped = true,
                (_, b'"') => self.in_string = !self.in_string,
                (_, _) => {}
            }
            self.word = if !self.in_string && is_of_word(byte) { Word::Open } else { Word::None };
        }
    }

    /// Returns whether white space may be added or left out here.
    pub(super) fn is_between_tokens(&self) -> bool {
        !self.in_string
    }

    /// Notes that white space was left out.
    pub(super) fn leave_out(&mut self) {
        if self.word == Word::Open {
            self.word = Word::Closed;
        }
    }

    /// Forgets that white space was left out.
    pub(super) fn forget_left_out(&mut self) {
        if self.word == Word::Closed {
            self.word = Word::Open;
        }
    }

    /// Returns whether `next` would join a number or word after which white space was left out.
    pub(super) fn would_join(&self, next: u8) -> bool {
        self.word == Word::Closed && is_of_word(next)
    }
}

/// Returns whether this is a white space character of JSON.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}
