//! Prints a rule tree as Lark, with the same meaning for readers that treat grammars as sets of texts.
//!
//! Every rule becomes a rule, and every class of characters a pattern. There are no named terminals, so a lexer chooses
//! only among single characters and literals.

use super::character::push_ranges;
use super::error::PrintError;
use super::names::{Fresh, all_names};
use super::printer::{Notation, Times, rules};
use crate::rules::{Grammar, TokenSet, VocabularyToken};
use std::collections::HashMap;

const LARK: Notation = Notation {
    defined_as: ": ",
    // Lark rejects empty terminals.
    empty: "()",
    any: "/./s",
    class,
    times,
    // Lark has no sign for "any token except a named one".
    token: |token| (!matches!(token, VocabularyToken::Except(TokenSet::Named(_)))).then(|| token.to_string()),
};

/// Writes `grammar` as Lark, one rule a line, in order. The rule `start` is called `start`; names that are invalid in
/// Lark are replaced.
///
/// ```
/// let (tree, _) = ogc_grammar::parse_gbnf("root ::= \"a\" [0-9]{2,3} B*\nB ::= .");
/// let text = ogc_grammar::rules::print_lark(&tree, "root");
/// assert_eq!(text.as_deref(), Ok("start: \"a\" /[0-9]/~2..3 b*\nb: /./s\n"));
/// ```
///
/// # Errors
///
/// [`PrintError`] if the tree has exceptions, patterns, or negated tokens.
pub fn print_lark(grammar: &Grammar, start: &str) -> Result<String, PrintError> {
    rules(grammar, &LARK, names(grammar, start))
}

/// Returns the signs of a repetition. Lark has no sign for "at least twice": the required ones are written out,
/// followed by any number.
fn times(min: u32, max: Option<u32>) -> Times {
    let sign = match (min, max) {
        (0, None) => "*".to_owned(),
        (1, None) => "+".to_owned(),
        (0, Some(1)) => "?".to_owned(),
        (_, Some(max)) if max == min => format!("~{min}"),
        (_, Some(max)) => format!("~{min}..{max}"),
        (_, None) => return Times { first: Some(format!("~{min}")), sign: "*".to_owned() },
    };
    Times { first: None, sign }
}

fn class(out: &mut String, negated: bool, ranges: &[(char, char)]) {
    out.push_str(if negated { "/[^" } else { "/[" });
    push_ranges(out, ranges, "[]\\-^/");
    out.push_str("]/");
}

/// Returns a unique spelling for each name, in lower-case letters, digits and underscores.
fn names<'g>(grammar: &'g Grammar, start: &'g str) -> HashMap<&'g str, String> {
    let mut fresh = Fresh::besides(["start"], '_');
    let mut written = HashMap::from([(start, "start".to_owned())]);
    for name in all_names(grammar) {
        written.entry(name).or_insert_with(|| fresh.name(base(name)));
    }
    written
}

fn base(name: &str) -> String {
    let small = name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' });
    let base: String = small.collect();
    let base = base.trim_matches('_');
    if base.starts_with(|c: char| c.is_ascii_lowercase()) { base.to_owned() } else { format!("r_{base}") }
}
