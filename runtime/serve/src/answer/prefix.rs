//! Decides whether prefixes of a growing text are whole texts of its format.

use ogc_runtime::matcher::Matcher;

/// A matcher that follows a growing text. Queries only move forward, so that each byte is read once, however many queries there are.
#[derive(Debug)]
pub(crate) struct Prefix {
    matcher: Matcher,
    /// Number of bytes that were read.
    len: usize,
}

impl Prefix {
    /// Begins at the matcher's position, which is the beginning of a text.
    pub(crate) fn new(matcher: Matcher) -> Self {
        Self { matcher, len: 0 }
    }

    /// Returns whether `text` is a whole text of the format. Each queried text must extend the previous one.
    pub(crate) fn is_whole(&mut self, text: &str) -> bool {
        let Some(more) = text.as_bytes().get(self.len..) else { return false };
        if self.matcher.accept_bytes(more).is_err() {
            return false;
        }
        self.len = text.len();
        self.matcher.is_complete()
    }
}
