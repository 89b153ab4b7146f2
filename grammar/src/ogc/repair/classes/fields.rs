//! Reads the fields of a class of another language, and writes them as ogc does.

use crate::ogc::repair::ItemLexemes;
use crate::ogc::repair::declarations::scalar;
use crate::ogc::token::TokenKind;
use crate::span::part;

/// Returns the parameters between two parentheses as fields: `int id`, `val id: Int`; `None` if one is not understood.
pub(super) fn of_parameters(item: &ItemLexemes<'_>, open: usize, close: usize) -> Option<String> {
    let mut fields = Vec::new();
    let mut start = open + 1;
    let mut depth = 0_usize;
    for at in open + 1..=close {
        let kind = item.kind(at)?;
        if depth == 0 && (kind == TokenKind::Comma || at == close) {
            if at > start {
                fields.push(parameter(item, start, at)?);
            }
            start = at + 1;
        }
        depth += usize::from(kind.closer().is_some());
        depth = depth.saturating_sub(usize::from(kind.is_closer()));
    }
    (!fields.is_empty()).then(|| fields.join(", "))
}

fn parameter(item: &ItemLexemes<'_>, start: usize, end: usize) -> Option<String> {
    let word = matches!(item.text(start), "val" | "var" | "final" | "readonly" | "public" | "private");
    let start = start + usize::from(word && item.kind(start + 1) == Some(TokenKind::Name));
    let value = (start..end).find(|at| item.kind(*at) == Some(TokenKind::Equals)).unwrap_or(end);
    let (name, types) = if item.kind(start + 1) == Some(TokenKind::Colon) {
        (start, start + 2..value)
    } else {
        (value.checked_sub(1).filter(|name| *name > start)?, start..value - 1)
    };
    item.kind(name).filter(|kind| kind.is_word())?;
    Some(format!("{}: {}", item.text(name), field_type(item, types.start, types.end)?))
}

/// Returns a type of another language in ogc: a name, perhaps with `?`.
fn field_type(item: &ItemLexemes<'_>, start: usize, end: usize) -> Option<String> {
    let nullable = end > start && item.kind(end - 1) == Some(TokenKind::Question);
    let end = end - usize::from(nullable);
    let name = (end == start + 1 && item.kind(start) == Some(TokenKind::Name)).then(|| item.text(start));
    let list = end == start + 4
        && matches!(item.text(start), "List" | "Array" | "Set" | "Sequence" | "list")
        && item.kind(start + 1).is_some_and(|kind| kind.closer().is_some())
        && item.kind(start + 2) == Some(TokenKind::Name);
    let written = |name: &str| scalar(name).unwrap_or(name).to_owned();
    let base = match name {
        Some(name) => written(name),
        None if list => format!("{}[0..]", written(item.text(start + 2))),
        None => return None,
    };
    Some(if nullable { format!("{base} | null") } else { base })
}

/// Returns the fields of a Python class whose head ends with the colon at `colon`; `None` if one is not understood.
pub(super) fn of_python(item: &ItemLexemes<'_>, colon: usize) -> Option<String> {
    let start = item.lexemes.get(colon)?.end as usize;
    let end = item.lexemes.last()?.end as usize;
    let lines = part(item.source, start..end).lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let fields: Option<Vec<String>> = lines.filter(|line| !line.is_empty()).map(python_field).collect();
    fields.filter(|fields| !fields.is_empty()).map(|fields| fields.join(", "))
}

fn python_field(line: &str) -> Option<String> {
    let (name, rest) = line.split_once(':')?;
    let (written, default) = rest.split_once('=').map_or((rest, None), |(kind, value)| (kind, Some(value.trim())));
    let written = written.trim();
    let inner = |head: &str| written.strip_prefix(head)?.strip_suffix(']');
    let plain = |name: &str| {
        let word = name.chars().all(|c| c.is_alphanumeric() || c == '_') && !name.is_empty();
        word.then(|| scalar(name).unwrap_or(name).to_owned())
    };
    let kind = if let Some(inner) = inner("Optional[") {
        format!("{} | null", plain(inner)?)
    } else if let Some(inner) = inner("list[").or_else(|| inner("List[")) {
        format!("{}[0..]", plain(inner)?)
    } else {
        plain(written)?
    };
    let sign = if default.is_some() { "?" } else { "" };
    Some(format!("{}{sign}: {kind}", plain(name)?))
}
