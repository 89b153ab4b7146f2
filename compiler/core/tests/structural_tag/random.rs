//! Random structural tags accept exactly the texts that the slow interpreter accepts.

use ogc_compiler::pipeline::automaton;
use ogc_grammar::Diagnostic;
use ogc_kit::Random;
use serde_json::{Value, json};

use super::{Tag, oracle};
use crate::grammar::simulator::accepts;

/// Number of tags that are compared.
const TAGS: usize = 300;

/// Number of texts for each tag.
const TEXTS: usize = 120;

struct Draw<'r> {
    random: &'r mut Random,
}

impl Draw<'_> {
    fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound)
    }

    /// Makes a word over few characters, so that words overlap.
    fn word(&mut self, least: usize) -> String {
        let len = least + self.below(3);
        (0..len).map(|_| ['a', 'b', '<'][self.below(3)]).collect()
    }

    fn words(&mut self, most: usize) -> Vec<String> {
        (0..self.below(most + 1)).map(|_| self.word(1)).collect()
    }

    fn flag(&mut self) -> bool {
        self.below(2) == 0
    }

    fn node(&mut self, depth: usize) -> Value {
        let kinds = if depth == 0 { 2 } else { 11 };
        match self.below(kinds) {
            0 => json!({"type": "const_string", "value": self.word(0)}),
            1 => json!({"type": "any_text", "excludes": self.words(2)}),
            2 => json!({"type": "sequence", "elements": self.nodes(depth)}),
            3 => json!({"type": "or", "elements": self.nodes(depth)}),
            4 => json!({"type": "optional", "content": self.node(depth - 1)}),
            5 => json!({"type": "star", "content": self.node(depth - 1)}),
            6 => {
                let min = self.below(3);
                let max = if self.flag() { -1 } else { (min + self.below(2)) as i64 };
                json!({"type": "repeat", "min": min, "max": max, "content": self.node(depth - 1)})
            }
            7 => self.tag(depth, ""),
            8 => {
                let tags: Vec<Value> = (0..1 + self.below(2)).map(|_| self.tag(depth, "")).collect();
                json!({"type": "tags_with_separator", "tags": tags, "separator": self.word(0),
                    "at_least_one": self.flag(), "stop_after_first": self.flag()})
            }
            9 => {
                let triggers = self.triggers();
                let tags: Vec<Value> = triggers.iter().map(|trigger| self.tag(depth, trigger)).collect();
                json!({"type": "triggered_tags", "triggers": triggers, "tags": tags, "excludes": self.words(1),
                    "at_least_one": self.flag(), "stop_after_first": self.flag()})
            }
            _ => {
                let rules: Vec<Value> =
                    self.triggers().into_iter().map(|trigger| json!([trigger, self.node(depth - 1)])).collect();
                json!({"type": "dispatch", "rules": rules, "loop": self.flag(), "excludes": self.words(1)})
            }
        }
    }

    fn nodes(&mut self, depth: usize) -> Vec<Value> {
        (0..1 + self.below(3)).map(|_| self.node(depth - 1)).collect()
    }

    /// Makes triggers none of which is a suffix of another: if two triggers end at the same place, it is unspecified
    /// which one begins.
    fn triggers(&mut self) -> Vec<String> {
        let mut triggers: Vec<String> = Vec::new();
        for _ in 0..1 + self.below(2) {
            let word = self.word(1);
            if !triggers.iter().any(|one| {
                one.ends_with(&word) || word.ends_with(one) || one.starts_with(&word) || word.starts_with(one)
            }) {
                triggers.push(word);
            }
        }
        triggers
    }

    fn tag(&mut self, depth: usize, trigger: &str) -> Value {
        let end = if self.flag() { json!(self.word(0)) } else { json!([self.word(1), self.word(1)]) };
        json!({"type": "tag", "begin": format!("{trigger}{}", self.word(0)), "content": self.node(depth - 1), "end": end})
    }
}

#[test]
fn random_tags_agree_with_a_slow_reader() {
    let mut random = Random::new(32);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..TAGS {
        let node = Draw { random: &mut random }.node(2);
        let tag = Tag::of(&node);
        if tag.findings().iter().any(Diagnostic::is_error) {
            // Two triggers begin the same tag, or no text is left.
            continue;
        }
        let automaton = automaton(&tag.db, tag.file).unwrap();
        for _ in 0..TEXTS {
            let len = random.below(9);
            let text: String = (0..len).map(|_| ['a', 'b', '<'][random.below(3)]).collect();
            let expected = oracle::accepts(&node, &text);
            assert_eq!(accepts(&automaton, text.as_bytes()), expected, "{text:?} of {node}");
            if expected { accepted += 1 } else { refused += 1 }
        }
    }
    assert!(accepted > 2_000 && refused > 2_000, "{accepted} accepted, {refused} refused");
}
