//! Repairs strings that end at a quote which was meant as a character: `accept "{"a":1}"`, `"say "hi""`.
//!
//! In rules and outputs texts follow one another, so `"a"b"c"` is three texts. In tests and types nothing can touch the
//! end of a string. Tokens that do, up to the last quote of the line that is joined in this way, are the rest of the
//! string.

use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::ogc::repair::ItemLexemes;
use crate::ogc::terminal::Lexeme;
use crate::ogc::token::TokenKind;
use crate::span::part;

/// Maximum number of tokens of a line that are searched for the end of a string, so that time is linear in the length
/// of a line.
const LOOKED_AT: usize = 1_000;

pub(super) fn strings(item: &mut ItemLexemes<'_>) {
    if !matches!(item.keyword(), Some(TokenKind::Test | TokenKind::Type)) {
        return;
    }
    let mut at = 0;
    while at < item.lexemes.len() {
        if let Some(end) = split_end(item, at) {
            join(item, at, end);
        }
        at += 1;
    }
}

/// Returns the index after the last part of a string that begins at `at`, if a word touches the end of the first part.
fn split_end(item: &ItemLexemes<'_>, at: usize) -> Option<usize> {
    let first = item.lexemes.get(at).filter(|first| first.kind == TokenKind::String)?;
    let quote = first.text.chars().next()?;
    let next = item.lexemes.get(at + 1)?;
    let word = next.kind.is_word() || matches!(next.kind, TokenKind::Number | TokenKind::BadNumber);
    if !word || !item.touches(at + 1) {
        return None;
    }
    let same_line = |before: &Lexeme<'_>, one: &Lexeme<'_>| {
        !part(item.source, before.end as usize..one.start as usize).contains('\n')
    };
    let rest = item.lexemes.iter().enumerate().skip(at + 1).take(LOOKED_AT);
    let rest = rest.take_while(|(at, one)| same_line(&item.lexemes[at - 1], one));
    let ends = |one: &Lexeme<'_>| {
        let quoted = matches!(one.kind, TokenKind::String | TokenKind::Unclosed);
        quoted && one.text.trim_end().ends_with(quote)
    };
    let last = rest.filter(|(at, one)| ends(one) && item.touches(*at)).map(|(at, _)| at).last()?;
    Some(last + 1)
}

/// Replaces the tokens from `at` to `end` by one string.
fn join(item: &mut ItemLexemes<'_>, at: usize, end: usize) {
    let (Some(first), Some(last)) = (item.lexemes.get(at).copied(), item.lexemes.get(end - 1).copied()) else { return };
    let trimmed = last.start as usize + last.text.trim_end().len();
    let text = part(item.source, first.start as usize..trimmed);
    let whole = Lexeme { text, end: trimmed as u32, ..first };
    let span = item.place(&whole);
    let written = requoted(text);
    let found = Diagnostic::error(Code::SplitString, span, "a quote inside of this string ends it");
    let help = match &written {
        Some(written) if written.len() <= 60 => format!("write `{written}`"),
        _ => "put the text into quotes of the other kind, or write `\\\"` for the character".to_owned(),
    };
    let fix = written.map(|written| Fix::new("change the quotes", span, written));
    item.report(found.help(help).fix(fix));
    // The new string has the escapes of the text that was meant; the inner quotes are not examined again.
    item.lexemes.splice(at..end, [whole]);
}

/// Quotes a text in quotes that do not occur in it, or escapes its quotes.
fn requoted(text: &str) -> Option<String> {
    let quote = text.chars().next()?;
    let inner = text.get(1..text.len().checked_sub(1)?)?;
    let other = if quote == '"' { '\'' } else { '"' };
    if !inner.contains(other) && !inner.contains('\\') {
        return Some(format!("{other}{inner}{other}"));
    }
    let mut written = String::from(quote);
    let mut escaped = false;
    for c in inner.chars() {
        if c == quote && !escaped {
            written.push('\\');
        }
        written.push(c);
        escaped = c == '\\' && !escaped;
    }
    written.push(quote);
    Some(written)
}
