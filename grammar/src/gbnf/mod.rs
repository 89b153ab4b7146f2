//! The reader of GBNF, the grammar notation of llama.cpp, which gives a rule tree.
//!
//! Complete support: rules `name ::= ...`, `|`, sequences, groups, literals and classes with the escapes
//! `\n \r \t \\ \" \[ \] \- \xNN \uNNNN \UNNNNNNNN` (always code points), `.`, `* + ? {n} {n,} {m,n}`, comments from
//! `#` to the end of the line, and tokens of the vocabulary (`<think>`, `<[1000]>`, `!<think>`).
//!
//! Extensions of llama.cpp with an unambiguous meaning: `{,n}`, a line that begins with `|` or is indented, repetition
//! of an empty literal. Rejected with a diagnostic: single quotes, the empty class `[]`, and a quote or bracket that
//! would close only after the beginning of another rule.
//!
//! # xgrammar's dialect
//!
//! `[^]` is any character, names may have dots in them, and there are more escapes (`\b \f \v \a \e \0 \/ \' \?`, and
//! signs of patterns in classes). In xgrammar, `\x` takes all hexadecimal digits after it, in llama.cpp two. If more
//! than two digits name a character, and nothing else in the text is specific to xgrammar, that is an error. Options of
//! rules (`name[lazy, max_chars=10] ::=`) and calls (`Regex`, `Substring`, `TagDispatch`, `Token`, `ExcludeToken`,
//! `TokenTagDispatch`) are read. A lookahead `(= ...)` at the end of a rule is a promise about the text after it: it is
//! dropped if the grammar keeps the promise ([`lookahead`]), and is an error otherwise.

mod braces;
mod dotted;
mod habits;
mod lex;
mod lookahead;
mod options;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod xgrammar_tests;

use crate::code::Code;
use crate::diagnostic::{Diagnostic, Sink, too_long};
use crate::doubts::{PatternSigns, dotted_ranges, named_classes, quoted_patterns, text_marks, tokens_beside_rules};
use crate::notation::lexeme::{Lexeme, Token};
use crate::notation::lexer::lexemes;
use crate::notation::other::{Guess, other_notation};
use crate::notation::parse::{Dialect, grammar_and_lookaheads, is_called};
use crate::notation::{TEXT_LIMIT, names as of_lexemes};
use crate::rules::{Grammar, RuleName, Start, case_flags, check, extend_unless_empty};
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
    let (grammar, mut diagnostics) = parse_from(text, start);
    if diagnostics.iter().any(Diagnostic::is_error)
        && let Some(other) = other_notation(text, "GBNF", &[Guess::Bnf])
    {
        return (grammar, vec![other]);
    }
    extend_unless_empty(&mut diagnostics, &grammar, check(&grammar, start), text);
    case_flags(&mut diagnostics, &grammar, text);
    text_marks(&mut diagnostics, text, PatternSigns::Classes);
    diagnostics.extend(tokens_beside_rules(&grammar, text, Code::GbnfToken));
    diagnostics.extend(named_classes(&grammar, text));
    diagnostics.extend(dotted_ranges(&grammar, true));
    diagnostics.extend(quoted_patterns(&grammar, text, PatternSigns::Classes));
    (grammar, diagnostics)
}

/// Returns every name of a text in source order, even if the text has errors.
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
    let lexemes = lexemes::<Gbnf>(text, &mut Sink::default()).and_then(dotted::settled);
    lexemes.map(|lexemes| of_lexemes(&lexemes)).unwrap_or_default()
}

/// Reads GBNF without checking its names.
#[must_use]
pub fn parse(text: &str) -> (Grammar, Vec<Diagnostic>) {
    parse_from(text, Start::Named("root"))
}

fn parse_from(text: &str, start: Start<'_>) -> (Grammar, Vec<Diagnostic>) {
    if let Some(refusal) = too_long(text, TEXT_LIMIT) {
        return (Grammar::default(), vec![refusal]);
    }
    let mut sink = Sink::default();
    let lexemes = match lexemes_of_dialect(text, &mut sink).and_then(dotted::settled) {
        Ok(lexemes) => lexemes,
        Err(refusal) => return (Grammar::default(), vec![*refusal]),
    };
    let (grammar, lookaheads) = grammar_and_lookaheads(text, &lexemes, Dialect::Gbnf, &mut sink);
    lookahead::check(&grammar, &lookaheads, start, &mut sink);
    (grammar, sink.finish())
}

/// Splits a text into lexemes of llama.cpp's GBNF, or of xgrammar's if the text has signs of that.
fn lexemes_of_dialect(text: &str, sink: &mut Sink) -> Result<Vec<Lexeme>, Box<Diagnostic>> {
    let mut own = Sink::default();
    let found = lexemes::<Gbnf>(text, &mut own)?;
    if text.contains("\\x") && is_xgrammar(&found) {
        return lexemes::<Gbnf<true>>(text, sink);
    }
    own.finish().into_iter().for_each(|one| sink.push(one));
    Ok(found)
}

/// Returns whether a text has a construct that only xgrammar supports: `[^]`, options of rules, lookaheads, calls, dots
/// in names of rules.
fn is_xgrammar(lexemes: &[Lexeme]) -> bool {
    lexemes.iter().enumerate().any(|(at, lexeme)| {
        let next = lexemes.get(at + 1).map(|next| &next.token);
        match &lexeme.token {
            Token::Options(_) => true,
            Token::Any => lexeme.span.len() > 1,
            Token::Open => next == Some(&Token::Unknown('=')),
            Token::Name(name) if name.contains('.') => next == Some(&Token::Define),
            Token::Name(name) => is_called(name, lexemes, at),
            _ => false,
        }
    })
}
