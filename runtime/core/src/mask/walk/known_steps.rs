//! Steps that a walk has taken before, by configuration and byte.
//!
//! In an ambiguous format a step looks at many heads, and a trie of 100,000 tokens asks for the same step again and again: after
//! `ab` and after `xy` an identifier goes on with the same heads over the same stacks. So a walk whose steps were many numbers its
//! configurations, and looks up what a byte makes of them: a lazy automaton, as in `regex-automata`'s hybrid DFA.
//!
//! Equal configurations have equal stacks, which [`Canon`] maps to the same nodes. It knows nodes by their place, so that the arena
//! of the walk is not truncated below those that it has seen ([`KnownSteps::floor`]).
//!
//! Walks that take few such steps number nothing: for rows of key tries, which come to each configuration once, it took a quarter more time.

use rustc_hash::FxHashMap;

use super::level::{LevelKind, Number};
use crate::automaton::Automaton;
use crate::step::{Canon, Head, Mark, Stack, can_finish};

/// The heads that a walk looks at before it numbers its configurations: about a millisecond. Few where arithmetic is checked, so that
/// tests with small vocabularies come to numbers too.
const LOOKS: usize = if cfg!(debug_assertions) { 16 } else { 8_192 };

/// Cap on configurations; beyond it, steps that are not known are taken anew each time.
const MOST: usize = 1 << 15;

/// Cap on nodes of the stack that are kept for configurations.
const MOST_NODES: u32 = 1 << 20;

/// The heads after some bytes, and what a walk asks of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Configuration {
    pub(super) kind: LevelKind,
    /// Whether some head can return from the starting frame.
    pub(super) finished: bool,
    /// Whether some head can read on.
    pub(super) reads: bool,
}

/// The configurations of one walk, and the steps between them.
#[derive(Debug, Default)]
pub(super) struct KnownSteps {
    /// Whether this walk may number its configurations.
    allowed: bool,
    /// The heads that steps have looked at so far.
    looks: usize,
    canon: Canon,
    numbers: FxHashMap<Box<[Head]>, Number>,
    configurations: Vec<Configuration>,
    steps: FxHashMap<(Number, u8), Number>,
    /// The part of the stack that is kept, and of the walker's list of heads.
    floor: (Mark, u32),
}

/// The configuration of no head, which every refused byte leads to.
const DEAD: Configuration = Configuration { kind: LevelKind::Dead, finished: false, reads: false };

impl KnownSteps {
    /// Forgets all configurations; a walk that begins numbers none, unless it is allowed to.
    pub(super) fn forget(&mut self) {
        // The maps of a walk that numbered nothing have no memory to give back.
        if self.configurations.is_empty() {
            (self.allowed, self.looks, self.floor) = (false, 0, (Mark::ZERO, 0));
        } else {
            *self = Self::default();
        }
    }

    /// Lets the walk that begins number its configurations.
    pub(super) fn allow(&mut self) {
        self.allowed = true;
    }

    /// Counts the heads that a step looked at.
    pub(super) fn note(&mut self, looks: usize) {
        self.looks += looks;
    }

    /// Returns whether the walk numbers its configurations.
    pub(super) fn is_on(&self) -> bool {
        self.allowed && self.looks > LOOKS
    }

    /// Returns whether there is room for another configuration.
    pub(super) fn has_room(&self, stack: &Stack) -> bool {
        self.configurations.len() < MOST && stack.mark().nodes() < MOST_NODES
    }

    /// Returns the part of the stack and of the list of heads that must be kept, at least as long as those given.
    pub(super) fn floor(&self, mark: Mark, heads: u32) -> (Mark, u32) {
        (mark.max(self.floor.0), heads.max(self.floor.1))
    }

    /// Returns a configuration by its number.
    pub(super) fn get(&self, number: Number) -> Configuration {
        self.configurations.get(number.0 as usize).copied().unwrap_or(DEAD)
    }

    /// Returns what a byte leads to, if that is known.
    pub(super) fn after(&self, from: Number, byte: u8) -> Option<Number> {
        self.steps.get(&(from, byte)).copied()
    }

    /// Keeps what a byte leads to.
    pub(super) fn keep(&mut self, from: Number, byte: u8, to: Number) {
        self.steps.insert((from, byte), to);
    }

    /// Returns the number of the configuration of some heads, which are put at the end of `list` if they are several and new.
    pub(super) fn number(
        &mut self,
        automaton: &Automaton,
        stack: &Stack,
        heads: impl Iterator<Item = Head>,
        list: &mut Vec<Head>,
    ) -> Number {
        let heads = self.canon.heads(stack, heads);
        let known = self.numbers.get(heads.as_slice()).copied();
        let number = known.unwrap_or_else(|| {
            let kind = match *heads {
                [] => LevelKind::Dead,
                [head] => LevelKind::One(head),
                _ => {
                    let from = list.len() as u32;
                    list.extend_from_slice(&heads);
                    LevelKind::Many(from, list.len() as u32)
                }
            };
            let finished = heads.iter().any(|&head| can_finish(automaton, stack, head));
            let reads = heads.iter().any(|head| !head.is_returned());
            let number = Number(self.configurations.len() as u32);
            self.configurations.push(Configuration { kind, finished, reads });
            self.numbers.insert(heads.into_boxed_slice(), number);
            number
        });
        self.floor = (stack.mark(), list.len() as u32);
        number
    }
}
