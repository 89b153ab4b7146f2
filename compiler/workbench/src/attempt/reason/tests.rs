//! Tests that every text called expected is accepted, with random mistakes in samples of all example formats.

#![allow(clippy::disallowed_methods, reason = "the examples are files")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ogc_compiler::db::{Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile, Workspace};
use ogc_compiler::pipeline;

use super::*;
use crate::attempt::{Trial, by_bytes};
use crate::random::Random;
use crate::sample::{SampleOptions, samples};

/// Collects the example files, with their paths relative to the folder.
fn examples(folder: &Path, below: &str, found: &mut Vec<(String, PathBuf)>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let name = format!("{below}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            examples(&entry.path(), &format!("{name}/"), found);
        } else if Language::of_name(&name).is_ok() {
            found.push((name, entry.path()));
        }
    }
    found.sort();
}

/// Returns the example formats.
fn trials() -> Vec<(String, Trial)> {
    let mut found = Vec::new();
    examples(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples"), "", &mut found);
    let db = Compiler::default();
    let options = Options::new(&db, JsonPolicy::default(), Formats::default(), Limits::default());
    let file = |(name, path): (String, PathBuf)| {
        let text = std::fs::read_to_string(path).expect("a text");
        let language = Language::of_name(&name).expect("a language");
        (name.clone(), SourceFile::new(&db, name, text, language, options))
    };
    let files: BTreeMap<String, SourceFile> = found.into_iter().map(file).collect();
    Workspace::new(&db, files.clone());
    let formats = files
        .into_iter()
        .flat_map(|(name, file)| pipeline::formats(&db, file).into_iter().map(move |format| (name.clone(), format)));
    let trial = |(name, format): (String, _)| {
        let trial = Trial::of(&db, &format).expect("a vocabulary");
        (name.clone(), trial.expect(&name))
    };
    formats.map(trial).collect()
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
        let may_come = |text: String| accepts(refusal, floor(refusal.text, refusal.accepted), &text);
        // Messages do not mention escapes of characters that may also come plain.
        let is_respelling = c == '\\' && !said && ('!'..='~').all(|e| "u/".contains(e) || !may_come(format!("{c}{e}")));
        if !is_respelling {
            assert_eq!(said, may_come(c.to_string()), "{c:?}: {}", shown());
        }
    }
}

#[test]
fn expected_continuations_of_reasons_are_accepted() {
    let mut random = Random::new(17);
    let mut reasons = 0;
    for (name, trial) in trials() {
        let Trial { automaton, bytes: store, is_value, .. } = &trial;
        let options = SampleOptions { count: 12, seed: 5, length: 200 };
        for text in samples(automaton, options).expect(&name) {
            let text = broken(&mut random, &text);
            let Some(stop) = by_bytes(automaton, store, &text).expect("few readings") else { continue };
            let refusal = Refusal { automaton, store, text: &text, accepted: stop.accepted, is_value: *is_value };
            check(&refusal, &refusal.reason().expect("a reason"));
            reasons += 1;
        }
    }
    assert!(reasons > 100, "{reasons}");
}
