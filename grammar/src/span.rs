//! Spans: places in a source text. Every tree, diagnostic and editor feature uses these coordinates.

use std::fmt;
use std::slice::SliceIndex;

use always_assert::never;

/// A half-open range of byte offsets into one source text.
///
/// Invariant: `start <= end`, and both lie on character boundaries of the text the span was made for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// Returns the span from `start` to `end`; an `end` before `start` counts as `start`.
    #[must_use]
    pub fn new(start: u32, end: u32) -> Span {
        Span { start, end: end.max(start) }
    }

    /// Returns the empty span at `offset`.
    #[must_use]
    pub fn empty(offset: u32) -> Span {
        Span { start: offset, end: offset }
    }

    /// Returns the span between two offsets of a text whose length fits in 32 bits; greater offsets are clamped.
    #[must_use]
    pub fn of(start: usize, end: usize) -> Span {
        Span::new(narrow(start), narrow(end))
    }

    /// Returns the smallest span that covers both.
    #[must_use]
    pub fn merge(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Moves the span by `base` bytes, for a text that follows `base` bytes of a larger text.
    #[must_use]
    pub fn shifted(self, base: u32) -> Span {
        Span { start: self.start.saturating_add(base), end: self.end.saturating_add(base) }
    }

    /// Returns the number of bytes.
    #[must_use]
    pub fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// Returns whether the span contains no bytes.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Returns the text of the span; empty if the span is not one of `source`.
    #[must_use]
    pub fn text(self, source: &str) -> &str {
        source.get(self.start as usize..self.end as usize).unwrap_or("")
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// A value and the place where it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Place of the value.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// Joins a value with its place.
    pub fn new(value: T, span: Span) -> Spanned<T> {
        Spanned { value, span }
    }
}

/// Returns the part of a text in a range. The caller ensures that both ends of the range are character boundaries of
/// the text. For any other range, which is a bug in the program, the part is empty.
///
/// ```
/// assert_eq!(ogc_grammar::span::part("key = 1", 6..), "1");
/// ```
#[must_use]
pub fn part<R>(text: &str, range: R) -> &str
where
    R: SliceIndex<str, Output = str> + Clone + fmt::Debug,
{
    let Some(part) = text.get(range.clone()) else {
        never!("{:?} is no part of a text of {} bytes", range, text.len());
        return "";
    };
    part
}

fn narrow(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::Span;

    #[test]
    fn spans_have_length_merge_and_slice_text() {
        let span = Span::new(1, 3);
        assert_eq!((span.len(), span.text("abcd")), (2, "bc"));
        assert_eq!(span.merge(Span::new(5, 9)), Span::new(1, 9));
        assert_eq!(Span::new(7, 9).text("short"), "");
        assert_eq!(Span::new(2, 3).text("aé"), "", "inside a character");
        assert!(Span::new(4, 2).is_empty());
    }
}
