//! The reader of ABNF (RFC 5234, with the strings of RFC 7405), which gives a rule tree.
//!
//! The reader accepts the whole standard: `name = ...` and `name =/ ...`, alternatives `/`, groups `( )` and options
//! `[ ]`, repetitions `*x 2*x *4x 2*4x 3x` before the repeated element, strings `"abc"` and `%i"abc"` without and
//! `%s"abc"` with regard to case, values `%x41 %x41-5A %d13.10 %b1010`, comments from `;` to the end of the line, and
//! the core rules of appendix B.1, which a grammar may define itself. Names have no case; the tree spells each name as
//! its first definition does. `<name>` means the same as `name`.
//!
//! It also accepts forms beyond the standard that can mean only one thing: line ends of every system, `_` in names,
//! rules that are indented more than the first, a line that begins with `/`, no space between two elements. It refuses,
//! with advice: prose `<...>`, HTTP's lists `1#x`, repetition signs after the repeated element, signs of other
//! notations.
//!
//! # Values beyond ASCII
//!
//! A value is the code point of a character, as in the documents that define formats in Unicode. Older documents mean octets.
//! [`octets`] explains how the two are distinguished, and which grammars are refused because they could be either.
//!
//! # Steps
//!
//! 1. [`lex`]: lexemes; [`values`] reads numbers. 2. [`mod@parse`]: rules as they are written. 3. [`resolve`]: one spelling for each name,
//!    one rule for all its alternatives, and the core rules that are used ([`core`]).

mod core;
mod fold;
mod habits;
mod lex;
mod lexemes;
mod names;
mod octets;
mod parse;
mod recover;
mod resolve;
#[cfg(test)]
mod tests;
mod values;

pub use names::names;

use crate::diagnostic::{Diagnostic, Sink, too_long};
use crate::notation::TEXT_LIMIT;
use crate::notation::lexer::lexemes;
use crate::notation::other::{Guess, other_notation};
use crate::rules::{Grammar, Signs, Start, check_written, extend_unless_empty};
use lex::Abnf;

/// Signs of ABNF, for messages.
const SIGNS: Signs = Signs {
    define: " =",
    bar: "/",
    join: "or write `=/` to add alternatives to the first",
    library: &core::NAMES,
    has_minus: false,
};

/// Reads an ABNF grammar, and checks its names. The first rule is the start.
///
/// ```
/// let (grammar, found) = ogc_grammar::parse_abnf("port = 1*5DIGIT\n");
/// assert!(found.is_empty());
/// let names: Vec<&str> = grammar.rules.iter().map(|rule| rule.name.value.as_str()).collect();
/// assert_eq!(names, ["port", "DIGIT"]);
/// ```
#[must_use]
pub fn parse_abnf(text: &str) -> (Grammar, Vec<Diagnostic>) {
    parse_abnf_rooted(text, Start::First)
}

/// Reads an ABNF grammar that begins with the rule `start`, and checks its names.
#[must_use]
pub fn parse_abnf_rooted(text: &str, start: Start<'_>) -> (Grammar, Vec<Diagnostic>) {
    let (grammar, mut diagnostics) = parse(text);
    if diagnostics.iter().any(Diagnostic::is_error)
        && let Some(other) = other_notation(text, "ABNF", &[Guess::Abnf, Guess::IsoEbnf, Guess::Peg])
    {
        return (grammar, vec![other]);
    }
    let checked = check_written(&grammar, resolve::spelled(&grammar, start), &SIGNS);
    extend_unless_empty(&mut diagnostics, &grammar, checked, text);
    (grammar, diagnostics)
}

/// Reads ABNF without checking that names are defined.
#[must_use]
pub fn parse(text: &str) -> (Grammar, Vec<Diagnostic>) {
    if let Some(refusal) = too_long(text, TEXT_LIMIT) {
        return (Grammar::default(), vec![refusal]);
    }
    let mut sink = Sink::default();
    let read = lexemes::<Abnf>(text, &mut sink).and_then(|lexemes| {
        let meaning = octets::Meaning::of(&lexemes);
        let rules = parse::rules(text, &lexemes, meaning, &mut sink)?;
        Ok(resolve::resolve(rules, meaning, &mut sink))
    });
    match read {
        Ok(grammar) => (grammar, sink.finish()),
        Err(refusal) => (Grammar::default(), vec![*refusal]),
    }
}
