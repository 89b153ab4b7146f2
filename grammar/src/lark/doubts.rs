//! Warns of parts of a Lark grammar whose meaning is probably not the intended one: empty alternatives, spaced
//! operators.

use super::lexemes::{Lexeme, Token};
use super::parse::Parser;
use crate::notation::habit::{doubled_bar, spaced, trailing_bar};
use crate::span::Span;

impl Parser<'_, '_> {
    /// Warns of the empty alternative just read after the bar at `bar`, if it was probably not intended.
    pub(super) fn warn_empty(&mut self, bar: Span) {
        if self.failed || self.previous_span() != bar {
            return;
        }
        let next = self.here();
        match self.peek_token() {
            Some(Token::Sign('|')) if next.start == bar.end => self.sink.push(doubled_bar(bar.merge(next))),
            None => self.sink.push(trailing_bar(bar)),
            _ if self.depth == 0 && self.at_head() => self.sink.push(trailing_bar(bar)),
            _ => {}
        }
    }

    /// Warns of the repetition sign just read, if it looks like an operator between two items.
    pub(super) fn warn_spaced(&mut self) {
        let read = self.at.checked_sub(1).and_then(|at| self.lexemes.get(at));
        let (
            Some(Lexeme { token: Token::Sign(sign @ ('?' | '*' | '+')), span, starts_line: false, is_indented: true }),
            Some(next),
        ) = (read, self.peek())
        else {
            return;
        };
        let begins = matches!(
            next.token,
            Token::Name(_)
                | Token::Text { .. }
                | Token::Regex(_)
                | Token::Special(_)
                | Token::Reported
                | Token::Sign('(' | '[')
        );
        if begins && next.is_indented && !next.starts_line && !std::mem::replace(&mut self.has_operator, true) {
            self.sink.push(spaced(*span, *sign));
        }
    }
}
