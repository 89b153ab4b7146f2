//! Repairs keys of any name as other languages write them: `[*]: T`, `*: T`, `...: T`, `/x-.*/: T`.

use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::ogc::repair::frames::Frame;
use crate::ogc::repair::members::starts_at;
use crate::ogc::repair::{ItemLexemes, made};
use crate::ogc::terminal::Lexeme;
use crate::ogc::token::TokenKind;

pub(super) fn repair(item: &mut ItemLexemes<'_>) {
    use TokenKind::{Colon, LeftBracket, Name, Regex, RightBracket};
    if item.keyword() == Some(TokenKind::Test) {
        return;
    }
    let around = item.around();
    let mut out: Vec<Lexeme<'_>> = Vec::with_capacity(item.lexemes.len());
    let mut at = 0;
    while let Some(lexeme) = item.lexemes.get(at).copied() {
        let kinds = [0, 1, 2, 3].map(|ahead| item.kind(at + ahead));
        let begins = around.get(at).is_some_and(|around| around.frame == Frame::Record) && starts_at(item, at);
        let len = match kinds {
            _ if !begins => 0,
            [Some(Regex), Some(Colon), ..] => pattern(item, at),
            [Some(sign), Some(Colon), ..] if is_any(sign) => any(item, at, 1),
            [Some(LeftBracket), Some(sign), Some(RightBracket), Some(Colon)] if is_any(sign) => any(item, at, 3),
            _ => 0,
        };
        if len == 0 {
            out.push(lexeme);
            at += 1;
            continue;
        }
        let start = lexeme.start;
        out.push(Lexeme { kind: LeftBracket, text: "[", start, end: start });
        out.push(if kinds[0] == Some(Regex) { lexeme } else { Lexeme { kind: Name, text: "string", ..lexeme } });
        out.push(made(RightBracket, "]", Some(&lexeme)));
        at += len;
    }
    item.lexemes = out;
}

fn is_any(sign: TokenKind) -> bool {
    matches!(sign, TokenKind::Star | TokenKind::Ellipsis)
}

/// Reports `/x-.*/: T`; returns the number of tokens before the colon.
fn pattern(item: &mut ItemLexemes<'_>, at: usize) -> usize {
    let written = format!("[{}]", item.text(at));
    let found = Diagnostic::error(Code::ForeignSign, item.span(at), "a pattern of keys stands in brackets");
    let fix = Fix::new(format!("write `{written}`"), item.span(at), written.clone());
    item.report(found.help(format!("write `{written}: T`")).fix(fix));
    1
}

/// Reports `*: T`, `...: T` and `[*]: T`; returns the number of tokens before the colon.
fn any(item: &mut ItemLexemes<'_>, at: usize, len: usize) -> usize {
    let place = item.span(at).merge(item.span(at + len - 1));
    let sign = at + len / 2;
    let message = format!("`{}` is not a key: any key is written `[string]`", item.text(sign));
    let fix = Fix::new("write `[string]`", place, "[string]");
    item.report(Diagnostic::error(Code::ForeignSign, item.span(sign), message).help("write `[string]: T`").fix(fix));
    len
}
