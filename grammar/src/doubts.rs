//! Finds parts of patterns and grammars whose meaning is probably not the intended one: classes with a dash other than
//! the hyphen, patterns in quotes, named groups.

mod classes;
mod marks;
mod quoted;
mod ranges;
mod tokens;
mod wrapped;

pub(crate) use classes::{class_warnings, inner_class, plain_class};
pub(crate) use marks::text_marks;
pub use quoted::meant_pattern;
pub(crate) use quoted::{PatternSigns, quoted_patterns};
pub use ranges::class_doubt;
pub(crate) use ranges::{dotted_ranges, range_doubt};
pub(crate) use tokens::tokens_beside_rules;
pub use wrapped::wrapped;

use std::collections::HashSet;
use std::ops::Range;

use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::rules::{ExprKind, Grammar};
use crate::span::Span;

/// A part of a pattern whose meaning is probably not the intended one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// The place of the part in the pattern, in bytes.
    pub place: Range<usize>,
    /// The message: the meaning of the part.
    pub message: String,
    /// Advice for correcting it.
    pub help: String,
}

impl Doubt {
    /// Makes the finding about the doubt at `place`.
    #[must_use]
    pub fn finding(&self, place: Span) -> Diagnostic {
        Diagnostic::warning(Code::DoubtfulPattern, place, self.message.clone()).help(self.help.clone())
    }
}

/// Minimum number of letters of a class that is taken for the name of a rule.
const NAME: usize = 3;

/// Returns warnings about classes such as `[item]` in a grammar with a rule `item`: in other notations, the brackets
/// make the rule optional.
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
