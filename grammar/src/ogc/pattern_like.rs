//! Distinguishes strings that were certainly meant as patterns from other texts.

use super::literal::slash;

/// Returns the regex literal that a string was certainly meant as. The string has a quantified class with a range, a
/// quantified class escape, or anchors at both ends. The literal leaves out anchors at both ends, because a regex
/// matches as a whole, and slashes around the string.
///
/// ```
/// use ogc_grammar::ogc::meant_regex;
/// assert_eq!(meant_regex("[a-z]+").as_deref(), Some("/[a-z]+/"));
/// assert_eq!(meant_regex(r"^\d{4}/\d{2}$").as_deref(), Some(r"/\d{4}\/\d{2}/"));
/// assert_eq!(meant_regex("/[a-z]+/").as_deref(), Some("/[a-z]+/"));
/// assert_eq!(meant_regex("C++ [1-2]"), None);
/// ```
#[must_use]
pub fn meant_regex(text: &str) -> Option<String> {
    // `"/[a-z]+/"`: a regex literal with its slashes, in quotes.
    let bare = text.strip_prefix('/').and_then(|inner| inner.strip_suffix('/'));
    let text = bare.filter(|inner| !inner.ends_with('\\') && has_quantified_class(inner)).unwrap_or(text);
    let inner = text.strip_prefix('^').and_then(|inner| inner.strip_suffix('$'));
    let inner = inner.filter(|inner| !inner.ends_with('\\') && !inner.is_empty());
    let is_meant = inner.is_some() || has_quantified_class(text);
    // `^a|b$` has an anchor in each alternative.
    let pattern = inner.filter(|inner| !inner.contains('|')).unwrap_or(text);
    is_meant.then(|| slash(pattern))
}

/// Returns whether a class such as `[a-z]` or `\d` stands before `+`, `*` or `{n}`.
fn has_quantified_class(text: &str) -> bool {
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let class = match first {
            '\\' => rest.get(2..).filter(|_| rest[1..].starts_with(['d', 'w', 's'])),
            '[' => behind_range(&rest[1..]),
            _ => None,
        };
        if class.is_some_and(is_quantifier) {
            return true;
        }
        let skipped = if first == '\\' { 2 } else { 1 };
        rest = rest.char_indices().nth(skipped).map_or("", |(at, _)| &rest[at..]);
    }
    false
}

/// Returns the text after a class that begins before `text`, if the class has a range of letters or digits.
fn behind_range(text: &str) -> Option<&str> {
    let end = text.find(']')?;
    let letters: Vec<char> = text[..end].chars().collect();
    let is_range = |range: &[char]| {
        let (low, high) = (range[0], range[2]);
        range[1] == '-' && low.is_ascii_alphanumeric() && high.is_ascii_alphanumeric() && low < high
    };
    let ranges = letters.windows(3).any(is_range) || text[..end].contains("\\d") || text[..end].contains("\\w");
    ranges.then(|| &text[end + 1..])
}

fn is_quantifier(text: &str) -> bool {
    let counted = text.strip_prefix('{').and_then(|count| count.split_once('}'));
    let counted = counted.is_some_and(|(count, _)| {
        count.starts_with(|c: char| c.is_ascii_digit()) && count.chars().all(|c| c.is_ascii_digit() || c == ',')
    });
    counted || text.starts_with(['+', '*'])
}

#[cfg(test)]
mod tests {
    use super::meant_regex;

    #[test]
    fn strings_with_a_quantified_class_or_both_anchors_are_patterns() {
        for pattern in [
            "[a-z]+",
            "[A-Z][a-z]*",
            r"\d{4}-\d{2}",
            r"\w+@\w+\.com",
            "[a-zA-Z0-9_]{1,5}",
            r"[\d.]+",
            r"(a|[0-9]+)x",
            "^abc$",
            "^a|b$",
            r"é[a-z]+",
        ] {
            assert!(meant_regex(pattern).is_some(), "{pattern}");
        }
    }

    #[test]
    fn other_strings_are_not_patterns() {
        for text in [
            "",
            "abc",
            "a+b",
            "C++",
            "[x]",
            "[1-2]",
            "(optional)",
            "a.b",
            "yes|no",
            "$",
            "^",
            "^$",
            "{1,2}",
            "a*",
            r"C:\data\docs",
            "[TODO]*",
            "- [ ] task",
            "[a-z]",
            "[z-a]+",
            "x[]",
            "[",
            r"\",
            "price: $5",
            "é[",
        ] {
            assert_eq!(meant_regex(text), None, "{text}");
        }
    }
}
