//! Reports attributes of other languages after a field: `@description("...")`, `@max(5)`.

use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::ogc::repair::ItemLexemes;
use crate::ogc::repair::literals::doc_comment;
use crate::ogc::token::TokenKind;
use crate::span::{Span, part};

/// Reports the attribute from `at` to `end`, after the field that begins at `first`, if it belongs to another language.
pub(super) fn report(item: &mut ItemLexemes<'_>, first: usize, (at, end): (usize, usize)) -> bool {
    let word = item.text(at).trim_start_matches('@').trim_end_matches('(');
    let removed = Span::new(item.gap(at).start, item.span(end - 1).end);
    let found = Diagnostic::error(
        Code::StrayAttribute,
        item.span(at).merge(item.span(end - 1)),
        format!("there is no attribute `@{word}`"),
    );
    let single = (end == at + 3).then(|| item.lexemes.get(at + 1).copied()).flatten();
    match word {
        "description" | "desc" | "describe" | "doc" | "comment" | "note" | "help" => {
            let comment = single.and_then(|text| doc_comment(&text));
            let shown = comment.clone().unwrap_or_else(|| "/// ...".to_owned());
            let fix = comment.zip(line_of(item, first)).map(|(comment, (start, indent))| {
                Fix::new("write a doc comment", start, format!("{comment}\n{indent}")).and(removed, "")
            });
            item.report(found.help(format!("write `{shown}` on the line before the field")).fix(fix));
        }
        "min" | "max" | "minimum" | "maximum" | "length" | "size" | "range" | "pattern" | "regex" | "format"
        | "between" => {
            let written = single.and_then(|one| condition(word, one.kind, one.text));
            let base = item.text(at - 1);
            let takes = matches!(base, "string" | "int" | "number");
            let written = written.filter(|_| takes).map(|written| format!("{base}<{written}>"));
            let place = item.span(at - 1).merge(item.span(end - 1));
            let fix = written.clone().map(|written| Fix::new(format!("write `{written}`"), place, written));
            let help = written.map_or_else(
                || "conditions are arguments of the type: `int<0..5>`, `string<1..80>`, `string</[a-z]+/>`".to_owned(),
                |written| format!("write `{written}`"),
            );
            item.report(found.help(help).fix(fix));
        }
        _ => return false,
    }
    true
}

/// Returns the argument of a type for a condition.
fn condition(word: &str, kind: TokenKind, value: &str) -> Option<String> {
    match (word, kind) {
        ("min" | "minimum", TokenKind::Number) => Some(format!("{value}..")),
        ("max" | "maximum", TokenKind::Number) => Some(format!("..{value}")),
        ("length" | "size", TokenKind::Number) => Some(format!("{value}..{value}")),
        ("pattern" | "regex", TokenKind::Regex) => Some(value.to_owned()),
        _ => None,
    }
}

/// Returns the empty span at the start of the field at `first`, with the white space before it, if the field is the first
/// on its line.
fn line_of<'t>(item: &ItemLexemes<'t>, first: usize) -> Option<(Span, &'t str)> {
    let before = part(item.source, ..item.lexemes.get(first)?.start as usize);
    let indent = before.rsplit_once('\n').map(|(_, line)| line)?;
    indent.trim().is_empty().then(|| (Span::empty(item.span(first).start), indent))
}
