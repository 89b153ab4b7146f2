//! Compares compiled patterns with the automata that `regex-automata` compiles from the same patterns. The languages
//! are equal, byte by byte, not only on samples. The patterns use only syntax that means the same in both.

use std::collections::HashSet;

use ogc_kit::Random;
use ogc_regular::pattern::compile_anchored;
use ogc_regular::{Dfa, Limits, StateId};
use regex_automata::dfa::{Automaton, dense};
use regex_automata::util::primitives::StateID;
use regex_automata::util::start::Config;
use regex_automata::{Anchored, MatchKind};

/// Number of random patterns that are compared.
const PATTERNS: u64 = 1_500;

/// Operands of patterns: characters of one to four bytes, and classes with and without a complement.
const ATOMS: [&str; 12] = [
    "a",
    "b",
    "é",
    "\u{20ac}",
    "\u{1f600}",
    "[ab]",
    "[a-fé]",
    "[^a]",
    "[^a-c\u{20ac}]",
    "[\u{7f}-\u{80}]",
    "[0-9]",
    "(?:)",
];

/// A random pattern of `depth` levels.
fn pattern(rng: &mut Random, depth: u32) -> String {
    if depth == 0 {
        return ATOMS[rng.below(ATOMS.len())].to_owned();
    }
    let inner = pattern(rng, depth - 1);
    match rng.below(7) {
        0 => format!("(?:{inner}|{})", pattern(rng, depth - 1)),
        1 | 2 => format!("{inner}{}", pattern(rng, depth - 1)),
        3 => format!("(?:{inner})*"),
        4 => format!("(?:{inner})?"),
        5 => format!("(?:{inner})+"),
        _ => {
            let least = rng.below(3);
            format!("(?:{inner}){{{least},{}}}", least + rng.below(3))
        }
    }
}

/// The judge's automaton of the whole strings that match.
fn judge(pattern: &str) -> dense::DFA<Vec<u32>> {
    let config = dense::Config::new().match_kind(MatchKind::All);
    dense::Builder::new().configure(config).build(&format!(r"\A(?:{pattern})\z")).expect("a pattern of both")
}

/// Returns a string in exactly one of the languages.
fn difference(ours: &Dfa, theirs: &dense::DFA<Vec<u32>>) -> Option<Vec<u8>> {
    let start = theirs.start_state(&Config::new().anchored(Anchored::Yes)).expect("a start");
    let first: (Option<StateId>, StateID) = (Some(ours.start()), start);
    let mut seen = HashSet::from([first]);
    let mut open = vec![(first, Vec::new())];
    while let Some(((our, their), text)) = open.pop() {
        let accepts = our.is_some_and(|state| ours.state(state).accept);
        if accepts != theirs.is_match_state(theirs.next_eoi_state(their)) {
            return Some(text);
        }
        for byte in 0..=u8::MAX {
            let next = (our.and_then(|state| ours.step(state, byte)), theirs.next_state(their, byte));
            let both_dead = next.0.is_none() && theirs.is_dead_state(next.1);
            if !both_dead && seen.insert(next) {
                open.push((next, [text.as_slice(), &[byte]].concat()));
            }
        }
    }
    None
}

#[test]
fn random_patterns_agree_with_another_regex_compiler() {
    let mut rng = Random::new(0x5eed_0f0e);
    for nth in 0..PATTERNS {
        let pattern = pattern(&mut rng, 1 + (nth % 4) as u32);
        let ours = compile_anchored(&pattern, &Limits::default()).expect("a pattern");
        let text = difference(&ours, &judge(&pattern));
        assert_eq!(text.map(|text| String::from_utf8_lossy(&text).into_owned()), None, "{pattern:?}");
    }
}
