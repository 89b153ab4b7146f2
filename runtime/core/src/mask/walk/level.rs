//! The heads of a walk at one depth of the trie: those at the last node that was visited there.

use crate::mask::table::Tables;
use crate::step::{Head, Mark};

/// The heads after the bytes on the way to a node.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    /// No head.
    Dead,
    /// One head, which is the usual case.
    One(Head),
    /// Several heads, as a range of the walker's list.
    Many(u32, u32),
}

impl Kind {
    /// Returns whether both are the same head; `false` may be wrong.
    pub(super) fn is_same(&self, other: &Kind) -> bool {
        matches!((self, other), (Kind::One(one), Kind::One(other)) if one == other)
    }
}

/// The heads at one depth, and the lengths to which the walker's buffers are truncated before the next sibling is entered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    pub(super) kind: Kind,
    /// The table of the one head's state, if a byte's edge alone decides its step.
    pub(super) table: u32,
    /// The part of the stack that the heads need.
    pub(super) mark: Mark,
    /// The length of the part of the walker's list of heads that is in use.
    pub(super) heads: u32,
}

impl Level {
    pub(super) const DEAD: Level = Level { kind: Kind::Dead, table: Tables::NONE, mark: Mark::ZERO, heads: 0 };
}
