//! Repairs words and signs of other notations that the lexer cannot read: `≥ 0`, `1…3`, `${name}`, and keys such as
//! `2nd`.

use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::ogc::repair::{ItemLexemes, made, read_as};
use crate::ogc::terminal::Lexeme;
use crate::ogc::token::TokenKind;
use crate::span::{Span, part};

pub(super) fn repair(item: &mut ItemLexemes<'_>) {
    use TokenKind::{BadNumber, Number, Unknown};
    path(item);
    if !item.lexemes.iter().any(|lexeme| matches!(lexeme.kind, BadNumber | Number | Unknown)) {
        return;
    }
    let mut out: Vec<Lexeme<'_>> = Vec::with_capacity(item.lexemes.len());
    let mut at = 0;
    while let Some(lexeme) = item.lexemes.get(at).copied() {
        if compares(item, at) {
            let (kind, text) =
                if lexeme.text == "≥" { (TokenKind::Greater, "≥") } else { (TokenKind::Less, "≤") };
            out.push(Lexeme { kind, text, ..lexeme });
            out.push(made(TokenKind::Equals, "", out.last()));
        } else if joins_range(item, at) {
            out.push(dots(item, at, lexeme));
        } else if is_placeholder(item, at) {
            out.extend(placeholder(item, at));
            at += 3;
        } else if is_key(item, at) {
            out.push(key(item, at, lexeme));
        } else {
            out.push(lexeme);
        }
        at += 1;
    }
    item.lexemes = out;
}

/// Reports an import whose path has a slash and no quotes: `import A from ./file.ogc`.
fn path(item: &mut ItemLexemes<'_>) {
    use TokenKind::{From, OtherQuotes, String};
    if item.keyword() != Some(TokenKind::Import) {
        return;
    }
    let Some(from) = item.lexemes.iter().position(|lexeme| lexeme.kind == From) else { return };
    let Some(first) = item.lexemes.get(from + 1).copied() else { return };
    let rest = part(item.source, first.start as usize..);
    let path = rest.split_whitespace().next().unwrap_or_default().trim_end_matches(';');
    if matches!(first.kind, String | OtherQuotes) || !path.contains('/') || path.contains(['"', '\'', '`']) {
        return;
    }
    let place = Span::new(first.start, first.start + path.len() as u32).shifted(item.base);
    let written = format!("\"{path}\"");
    let found = Diagnostic::error(Code::MissingQuotes, place, "the path of an import stands in quotes");
    let fix = Fix::new("write the quotes", place, written.clone());
    item.report(found.help(format!("write `{written}`")).fix(fix));
    item.lexemes.truncate(from + 1);
    item.confused = true;
}

/// Returns whether `≥` or `≤` compares something with a number; it is read as `>=` or `<=`.
fn compares(item: &ItemLexemes<'_>, at: usize) -> bool {
    use TokenKind::{And, Colon, Equals, LeftBracket, Less, Number};
    let sign = item.kind(at) == Some(TokenKind::Unknown) && matches!(item.text(at), "≥" | "≤");
    let operand = item.kind(at + 1) == Some(Number)
        || matches!(item.text(at + 1), "int" | "number" | "string") && item.before(at) == Some(Number);
    let place = item
        .before(at)
        .is_some_and(|before| before.ends_expression() || matches!(before, And | Colon | Equals | LeftBracket | Less));
    sign && operand && place
}

/// Returns whether `…` stands between the ends of a range, one of which may be left out.
fn joins_range(item: &ItemLexemes<'_>, at: usize) -> bool {
    use TokenKind::{Greater, LeftBracket, Less, Number, RightBracket};
    let sign = item.kind(at) == Some(TokenKind::Unknown) && matches!(item.text(at), "…" | "⋯");
    let (before, after) = (item.before(at), item.kind(at + 1));
    let opens = matches!(before, Some(Number | Less | LeftBracket));
    let closes = matches!(after, Some(Number | Greater | RightBracket));
    sign && opens && closes && (before == Some(Number) || after == Some(Number))
}

/// Repairs `1…3`; the sign is read as `..`.
fn dots<'t>(item: &mut ItemLexemes<'t>, at: usize, sign: Lexeme<'t>) -> Lexeme<'t> {
    let c = sign.text.chars().next().map_or(0, u32::from);
    let message = format!("`{}` (U+{c:04X}) is not `..`", sign.text);
    let fix = Fix::new("write `..`", item.span(at), "..");
    item.report(Diagnostic::error(Code::UnknownCharacter, item.span(at), message).help("write `..`").fix(fix));
    Lexeme { text: "..", ..read_as(sign, TokenKind::Dots) }
}

/// Returns whether `${name}` or `#{name}` stands at `at`.
fn is_placeholder(item: &ItemLexemes<'_>, at: usize) -> bool {
    use TokenKind::{LeftBrace, Name, RightBrace};
    let sign = item.kind(at) == Some(TokenKind::Unknown) && matches!(item.text(at), "$" | "#");
    let braces = item.kind(at + 1) == Some(LeftBrace) && item.kind(at + 3) == Some(RightBrace);
    sign && item.touches(at + 1) && braces && item.kind(at + 2) == Some(Name)
}

/// Repairs `${name}`; it is read as the name.
fn placeholder<'t>(item: &mut ItemLexemes<'t>, at: usize) -> Option<Lexeme<'t>> {
    let name = item.lexemes.get(at + 2).copied()?;
    let place = item.span(at).merge(item.span(at + 3));
    let message = format!("a name stands alone, without `{}{{` and `}}`", item.text(at));
    let fix = Fix::new(format!("write `{}`", name.text), place, name.text);
    let found = Diagnostic::error(Code::UnknownCharacter, place, message);
    item.report(found.help(format!("write `{}`", name.text)).fix(fix));
    Some(name)
}

/// Returns whether a key that begins with a digit stands at `at`: `{ 2nd: int }`.
fn is_key(item: &ItemLexemes<'_>, at: usize) -> bool {
    use TokenKind::{BadNumber, Colon, Comma, LeftBrace, Number, Question};
    let colon = at + 1 + usize::from(item.kind(at + 1) == Some(Question));
    let begins = matches!(item.before(at), Some(LeftBrace | Comma));
    let digits = matches!(item.kind(at), Some(BadNumber | Number));
    digits && begins && item.kind(colon) == Some(Colon)
}

/// Repairs a key that begins with a digit; it is read as a name.
fn key<'t>(item: &mut ItemLexemes<'t>, at: usize, lexeme: Lexeme<'t>) -> Lexeme<'t> {
    let span = item.span(at);
    let written = format!("\"{}\"", lexeme.text);
    let found = Diagnostic::error(Code::MissingQuotes, span, "a key that begins with a digit stands in quotes");
    let fix = Fix::new("write the quotes", span, written.clone());
    item.report(found.help(format!("write `{written}: ...`")).fix(fix));
    read_as(lexeme, TokenKind::Name)
}
