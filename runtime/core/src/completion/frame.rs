//! Frames by content, and the goals to which they are completed.

use crate::automaton::{Automaton, ObjectShape, Op, StateId};
use crate::step::{Head, KeySet, Stack, unasked, with_seen};

/// A frame by content, and its goal: the key of memos.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Frame {
    pub(super) state: StateId,
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) esc: u32,
    /// The number of tokens left, or the position among declared keys; 0 if the keys are a set.
    pub(super) position: u32,
    pub(super) keys: KeySet,
    pub(super) goal: Goal,
    /// Whether the frame's next key may be any: it was looked up by itself, or follows such a frame without a key between. The next key of
    /// any other frame is one that cheap completions take.
    pub(super) any_key: bool,
}

/// The place up to which a frame is completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Goal {
    /// The end of the rule.
    End,
    /// The end of the rule, through no other key.
    Close,
    /// The hub (the state after a member), through no other key.
    Hub,
    /// The hub, through this declared key and no other.
    Key(u32),
    /// The hub, through one undeclared key.
    Extra,
    /// The end of the rule from the hub, through all missing required keys.
    Rest,
}

/// The effect of an operation with respect to a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// The operation does not lead to the goal.
    Leaves,
    /// The goal stays the same.
    Keeps,
    /// The goal's key is taken: from here on the goal is the hub.
    Takes,
}

impl Goal {
    /// Returns the effect of an operation with respect to this goal.
    pub(super) fn effect(self, op: &Op) -> Effect {
        let when = |on_the_way: bool, effect| if on_the_way { effect } else { Effect::Leaves };
        match op {
            Op::None | Op::Count { .. } | Op::KeyAlive { .. } => Effect::Keeps,
            // Objects with `Owing` operations are not split.
            Op::Owing { .. } => Effect::Leaves,
            Op::KeyTake { key, .. } => when(self == Goal::Key(*key), Effect::Takes),
            Op::KeyTakeExtra { .. } => when(self == Goal::Extra, Effect::Takes),
            Op::KeyNext { .. } => when(matches!(self, Goal::Key(_) | Goal::Extra), Effect::Keeps),
            Op::ObjectClose { .. } => when(self == Goal::Close, Effect::Keeps),
        }
    }

    /// Makes a frame with this goal, whose registers allow no key but the goal's.
    pub(super) fn from(self, shape: &ObjectShape, state: StateId, esc: u32) -> Frame {
        let allowed = match self {
            Goal::Key(key) => Some(key),
            Goal::End | Goal::Close | Goal::Hub | Goal::Extra | Goal::Rest => None,
        };
        let (position, keys) = match shape.keeps_set() {
            false => (allowed.unwrap_or(shape.keys), KeySet::new()),
            true if shape.conditions.is_empty() => (0, all_but(shape.keys, allowed)),
            true => (0, with_seen(all_but(shape.keys, allowed), unasked(shape))),
        };
        Frame { state, a: 0, b: 0, esc, position, keys, goal: self, any_key: false }
    }
}

/// Returns the set of all keys but one.
fn all_but(keys: u32, key: Option<u32>) -> KeySet {
    let word =
        |from: u32| (0..64).filter(|bit| from + bit < keys && Some(from + bit) != key).fold(0, |w, bit| w | 1 << bit);
    (0..keys).step_by(64).map(word).collect()
}

pub(super) fn content(stack: &Stack, head: Head) -> Frame {
    let set = stack.set(head.memory);
    Frame {
        state: head.state,
        a: head.a,
        b: head.b,
        esc: head.esc,
        position: if set.is_some() { 0 } else { head.memory.word() },
        keys: set.cloned().unwrap_or_default(),
        goal: Goal::End,
        any_key: false,
    }
}

/// Returns the frame without its number of tokens left, which does not change its cost.
pub(super) fn uncounted(automaton: &Automaton, frame: Frame) -> Frame {
    let position = if automaton.rule_of(frame.state).counts_tokens { 0 } else { frame.position };
    Frame { position, ..frame }
}
