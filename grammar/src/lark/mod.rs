//! The reader of Lark, the grammar notation of the Python library of that name, with llguidance's additions; gives a
//! rule tree.
//!
//! Complete support: rules and TERMINALS, `?rule` and `!rule`, `_NAMES`, `|` on the same or a following line, aliases
//! `->`, priorities, `( ) [ ] ? * + ~n ~n..m {n,m}`, strings with `i`, ranges `"a".."z"`, regular expressions with
//! `imsux`, `%import` of libraries and files, `%ignore`, `%override`, `%extend`, templates, comments `//` and `#`; from
//! llguidance `&` and `~` in terminals, `lazy`, `stop`, `suffix`, `max_tokens`, `capture`, special tokens, `%json`,
//! `%regex` and `%lark`. A text begins with the rule `start`.
//!
//! # Meaning
//!
//! A terminal is a *set of texts*, and the rules build the grammar's language from these sets. Lark also has a
//! lexer, which cuts a text into the longest terminals first. No lexer runs here, because a mask must allow every text
//! that has some reading: a text that a lexer would reject (`start: "a"* "ab"` on `aab`) is accepted.
//!
//! Ignored text is allowed between any two neighbouring terminals, before the first and after the last, but not inside
//! a terminal. In a file with a `%llguidance` header it is not allowed before the first one, unless
//! `allow_initial_skip` is set.
//!
//! Regular expressions are Python's: `.` is any character but `\n`, and `\d`, `\w`, `\s` cover all of Unicode. Ignoring
//! case means Unicode's simple case folding. Constructs that only a lexer can decide (anchors, lookarounds) are
//! rejected with advice.
//!
//! # Steps
//!
//! 1. [`lex`]: lexemes. [`mod@parse`]: statements and a separate small tree, in which terminals and rules are not
//!    separated yet.
//! 2. [`import`]: items of other files; [`given`]: grammars by name, `@name`.
//! 3. [`expand`]: templates become rules, `%override` and `%extend` change what was imported. No parameters after it.
//! 4. [`weave`]: the rule tree, with ignored text after every terminal of a rule. [`choice`]: lazy rules that compete
//!    with other terminals are rejected.

mod ast;
mod attributes;
mod blocks;
mod captures;
mod choice;
mod common;
mod cycles;
mod doubts;
mod expand;
mod given;
mod habits;
mod import;
mod items;
mod lex;
mod lexemes;
mod lines;
mod names;
mod parse;
mod recover;
mod regex;
mod statements;
#[cfg(test)]
mod tests;
mod weave;

pub use import::{FindLark, IMPORT_DEPTH, ImportedName, LarkFile, imported_names, imports};
pub use names::names;

use crate::code::Code;
use crate::diagnostic::{Diagnostic, Sink, too_long};
use crate::doubts::{PatternSigns, quoted_patterns, text_marks, tokens_beside_rules};
use crate::notation::TEXT_LIMIT;
use crate::notation::lexer::lexemes;
use crate::notation::other::{Guess, other_notation};
use crate::rules::{Grammar, Signs, Start, check_written};
use import::Importer;
use lex::Lark;

/// The name of the start rule.
pub const START: &str = "start";

/// The rule that allows ignored text before a start rule with another name than `start`. No rule in a file can have
/// this name.
pub const ENTRY: &str = "%start";

/// Signs of Lark, for messages.
const SIGNS: Signs =
    Signs { define: ":", bar: "|", join: "or join their bodies with `|`", library: &[], has_minus: true };

/// Reads a Lark grammar and checks its names. A text begins with the rule `start`.
///
/// ```
/// let (grammar, found) = ogc_grammar::parse_lark("start: WORD (\",\" WORD)*\n%import common.WORD\n");
/// assert!(found.is_empty() && grammar.rules.len() == 2);
/// ```
#[must_use]
pub fn parse_lark(text: &str) -> (Grammar, Vec<Diagnostic>) {
    parse_lark_rooted(text, Start::Named(START))
}

