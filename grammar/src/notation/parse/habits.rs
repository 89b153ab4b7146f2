//! Habits from other notations that the parser of GBNF and W3C EBNF detects: empty alternatives, spaced operators,
//! slashes between alternatives, anchors, counts, misspelt calls.

use super::recover::MACROS;
use super::{Dialect, Parser};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::notation::habit::{doubled_bar, spaced, trailing_bar};
use crate::notation::lexeme::Token;
use crate::rules::{Expr, ExprKind, nearest};
use crate::span::Span;

impl<'l> Parser<'l, '_> {
    /// Warns of an empty alternative `arm` after the bar at `bar`, if it was probably not intended.
    pub(super) fn warn_empty(&mut self, arm: &Expr, bar: Span) {
        let is_empty = arm.kind == ExprKind::Sequence(Vec::new()) && self.previous_span() == bar;
        if !is_empty || self.failed {
            return;
        }
        let next = self.here();
        match self.peek_token() {
            Some(Token::Bar) if next.start == bar.end => self.sink.push(doubled_bar(bar.merge(next))),
            None => self.sink.push(trailing_bar(bar)),
            _ if self.depth == 0 && self.at_head() => self.sink.push(trailing_bar(bar)),
            _ => {}
        }
    }

    /// Warns of the repetition sign just read, if it looks like an operator between two items.
    pub(super) fn warn_spaced(&mut self) {
        let read = self.at.checked_sub(1).and_then(|at| self.lexemes.get(at));
        let (Some(sign), Some(next)) = (read, self.peek()) else { return };
        let is_apart = sign.span.len() == 1 && sign.is_indented && !sign.starts_line;
        let is_joined = next.is_indented && !next.starts_line && !self.at_head() && begins_item(&next.token);
        let written = match sign.token {
            Token::Repeat { min: 0, max: Some(1) } => '?',
            Token::Repeat { min: 0, max: None } => '*',
            _ => '+',
        };
        if is_apart && is_joined && !std::mem::replace(&mut self.has_operator, true) {
            self.sink.push(spaced(sign.span, written));
        }
    }

    /// Returns the function of xgrammar's dialect that an undefined name before `(` probably misspells.
    pub(super) fn meant_macro(&self, name: &str) -> Option<&'static str> {
        let is_called = self.dialect == Dialect::Gbnf && self.token(self.at + 1) == Some(&Token::Open);
        let is_call = is_called && self.adjacent(self.at) && !self.defined.contains(name);
        is_call.then(|| nearest(name, MACROS.into_iter())).flatten()
    }

    /// Reports a misspelt call, and reads its arguments.
    pub(super) fn misspelt_call(&mut self, name: &str, meant: &str) -> Option<Expr> {
        let place = self.here();
        let found =
            Diagnostic::error(Code::GbnfMacro, place, format!("xgrammar has no `{name}`, and no rule is called so"));
        self.sink.push(found.help(format!("did you mean `{meant}`?")));
        self.failed = true;
        self.at += 1;
        self.arguments().map(|arguments| Expr::empty(place.merge(arguments.span)))
    }

    /// Returns the advice, if the context suggests one, for a character without meaning.
    pub(super) fn way_out_here(&self, c: char) -> Option<String> {
        let before = self.at.checked_sub(1).and_then(|at| self.token(at));
        let begins = matches!(before, Some(Token::Define | Token::Bar | Token::Open));
        match c {
            '/' if !begins && self.is_between() => Some("alternatives are separated by `|`".to_owned()),
            '^' if begins => Some(
                "there are no anchors: a rule is matched as a whole; remove the `^`, and a `$` at the end".to_owned(),
            ),
            ']' if self.depth > 0 => {
                Some("close the group with `)`; brackets enclose classes of characters".to_owned())
            }
            '{' if self.dialect == Dialect::W3c => self.written_out().or_else(|| {
                let help =
                    "write `(...)*` for any number of times; braces are of ISO 14977, which has `=` in every rule";
                Some(help.to_owned())
            }),
            '.' if self.dialect == Dialect::W3c => self.meant_range(),
            '\\' if self.dialect == Dialect::W3c => self.meant_class(),
            _ => None,
        }
    }

    /// Returns the advice for `'a'..'z'`.
    fn meant_range(&self) -> Option<String> {
        let only = |token: Option<&'l Token>| match token {
            Some(Token::Literal(text)) if text.chars().count() == 1 => Some(text),
            _ => None,
        };
        let (low, high) = (only(self.token(self.at.checked_sub(1)?))?, only(self.token(self.at + 2))?);
        (self.token(self.at + 1) == Some(&Token::Unknown('.'))).then(|| format!("write `[{low}-{high}]` for the range"))
    }

    /// Returns the advice for an escape of patterns, `\\d`.
    fn meant_class(&self) -> Option<String> {
        let Some(Token::Name(name)) = self.token(self.at + 1) else { return None };
        let class = match name.chars().next()? {
            'd' => "[0-9]",
            'w' => "[A-Za-z0-9_]",
            's' => "[#x20#x9#xA#xD]",
            'D' => "[^0-9]",
            'W' => "[^A-Za-z0-9_]",
            'S' => "[^#x20#x9#xA#xD]",
            _ => return None,
        };
        Some(format!("there are no escapes: write `{class}`"))
    }

    /// Returns whether the current sign is between two items: with white space on both sides, or with none before it.
    fn is_between(&self) -> bool {
        let Some(here) = self.peek() else { return false };
        let next = self.lexemes.get(self.at + 1);
        !here.is_indented || next.is_some_and(|next| next.is_indented || next.starts_line)
    }

    /// Returns the advice for a count in braces, which the W3C's EBNF does not have: the item written out as often as
    /// it may occur.
    fn written_out(&self) -> Option<String> {
        const MOST: u32 = 6;
        let digits: String = (self.at + 1..)
            .map_while(|at| match self.token(at) {
                Some(Token::Unknown(c)) if c.is_ascii_digit() || *c == ',' => Some(*c),
                _ => None,
            })
            .take(20)
            .collect();
        let (least, most) = digits.split_once(',').unwrap_or((&digits, &digits));
        let least: u32 = least.parse().ok()?;
        let item = match self.at.checked_sub(1).and_then(|at| self.lexemes.get(at)) {
            Some(before) if before.token != Token::Close && before.span.len() < 40 => before.span.text(self.text),
            _ => "x",
        };
        let times = |count: u32, sign: &str| vec![format!("{item}{sign}"); count as usize];
        let parts = match most.parse::<u32>() {
            Ok(most) if least <= most && most <= MOST => [times(least, ""), times(most - least, "?")].concat(),
            Err(_) if most.is_empty() && least < MOST => [times(least, ""), times(1, "*")].concat(),
            _ => {
                return Some(
                    "W3C EBNF has no counts: write the item as often as it may stand, `x x? x?` for 1 to 3".to_owned(),
                );
            }
        };
        Some(format!("W3C EBNF has no counts: write `{}`", parts.join(" ")))
    }
}

/// Returns whether an item can begin with a token.
fn begins_item(token: &Token) -> bool {
    matches!(
        token,
        Token::Name(_)
            | Token::Literal(_)
            | Token::Class { .. }
            | Token::Any
            | Token::Open
            | Token::Vocabulary(_)
            | Token::Reported
    )
}
