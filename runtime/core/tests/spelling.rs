//! The texts of a format that a vocabulary can write, against a judge that writes out all calls and follows sets of readings.

use std::collections::{BTreeMap, BTreeSet};

use ogc_kit::Random;
use ogc_runtime::automaton::{Automaton, AutomatonBuilder, Call, Escapes, OpId, StateId, StateKind};
use ogc_runtime::mask::{SpelledTexts, spelling};
use ogc_runtime::vocabulary::Vocabulary;

/// A machine of one rule: for each state its edges, and whether it may end. The first state is the start.
#[derive(Clone, Debug)]
struct Machine {
    edges: Vec<BTreeMap<u8, usize>>,
    accept: Vec<bool>,
}

/// A rule that calls another from one state, and continues in another.
#[derive(Clone, Debug)]
struct Nested {
    outer: Machine,
    inner: Machine,
    from: usize,
    to: usize,
}

fn machine(random: &mut Random, states: usize, bytes: &[u8]) -> Machine {
    let mut machine = Machine { edges: vec![BTreeMap::new(); states], accept: vec![false; states] };
    for from in 0..states {
        for _ in 0..1 + random.below(2) {
            machine.edges[from].insert(bytes[random.below(bytes.len())], 1 + random.below(states - 1));
        }
    }
    machine.accept[states - 1] = true;
    machine.accept[1 + random.below(states - 1)] = true;
    // Every state leads to an end, as in compiled formats.
    for state in 0..states - 1 {
        machine.edges[state].insert(bytes[random.below(bytes.len())], state + 1);
    }
    machine
}

impl Nested {
    fn automaton(&self) -> Option<Automaton> {
        let mut builder = AutomatonBuilder::new();
        let rules = [builder.rule("outer", 0), builder.rule("inner", 0)];
        let mut numbers: Vec<Vec<StateId>> = Vec::new();
        for (machine, rule) in [&self.outer, &self.inner].into_iter().zip(rules) {
            let states: Vec<_> = machine.edges.iter().map(|_| builder.state(rule, StateKind::Bytes)).collect();
            builder.start(rule, states[0]);
            for (from, edges) in machine.edges.iter().enumerate() {
                edges.iter().for_each(|(&byte, &to)| builder.edge(states[from], byte, byte, OpId::NONE, states[to]));
                if machine.accept[from] {
                    builder.accept(states[from]);
                }
            }
            numbers.push(states);
        }
        let ret = numbers[0][self.to];
        builder.call(numbers[0][self.from], Call { rule: rules[1], a: 0, b: 0, op: OpId::NONE, ret });
        builder.finish((rules[0], 0, 0), false, Escapes::Any).ok()
    }

    /// Returns the states after a byte, each with whether it is inside the call.
    fn after(&self, states: &BTreeSet<(usize, bool)>, byte: u8) -> BTreeSet<(usize, bool)> {
        let closed = self.closed(states);
        let next = closed.iter().filter_map(|&(state, inside)| {
            let machine = if inside { &self.inner } else { &self.outer };
            machine.edges[state].get(&byte).map(|&to| (to, inside))
        });
        self.closed(&next.collect())
    }

    /// Returns the states together with all states that are reached without a byte.
    fn closed(&self, states: &BTreeSet<(usize, bool)>) -> BTreeSet<(usize, bool)> {
        let mut all = states.clone();
        loop {
            let more: Vec<_> = all
                .iter()
                .flat_map(|&(state, inside)| {
                    let enters = !inside && state == self.from;
                    let leaves = inside && self.inner.accept[state];
                    enters.then_some((0, true)).into_iter().chain(leaves.then_some((self.to, false)))
                })
                .collect();
            let before = all.len();
            all.extend(more);
            if all.len() == before {
                return all;
            }
        }
    }

    /// Returns whether a text can be written at all, and whether words can lead to a place from which none can be completed.
    fn judge(&self, words: &[&str]) -> (bool, bool) {
        let begin = self.closed(&BTreeSet::from([(0, false)]));
        let mut known = vec![begin];
        let mut leads: Vec<Vec<usize>> = Vec::new();
        let mut at = 0;
        while at < known.len() {
            let mut to = Vec::new();
            for word in words {
                let next = word.bytes().fold(known[at].clone(), |states, byte| self.after(&states, byte));
                if next.is_empty() {
                    continue;
                }
                let number = known.iter().position(|states| *states == next).unwrap_or(known.len());
                if number == known.len() {
                    known.push(next);
                }
                to.push(number);
            }
            leads.push(to);
            at += 1;
        }
        let ends = |states: &BTreeSet<(usize, bool)>| {
            states.iter().any(|&(state, inside)| !inside && self.outer.accept[state])
        };
        let mut live: Vec<bool> = known.iter().map(ends).collect();
        for _ in 0..known.len() {
            for at in 0..known.len() {
                live[at] |= leads[at].iter().any(|&to| live[to]);
            }
        }
        (live[0], live.iter().any(|live| !live))
    }
}

