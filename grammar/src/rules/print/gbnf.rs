//! Prints a rule tree as GBNF; reading the text again gives the same tree, spans aside.

use super::character::push_ranges;
use super::error::PrintError;
use super::names::{Fresh, all_names};
use super::printer::{Notation, Times, rules};
use crate::rules::{Grammar, TokenSet, VocabularyToken};
use std::collections::HashMap;

const GBNF: Notation = Notation {
    defined_as: " ::= ",
    empty: "\"\"",
    any: ".",
    class,
    times: |min, max| Times { first: None, sign: times(min, max) },
    token,
};

/// Writes `grammar` as GBNF, one rule a line, in order.
///
/// Characters that names in GBNF cannot have (EBNF allows `.` and letters of every script) become hyphens, and a number
/// keeps names unique. No rule is renamed to `root`: the tree does not tell the start rule.
///
/// # Errors
///
/// [`PrintError`] if GBNF cannot express a part of the tree.
pub fn print(grammar: &Grammar) -> Result<String, PrintError> {
    rules(grammar, &GBNF, names(grammar))
}

/// Returns the sign of a repetition, as GBNF and regular expressions write it.
pub(super) fn times(min: u32, max: Option<u32>) -> String {
    match (min, max) {
        (0, None) => "*".to_owned(),
        (1, None) => "+".to_owned(),
        (0, Some(1)) => "?".to_owned(),
        (_, None) => format!("{{{min},}}"),
        (_, Some(max)) if max == min => format!("{{{min}}}"),
        (_, Some(max)) => format!("{{{min},{max}}}"),
    }
}

/// Spells a token: llama.cpp supports a single id, with `!` before it for any other token.
fn token(token: &VocabularyToken) -> Option<String> {
    let one = |set: &TokenSet| match set {
        TokenSet::Named(name) => Some(name.clone()),
        TokenSet::Numbered(ranges) => match ranges.as_slice() {
            [(low, high)] if low == high => Some(format!("<[{low}]>")),
            _ => None,
        },
    };
    match token {
        VocabularyToken::Of(set) => one(set),
        VocabularyToken::Except(set) => one(set).map(|name| format!("!{name}")),
    }
}

/// Writes a class; a leading `^` is escaped, as it would negate the class.
fn class(out: &mut String, negated: bool, ranges: &[(char, char)]) {
    let mut inside = String::new();
    push_ranges(&mut inside, ranges, "[]\\-");
    match inside.strip_prefix('^').filter(|_| !negated) {
        Some(rest) => out.extend(["[\\x5E", rest, "]"]),
        None => out.extend([if negated { "[^" } else { "[" }, &inside, "]"]),
    }
}

/// Returns spellings for the names that GBNF cannot write.
fn names(grammar: &Grammar) -> HashMap<&str, String> {
    let (plain, odd): (Vec<&str>, Vec<&str>) = all_names(grammar).into_iter().partition(|name| is_gbnf_name(name));
    let mut fresh = Fresh::besides(plain, '-');
    let mut renamed = HashMap::new();
    for name in odd {
        renamed.entry(name).or_insert_with(|| fresh.name(base(name)));
    }
    renamed
}

fn base(name: &str) -> String {
    let base: String = name.chars().map(|c| if is_gbnf_name_char(c) { c } else { '-' }).collect();
    if base.is_empty() { "-".to_owned() } else { base }
}

fn is_gbnf_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(is_gbnf_name_char)
}

/// Returns whether a character may occur in names: letters, digits, hyphens and underscores, as in llama.cpp's guide.
pub(crate) fn is_gbnf_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-' || c == '_'
}
