//! The reader of EBNF in its two standard styles (ISO 14977 and W3C), which gives a rule tree.
//!
//! **W3C** (as in the XML recommendation): `name ::= ...` without terminator, items side by side, `* + ?` after an item,
//! `A - B`, classes `[a-z] [^#x20-#x7E]`, characters `#xN`, literals in either quotes without escapes, `/* ... */`.
//! Production numbers such as `[12]` before a rule are labels and have no meaning.
//!
//! **ISO 14977**: `name = ... ;`, items joined by `,`, `{ }`, `[ ]`, `( )`, `n * x`, `A - B`, `(* ... *)`; the standard's
//! other signs `/ ! (/ /) (: :) .` are read too. Names may have several words; they are joined by hyphens in the tree.
//!
//! **Which one a file is in, its first defining sign decides**: `::=` after the first name makes the whole file W3C, `=`
//! makes it ISO. The other style's signs are then errors that say so (`ebnf-mixed-styles`). Text starts at the first rule.

mod iso;
mod iso_lex;
mod names;
mod nullable;
mod quoted;
#[cfg(test)]
mod tests;
mod w3c_lex;

pub use names::names;

use crate::diagnostic::{Diagnostic, Sink, too_long};
use crate::notation::TEXT_LIMIT;
use crate::notation::cursor::Cursor;
use crate::notation::lexer::lexemes;
use crate::notation::parse::{Dialect, grammar};
use crate::rules::{Grammar, Start, check, extend_unless_empty};
use iso_lex::Iso;
use w3c_lex::W3c;

/// The style of an EBNF file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// `name ::= ...`
    W3c,
    /// `name = ... ;`
    Iso,
}

/// Reads an EBNF grammar of either style, and checks its names. The first rule is the start.
#[must_use]
pub fn parse_ebnf(text: &str) -> (Grammar, Vec<Diagnostic>) {
    parse_ebnf_rooted(text, Start::First)
}

/// Reads an EBNF grammar of either style that begins with the rule `start`, and checks its names.
#[must_use]
pub fn parse_ebnf_rooted(text: &str, start: Start<'_>) -> (Grammar, Vec<Diagnostic>) {
    let (grammar, mut diagnostics) = parse(text);
    extend_unless_empty(&mut diagnostics, &grammar, check(&grammar, start));
    (grammar, diagnostics)
}

/// Reads EBNF without checking its names.
#[must_use]
pub fn parse(text: &str) -> (Grammar, Vec<Diagnostic>) {
    if let Some(refusal) = too_long(text, TEXT_LIMIT) {
        return (Grammar::default(), vec![refusal]);
    }
    let mut sink = Sink::default();
    let read = match style(text) {
        Style::W3c => lexemes::<W3c>(text, &mut sink).map(|lexemes| grammar(&lexemes, Dialect::W3c, &mut sink)),
        Style::Iso => {
            lexemes::<Iso>(text, &mut sink).map(|lexemes| nullable::repeat_nonempty(iso::grammar(&lexemes, &mut sink)))
        }
    };
    match read {
        Ok(grammar) => (grammar, sink.finish()),
        Err(refusal) => (Grammar::default(), vec![*refusal]),
    }
}

/// Returns the style of `text`: ISO where the first name (after comments and a production number) is followed by `=`.
#[must_use]
pub fn style(text: &str) -> Style {
    let mut cursor = Cursor::new(text);
    skip_comments(&mut cursor);
    if cursor.eat("[") && cursor.take_past("]").is_some() {
        skip_comments(&mut cursor);
    }
    loop {
        cursor.take_while(|c| c.is_alphanumeric() || "_-.".contains(c));
        let before = cursor.offset();
        skip_comments(&mut cursor);
        let more = cursor.peek().is_some_and(char::is_alphanumeric);
        if before == cursor.offset() || !more {
            break;
        }
    }
    if cursor.rest().starts_with('=') { Style::Iso } else { Style::W3c }
}

fn skip_comments(cursor: &mut Cursor<'_>) {
    loop {
        cursor.take_while(char::is_whitespace);
        let close = if cursor.eat("/*") {
            "*/"
        } else if cursor.eat("(*") {
            "*)"
        } else {
            return;
        };
        if cursor.take_past(close).is_none() {
            return;
        }
    }
}
