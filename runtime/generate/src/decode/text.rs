//! Shows a text piece by piece: a character is shown when all of its bytes are there.

use std::ops::ControlFlow;

/// The text so far, and who is shown its pieces.
pub(super) struct Pieces<F> {
    show: F,
    text: String,
    /// The bytes of a character that is not complete.
    rest: Vec<u8>,
}

impl<F: FnMut(&str) -> ControlFlow<()>> Pieces<F> {
    pub(super) fn new(show: F) -> Self {
        Self { show, text: String::new(), rest: Vec::new() }
    }

    /// Adds bytes, and shows the characters that are complete.
    pub(super) fn add(&mut self, bytes: &[u8]) -> ControlFlow<()> {
        self.rest.extend_from_slice(bytes);
        let shown = self.text.len();
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
        match &self.text[shown..] {
            "" => ControlFlow::Continue(()),
            piece => (self.show)(piece),
        }
    }

    /// Returns the text; bytes that are no characters are replaced.
    pub(super) fn finish(mut self) -> String {
        self.text.push_str(&String::from_utf8_lossy(&self.rest));
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(parts: &[&[u8]], expected: &[&str], whole: &str) {
        let mut shown = Vec::new();
        let mut pieces = Pieces::new(|piece: &str| {
            shown.push(piece.to_owned());
            ControlFlow::Continue(())
        });
        for part in parts {
            assert!(pieces.add(part).is_continue());
        }
        assert_eq!(pieces.finish(), whole);
        assert_eq!(shown, expected);
    }

    #[test]
    fn characters_are_shown_whole() {
        check(&[b"a\xc3", b"\xa9b", b"c"], &["a", "\u{e9}b", "c"], "a\u{e9}bc");
        check(&[b"\xf0\x9f", b"\x98", b"\x80"], &["\u{1f600}"], "\u{1f600}");
        check(&[b"a\xffb\xff", b"c\xc3"], &["a\u{fffd}b\u{fffd}", "c"], "a\u{fffd}b\u{fffd}c\u{fffd}");
    }

    #[test]
    fn the_caller_can_stop() {
        let mut pieces = Pieces::new(|_: &str| ControlFlow::Break(()));
        assert!(pieces.add(b"a").is_break());
    }
}
