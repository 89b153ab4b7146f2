//! What a pattern hardly says as it was meant: classes with a dash that is no hyphen, groups with names.

use std::collections::HashSet;
use std::ops::Range;

use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::rules::{ExprKind, Grammar};
use crate::span::Span;

/// A part of a pattern that says something else than it seems to, or nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// The place of the part in the pattern, in bytes.
    pub place: Range<usize>,
    /// What it says.
    pub message: String,
    /// The way out.
    pub help: String,
}

impl Doubt {
    /// Makes the finding about it; `place` is where it stands.
    #[must_use]
    pub fn finding(&self, place: Span) -> Diagnostic {
        Diagnostic::warning(Code::DoubtfulPattern, place, self.message.clone()).help(self.help.clone())
    }
}

/// Returns the first class of a pattern in which a dash stands between the ends of a range and is no hyphen: `[a–z]` is three
/// characters.
///
/// ```
/// use ogc_grammar::doubts::dash_in_class;
/// assert_eq!(dash_in_class("x[a–z]+").map(|doubt| doubt.place), Some(2..7));
/// assert_eq!(dash_in_class("[a-z–] – [–_]"), None);
/// ```
#[must_use]
pub fn dash_in_class(pattern: &str) -> Option<Doubt> {
    let (mut escaped, mut in_class) = (false, false);
    let chars: Vec<(usize, char)> = pattern.char_indices().collect();
    for (at, (start, c)) in chars.iter().enumerate() {
        if in_class
            && !escaped
            && let [(_, dash), (end, last)] = chars.get(at + 1..at + 3)?
            && is_dash(*dash)
            && is_range(*c, *last)
        {
            return Some(dashed(*c, *dash, *last, *start..end + last.len_utf8()));
        }
        in_class = if escaped { in_class } else { *c == '[' || in_class && *c != ']' };
        escaped = *c == '\\' && !escaped;
    }
    None
}

/// Returns what is doubtful about a member of a class, a dash and the next member, if these read like a range.
pub(crate) fn dashed_range(first: char, dash: char, last: char, place: Range<usize>) -> Option<Doubt> {
    (is_dash(dash) && is_range(first, last)).then(|| dashed(first, dash, last, place))
}

/// Returns the warning about a class such as `["b"]`, which other notations read as something that may be absent.
pub(crate) fn quoted_class(class: &str, place: Span) -> Option<Diagnostic> {
    let inner = class.strip_prefix('[')?.strip_suffix(']')?.trim();
    let quote = inner.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let text = inner.strip_prefix(quote)?.strip_suffix(quote).filter(|text| !text.is_empty())?;
    if !text.chars().all(|c| c.is_alphanumeric() || " _.,:;=+*/<>".contains(c)) {
        return None;
    }
    let message = "this is a class of single characters, quotes among them, and not something that may be absent";
    let meant = format!("(\"{text}\")?");
    let help = format!("write `{meant}` for what may be absent; in a class, a quote stands once");
    Some(Diagnostic::warning(Code::DoubtfulPattern, place, message).help(help).fix(Fix::instead(place, meant)))
}

/// The least letters of a class that is taken for the name of a rule.
const NAME: usize = 3;

/// Returns warnings about classes such as `[item]` beside a rule `item`, which other notations read as something that may be absent.
pub(crate) fn named_classes(grammar: &Grammar, text: &str) -> Vec<Diagnostic> {
    let rules: HashSet<&str> = grammar.rules.iter().map(|rule| rule.name.value.as_str()).collect();
    let mut found = Vec::new();
    for rule in &grammar.rules {
        rule.body.walk(&mut |expr| {
            let ExprKind::Class { .. } = &expr.kind else { return };
            let written = expr.span.text(text).strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
            let Some(name) = written.filter(|name| name.chars().count() >= NAME && rules.contains(name)) else {
                return;
            };
            let message = format!("this is one character of those of `{name}`, and not the rule `{name}`");
            let help =
                format!("write `{name}?` for what may be absent; give the rule another name if the class is meant");
            let warning = Diagnostic::warning(Code::DoubtfulPattern, expr.span, message).help(help);
            found.push(warning.guess(Fix::instead(expr.span, format!("{name}?"))));
        });
    }
    found
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

/// Returns the first group of a pattern that has a name, `(?<year>[0-9]+)` or `(?P<year>[0-9]+)`: the place of its head, and the name.
///
/// ```
/// use ogc_grammar::doubts::named_group;
/// assert_eq!(named_group("a(?<year>[0-9]+)"), Some((1..9, "year")));
/// assert_eq!(named_group("(?<=a)(?:b)\\(?<c>[(?<d>]"), None);
/// ```
#[must_use]
pub fn named_group(pattern: &str) -> Option<(Range<usize>, &str)> {
    let (mut escaped, mut in_class) = (false, false);
    for (at, c) in pattern.char_indices() {
        let rest = pattern.get(at..).unwrap_or_default();
        let head = rest.strip_prefix("(?<").or_else(|| rest.strip_prefix("(?P<")).filter(|_| !escaped && !in_class);
        if let Some(head) = head
            && let Some((name, _)) = head.split_once('>')
            && !name.is_empty()
            && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$')
        {
            let opening = rest.len() - head.len() + name.len() + 1;
            return Some((at..at + opening, name));
        }
        in_class = if escaped { in_class } else { c == '[' || in_class && c != ']' };
        escaped = c == '\\' && !escaped;
    }
    None
}
