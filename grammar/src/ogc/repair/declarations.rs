//! Repairs fields as protocol buffers declare them: `repeated string tags = 2` for `tags: string[0..]`.

use super::frames::Frame;
use super::{ItemLexemes, made};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::ogc::terminal::Lexeme;
use crate::ogc::token::TokenKind;

pub(super) fn repair(item: &mut ItemLexemes<'_>) {
    let around = item.around();
    let mut out: Vec<Lexeme<'_>> = Vec::with_capacity(item.lexemes.len());
    let mut at = 0;
    while let Some(lexeme) = item.lexemes.get(at).copied() {
        let in_record = around.get(at).is_some_and(|around| around.frame == Frame::Record);
        match declaration(item, at).filter(|_| in_record) {
            Some(found) => {
                report(item, at, &found);
                push(item, &found, &mut out);
                at = found.end;
            }
            None => {
                out.push(lexeme);
                at += 1;
            }
        }
    }
    item.lexemes = out;
}

/// A declaration `label type name = number`.
struct Declaration<'t> {
    label: &'t str,
    /// Index of the type; the name follows it.
    kind: usize,
    /// Index after the number.
    end: usize,
}

impl Declaration<'_> {
    /// Returns the signs after the name and after the type.
    fn signs(&self) -> (&'static str, &'static str) {
        match self.label {
            "repeated" => ("", "[0..]"),
            "optional" => ("?", ""),
            _ => ("", ""),
        }
    }
}

/// Returns the declaration that makes up the whole member at `at`.
fn declaration<'t>(item: &ItemLexemes<'t>, at: usize) -> Option<Declaration<'t>> {
    let begins = matches!(item.before(at), Some(TokenKind::LeftBrace | TokenKind::Comma));
    let label = item.text(at);
    let labelled = ["repeated", "optional", "required"].contains(&label) && is_word(item, at + 2);
    let kind = at + usize::from(labelled);
    let end = kind + 4;
    let whole = item.kind(kind) == Some(TokenKind::Name)
        && is_word(item, kind + 1)
        && item.kind(kind + 2) == Some(TokenKind::Equals)
        && item.kind(kind + 3) == Some(TokenKind::Number)
        && matches!(item.kind(end), Some(TokenKind::Comma | TokenKind::RightBrace));
    (begins && whole).then_some(Declaration { label: if labelled { label } else { "" }, kind, end })
}

fn is_word(item: &ItemLexemes<'_>, at: usize) -> bool {
    item.kind(at).is_some_and(TokenKind::is_word)
}

fn report(item: &mut ItemLexemes<'_>, at: usize, found: &Declaration<'_>) {
    let (optional, many) = found.signs();
    let written = format!("{}{optional}: {}{many}", item.text(found.kind + 1), item.text(found.kind));
    let span = item.span(at).merge(item.span(found.end - 1));
    let message = "a field is its name, `:` and its type, and has no number";
    let fix = Fix::new(format!("write `{written}`"), span, written.clone());
    item.report(Diagnostic::error(Code::ForeignKeyword, span, message).help(format!("write `{written}`")).fix(fix));
}

fn push<'t>(item: &ItemLexemes<'t>, found: &Declaration<'t>, out: &mut Vec<Lexeme<'t>>) {
    let (optional, many) = found.signs();
    let (Some(kind), Some(name)) = (item.lexemes.get(found.kind), item.lexemes.get(found.kind + 1)) else {
        return;
    };
    // Tokens are in the order of their places, so the name comes before the type.
    out.push(Lexeme { start: kind.start, end: kind.start, ..*name });
    if !optional.is_empty() {
        out.push(made(TokenKind::Question, "?", out.last()));
    }
    out.push(made(TokenKind::Colon, ":", out.last()));
    out.push(*kind);
    if !many.is_empty() {
        let signs = [
            (TokenKind::LeftBracket, "["),
            (TokenKind::Number, "0"),
            (TokenKind::Dots, ".."),
            (TokenKind::RightBracket, "]"),
        ];
        for (kind, text) in signs {
            out.push(made(kind, text, out.last()));
        }
    }
}
