//! Corrections of findings, as data: edits of a text. A reader offers a correction only where the intent is obvious.

use crate::line_ends::LineEnds;
use crate::span::{Span, part};

/// A correction of one finding: edits that are applied together or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix<P = Span> {
    /// Effect of the correction in the imperative: "write `=`".
    pub label: String,
    /// Places and their new texts. The places do not overlap; an empty place is an insertion.
    pub edits: Vec<(P, String)>,
}

impl<P> Fix<P> {
    /// Makes a correction of one place.
    pub fn new(label: impl Into<String>, span: P, text: impl Into<String>) -> Self {
        Fix { label: label.into(), edits: vec![(span, text.into())] }
    }

    /// Makes a correction that replaces a word by `text`, which was probably meant.
    pub fn instead(span: P, text: impl Into<String>) -> Self {
        let text = text.into();
        Fix::new(format!("write `{text}`"), span, text)
    }

    /// Adds an edit that writes `text` at one more place.
    #[must_use]
    pub fn and(mut self, span: P, text: impl Into<String>) -> Self {
        self.edits.push((span, text.into()));
        self
    }

    /// Converts all places by `place`, which knows each of them.
    #[must_use]
    pub fn map_places<Q>(&self, mut place: impl FnMut(&P) -> Q) -> Fix<Q> {
        let edits = self.edits.iter().map(|(at, text)| (place(at), text.clone())).collect();
        Fix { label: self.label.clone(), edits }
    }

    /// Converts all places by `place`; `None` if one of them cannot be converted.
    #[must_use]
    pub fn placed<Q>(&self, mut place: impl FnMut(&P) -> Option<Q>) -> Option<Fix<Q>> {
        let edits = self.edits.iter().map(|(at, text)| Some((place(at)?, text.clone()))).collect::<Option<_>>()?;
        Some(Fix { label: self.label.clone(), edits })
    }
}

impl Fix {
    /// Extends the correction to begin at `start`, without an edit of the text there.
    #[must_use]
    pub fn about(self, start: u32) -> Fix {
        self.and(Span::empty(start), "")
    }

    /// Moves all places by `base` bytes, for a text that follows `base` bytes of a larger text.
    #[must_use]
    pub fn shifted(mut self, base: u32) -> Fix {
        self.edits.iter_mut().for_each(|(span, _)| *span = span.shifted(base));
        self
    }
}

/// Applies corrections in their order; returns the text, and the indexes of those that were applied.
///
/// A correction that overlaps an earlier one, or inserts at the same place, is not applied; it can be applied after the
/// text is read again. A correction with a place outside of the text is not applied either.
///
/// ```
/// use ogc_grammar::{Fix, Span, fix::apply};
/// let fixes = [Fix::new("write `=`", Span::new(6, 7), " ="), Fix::new("again", Span::new(6, 7), "?")];
/// assert_eq!(apply("type A: int", fixes.iter()), ("type A = int".to_owned(), vec![0]));
/// ```
#[must_use]
pub fn apply<'f>(text: &str, fixes: impl Iterator<Item = &'f Fix>) -> (String, Vec<usize>) {
    let mut edits: Vec<&(Span, String)> = Vec::new();
    let mut applied = Vec::new();
    for (at, fix) in fixes.enumerate() {
        let free =
            fix.edits.iter().all(|(span, _)| fits(text, *span) && !edits.iter().any(|(other, _)| touch(*span, *other)));
        if free && !fix.edits.is_empty() {
            edits.extend(&fix.edits);
            applied.push(at);
        }
    }
    edits.sort_by_key(|(span, _)| *span);
    (written(text, &edits), applied)
}

fn fits(text: &str, span: Span) -> bool {
    text.get(span.start as usize..span.end as usize).is_some()
}

/// Returns whether the result of two edits depends on their order.
fn touch(one: Span, two: Span) -> bool {
    one.start < two.end && two.start < one.end || one.start == two.start
}

/// Applies edits that do not overlap, in order of place. New lines get the line ends of the text.
fn written(text: &str, edits: &[&(Span, String)]) -> String {
    let mut out = String::with_capacity(text.len());
    let line_ends = LineEnds::of(text);
    let mut at = 0;
    for (span, new) in edits {
        out.push_str(part(text, at as usize..span.start as usize));
        out.push_str(&line_ends.written(new));
        at = span.end;
    }
    out.push_str(part(text, at as usize..));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(text: &str, fixes: &[Fix]) -> (String, usize) {
        let (text, applied) = apply(text, fixes.iter());
        (text, applied.len())
    }

    #[test]
    fn new_lines_end_as_those_of_the_file() {
        let fix = [Fix::new("add a type", Span::empty(14), "type B = int\n")];
        assert_eq!(applied("type A = int\r\n", &fix).0, "type A = int\r\ntype B = int\r\n");
        assert_eq!(applied("type A = int \n", &fix).0, "type A = int \ntype B = int\n");
    }

    #[test]
    fn edits_are_written_from_any_order() {
        let both = Fix::new("", Span::new(4, 5), ">").and(Span::new(1, 2), "<");
        assert_eq!(applied("a(b,)c", &[both, Fix::new("", Span::empty(6), "!")]), ("a<b,>c!".to_owned(), 2));
    }

    #[test]
    fn fixes_that_overlap_or_exceed_the_text_are_skipped() {
        let first = Fix::new("", Span::new(1, 3), "x");
        let second = Fix::new("", Span::empty(0), "y").and(Span::new(2, 4), "z");
        assert_eq!(applied("abcd", &[first, second]), ("axd".to_owned(), 1));
        assert_eq!(applied("é", &[Fix::new("", Span::new(1, 1), "x"), Fix::new("", Span::new(0, 9), "x")]).1, 0);
        let inserts = [Fix::new("", Span::empty(1), "x"), Fix::new("", Span::empty(1), "y")];
        assert_eq!(applied("ab", &inserts), ("axb".to_owned(), 1));
    }
}
