//! Repairs unmatched brackets. After the repair, every bracket is closed by a bracket of its kind.

mod indent;

use always_assert::never;

use super::{ItemLexemes, made};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::ogc::terminal::{Lexeme, name_contextual_words};
use crate::ogc::token::TokenKind;

pub(super) fn repair(item: &mut ItemLexemes<'_>) {
    let ended = indent::ended(item);
    let moved = !ended.is_empty();
    let mut ended = ended.into_iter().peekable();
    let lexemes = std::mem::take(&mut item.lexemes);
    let mut balance = Balance { open: Vec::new(), out: Vec::with_capacity(lexemes.len()), unopened: false };
    for (at, lexeme) in lexemes.into_iter().enumerate() {
        while ended.next_if_eq(&at).is_some() {
            if let Some(open) = balance.open.pop() {
                balance.close_on_line(open, item);
            }
        }
        if lexeme.kind.closer().is_some() {
            balance.open.push(lexeme);
        } else if lexeme.kind.is_closer() {
            balance.close(lexeme, item);
            continue;
        }
        balance.out.push(lexeme);
    }
    while let Some(open) = balance.open.pop() {
        balance.close_missing(open, item);
    }
    item.lexemes = balance.out;
    if moved {
        // Words that seemed to stand in brackets are cases of a test.
        name_contextual_words(&mut item.lexemes);
    }
}

struct Balance<'t> {
    open: Vec<Lexeme<'t>>,
    out: Vec<Lexeme<'t>>,
    /// Whether a bracket without a partner was found.
    unopened: bool,
}

impl<'t> Balance<'t> {
    fn close(&mut self, closer: Lexeme<'t>, item: &mut ItemLexemes<'t>) {
        let Some(partner) = self.open.iter().rposition(|open| open.kind.closer() == Some(closer.kind)) else {
            self.close_wrongly(closer, item);
            return;
        };
        while self.open.len() > partner + 1 {
            if let Some(open) = self.open.pop() {
                self.close_missing(open, item);
            }
        }
        self.open.pop();
        self.out.push(closer);
    }

    /// Repairs a closing bracket without an open partner: it stands for the needed bracket, or for nothing.
    fn close_wrongly(&mut self, closer: Lexeme<'t>, item: &mut ItemLexemes<'t>) {
        let span = item.place(&closer);
        let again = std::mem::replace(&mut self.unopened, true);
        item.confused = true;
        let Some(open) = self.open.last().copied() else {
            if again {
                return;
            }
            let message = format!("this `{}` closes nothing", closer.text);
            let found = Diagnostic::error(Code::UnopenedBracket, span, message);
            let field = first_field(&self.out).filter(|_| closer.kind == TokenKind::RightBrace);
            item.report(match field {
                Some(name) => found.help(format!("add a `{{` before `{name}`")),
                None => found.help("remove it, or add the bracket that it is to close"),
            });
            return;
        };
        let Some(kind) = open.kind.closer() else {
            never!("{:?} opens nothing", open);
            return;
        };
        let message = format!("`{}` cannot close `{}`", closer.text, bracket(&open));
        let found = Diagnostic::error(Code::WrongBracket, span, message).help(format!("write `{}`", kind.shown()));
        let fix = Fix::new(format!("write `{}`", kind.shown()), span, kind.shown());
        // No list is open, so `>` was meant as a comparison.
        if closer.kind == TokenKind::Greater {
            item.report(found.help("bounds are a range: `[1..5]`, `int<0..>`"));
            return;
        }
        item.report(found.label(item.place(&open), "opened here").fix(fix));
        self.open.pop();
        self.out.push(Lexeme { kind, ..closer });
    }

    /// Closes a bracket at the end of the line before, where its indentation shows that it ends.
    fn close_on_line(&mut self, open: Lexeme<'t>, item: &mut ItemLexemes<'t>) {
        let Some(closer) = open.kind.closer() else {
            never!("{:?} opens nothing", open);
            return;
        };
        let comma = self.out.last().is_some_and(|last| last.kind == TokenKind::Comma);
        let at = self.out.len() - usize::from(comma);
        let synthetic = made(closer, closer.shown(), at.checked_sub(1).and_then(|before| self.out.get(before)));
        if !item.confused {
            let code = unclosed(closer);
            let message = format!("this `{}` is not closed", bracket(&open));
            let help = format!("add a `{}`", closer.shown());
            let place = item.place(&synthetic);
            let fix = Fix::new(help.clone(), place, format!(" {}", closer.shown()));
            let found = Diagnostic::error(code, item.place(&open), message).help(help).fix(fix);
            item.report(found.label(place, format!("here at the latest a `{}` is missing", closer.shown())));
        }
        self.out.insert(at, synthetic);
    }

