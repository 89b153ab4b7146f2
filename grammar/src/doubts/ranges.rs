//! Ranges of characters whose members differ from what they seem to be.

use std::ops::Range;

use super::Doubt;
use super::classes::posix;
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::rules::{Expr, ExprKind, Grammar};
use crate::span::part;

/// Returns the first part of a pattern that looks like a range or count and is not, or is a surprising one: `[a–z]` is
/// three characters, `[A-z]` includes signs, `[0-9]{a}` has no count.
///
/// ```
/// use ogc_grammar::doubts::class_doubt;
/// assert_eq!(class_doubt("x[a–z]+").map(|doubt| doubt.place), Some(2..7));
/// assert_eq!(class_doubt("x[A-z]+").map(|doubt| doubt.place), Some(2..5));
/// assert_eq!(class_doubt("[0-9]{a}").map(|doubt| doubt.place), Some(5..8));
/// assert_eq!(class_doubt("[a-z–] – [–_]{2}A-z"), None);
/// ```
#[must_use]
pub fn class_doubt(pattern: &str) -> Option<Doubt> {
    let (mut escaped, mut in_class) = (false, false);
    let mut chars = pattern.char_indices();
    while let Some((start, c)) = chars.next() {
        let behind = chars.as_str();
        let found = match c {
            _ if escaped => None,
            '[' if !in_class => posix_alone(part(pattern, start..), start),
            ']' | ')' => None,
            _ if in_class => member_doubt(c, behind, start),
            _ => None,
        };
        let ends_item = !escaped && (in_class && c == ']' || !in_class && c == ')');
        let found = found.or_else(|| ends_item.then(|| count_doubt(behind, pattern.len() - behind.len())).flatten());
        if found.is_some() {
            return found;
        }
        in_class = if escaped { in_class } else { c == '[' || in_class && c != ']' };
        escaped = c == '\\' && !escaped;
    }
    None
}

/// Returns the doubt about a member of a class and the text after it.
fn member_doubt(first: char, behind: &str, start: usize) -> Option<Doubt> {
    let mut next = behind.chars();
    let (dash, last) = (next.next()?, next.next()?);
    let place = start..start + first.len_utf8() + dash.len_utf8() + last.len_utf8();
    if dash == '-' && last == '\\' && first.is_ascii_alphanumeric() {
        let set = next.next().filter(|set| matches!(set, 'd' | 'w' | 's' | 'D' | 'W' | 'S'))?;
        let message = format!("the hyphen before `\\{set}` is a character: a set of characters ends no range");
        let help = "write both ends, as in `0-9`; a hyphen that is meant is `\\-`".to_owned();
        return Some(Doubt { place: place.start..place.end + 1, message, help });
    }
    range_doubt(first, dash, last, place)
}

/// Returns the doubt about a class that consists of a POSIX name only, `[:alpha:]`.
fn posix_alone(rest: &str, start: usize) -> Option<Doubt> {
    let end = rest.find(']')?;
    posix(part(rest, ..end + 1)).map(|(message, help)| Doubt { place: start..start + end + 1, message, help })
}

/// Returns the doubt about braces after a class or group that are no count, and so stand for themselves.
fn count_doubt(behind: &str, start: usize) -> Option<Doubt> {
    let inside = behind.strip_prefix('{')?;
    let is_inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, ',' | ' ' | '-' | '.');
    let end = inside.find(|c| !is_inside(c)).filter(|end| part(inside, *end..).starts_with('}'))?;
    let inside = part(inside, ..end);
    let is_count = inside.starts_with(|c: char| c.is_ascii_digit())
        && inside.bytes().all(|byte| byte.is_ascii_digit() || byte == b',')
        && inside.matches(',').count() < 2;
    if is_count || inside.is_empty() || inside.starts_with(',') {
        return None;
    }
    let message = format!("`{{{inside}}}` counts nothing: it is these characters");
    let help = "a count is `{2}`, `{2,}` or `{2,5}`, without spaces; a brace as a character is `\\{`".to_owned();
    Some(Doubt { place: start..start + inside.len() + 2, message, help })
}

/// Returns the message and advice for a member of a class, a dash and the next member, if they look like a range.
pub(crate) fn range_doubt(first: char, dash: char, last: char, place: Range<usize>) -> Option<Doubt> {
    if dash == '-' {
        return (first.is_ascii_uppercase() && last.is_ascii_lowercase()).then(|| mixed_case(first, last, place));
    }
    (is_dash(dash) && is_range(first, last)).then(|| dashed(first, dash, last, place))
}

fn mixed_case(first: char, last: char, place: Range<usize>) -> Doubt {
    let message =
        format!("`{first}-{last}` holds `[`, `\\`, `]`, `^`, `_` and the backtick too: they stand between `Z` and `a`");
    Doubt { place, message, help: format!("write `{first}-Za-{last}`") }
}

fn dashed(first: char, dash: char, last: char, place: Range<usize>) -> Doubt {
    let message = format!(
        "`{first}{dash}{last}` is three characters: `{dash}` (U+{:04X}) is no hyphen and makes no range",
        u32::from(dash)
    );
    Doubt { place, message, help: format!("write `{first}-{last}`") }
}

fn is_dash(c: char) -> bool {
    matches!(c, '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}')
}

fn is_range(first: char, last: char) -> bool {
    first < last && first.is_alphanumeric() && last.is_alphanumeric() && first.is_numeric() == last.is_numeric()
}

/// Returns warnings about ranges between texts: `"a".."z"`, which is four items, and `"a" - "z"`, which is an `a`. A range is
/// written `[a-z]` if the notation has classes.
pub(crate) fn dotted_ranges(grammar: &Grammar, has_classes: bool) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let way_out = |low: char, high: char| match has_classes && low.is_alphanumeric() && high.is_alphanumeric() {
        true => format!("write `[{low}-{high}]` for the range"),
        false => "write the characters of the range as alternatives".to_owned(),
    };
    for rule in &grammar.rules {
        rule.body.walk(&mut |expr| match &expr.kind {
            ExprKind::Sequence(items) => {
                for four in items.windows(4) {
                    let [low, one, two, high] = four else { continue };
                    if let (Some(from), Some(to)) = (only_char(low), only_char(high))
                        && one.kind == ExprKind::Any
                        && two.kind == ExprKind::Any
                        && (one.span.len(), two.span.len(), one.span.end) == (1, 1, two.span.start)
                    {
                        let message = "`..` is any two characters here, and no range";
                        let place = low.span.merge(high.span);
                        found.push(Diagnostic::warning(Code::DoubtfulPattern, place, message).help(way_out(from, to)));
                    }
                }
            }
            ExprKind::Exception(kept, refused) => {
                if let (Some(from), Some(to)) = (only_char(kept), only_char(refused))
                    && from < to
                {
                    let message = "`-` takes a text away from another, and makes no range";
                    found.push(Diagnostic::warning(Code::DoubtfulPattern, expr.span, message).help(way_out(from, to)));
                }
            }
            _ => {}
        });
    }
    found
}

/// Returns the character of a text that is one character.
fn only_char(expr: &Expr) -> Option<char> {
    let ExprKind::Literal(text) = &expr.kind else { return None };
    let mut chars = text.chars();
    chars.next().filter(|_| chars.next().is_none())
}
