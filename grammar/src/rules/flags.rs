//! Flags after texts, `"abc"i`, which GBNF and W3C EBNF do not have.

use super::tree::{Expr, ExprKind, Grammar};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::span::Span;

/// The name that the flag is read as.
const FLAG: &str = "i";

/// Explains findings about the undefined rule `i` as a flag, if each of its uses is directly after a text.
pub(crate) fn case_flags(found: &mut [Diagnostic], grammar: &Grammar, text: &str) {
    if grammar.rules.iter().any(|rule| rule.name.value == FLAG) {
        return;
    }
    let mut flagged: Vec<(Span, String)> = Vec::new();
    for rule in &grammar.rules {
        rule.body.walk(&mut |expr| {
            let ExprKind::Sequence(items) = &expr.kind else { return };
            flagged.extend(items.iter().zip(items.iter().skip(1)).filter_map(|(one, next)| classes(one, next, text)));
        });
    }
    flagged.sort();
    let Some((first, meant)) = flagged.first() else { return };
    let is_it =
        |one: &&mut Diagnostic| one.code == Code::UndefinedRule && one.span == Span::new(first.end - 1, first.end);
    let Some(error) = found.iter_mut().find(is_it) else { return };
    error.message = "a text in quotes has no flags: `i` is read as the name of a rule".to_owned();
    error.help = Some(format!("write `{meant}`, a class for each letter"));
    error.fix = Some(Fix { label: "write a class for each letter".to_owned(), edits: flagged });
}

/// Returns the place of a text with a flag, and the equivalent classes; `None` if the second expression is no flag of
/// the first.
fn classes(one: &Expr, next: &Expr, text: &str) -> Option<(Span, String)> {
    let (flag, is_repeated) = match &next.kind {
        ExprKind::Repeat { expr, .. } => (expr.as_ref(), true),
        _ => (next, false),
    };
    let ExprKind::Literal(literal) = &one.kind else { return None };
    let is_flag = flag.kind == ExprKind::Name(FLAG.to_owned()) && one.span.end == flag.span.start;
    let plain = |c: char| !(c.is_control() || matches!(c, '"' | '\\' | '[' | ']'));
    if !is_flag || literal.is_empty() || !one.span.text(text).contains(literal.as_str()) || !literal.chars().all(plain)
    {
        return None;
    }
    let mut out = String::new();
    let mut rest = literal.as_str();
    while let Some(c) = rest.chars().next() {
        match other_case(c) {
            Some(other) => {
                out.extend(['[', c, other, ']']);
                rest = &rest[c.len_utf8()..];
            }
            None => {
                let end = rest.find(|c| other_case(c).is_some()).unwrap_or(rest.len());
                let (same, behind) = rest.split_at(end);
                out.extend(["\"", same, "\""]);
                rest = behind;
            }
        }
    }
    let meant = if is_repeated { format!("({out})") } else { out };
    Some((one.span.merge(flag.span), meant))
}

/// Returns a letter in the other case, if that is a single letter.
fn other_case(c: char) -> Option<char> {
    let only = |mut letters: Box<dyn Iterator<Item = char>>| {
        letters.next().filter(|other| *other != c && letters.next().is_none())
    };
    only(Box::new(c.to_uppercase())).or_else(|| only(Box::new(c.to_lowercase())))
}
