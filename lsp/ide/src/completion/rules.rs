//! Completion in grammars: names of rules, where a rule may be referenced.

use ogc_compiler::db::Language;
use ogc_compiler::foreign::read_rules;
use ogc_grammar::Span;
use ogc_grammar::span::part;

use super::CompletionList;
use super::item::{CompletionKey, CompletionKind, Items, Rank};
use crate::foreign_names;
use crate::place::FilePosition;
use crate::snapshot::Snapshot;

/// Returns the names of rules, unless the position is in a literal or comment, or defines a name.
pub(super) fn completion(snapshot: &Snapshot, position: FilePosition) -> CompletionList {
    let text = snapshot.text(position.file);
    let language = snapshot.language(position.file);
    let before = part(text, ..position.offset as usize);
    let word = word(text, position.offset);
    if inside(language, before) || !in_body(language, text, word.start) {
        return CompletionList::default();
    }
    let mut items = Items::replacing(word);
    let names = foreign_names::occurrences(snapshot, position.file).iter().filter(|name| name.is_definition);
    let bodies = &read_rules(&snapshot.db, position.file).0.rules;
    for (at, name) in names.enumerate() {
        if items.has(&name.name) {
            continue;
        }
        let key = CompletionKey::Definition(snapshot.name(position.file).to_owned(), name.name.clone());
        let body = bodies.iter().find(|rule| rule.name.value == name.name).map(|rule| rule.body.span);
        let body = body.map(|span| snapshot.slice(position.file, span)).unwrap_or_default();
        let body = body.split_whitespace().collect::<Vec<_>>().join(" ");
        let item = items.add(CompletionKind::Rule, Rank::First, name.name.clone(), Some(key));
        item.at(at).says(crate::shape::shortened(&body));
    }
    items.finish()
}

/// Returns the name around a byte.
fn word(text: &str, offset: u32) -> Span {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let (before, after) = (part(text, ..offset as usize), part(text, offset as usize..));
    let start = before.len() - before.chars().rev().take_while(|c| is_part(*c)).map(char::len_utf8).sum::<usize>();
    let end = before.len() + after.chars().take_while(|c| is_part(*c)).map(char::len_utf8).sum::<usize>();
    if start == before.len() { Span::empty(offset) } else { Span::of(start, end) }
}

/// Returns whether the end of a text is in a string, a class, a pattern or a comment.
fn inside(language: Language, before: &str) -> bool {
    let mut rest = before;
    loop {
        let Some(first) = rest.chars().next() else { return false };
        let end = match (language, first) {
            (Language::Abnf, '"') => closing(rest, first, false),
            (_, '"') | (Language::Ebnf, '\'') => closing(rest, first, true),
            (Language::Gbnf | Language::Ebnf, '[') => closing(rest, ']', language == Language::Gbnf),
            (Language::Gbnf, '#') => rest.find('\n'),
            (Language::Lark, '/') if rest.starts_with("//") => rest.find('\n'),
            (Language::Lark, '/') => closing(rest, '/', true),
            (Language::Abnf, ';') => rest.find('\n'),
            (Language::Abnf, '<') => closing(rest, '>', false),
            (Language::Lark, '#') => rest.find('\n'),
            (Language::Ebnf, '/') if rest.starts_with("/*") => rest.find("*/").map(|at| at + 2),
            (Language::Ebnf, '/') if rest.starts_with("//") => rest.find('\n'),
            (Language::Ebnf, '#') if !rest.starts_with("#x") => rest.find('\n'),
            (Language::Ebnf, '(') if rest.starts_with("(*") => rest.find("*)").map(|at| at + 2),
            _ => Some(first.len_utf8()),
        };
        match end.and_then(|end| rest.get(end..)) {
            Some(after) => rest = after,
            None => return true,
        }
    }
}

/// Returns the end of a literal at the start of a text: after the next unescaped `close`.
fn closing(text: &str, close: char, escapes: bool) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if c == close && !escaped {
            return Some(at + c.len_utf8());
        }
        escaped = escapes && c == '\\' && !escaped;
    }
    None
}

/// Returns whether an offset is in the body of a rule: a definition sign comes before it on its line, or the line
/// continues an earlier one.
fn in_body(language: Language, text: &str, start: u32) -> bool {
    let before = part(text, ..start as usize);
    let line = before.rsplit_once('\n').map_or(before, |(_, line)| line);
    let sign = match language {
        Language::Gbnf => "::=",
        Language::Lark => ":",
        _ => "=",
    };
    let continued = line.starts_with([' ', '\t', '|']) && before.contains(sign);
    line.contains(sign) || continued
}
