//! `ogc sample`: generates random texts of a format by walks through its automaton.
//!
//! The walk chooses among alternatives evenly, whatever the size of their languages, and writes what people can read:
//! short numbers, now and then one at its bounds, words instead of letters, texts and lists of varied length.

mod branches;
mod words;
mod writer;

use std::sync::Arc;

use ogc_runtime::automaton::Automaton;

use crate::args::Sample;
use crate::message::Message;
use crate::output::{Output, Verdict};
use crate::problem::Problem;
use crate::random::Random;
use crate::session::Session;

use branches::Branches;
use writer::Writer;

/// The most bytes of a sample, whatever the format needs.
const MAX_BYTES: usize = 1 << 16;

/// The most walks that are tried for a text that is short enough.
const TRIES: usize = 8;

pub(crate) fn run(args: &Sample, output: &Output) -> Result<Verdict, Problem> {
    let mut session = Session::new(&args.format);
    let file = session.open(&args.file)?;
    let format = session.format(file)?;
    let Some(automaton) = session.compile(&format, output)? else { return Ok(Verdict::Bad) };
    let texts = texts(&automaton, args.count, args.seed, args.length);
    for text in texts.map_err(|message| Problem::Engine { path: args.file.clone(), message })? {
        let shown = String::from_utf8_lossy(&text).into_owned();
        if output.is_json() {
            output.say(&Message::Sample { text: shown })?;
        } else {
            output.data(&format!("{shown}\n"))?;
        }
    }
    Ok(Verdict::Good)
}

/// Generates texts of a format; the error says why there are none.
pub(super) fn texts(automaton: &Arc<Automaton>, count: usize, seed: u64, length: u32) -> Result<Vec<Vec<u8>>, String> {
    let least = automaton.min_bytes[automaton.rules[automaton.root.rule.index()].start.index()];
    if least as usize > MAX_BYTES && !automaton.nullable {
        return Err(format!(
            "the shortest text of this format takes at least {least} bytes; a sample has at most {MAX_BYTES}"
        ));
    }
    let (branches, mut random) = (Branches::new(automaton), Random::new(seed));
    (0..count).map(|_| sample(automaton, &branches, &mut random, length)).collect()
}

/// Generates texts until one is short enough; else returns the shortest of them.
fn sample(
    automaton: &Arc<Automaton>,
    branches: &Branches,
    random: &mut Random,
    length: u32,
) -> Result<Vec<u8>, String> {
    let mut shortest: Option<Vec<u8>> = None;
    for _ in 0..TRIES {
        let most = shortest.as_ref().map_or(MAX_BYTES, Vec::len);
        let Some(text) = Writer::new(automaton, branches, random, length).write(most) else {
            if shortest.is_none() {
                break;
            }
            continue;
        };
        if text.len() <= length as usize {
            return Ok(text);
        }
        shortest = Some(text);
    }
    shortest.ok_or_else(|| {
        format!("no sample of at most {MAX_BYTES} bytes was found: the shortest text of this format is longer")
    })
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

    fn samples(grammar: &str, count: usize, seed: u64) -> Vec<String> {
        let texts = texts(&automaton(grammar), count, seed, 60).expect("texts");
        texts.into_iter().map(|text| String::from_utf8(text).expect("UTF-8")).collect()
    }

    #[test]
    fn samples_are_accepted_and_follow_the_seed() {
        let grammar = "root ::= \"(\" root* \")\" | [a-z]{2,5} | \"é\" [^x]{3,}";
        assert_eq!(samples(grammar, 30, 7), samples(grammar, 30, 7));
        let (automaton, store) = (automaton(grammar), vocabulary::bytes_and(&[]).unwrap());
        for text in samples(grammar, 200, 7) {
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
            for text in samples(&grammar, 1_000, 3) {
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
    fn lengths_vary_and_a_format_without_short_texts_says_so() {
        let lengths: Vec<usize> = samples("root ::= [^\"]*", 200, 5).iter().map(String::len).collect();
        let at_limit = lengths.iter().filter(|&&length| length > 55).count();
        assert!(at_limit < 40 && lengths.iter().filter(|&&length| length < 20).count() > 60, "{lengths:?}");
        let long = texts(&automaton("root ::= [a]{2000000}"), 1, 1, 10);
        assert!(long.is_err_and(|message| message.contains("at most 65536")));
    }
}
