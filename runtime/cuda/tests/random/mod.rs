//! Random formats: rules of raw bytes with countdowns, strings, objects, token-counted texts, and named tokens.

use std::sync::Arc;

use ogc_kit::Random;

use crate::formats;
use ogc_runtime::automaton::{
    Automaton, AutomatonBuilder, Call, Escapes, KeyOrder, Op, OpId, RuleId, StateId, StateKind, UNBOUNDED,
};

/// The bytes that random formats use.
pub(crate) const ALPHABET: &[u8] = b"{}[]\":,abc01\\ux <";

/// Characters of strings: some are written only or mostly as escapes, and some have more than one byte.
const CHARACTERS: [&str; 12] = ["\0", "\u{1f}", "\n", "\"", "\\", "/", "a", "b", "\u{7f}", "é", "日", "\u{1F600}"];

/// Names of keys, some of which begin others.
const NAMES: [&str; 8] = ["", "a", "ab", "abc", "b", "bb", "\n", "x"];

/// Names of tokens in the vocabulary of `formats`.
const TOKENS: [&str; 5] = ["<t>", "<t", "ab", "x", ""];

/// A format under construction.
struct Maker<'r> {
    random: &'r mut Random,
    builder: AutomatonBuilder,
    /// The rules that can be called, each with whether it counts tokens.
    rules: Vec<(RuleId, bool)>,
}

/// Returns a format of some random rules; `None` if it has no text, or is invalid.
pub(crate) fn random_format(random: &mut Random) -> Option<Arc<Automaton>> {
    let mut maker = Maker { random, builder: AutomatonBuilder::new(), rules: Vec::new() };
    let plain: Vec<RuleId> = (0..1 + maker.random.below(3)).map(|_| maker.builder.rule("random", 0)).collect();
    maker.rules.extend(plain.iter().map(|rule| (*rule, false)));
    if maker.random.below(4) == 0 {
        let limited = formats::limited(&mut maker.builder);
        maker.rules.push((limited, true));
    }
    for _ in 0..maker.random.below(3) {
        let rule = maker.string();
        maker.rules.push((rule, false));
    }
    for _ in 0..maker.random.below(3) {
        let rule = maker.object();
        maker.rules.push((rule, false));
    }
    for rule in plain {
        maker.fill(rule);
    }
    let Call { rule, a, b, .. } = maker.call(StateId(0));
    let Maker { random, builder, .. } = maker;
    let escapes = [Escapes::Any, Escapes::Any, Escapes::Canonical][random.below(3)];
    builder.finish((rule, a, b), random.below(2) == 0, escapes).ok().map(Arc::new)
}

impl Maker<'_> {
    /// Makes the states of a rule of raw bytes. The rule usually reads a byte before it calls.
    fn fill(&mut self, rule: RuleId) {
        let states: Vec<StateId> =
            (0..2 + self.random.below(4)).map(|_| self.builder.state(rule, StateKind::Bytes)).collect();
        self.builder.start(rule, states[0]);
        self.builder.accept(states[states.len() - 1]);
        for (at, &from) in states.iter().enumerate() {
            for _ in 0..self.random.below(5) {
                let lo = ALPHABET[self.random.below(ALPHABET.len())];
                let hi = lo.saturating_add([0, 0, 3, 40][self.random.below(4)]);
                let (op, to) = (self.op(), states[self.random.below(states.len())]);
                self.builder.edge(from, lo, hi, op, to);
            }
            if self.random.below(if at == 0 { 6 } else { 2 }) == 0 {
                let ret = states[self.random.below(states.len())];
                let call = self.call(ret);
                self.builder.call(from, call);
            }
            if self.random.below(12) == 0 {
                let marker = self.builder.token(TOKENS[self.random.below(TOKENS.len())]);
                let to = states[self.random.below(states.len())];
                self.spell(rule, StateKind::Bytes, from, &marker, OpId::NONE, to);
            }
        }
    }

    /// Makes a rule of strings: characters and ranges of them lead between some states, with countdowns.
    fn string(&mut self) -> RuleId {
        let rule = self.builder.rule("random string", 0);
        let [start, end] = std::array::from_fn(|_| self.builder.state(rule, StateKind::Bytes));
        let texts: Vec<StateId> =
            (0..1 + self.random.below(3)).map(|_| self.builder.state(rule, StateKind::Text)).collect();
        self.builder.start(rule, start);
        self.builder.accept(end);
        let op = self.op();
        self.builder.edge(start, b'"', b'"', op, texts[0]);
        for &from in &texts {
            for _ in 0..self.random.below(4) {
                let (op, to) = (self.op(), texts[self.random.below(texts.len())]);
                if self.random.below(3) == 0 {
                    let lo = [0x00, 0x08, 0x20, b'a'][self.random.below(4)];
                    self.builder.edge(from, lo, lo + 0x1F, op, to);
                    continue;
                }
                let bytes = CHARACTERS[self.random.below(CHARACTERS.len())].as_bytes();
                self.spell(rule, StateKind::Text, from, bytes, op, to);
            }
            if self.random.below(6) == 0 {
                formats::any_text(&mut self.builder, rule, from, OpId::NONE);
            }
            if self.random.below(2) == 0 {
                let op = self.op();
                self.builder.close(from, op, end);
            }
        }
        rule
    }

    /// Makes a rule of objects, whose values are of any earlier rule.
    fn object(&mut self) -> RuleId {
        let first = self.random.below(NAMES.len());
        let mut keys: Vec<formats::Key<'_>> = Vec::new();
        for at in 0..self.random.below(6) {
            let Call { rule, a, b, .. } = self.call(StateId(0));
            keys.push((NAMES[(first + at) % NAMES.len()], self.random.below(3) == 0, (rule, a, b)));
        }
        // A value that counts tokens would be called with no tokens.
        let extra = self.rules[self.random.below(self.rules.len())];
        let extra = (self.random.below(2) == 0 && !extra.1).then_some(extra.0);
        let order = [KeyOrder::Declared, KeyOrder::Any][self.random.below(2)];
        formats::object(&mut self.builder, &keys, extra, order, self.random.below(3) == 0)
    }

    /// Returns a call of any earlier rule.
    fn call(&mut self, ret: StateId) -> Call {
        let (rule, counts_tokens) = self.rules[self.random.below(self.rules.len())];
        let [a, b] = std::array::from_fn(|_| [0, 1, 2, 3, UNBOUNDED][self.random.below(5)]);
        Call { rule, ret, op: self.op(), a: if counts_tokens { a.max(1) } else { a }, b }
    }

    /// Adds edges that spell bytes from one state to another, with an operation on the first.
    fn spell(&mut self, rule: RuleId, kind: StateKind, from: StateId, bytes: &[u8], op: OpId, to: StateId) {
        let mut at = from;
        for (index, &byte) in bytes.iter().enumerate() {
            let is_last = index + 1 == bytes.len();
            let next = if is_last { to } else { self.builder.state(rule, kind) };
            self.builder.edge(at, byte, byte, if index == 0 { op } else { OpId::NONE }, next);
            at = next;
        }
    }

    /// Returns an operation, which is usually none.
    fn op(&mut self) -> OpId {
        if self.random.below(3) > 0 {
            return OpId::NONE;
        }
        let max_a = [0, 1, 2, UNBOUNDED, UNBOUNDED][self.random.below(5)];
        let min_total = [0, 0, 1, 2, UNBOUNDED][self.random.below(5)];
        self.builder.op(Op::Count { tick: self.random.below(2) == 0, max_a, min_total })
    }
}
