//! The reader of GBNF, the grammar notation of llama.cpp, which gives a rule tree.
//!
//! Read in whole: rules `name ::= ...`, `|`, sequences, groups, literals and classes with the escapes
//! `\n \r \t \\ \" \[ \] \- \xNN \uNNNN \UNNNNNNNN` (always code points), `.`, `* + ? {n} {n,} {m,n}`, comments from `#`
//! to the end of the line, and tokens of the vocabulary (`<think>`, `<[1000]>`, `!<think>`).
//!
//! Read beyond llama.cpp, because it can mean only one thing: `{,n}`, a line that begins with `|`, repetition of an
//! empty literal. Refused with a diagnostic: whatever else other dialects add (lookahead, attributes, calls, single
//! quotes), the empty class `[]`, and a quote or bracket whose end would lie beyond the beginning of another rule.

mod braces;
mod lex;
#[cfg(test)]
mod tests;

use crate::diagnostic::{Diagnostic, Sink, too_long};
use crate::notation::lexer::lexemes;
use crate::notation::other::{Guess, other_notation};
use crate::notation::parse::{Dialect, grammar};
use crate::notation::{TEXT_LIMIT, names as of_lexemes};
use crate::rules::{Grammar, RuleName, Start, check, extend_unless_empty};
use lex::Gbnf;

/// Reads a GBNF grammar whose start rule is `root`, and checks its names.
///
/// ```
/// let (grammar, diagnostics) = ogc_grammar::parse_gbnf("root ::= \"yes\" | \"no\"");
/// assert_eq!((grammar.rules.len(), diagnostics.len()), (1, 0));
/// ```
#[must_use]
pub fn parse_gbnf(text: &str) -> (Grammar, Vec<Diagnostic>) {
    parse_gbnf_rooted(text, Start::Named("root"))
}

/// Reads a GBNF grammar that begins with the rule `start`, and checks its names.
#[must_use]
pub fn parse_gbnf_rooted(text: &str, start: Start<'_>) -> (Grammar, Vec<Diagnostic>) {
    let (grammar, mut diagnostics) = parse(text);
    if diagnostics.iter().any(Diagnostic::is_error)
        && let Some(other) = other_notation(text, "GBNF", &[Guess::Bnf])
    {
        return (grammar, vec![other]);
    }
    extend_unless_empty(&mut diagnostics, &grammar, check(&grammar, start));
    (grammar, diagnostics)
}

/// Returns every name of a text in source order, whether or not the text has mistakes.
///
/// ```
/// let names = ogc_grammar::gbnf::names("root ::= item (item)*\nitem ::= \"a\"\n");
/// let places: Vec<u32> = names.iter().filter(|one| one.name == "item").map(|one| one.span.start).collect();
/// assert_eq!(places, [9, 15, 22]);
/// ```
#[must_use]
pub fn names(text: &str) -> Vec<RuleName> {
    if text.len() > TEXT_LIMIT {
        return Vec::new();
    }
    lexemes::<Gbnf>(text, &mut Sink::default()).map(|lexemes| of_lexemes(&lexemes)).unwrap_or_default()
}

/// Reads GBNF without checking its names.
#[must_use]
pub fn parse(text: &str) -> (Grammar, Vec<Diagnostic>) {
    if let Some(refusal) = too_long(text, TEXT_LIMIT) {
        return (Grammar::default(), vec![refusal]);
    }
    let mut sink = Sink::default();
    let lexemes = match lexemes::<Gbnf>(text, &mut sink) {
        Ok(lexemes) => lexemes,
        Err(refusal) => return (Grammar::default(), vec![*refusal]),
    };
    let grammar = grammar(&lexemes, Dialect::Gbnf, &mut sink);
    (grammar, sink.finish())
}