#[test]
fn spelling_agrees_with_following_all_readings() {
    let mut random = Random::new(11);
    let (mut seen, mut whole) = ([0; 3], 0);
    for _ in 0..20_000 {
        let bytes = b"abcd";
        let (outer, inner) = (2 + random.below(4), 2 + random.below(3));
        let nested = Nested {
            outer: machine(&mut random, outer, bytes),
            inner: machine(&mut random, inner, bytes),
            from: random.below(outer),
            to: 1 + random.below(outer - 1),
        };
        let all = ["a", "b", "c", "d", "ab", "bc", "cd", "da", "abc", "bd", "ca", "dd", "aab", "cdb"];
        let words: Vec<&str> = all.into_iter().filter(|_| random.below(3) == 0).collect();
        let Some(automaton) = nested.automaton().filter(|_| !words.is_empty()) else { continue };
        let tokens: Vec<Option<&str>> = words.iter().map(|word| Some(*word)).collect();
        let vocabulary = Vocabulary::from_tokens(&tokens, &[]).expect("a vocabulary");
        let (begins, dead) = nested.judge(&words);
        match spelling(&automaton, &vocabulary) {
            SpelledTexts::Nothing(_) => {
                assert!(!begins, "{words:?} {nested:?}");
                seen[0] += 1;
            }
            SpelledTexts::Parts(_) => {
                assert!(begins && dead, "{words:?} {nested:?}");
                seen[1] += 1;
            }
            SpelledTexts::Whole => {
                assert!(begins, "{words:?} {nested:?}");
                // With several readings, a dead end of all of them need not be found.
                assert!(!dead || !nested.is_decided(), "{words:?} {nested:?}");
                seen[2] += 1;
                whole += usize::from(nested.is_decided());
            }
            SpelledTexts::Unknown { .. } => panic!("so few places can be looked at"),
        }
    }
    assert!(seen.iter().all(|&count| count > 100) && whole > 50, "{seen:?} {whole}");
}

impl Nested {
    /// Returns whether no byte is read in two ways: by an edge and in the call, or after the call and inside of it.
    fn is_decided(&self) -> bool {
        let calls = self.inner.edges[0].keys().all(|byte| !self.outer.edges[self.from].contains_key(byte));
        let follow: Vec<u8> = self
            .closed(&BTreeSet::from([(self.to, false)]))
            .iter()
            .flat_map(|&(state, inside)| {
                let machine = if inside { &self.inner } else { &self.outer };
                machine.edges[state].keys().copied().collect::<Vec<_>>()
            })
            .collect();
        let ends = self.inner.edges.iter().zip(&self.inner.accept).filter(|(_, accept)| **accept);
        calls && ends.into_iter().all(|(edges, _)| follow.iter().all(|byte| !edges.contains_key(byte)))
    }
}

/// The format `"caf" ("é" | "e")`.
fn cafe() -> Automaton {
    let mut builder = AutomatonBuilder::new();
    let rule = builder.rule("word", 0);
    let states: Vec<_> = (0..6).map(|_| builder.state(rule, StateKind::Bytes)).collect();
    builder.start(rule, states[0]);
    for (at, byte) in b"caf".iter().enumerate() {
        builder.edge(states[at], *byte, *byte, OpId::NONE, states[at + 1]);
    }
    builder.edge(states[3], 0xC3, 0xC3, OpId::NONE, states[4]);
    builder.edge(states[4], 0xA9, 0xA9, OpId::NONE, states[5]);
    builder.accept(states[5]);
    builder.finish((rule, 0, 0), false, Escapes::Any).expect("an automaton")
}

#[test]
fn the_character_that_the_vocabulary_cannot_spell_is_reported() {
    let tokens = ["c", "a", "f", "caf"].map(Some);
    let vocabulary = Vocabulary::from_tokens(&tokens, &[]).expect("a vocabulary");
    let SpelledTexts::Nothing(Some(end)) = spelling(&cafe(), &vocabulary) else { panic!("it cannot be written") };
    assert_eq!(end.text, "é".as_bytes());
    let half = Vocabulary::from_tokens(&["c", "a", "f", "é"].map(Some), &[]).expect("a vocabulary");
    assert_eq!(spelling(&cafe(), &half), SpelledTexts::Whole);
}