    fn close_missing(&mut self, open: Lexeme<'t>, item: &mut ItemLexemes<'t>) {
        let Some(kind) = open.kind.closer() else {
            never!("{:?} opens nothing", open);
            return;
        };
        let (code, closer) = (unclosed(kind), kind.shown());
        let before_field = if kind == TokenKind::Greater { self.field_inside(&open) } else { None };
        let at = before_field.unwrap_or(self.out.len());
        let synthetic = made(kind, closer, at.checked_sub(1).and_then(|before| self.out.get(before)));
        let message = format!("this `{}` is not closed", bracket(&open));
        let compares = kind == TokenKind::Greater && self.is_apart(&open);
        let help = match compares {
            true => "bounds are a range after the name of a type: `int<..5>`".to_owned(),
            false if self.has_inside(&open, kind) => {
                format!("add a `{closer}` where it ends, or where one inside of it ends")
            }
            false => format!("add a `{closer}`"),
        };
        let found = Diagnostic::error(code, item.place(&open), message).help(help);
        // An unclosed literal contains the closing bracket, and has been reported.
        if !item.confused {
            let label = format!("here at the latest a `{closer}` is missing");
            let fix = Fix::new(format!("add a `{closer}`"), item.place(&synthetic), closer);
            let fix = (!compares && !self.has_inside(&open, kind)).then_some(fix);
            item.report(found.label(item.place(&synthetic), label).fix(fix));
        }
        item.confused |= kind != TokenKind::RightBrace && before_field.is_none();
        self.out.insert(at, synthetic);
    }

    /// Returns whether a later bracket is closed by the same kind, so that it may be the bracket that is not closed.
    fn has_inside(&self, open: &Lexeme<'t>, closer: TokenKind) -> bool {
        self.out.iter().rev().take_while(|lexeme| lexeme.start > open.start).any(|lexeme| lexeme.kind == closer)
    }

    /// Returns whether white space stands before and after a bracket, as with a comparison.
    fn is_apart(&self, open: &Lexeme<'t>) -> bool {
        let at = self.out.iter().rposition(|lexeme| lexeme.start == open.start && lexeme.kind == open.kind);
        let neighbours = at.map(|at| (at.checked_sub(1).and_then(|before| self.out.get(before)), self.out.get(at + 1)));
        neighbours.is_some_and(|(before, after)| {
            before.is_some_and(|before| before.end < open.start) && after.is_some_and(|after| after.start > open.end)
        })
    }

    /// Returns the comma before the first field after an unclosed list in a record: `a: string<1..5, b: int`.
    fn field_inside(&self, list: &Lexeme<'t>) -> Option<usize> {
        let around = self.open.iter().rev().find(|open| open.kind != TokenKind::Less);
        let in_record = around.is_some_and(|open| open.kind == TokenKind::LeftBrace);
        let from = self.out.iter().rposition(|lexeme| lexeme.start == list.start && lexeme.kind == list.kind)?;
        let kind = |at: usize| self.out.get(at).map(|lexeme| lexeme.kind);
        let field = |at: usize| {
            let named = kind(at + 1).is_some_and(|kind| kind.is_word() || kind == TokenKind::String);
            let colon = at + 2 + usize::from(kind(at + 2) == Some(TokenKind::Question));
            kind(at) == Some(TokenKind::Comma) && named && kind(colon) == Some(TokenKind::Colon)
        };
        (from..self.out.len()).find(|at| field(*at)).filter(|_| in_record)
    }
}

/// Returns the name of the field that stands directly after the first `=`, without the brace before it.
fn first_field<'t>(lexemes: &[Lexeme<'t>]) -> Option<&'t str> {
    let equals = lexemes.iter().position(|lexeme| lexeme.kind == TokenKind::Equals)?;
    let [name, sign, ..] = lexemes.get(equals + 1..)? else { return None };
    let field = name.kind.is_word() && matches!(sign.kind, TokenKind::Colon | TokenKind::Question);
    field.then_some(name.text)
}

/// Returns the code for a bracket whose closing bracket `closer` is missing.
fn unclosed(closer: TokenKind) -> Code {
    match closer {
        TokenKind::RightBrace => Code::UnclosedBrace,
        TokenKind::RightParen => Code::UnclosedParenthesis,
        TokenKind::RightBracket => Code::UnclosedBracket,
        _ => Code::UnclosedAngle,
    }
}

fn bracket(open: &Lexeme<'_>) -> &'static str {
    if open.kind == TokenKind::AttributeOpen { "(" } else { open.kind.shown() }
}
