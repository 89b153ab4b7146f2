//! Reads JSON strings: from the opening quote to the closing one, with escapes resolved.

use always_assert::never;

use super::parse::{Failure, Reader};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::span::Span;

impl Reader<'_> {
    /// Reads a string whose opening quote is at the reader's offset.
    pub(super) fn string(&mut self) -> Result<String, Failure> {
        let open = self.at;
        self.at += 1;
        let plain = self.at;
        self.skip_plain();
        if self.peek() == Some(b'"') {
            let text = self.slice(plain, self.at).to_owned();
            self.at += 1;
            return Ok(text);
        }
        self.escaped_string(open, plain)
    }

    fn escaped_string(&mut self, open: usize, plain: usize) -> Result<String, Failure> {
        let mut text = self.slice(plain, self.at).to_owned();
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(text);
                }
                Some(b'\\') => text.push(self.escape()?),
                Some(b'\n' | b'\r') if self.is_balanced_behind() => return Err(self.unclosed(open)),
                Some(control) => return Err(self.control(control)),
                None => return Err(self.unclosed(open)),
            }
            let start = self.at;
            self.skip_plain();
            text.push_str(self.slice(start, self.at));
        }
    }

    /// Moves to the next quote, backslash or control character, or to the end.
    fn skip_plain(&mut self) {
        let rest = self.rest();
        let special = |b: &u8| *b == b'"' || *b == b'\\' || *b < 0x20;
        self.at += rest.iter().position(special).unwrap_or(rest.len());
    }

    fn escape(&mut self) -> Result<char, Failure> {
        let start = self.at;
        let letter = self.bytes.get(start + 1).copied();
        self.at += 2;
        Ok(match letter {
            Some(plain @ (b'"' | b'\\' | b'/')) => char::from(plain),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(start),
            _ => {
                self.at = start + 1;
                return Err(self.unknown_escape(start));
            }
        })
    }

    fn unicode_escape(&mut self, start: usize) -> Result<char, Failure> {
        let first = self.hex4(start)?;
        if let Some(plain) = char::from_u32(first) {
            return Ok(plain);
        }
        if first < 0xDC00 && self.bytes.get(self.at..self.at + 2) == Some(b"\\u") {
            let resume = self.at;
            self.at += 2;
            let second = self.hex4(resume)?;
            if (0xDC00..0xE000).contains(&second) {
                let code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
                return Ok(char::from_u32(code).unwrap_or_else(|| {
                    never!("the surrogates {:X} and {:X} make no character", first, second);
                    char::REPLACEMENT_CHARACTER
                }));
            }
            self.at = resume;
        }
        self.lone_surrogate(start);
        Ok(char::REPLACEMENT_CHARACTER)
    }

    fn hex4(&mut self, start: usize) -> Result<u32, Failure> {
        let mut code = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|b| char::from(b).to_digit(16));
            code = code * 16 + digit.ok_or_else(|| self.unknown_escape(start))?;
            self.at += 1;
        }
        Ok(code)
    }

    fn lone_surrogate(&mut self, start: usize) {
        let span = Span::of(start, self.at);
        let message = format!("`{}` is half of a surrogate pair and no character", span.text(self.text));
        let help = "write both halves, as in `\\uD83D\\uDE00`, or the character itself";
        self.sink.push(Diagnostic::error(Code::JsonLoneSurrogate, span, message).help(help));
    }

    fn unknown_escape(&self, start: usize) -> Failure {
        let end = self.char_end(self.at);
        let help = "JSON knows \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four hexadecimal digits";
        Failure::new(Code::JsonEscape, Span::of(start, end), "not an escape of JSON").help(help)
    }

    fn control(&self, control: u8) -> Failure {
        let message = format!("the control character U+{control:04X} stands bare in a string");
        let help = format!("write it as `\\u{control:04x}`");
        Failure::new(Code::JsonControl, Span::of(self.at, self.at + 1), message).help(help)
    }

    /// Returns whether the quotes behind this place pair up, so that none of them closes this string.
    fn is_balanced_behind(&self) -> bool {
        let (mut quotes, mut escaped) = (0_usize, false);
        for byte in self.rest() {
            quotes += usize::from(*byte == b'"' && !escaped);
            escaped = *byte == b'\\' && !escaped;
        }
        quotes.is_multiple_of(2)
    }

    fn unclosed(&self, open: usize) -> Failure {
        Failure::new(Code::JsonUnclosed, Span::of(open, open + 1), "this string has no closing quote")
    }
}
