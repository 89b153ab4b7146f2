//! Finds the part of a pattern that makes it match no text.

use super::ast::Span;

/// Returns the first part of a pattern that hardly any text can match in its position, and advice: an empty class, text
/// after `$` or before `^`, or a lookahead at the end.
///
/// ```
/// use ogc_regular::pattern::empty_part;
/// assert_eq!(empty_part("a[]{3}").map(|(place, _)| place), Some(1..3));
/// assert_eq!(empty_part("a$^").map(|(place, _)| place), Some(1..2));
/// assert_eq!(empty_part("a(?=b)").map(|(place, _)| place), Some(1..6));
/// assert_eq!(empty_part("^(?:^a$|[^]$)(?=b)b"), None);
/// ```
#[must_use]
pub fn empty_part(pattern: &str) -> Option<(Span, &'static str)> {
    // With the flag `m`, `^` and `$` match at line ends.
    if pattern.contains("(?m") {
        return None;
    }
    let (mut escaped, mut in_class, mut begins) = (false, false, true);
    let mut look: Option<usize> = None;
    let mut at = 0;
    while let Some(c) = pattern.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = &pattern[at..];
        let behind = &rest[c.len_utf8()..];
        let (is_plain, is_end) = (!escaped && !in_class, !escaped && in_class && c == ']');
        escaped = c == '\\' && !escaped;
        match c {
            '[' if is_plain && behind.starts_with(']') => return Some((at..at + 2, EMPTY_CLASS)),
            '[' if is_plain => in_class = true,
            ']' if is_end => in_class = false,
            '$' if is_plain && !behind.is_empty() && !behind.starts_with([')', '|']) => {
                return Some((at..at + 1, EARLY_END));
            }
            '^' if is_plain && !begins => return Some((at..at + 1, LATE_START)),
            ')' if is_plain && matches!(behind, "" | "$") => {
                return look.map(|start| (start..at + 1, LOOKAHEAD));
            }
            ')' if is_plain => look = None,
            _ => {}
        }
        let head = if c == '(' && is_plain { group_head(behind) } else { 0 };
        if c == '(' && is_plain {
            look = behind.starts_with("?=").then_some(at);
        }
        begins = is_plain && (matches!(c, '(' | '|') || c == '^' && begins);
        at += c.len_utf8() + head;
    }
    None
}

const EMPTY_CLASS: &str =
    "`[]` is a class without characters: write those that are meant, or `\\[\\]` for the two brackets";
const EARLY_END: &str = "the text ends at `$`: remove it, or write `\\$` for the character";
const LATE_START: &str = "the text begins at `^`: remove it, or write `\\^` for the character";
const LOOKAHEAD: &str =
    "nothing follows the end of the text, where this looks: remove it, or write what follows into the pattern";

/// Returns the length of the characters after `(` that tell the kind of a group.
fn group_head(behind: &str) -> usize {
    if !behind.starts_with('?') {
        return 0;
    }
    behind.find([':', '=', '!', '>', ')']).map_or(0, |end| if behind[end..].starts_with(')') { 0 } else { end + 1 })
}
