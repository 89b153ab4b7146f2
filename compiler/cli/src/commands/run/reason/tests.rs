//! Tests, with random mistakes in samples of all example formats, that everything called expected is accepted.

use std::path::{Path, PathBuf};

use super::*;
use crate::args::{Cli, Command};
use crate::commands::sample;
use crate::random::Random;
use crate::session::Session;
use crate::{files, vocabulary};

/// Returns the automata of the example formats, and whether their texts are JSON values.
fn formats() -> Vec<(String, Arc<Automaton>, bool)> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let found = files::matching(&[examples], |name| ogc_compiler::db::Language::of_name(name).is_ok());
    let mut all = Vec::new();
    for found in found.found {
        let path: PathBuf = found.path;
        let cli: Cli = clap::Parser::parse_from(["ogc", "run", path.to_str().expect("UTF-8"), "x"]);
        let Command::Run(args) = cli.command else { panic!("run") };
        let mut session = Session::new(&args.format);
        let file = session.open(&path).expect("a file");
        for format in session.formats(file).expect("formats") {
            let automaton = ogc_compiler::pipeline::automaton(&session.db, format.clone()).expect("an automaton");
            all.push((path.display().to_string(), automaton, super::super::is_value(&session, &format)));
        }
    }
    all
}

/// Puts a mistake into a text.
fn broken(random: &mut Random, text: &[u8]) -> Vec<u8> {
    let mut text = text.to_vec();
    let at = random.below(text.len() as u64 + 1) as usize;
    let some = [&b"x"[..], b"\"", b",", b"}", b"]", b" ", b"9", b"null", "\u{e9}".as_bytes(), b"{\"a\":1}"];
    match random.below(3) {
        0 => text.truncate(at),
        1 => drop(text.drain(at..(at + 1 + random.below(12) as usize).min(text.len()))),
        _ => drop(text.splice(at..at, some[random.below(some.len() as u64) as usize].iter().copied())),
    }
    text
}

fn accepts(refusal: &Refusal<'_>, at: usize, more: &str) -> bool {
    refusal.matcher_at(at).expect("accepted").accept_bytes(more.as_bytes()).is_ok()
}

fn check(refusal: &Refusal<'_>, reason: &Reason) {
    let shown = || format!("{:?}\n{reason:?}", String::from_utf8_lossy(refusal.text));
    assert!(!reason.message.is_empty() && !reason.expected.is_empty(), "{}", shown());
    for word in &reason.words {
        assert!(accepts(refusal, reason.at, word), "{word}: {}", shown());
    }
    for key in &reason.keys {
        let key = serde_json::Value::from(key.as_str()).to_string();
        assert!(
            [0, 1].iter().any(|&spaces| accepts(refusal, reason.at, &(" ".repeat(spaces) + &key))),
            "{key}: {}",
            shown()
        );
    }
    let next = refusal.next_at(floor(refusal.text, refusal.accepted)).expect("accepted");
    for c in ('\0'..='\u{ff}').chain(['\u{3b1}', '\u{4e00}', '\u{d7ff}', '\u{e000}', '\u{10ffff}']) {
        let said =
            next.words.iter().any(|word| word.starts_with(c)) || next.ranges.iter().any(|&(lo, hi)| lo <= c && c <= hi);
        let is = accepts(refusal, floor(refusal.text, refusal.accepted), &c.to_string());
        assert_eq!(said, is, "{c:?}: {}", shown());
    }
}

#[test]
fn what_is_said_to_be_expected_is_accepted() {
    let mut random = Random::new(17);
    let mut reasons = 0;
    for (name, automaton, is_value) in formats() {
        let store = vocabulary::bytes_and(&automaton.tokens).expect("bytes");
        for text in sample::texts(&automaton, 12, 5, 200).expect(&name) {
            let text = broken(&mut random, &text);
            let stop = super::super::stop::by_bytes(&automaton, &store, &text).expect("few readings");
            let Some(stop) = stop else { continue };
            let refusal =
                Refusal { automaton: &automaton, store: &store, text: &text, accepted: stop.accepted, is_value };
            check(&refusal, &refusal.reason().expect("a reason"));
            reasons += 1;
        }
    }
    assert!(reasons > 100, "{reasons}");
}
