//! Texts in quotes that were certainly meant as patterns.

use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::rules::{ExprKind, Grammar};
use crate::span::Span;

/// Returns the pattern that a text was certainly meant as: it has a quantified class with a range, a quantified class
/// escape, or anchors at both ends. The result leaves out slashes around the text, and anchors at both ends, because a
/// pattern matches as a whole.
///
/// ```
/// use ogc_grammar::doubts::meant_pattern;
/// assert_eq!(meant_pattern("/[a-z]+/"), Some("[a-z]+"));
/// assert_eq!(meant_pattern(r"^\d{4}$"), Some(r"\d{4}"));
/// assert_eq!(meant_pattern("C++ [1-2]"), None);
/// ```
#[must_use]
pub fn meant_pattern(text: &str) -> Option<&str> {
    // `"/[a-z]+/"`: a regex literal with its slashes, in quotes.
    let bare = text.strip_prefix('/').and_then(|inner| inner.strip_suffix('/'));
    let text = bare.filter(|inner| !inner.ends_with('\\') && has_quantified_class(inner)).unwrap_or(text);
    let inner = text.strip_prefix('^').and_then(|inner| inner.strip_suffix('$'));
    let inner = inner.filter(|inner| !inner.ends_with('\\') && !inner.is_empty());
    let is_meant = inner.is_some() || has_quantified_class(text);
    // In `^a|b$`, each anchor belongs to one alternative only.
    is_meant.then(|| inner.filter(|inner| !inner.contains('|')).unwrap_or(text))
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

/// The way in which a notation writes patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PatternSigns {
    /// Between slashes, as in Lark.
    Slashes,
    /// Classes and repetition signs without quotes, as in GBNF.
    Classes,
    /// Values of characters, as in ABNF.
    Values,
    /// Alternatives of characters, as in ISO 14977.
    Alternatives,
}

impl PatternSigns {
    /// Returns a warning if `text`, the content of the quotes at `place`, was probably meant as a pattern.
    pub(crate) fn warning(self, text: &str, place: Span) -> Option<Diagnostic> {
        let pattern = meant_pattern(text)?;
        let help = match self {
            PatternSigns::Slashes => format!("write `/{}/`", pattern.replace("\\/", "/").replace('/', "\\/")),
            PatternSigns::Classes if is_classes(pattern) => format!("write `{pattern}`, without quotes"),
            PatternSigns::Classes => {
                "write classes without quotes, and the texts between them in quotes: `[0-9]+ \"-\" [a-z]+`".to_owned()
            }
            PatternSigns::Values => {
                "write ranges by numbers, and repetition in front: `1*%x61-7A` for `[a-z]+`; `DIGIT` and `ALPHA` are known".to_owned()
            }
            PatternSigns::Alternatives => {
                "write characters as alternatives, and repetition in braces: `digit, { digit }`; the W3C's EBNF has classes, `[0-9]+`".to_owned()
            }
        };
        let message = "this is a text of these characters, and reads like a pattern";
        Some(Diagnostic::warning(Code::QuotedPattern, place, message).help(help))
    }
}

/// Returns whether a pattern is classes with repetition signs, which GBNF and the W3C's EBNF write the same way.
fn is_classes(pattern: &str) -> bool {
    let mut rest = pattern;
    while let Some(inside) = rest.strip_prefix('[') {
        let Some((_, behind)) = inside.split_once(']') else { return false };
        let behind = behind.trim_start_matches(['+', '*', '?']);
        let count = behind.strip_prefix('{').and_then(|count| count.split_once('}'));
        rest = count.map_or(behind, |(_, behind)| behind);
    }
    rest.is_empty() && !pattern.contains('\\')
}

/// Returns warnings about the texts of a grammar that were meant as patterns; `text` is the grammar as it is written.
pub(crate) fn quoted_patterns(grammar: &Grammar, text: &str, signs: PatternSigns) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for rule in &grammar.rules {
        rule.body.walk(&mut |expr| {
            let ExprKind::Literal(_) = &expr.kind else { return };
            // A name directly before it is a mark of a program, `r"..."`, which has a finding of its own.
            let before = text.get(..expr.span.start as usize).unwrap_or_default();
            if before.ends_with(|c: char| c.is_alphanumeric()) {
                return;
            }
            // A group has the span of its parentheses.
            let written = expr.span.text(text).trim_matches(|c: char| matches!(c, '(' | ')') || c.is_whitespace());
            let inside = written.strip_prefix(['"', '\'']).and_then(|rest| rest.strip_suffix(['"', '\'']));
            found.extend(inside.and_then(|inside| signs.warning(&inside.replace("\\\\", "\\"), expr.span)));
        });
    }
    found
}
