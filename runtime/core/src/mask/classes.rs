//! Equivalence classes of heads that no single token can tell apart. Heads of one class share their rows.
//!
//! A string with 300 characters to go and one with 400 allow the same tokens if no token is longer than 300 bytes. So both heads are
//! represented by one with an endless countdown. In the same way, key positions that behave alike are represented by the first of them.
//!
//! # Positions inside a key
//!
//! An object with 131 keys in declared order has 132 positions, and thousands of states inside its keys. But in the key text `na`, only two
//! facts about a position matter: which of the keys that begin with `na` may come, and whether an undeclared key may. The end of the key
//! then sets a new position that does not depend on the old one: after this key, or after all declared keys. So two positions that agree on
//! both facts are one class: whatever a token reads, the heads differ only in the position until the key ends, and are equal afterwards.
//! Their rows, exits and tails are equal. With `m` possible keys a state has at most `m + 1` classes; all states together have about as
//! many classes as the keys have letters. [`canonical_position`] returns the representative, which is a member of the class.
//!
//! # Escapes inside a key
//!
//! After `\u1`, a key cannot become a declared key of ASCII letters. So the head's class is that of the same escape in the text of an
//! undeclared key, the state that its own state is alike to (`automaton/derive/alike.rs`): each character that the escape can still become
//! leads both states to the same state, and changes no register. (A head is inside an escape only if some character can end the escape. If
//! that character has a guard, the guard holds, and it is the same guard for all such characters.)

use crate::automaton::{Automaton, Free, ObjectId, StateId, UNBOUNDED};
use crate::step::{Head, Memory, Stack, canonical_escape, canonical_position, characters_of_escape};

/// The key under which a store keeps rows: a state, identified by the content of its rule so that formats share rows, and canonical
/// registers. Equal keys have equal rows, in any format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct StateKey {
    /// Content of the rule.
    pub(crate) rule: u128,
    /// The keys of an object that were seen: a position among declared keys, or the hash of a set of keys.
    pub(crate) memory: u128,
    /// State within the rule.
    pub(crate) local: u32,
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) esc: u32,
}

/// Facts about a state that, beside the registers, determine the class of a head. For engines that look up masks themselves.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct ClassFacts<'a> {
    /// Guards cannot tell apart countdowns of at least this plus the length of the longest token; 0 if there is no countdown.
    pub threshold: u32,
    /// Whether the state reads free text, so that only the length of an escape matters.
    pub is_free: bool,
    /// Whether masks are made by ways, so that the class does not depend on registers.
    pub is_by_ways: bool,
    /// The object whose keys the frame remembers.
    pub object: Option<ObjectId>,
    /// Indexes of the declared keys that the text can still become, ascending; if present, only these keys matter.
    pub possible_keys: Option<&'a [u32]>,
    /// The state that this state is alike to, and the bytes of decoded text that lead both states to the same state.
    pub alike: Option<(StateId, [u64; 4])>,
}

impl Automaton {
    /// Returns the facts that determine the classes of the state's heads.
    #[doc(hidden)]
    #[must_use]
    pub fn class_facts(&self, state: StateId) -> ClassFacts<'_> {
        let rule = self.states[state.index()].rule;
        ClassFacts {
            threshold: self.derived.threshold(rule),
            is_free: self.derived.free(state) != Free::No,
            is_by_ways: self.derived.is_by_ways(rule),
            object: self.rule_of(state).object,
            possible_keys: self.possible_keys(state),
            alike: self.alike(state).map(|alike| (alike.state, *alike.same())),
        }
    }
}

/// Maps the head's registers to the representative of their class.
pub(crate) fn canonical(automaton: &Automaton, head: Head, longest_token: u32) -> Head {
    let head = unescaped_alike(automaton, head);
    let rule = automaton.states[head.state.index()].rule;
    let threshold = automaton.derived.threshold(rule);
    let (a, b) = if threshold == 0 {
        (0, 0)
    } else {
        // A token ticks at most once a byte. A countdown that exceeds every constant of the guards by more than the
        // longest token stays above the constants throughout the token, so its exact value does not matter.
        let limit = threshold.saturating_add(longest_token);
        (head.a.min(limit), if head.b >= limit { UNBOUNDED } else { head.b })
    };
    Head { a, b, memory: canonical_memory(automaton, head), esc: canonical_esc(automaton, &head), ..head }
}

/// Moves a head inside an escape to the state that its state is alike to, if every character that the escape can become leads both states
/// to the same state.
fn unescaped_alike(automaton: &Automaton, head: Head) -> Head {
    if head.esc == 0 {
        return head;
    }
    match automaton.alike(head.state) {
        Some(alike) if characters_of_escape(head.esc).into_iter().all(|range| alike.agrees_on(range)) => {
            Head { state: alike.state, ..head }
        }
        _ => head,
    }
}

fn canonical_esc(automaton: &Automaton, head: &Head) -> u32 {
    if head.esc == 0 || automaton.derived.free(head.state) == Free::No {
        return head.esc;
    }
    canonical_escape(automaton.escapes, head.esc)
}

fn canonical_memory(automaton: &Automaton, head: Head) -> Memory {
    let Some(object) = automaton.rule_of(head.state).object else {
        return Memory::EMPTY;
    };
    match automaton.possible_keys(head.state) {
        Some(keys) => {
            let position = canonical_position(&automaton.objects[object.index()], head.memory.word(), keys);
            Memory::of_number(position)
        }
        None => head.memory,
    }
}

/// Returns the key of a canonical head.
pub(crate) fn key(automaton: &Automaton, stack: &Stack, head: &Head) -> StateKey {
    let rule = automaton.rule_of(head.state);
    StateKey {
        rule: automaton.fingerprint(automaton.states[head.state.index()].rule),
        memory: memory_key(stack, head),
        local: head.state.0 - rule.states.first,
        a: head.a,
        b: head.b,
        esc: head.esc,
    }
}

fn memory_key(stack: &Stack, head: &Head) -> u128 {
    match stack.set(head.memory) {
        None => u128::from(head.memory.word()),
        Some(set) => {
            let mut hasher = blake3::Hasher::new();
            for word in set {
                hasher.update(&word.to_le_bytes());
            }
            let mut bytes = [0; 16];
            bytes.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
            u128::from_le_bytes(bytes)
        }
    }
}
