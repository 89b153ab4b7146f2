//! The text of tokens: a character is added once all of its bytes are known.

/// The text so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Text {
    text: String,
    /// The bytes of a character that is not complete.
    rest: Vec<u8>,
}

impl Text {
    /// Adds bytes; bytes that are not UTF-8 are replaced.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        self.rest.extend_from_slice(bytes);
        while !self.rest.is_empty() {
            let (good, bad) = match std::str::from_utf8(&self.rest) {
                Ok(text) => (text.len(), 0),
                Err(error) => (error.valid_up_to(), error.error_len().unwrap_or(0)),
            };
            self.text.push_str(&String::from_utf8_lossy(&self.rest[..good + bad]));
            self.rest.drain(..good + bad);
            if bad == 0 {
                break;
            }
        }
    }

    /// Ends the text; the bytes of a character that is not complete are replaced.
    pub(super) fn end(&mut self) {
        self.text.push_str(&String::from_utf8_lossy(&self.rest));
        self.rest.clear();
    }

    /// Returns the characters that are complete.
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(parts: &[&[u8]], expected: &[&str], whole: &str) {
        let mut text = Text::default();
        for (part, expected) in parts.iter().zip(expected) {
            text.add(part);
            assert_eq!(text.as_str(), *expected);
        }
        text.end();
        assert_eq!(text.as_str(), whole);
    }

    #[test]
    fn shown_text_ends_at_whole_characters() {
        check(&[b"a\xc3", b"\xa9b", b"c"], &["a", "a\u{e9}b", "a\u{e9}bc"], "a\u{e9}bc");
        check(&[b"\xf0\x9f", b"\x98", b"\x80"], &["", "", "\u{1f600}"], "\u{1f600}");
        check(
            &[b"a\xffb\xff", b"c\xc3"],
            &["a\u{fffd}b\u{fffd}", "a\u{fffd}b\u{fffd}c"],
            "a\u{fffd}b\u{fffd}c\u{fffd}",
        );
    }
}
