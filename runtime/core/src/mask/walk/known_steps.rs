//! A cache of steps that a walk has taken, by configuration and byte.
//!
//! In an ambiguous format a step visits many heads, and a trie of 100,000 tokens repeats the same steps again and again: an identifier
//! continues with the same heads and stacks after `ab` as after `xy`. So after many steps a walk begins to number its configurations, and
//! caches the step of each configuration by each byte: a lazy automaton, as in `regex-automata`'s hybrid DFA.
//!
//! Equal configurations have equal stacks, which [`Canon`] maps to the same nodes. `Canon` identifies nodes by their
//! index, so the walk's stack is never truncated below the nodes that it has seen ([`KnownSteps::floor`]).
//!
//! Walks with few general steps number nothing: for key tries, which reach each configuration only once, numbering made the walk a quarter
//! slower.

use rustc_hash::FxHashMap;

use super::level::{LevelKind, Number};
use crate::automaton::Automaton;
use crate::step::{Canon, Head, Mark, Stack, can_finish};

/// After visiting this many heads (about a millisecond), a walk begins to number configurations. Debug builds use a small value, so that
/// tests with small vocabularies number configurations too.
const LOOKS: usize = if cfg!(debug_assertions) { 16 } else { 8_192 };

/// Cap on configurations. Beyond it, unknown steps are computed each time.
const MOST: usize = 1 << 15;

/// Cap on the stack nodes that are kept for configurations.
const MOST_NODES: u32 = 1 << 20;

/// The heads after some bytes, and facts about them that a walk needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Configuration {
    pub(super) kind: LevelKind,
    /// Whether some head can return from the starting frame.
    pub(super) finished: bool,
    /// Whether some head can continue.
    pub(super) reads: bool,
}

/// The configurations of one walk, and the steps between them.
#[derive(Debug, Default)]
pub(super) struct KnownSteps {
    /// Whether this walk may number its configurations.
    allowed: bool,
    /// The number of heads that steps have visited so far.
    looks: usize,
    canon: Canon,
    numbers: FxHashMap<Box<[Head]>, Number>,
    configurations: Vec<Configuration>,
    steps: FxHashMap<(Number, u8), Number>,
    /// The lengths below which the stack and the walker's list of heads must not be truncated.
    floor: (Mark, u32),
}

/// The configuration without heads, to which every refused byte leads.
const DEAD: Configuration = Configuration { kind: LevelKind::Dead, finished: false, reads: false };

impl KnownSteps {
    /// Forgets all configurations, and disallows numbering until [`KnownSteps::allow`].
    pub(super) fn forget(&mut self) {
        // If the walk numbered nothing, the maps have no memory to free.
        if self.configurations.is_empty() {
            (self.allowed, self.looks, self.floor) = (false, 0, (Mark::ZERO, 0));
        } else {
            *self = Self::default();
        }
    }

    /// Allows the walk that now begins to number its configurations.
    pub(super) fn allow(&mut self) {
        self.allowed = true;
    }

    /// Counts the heads that a step visited.
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

    /// Returns the lengths to which the stack and the list of heads may be truncated: the given ones, or greater ones if known steps refer
    /// to later entries.
    pub(super) fn floor(&self, mark: Mark, heads: u32) -> (Mark, u32) {
        (mark.max(self.floor.0), heads.max(self.floor.1))
    }

    /// Returns a configuration by its number.
    pub(super) fn get(&self, number: Number) -> Configuration {
        self.configurations.get(number.0 as usize).copied().unwrap_or(DEAD)
    }

    /// Returns the configuration after a byte, if the step is known.
    pub(super) fn after(&self, from: Number, byte: u8) -> Option<Number> {
        self.steps.get(&(from, byte)).copied()
    }

    /// Records the configuration after a byte.
    pub(super) fn keep(&mut self, from: Number, byte: u8, to: Number) {
        self.steps.insert((from, byte), to);
    }

    /// Returns the number of the configuration of some heads. If the configuration is new and has several heads, appends them to `list`.
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
