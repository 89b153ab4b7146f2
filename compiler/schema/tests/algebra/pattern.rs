//! Patterns, each with an equivalent predicate in Rust: nothing here asks `ogc-regular` for the meaning of a pattern.

/// A pattern and its meaning.
type Pattern = (&'static str, fn(&str) -> bool);

pub(crate) const PATTERNS: &[Pattern] = &[
    ("^a", |text| text.starts_with('a')),
    ("b", |text| text.contains('b')),
    ("b$", |text| text.ends_with('b')),
    ("^[ab]$", |text| text == "a" || text == "b"),
    ("^a*$", |text| text.chars().all(|letter| letter == 'a')),
    ("^(ab)*$", |text| text.replace("ab", "").is_empty()),
    ("^(a|bb|)$", |text| ["a", "bb", ""].contains(&text)),
    ("^(a|bbb)$", |text| text == "a" || text == "bbb"),
    ("^.{2}$", |text| text.chars().count() == 2),
    ("^[^b]*$", |text| !text.contains('b')),
    ("^$", str::is_empty),
    ("", |_| true),
];

/// Whether a text matches one of the patterns above.
pub(crate) fn matches(pattern: &str, text: &str) -> bool {
    let known = PATTERNS.iter().find(|(known, _)| *known == pattern);
    known.expect("a pattern with a predicate").1(text)
}