/// Reads a Lark grammar that begins with another rule or terminal, and checks its names. If the grammar ignores text,
/// it may come before that rule too: the tree then has the rule [`ENTRY`], which is the start rule.
#[must_use]
pub fn parse_lark_rooted(text: &str, start: Start<'_>) -> (Grammar, Vec<Diagnostic>) {
    checked(text, start, &mut Importer::without_files())
}

/// Reads a Lark grammar as [`parse_lark_rooted`] does, together with the files that it imports, which `find` finds.
/// `name` is the name of the grammar's own file.
///
/// ```
/// use ogc_grammar::lark::{LarkFile, parse_lark_of_files};
/// use ogc_grammar::rules::Start;
/// let find = |_: &str, path: &str| {
///     (path == "words.lark").then(|| LarkFile { name: path.to_owned(), text: "word: /[a-z]+/".into() })
/// };
/// let text = "start: word\n%import .words.word\n";
/// let (grammar, found) = parse_lark_of_files(text, Start::Named("start"), "main.lark", &find);
/// assert!(found.is_empty() && grammar.rules.len() == 2);
/// ```
#[must_use]
pub fn parse_lark_of_files(text: &str, start: Start<'_>, name: &str, find: FindLark<'_>) -> (Grammar, Vec<Diagnostic>) {
    checked(text, start, &mut Importer::new(name, find))
}

fn checked(text: &str, start: Start<'_>, importer: &mut Importer<'_>) -> (Grammar, Vec<Diagnostic>) {
    let (grammar, mut diagnostics) = parse_from(text, start, 0, importer);
    if diagnostics.iter().any(Diagnostic::is_error)
        && let Some(other) = other_notation(text, "Lark", &[Guess::Lark])
    {
        return (grammar, vec![other]);
    }
    // A statement with an error leaves its name undefined; reporting each use of it would not help.
    if !diagnostics.iter().any(Diagnostic::is_error) {
        diagnostics.extend(check_written(&grammar, start, &SIGNS));
        text_marks(&mut diagnostics, text, PatternSigns::Slashes);
    }
    diagnostics.extend(quoted_patterns(&grammar, text, PatternSigns::Slashes));
    // A rule `think` beside a token `<think>` is common; terminals are written in capitals.
    let is_terminal = |one: &Diagnostic| !one.span.text(text).chars().any(char::is_lowercase);
    let tokens = tokens_beside_rules(&grammar, text, Code::DoubtfulPattern);
    diagnostics.extend(tokens.into_iter().filter(is_terminal));
    (grammar, diagnostics)
}

/// Reads Lark without checking that names are defined.
///
/// ```
/// let (_, found) = ogc_grammar::lark::parse("start: (\"a\" | \"b\"\n");
/// assert_eq!(found[0].code, ogc_grammar::Code::UnclosedGroup);
/// ```
#[must_use]
pub fn parse(text: &str) -> (Grammar, Vec<Diagnostic>) {
    parse_from(text, Start::Named(START), 0, &mut Importer::without_files())
}

/// Reads a grammar that is nested in `nesting` others.
fn parse_from(text: &str, start: Start<'_>, nesting: u32, importer: &mut Importer<'_>) -> (Grammar, Vec<Diagnostic>) {
    if let Some(refusal) = too_long(text, TEXT_LIMIT) {
        return (Grammar::default(), vec![refusal]);
    }
    let mut sink = Sink::default();
    let lexemes = match lexemes::<Lark>(text, &mut sink) {
        Ok(lexemes) => lexemes,
        Err(refusal) => return (Grammar::default(), vec![*refusal]),
    };
    let file = parse::file(text, &lexemes, nesting, &mut sink);
    let mut file = importer.resolve(file, &mut sink);
    importer.give(&mut file, &mut sink);
    let file = expand::expand(file, &mut sink);
    let grammar = weave::weave(&file, start, &mut sink);
    choice::check(&file, &mut sink);
    (grammar, sink.finish())
}
