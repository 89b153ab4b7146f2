//! Arenas that run out of room in the middle of a token. The token is then refused, or taken back with all tokens before it; the frames of
//! the state before it and of the logged states are still there.
//!
//! Frames are brackets of two kinds, so that a lost or mixed-up frame is noticed when it is closed.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use ogc_runtime::automaton::{Automaton, AutomatonBuilder, Escapes, OpId, StateId, StateKind};
use ogc_runtime::mask::MaskStore;
use ogc_runtime::vocabulary::Vocabulary;

use crate::formats;
use crate::script::{MOST_LOG, Script, Subject, assert_agrees, decided};
use ogc_kit::Random;

/// Capacity of a slot in nodes.
const MOST_NODES: usize = 256;

/// The brackets that open and close frames.
const BRACKETS: [[u8; 2]; 2] = [[b'(', b')'], [b'[', b']']];

/// A byte that occurs in no text.
const REFUSED: u8 = b'!';

/// Returns the format: brackets inside and after one another.
fn brackets() -> Arc<Automaton> {
    let mut builder = AutomatonBuilder::new();
    let rules = BRACKETS.map(|_| builder.rule("brackets", 0));
    for (rule, [open, close]) in rules.into_iter().zip(BRACKETS) {
        let [start, inside, end]: [StateId; 3] = std::array::from_fn(|_| builder.state(rule, StateKind::Bytes));
        builder.start(rule, start);
        builder.accept(end);
        builder.edge(start, open, open, OpId::NONE, inside);
        builder.edge(inside, close, close, OpId::NONE, end);
        rules.iter().for_each(|inner| builder.call(inside, formats::call(*inner, inside, 0, 0)));
    }
    let root = builder.rule("texts", 0);
    let [start, behind] = std::array::from_fn(|_| builder.state(root, StateKind::Bytes));
    builder.start(root, start);
    builder.accept(behind);
    for (from, rule) in [start, behind].into_iter().flat_map(|from| rules.map(|rule| (from, rule))) {
        builder.call(from, formats::call(rule, behind, 0, 0));
    }
    Arc::new(builder.finish((root, 0, 0), false, Escapes::Any).unwrap())
}

/// A script under construction.
struct Maker<'r> {
    random: &'r mut Random,
    /// The tokens of the vocabulary beside single bytes.
    tokens: Vec<Vec<u8>>,
    commands: Vec<i32>,
    /// The kinds of the open frames, now and before each token that can be taken back.
    open: Vec<usize>,
    before: Vec<Vec<usize>>,
    /// Number of nodes if none were dropped.
    nodes: usize,
}

