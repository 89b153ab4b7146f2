//! Writes random texts of a format by walks through its automaton.
//!
//! The walk chooses evenly among alternatives, whatever the size of their languages, and writes readable texts: short
//! numbers and sometimes one at its bounds, words instead of random letters, texts and lists of varied length.

mod branches;
mod words;
mod writer;

use std::sync::Arc;

use ogc_runtime::automaton::Automaton;

use crate::random::Random;

use branches::Branches;
use writer::{NotWritten, SampleWriter};

/// Maximum length of a sample in bytes, even if the format needs more.
pub const MAX_BYTES: usize = 1 << 16;

/// Maximum number of walks tried to get a text that is short enough.
const TRIES: usize = 8;

/// Maximum number of walks tried to get a text without equal items in arrays whose items must differ.
const TRIES_FOR_ITEMS: usize = 200;

/// The number, seed and length of samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampleOptions {
    /// The number of texts.
    pub count: usize,
    /// The seed: the same seed gives the same texts.
    pub seed: u64,
    /// Preferred maximum length of a text in bytes, if the format allows it.
    pub length: u32,
}

/// The reason why a format has no sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SampleError {
    /// Every text has more bytes than a sample may have.
    #[error("the shortest text of this format takes at least {least} bytes; a sample has at most {MAX_BYTES}")]
    TooLong {
        /// A lower bound on the length of the shortest text, in bytes.
        least: u32,
    },
    /// No walk ended within the limit.
    #[error("no sample of at most {MAX_BYTES} bytes was found: the shortest text of this format is longer")]
    NotFound,
    /// Every text that was tried has two equal items in an array whose items must differ, or two equal keys in an
    /// object whose keys must.
    #[error(
        "no sample was found in which no two items of an array are equal, and no two keys of an object: give them more values, or allow fewer of them"
    )]
    EqualItems,
}

/// Writes texts of a format.
///
/// # Errors
///
/// The format has no text that is short enough.
pub fn samples(automaton: &Arc<Automaton>, options: SampleOptions) -> Result<Vec<Vec<u8>>, SampleError> {
    let least = automaton.min_bytes[automaton.rules[automaton.root.rule.index()].start.index()];
    if least as usize > MAX_BYTES && !automaton.nullable {
        return Err(SampleError::TooLong { least });
    }
    let (branches, mut random) = (Branches::new(automaton), Random::new(options.seed));
    (0..options.count).map(|_| sample(automaton, &branches, &mut random, options.length)).collect()
}

/// Writes texts until one is short enough; if none is, returns the shortest.
fn sample(
    automaton: &Arc<Automaton>,
    branches: &Branches,
    random: &mut Random,
    length: u32,
) -> Result<Vec<u8>, SampleError> {
    let mut shortest: Option<Vec<u8>> = None;
    let (mut tried, mut equal) = (0, 0);
    while tried < TRIES && equal < TRIES_FOR_ITEMS {
        let most = shortest.as_ref().map_or(MAX_BYTES, Vec::len);
        let text = match SampleWriter::new(automaton, branches, random, length).write(most) {
            Ok(text) => text,
            Err(NotWritten::EqualItems) => {
                equal += 1;
                continue;
            }
            Err(NotWritten::TooLong) if shortest.is_none() => break,
            Err(NotWritten::TooLong) => {
                tried += 1;
                continue;
            }
        };
        tried += 1;
        if text.len() <= length as usize {
            return Ok(text);
        }
        shortest = Some(text);
    }
    shortest.ok_or(if equal == TRIES_FOR_ITEMS { SampleError::EqualItems } else { SampleError::NotFound })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use ogc_compiler::frontend::grammar::{Dialect, compile_grammar};
    use ogc_runtime::matcher::Matcher;

    use super::*;
    use crate::vocabulary;

    fn automaton(grammar: &str) -> Arc<Automaton> {
        let limits = ogc_compiler::pass::Limits::default();
        Arc::new(compile_grammar(grammar, Dialect::Gbnf, &limits).0.expect("a grammar"))
    }

    fn texts(grammar: &str, count: usize, seed: u64) -> Vec<String> {
        let texts = samples(&automaton(grammar), SampleOptions { count, seed, length: 60 }).expect("texts");
        texts.into_iter().map(|text| String::from_utf8(text).expect("UTF-8")).collect()
    }

    #[test]
    fn samples_are_accepted_and_follow_the_seed() {
        let grammar = "root ::= \"(\" root* \")\" | [a-z]{2,5} | \"é\" [^x]{3,}";
        assert_eq!(texts(grammar, 30, 7), texts(grammar, 30, 7));
        let (automaton, store) = (automaton(grammar), vocabulary::bytes_and(&[]).unwrap());
        for text in texts(grammar, 200, 7) {
            let mut matcher = Matcher::new(Arc::clone(&automaton), Arc::clone(&store));
            assert!(matcher.accept_bytes(text.as_bytes()).is_ok() && matcher.is_complete(), "{text}");
        }
    }

    #[test]
    fn every_alternative_is_about_as_frequent_as_any_other() {
        let words = "\"low\" | \"medium\" | \"mild\" | \"cat\" | \"bat\"";
        for (grammar, arms) in [
            (format!("root ::= {words}"), 5),
            (format!("root ::= ({words}) \"!\""), 5),
            ("root ::= \"=\" | \"#\" [a-z]{9} | \"@\" [a-z]* \"!\"".to_owned(), 3),
            ("root ::= nest | \"-\" | \"+\"\nnest ::= \"(\" root \")\"".to_owned(), 3),
        ] {
            let mut counts = BTreeMap::<String, usize>::new();
            for text in texts(&grammar, 1_000, 3) {
                let is_word = text.starts_with(|c: char| c.is_ascii_alphabetic());
                let arm = if is_word { text } else { text.chars().take(1).collect() };
                *counts.entry(arm).or_default() += 1;
            }
            let even = 1_000 / arms;
            let is_even = |count: &usize| (even * 7 / 10..=even * 13 / 10).contains(count);
            assert!(counts.len() == arms && counts.values().all(is_even), "{grammar}: {counts:?}");
        }
    }

    #[test]
    fn lengths_of_samples_vary_and_too_long_formats_are_errors() {
        let lengths: Vec<usize> = texts("root ::= [^\"]*", 200, 5).iter().map(String::len).collect();
        let at_limit = lengths.iter().filter(|&&length| length > 55).count();
        assert!(at_limit < 40 && lengths.iter().filter(|&&length| length < 20).count() > 60, "{lengths:?}");
        let long = samples(&automaton("root ::= [a]{2000000}"), SampleOptions { count: 1, seed: 1, length: 10 });
        assert!(long.is_err_and(|error| error.to_string().contains("at most 65536")));
    }
}
