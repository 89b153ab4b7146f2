//! Distinguishes strings that were certainly meant as patterns from other texts.

use super::literal::slash;
use crate::doubts::meant_pattern;

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
    meant_pattern(text).map(slash)
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
