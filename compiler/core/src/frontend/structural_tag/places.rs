//! Maps places in the `.ogc` text of a structural tag to places in the tag.

use ogc_grammar::Span;

/// The mapping of places in an inner text to the text around it. The outer text contains the inner text verbatim, or in
/// a JSON string.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartPlaces {
    /// Span of the inner text in the outer text.
    whole: Span,
    /// Pairs of an offset in the inner text and the same place's offset in the outer text. Between two marks, both
    /// offsets grow alike.
    marks: Vec<(u32, u32)>,
}

impl PartPlaces {
    /// Returns the mapping of a text that the outer text contains verbatim.
    #[must_use]
    pub fn plain(span: Span) -> Self {
        Self { whole: span, marks: vec![(0, span.start)] }
    }

    /// Returns the mapping of a text in a JSON string; `source` is the string with its quotes.
    #[must_use]
    pub fn in_string(source: &str, span: Span) -> Self {
        let mut marks = vec![(0, span.start + 1)];
        let (mut read, mut written) = (1usize, 0usize);
        let end = source.len().saturating_sub(1);
        while read < end {
            let rest = source.get(read..end).unwrap_or_default();
            let (from, to) = match rest.as_bytes().first() {
                Some(b'\\') => escaped(rest),
                _ => {
                    let len = rest.chars().next().map_or(1, char::len_utf8);
                    (len, len)
                }
            };
            (read, written) = (read + from, written + to);
            if from != to {
                marks.push((written as u32, span.start + read as u32));
            }
        }
        Self { whole: span, marks }
    }

    /// Maps a span of the inner text to the outer text.
    #[must_use]
    pub fn outside(&self, span: Span) -> Span {
        let at = |offset: u32| {
            let before = self.marks.partition_point(|(inside, _)| *inside <= offset);
            let (inside, outside) = before.checked_sub(1).map_or((0, self.whole.start), |at| self.marks[at]);
            (outside + (offset - inside)).min(self.whole.end)
        };
        Span::new(at(span.start), at(span.end))
    }
}

/// Returns the length of an escape, and of the character that it stands for, both in bytes.
fn escaped(rest: &str) -> (usize, usize) {
    let unit = |at: usize| rest.get(at..at + 4).and_then(|digits| u32::from_str_radix(digits, 16).ok());
    if rest.as_bytes().get(1) != Some(&b'u') {
        return (2.min(rest.len()), 1);
    }
    match unit(2) {
        Some(0xd800..=0xdbff) if unit(8).is_some_and(|low| (0xdc00..0xe000).contains(&low)) => (12, 4),
        Some(code) => (6, char::from_u32(code).map_or(3, char::len_utf8)),
        None => (2.min(rest.len()), 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_within_json_strings_account_for_escapes() {
        let source = r#""a\n\u00e9\ud83d\ude00bc""#;
        let text = "a\né😀bc";
        let places = PartPlaces::in_string(source, Span::of(10, 10 + source.len()));
        for (inside, outside) in [("a", "a"), ("\n", r"\n"), ("é", r"\u00e9"), ("😀", r"\ud83d\ude00"), ("bc", "bc")]
        {
            let at = text.find(inside).expect("it is there");
            let there = source.find(outside).expect("it is there") + 10;
            let span = places.outside(Span::of(at, at + inside.len()));
            assert_eq!(span, Span::of(there, there + outside.len()), "{inside:?}");
        }
    }
}
