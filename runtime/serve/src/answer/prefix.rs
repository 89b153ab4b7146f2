//! Whether beginnings of a text that grows are whole texts of its format.

use ogc_runtime::matcher::Matcher;

/// A matcher that follows a text at places that only go forward, so that each byte is read once however often it is asked.
#[derive(Debug)]
pub(crate) struct Prefix {
    matcher: Matcher,
    /// The bytes that were read.
    len: usize,
}

impl Prefix {
    /// Begins at the matcher's place, which is the beginning of a text.
    pub(crate) fn new(matcher: Matcher) -> Self {
        Self { matcher, len: 0 }
    }

    /// Returns whether a text is a whole one of the format. It goes on from the texts that were asked for before.
    pub(crate) fn is_whole(&mut self, text: &str) -> bool {
        let Some(more) = text.as_bytes().get(self.len..) else { return false };
        if self.matcher.accept_bytes(more).is_err() {
            return false;
        }
        self.len = text.len();
        self.matcher.is_complete()
    }
}