impl Maker<'_> {
    /// Opens `count` frames; returns the bytes that open them.
    fn opened(&mut self, count: usize) -> Vec<u8> {
        let kinds: Vec<usize> = (0..count).map(|_| self.random.below(2)).collect();
        self.nodes += count;
        self.open.extend(&kinds);
        kinds.into_iter().map(|kind| BRACKETS[kind][0]).collect()
    }

    /// Closes `count` frames; returns the bytes that close them.
    fn closed(&mut self, count: usize) -> Vec<u8> {
        let kept = self.open.len() - count;
        self.open.split_off(kept).into_iter().rev().map(|kind| BRACKETS[kind][1]).collect()
    }

    /// Adds a token of these bytes, before which the frames `before` were open.
    fn token(&mut self, bytes: Vec<u8>, before: Vec<usize>) {
        self.commands.push(256 + self.tokens.len() as i32);
        self.tokens.push(bytes);
        self.before.push(before);
    }

    /// Adds a token that opens `count` frames or closes some.
    fn opening(&mut self, count: usize) {
        let before = self.open.clone();
        let bytes = self.opened(count);
        self.token(bytes, before);
    }

    fn closing(&mut self, count: usize) {
        let before = self.open.clone();
        let bytes = self.closed(count);
        self.token(bytes, before);
    }

    /// Opens and closes frames until there are `nodes` nodes.
    fn fill(&mut self, nodes: usize) {
        while self.nodes < nodes {
            self.opening(1);
            self.closing(1);
        }
    }

    /// Takes tokens back, possibly as many as a slot can.
    fn take_back(&mut self, tokens: usize) {
        self.commands.push(-(tokens as i32));
        self.open = self.before[self.before.len() - tokens].clone();
        self.before.truncate(self.before.len() - tokens);
    }

    /// Closes all frames; before each, tries to close a frame of the other kind.
    fn close_all(&mut self) {
        for kind in std::mem::take(&mut self.open).into_iter().rev() {
            self.commands.extend([BRACKETS[1 - kind][1], BRACKETS[kind][1]].map(i32::from));
        }
    }

    /// Fills the arena, and then reads a token that has no room in it.
    fn make(&mut self) {
        // Nodes that are dropped later lie both below and above frames that stay.
        self.opening(1);
        let below = self.random.below(60);
        self.fill(below);
        let depth = 3 + self.random.below(9);
        self.opening(depth);
        let full = MOST_NODES - 26 - self.random.below(24);
        self.fill(full);
        self.fill_log();
        // With an empty log, only the state itself has frames.
        let is_log_empty = self.random.below(4) == 0;
        if is_log_empty {
            self.take_back(MOST_LOG);
        }
        let before = self.open.clone();
        let count = self.random.below(self.open.len());
        let mut bytes = self.closed(count);
        let pushed = 50 + self.random.below(30);
        bytes.extend(self.opened(pushed));
        let is_refused = self.random.below(3) > 0;
        bytes.extend(is_refused.then_some(REFUSED));
        self.token(bytes, before.clone());
        if is_refused {
            self.open = before;
            self.before.pop();
        }
        let most = if is_log_empty { usize::from(!is_refused) } else { MOST_LOG };
        match self.random.below(4) {
            0 | 1 if most > 0 => self.take_back(most),
            2 if most > 0 => {
                let some = 1 + self.random.below(most);
                self.take_back(some);
            }
            _ => {}
        }
        self.close_all();
    }

    /// Adds as many tokens as can be taken back. One of them (the first, the last or any) closes frames that only the states before it
    /// have.
    fn fill_log(&mut self) {
        let place = [0, MOST_LOG - 1, self.random.below(MOST_LOG)][self.random.below(3)];
        for at in 0..MOST_LOG {
            if at == place {
                let count = 1 + self.random.below(self.open.len() - 2);
                self.closing(count);
            } else if self.open.len() > 3 && self.random.below(2) == 0 && at > place {
                self.closing(1);
            } else {
                self.opening(usize::from(at % 2 == 0) + 1);
            }
        }
    }
}

/// Returns the format over a vocabulary of bytes and the script's tokens, and the script.
fn script(random: &mut Random) -> (Subject, Script) {
    let (tokens, commands, open, before) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut maker = Maker { random, tokens, commands, open, before, nodes: 0 };
    maker.make();
    let Maker { tokens, commands, .. } = maker;
    let bytes = (0..=u8::MAX).map(|byte| vec![byte]);
    let texts: Vec<Option<Vec<u8>>> = bytes.chain(tokens).map(Some).collect();
    let store = MaskStore::new(Arc::new(Vocabulary::from_tokens(&texts, &[]).unwrap()));
    let subject = Subject { format: brackets(), store, stops: None };
    let script = subject.script(&commands);
    (subject, script)
}

#[test]
fn a_token_that_overflows_the_slot_leaves_all_frames_intact() {
    let Some(program) = crate::step::compiled() else { return };
    let mut random = Random::new(ogc_kit::setting("OGC_SEED", 1));
    for _ in 0..ogc_kit::setting("OGC_ROUNDS", 120) {
        let (subject, script) = script(&mut random);
        let found = crate::step::run(program, &subject, std::slice::from_ref(&script)).remove(0);
        assert_agrees("brackets", &script, &found);
        assert_eq!(decided(&found).1, None, "{:?}", script.commands);
        assert!(script.said.ends_with('c'), "all frames are closed: {}", script.said);
    }
}
