//! Ways: the operations that a walk has run on unknown registers, as a tree.
//!
//! An object of 20 keys in any order has a million sets of seen keys, too many to step a head from each. But a head steps in the same way
//! from all of them, except for the guards that it meets. So a walk can begin with a head whose registers are unknown: its
//! [`Memory`](super::Memory) refers to a way, and each operation on the memory leads to a longer way ([`super::record_way`]). Code that
//! knows the registers runs the steps of the way on them ([`super::run_way`]): if all guards hold, the head lives, with the resulting
//! registers.
//!
//! From the quote of a key of `{"a": ..., "b": ...}`, the token `a":` has the way "`a` or `b` can come; take `a`". Frames that were entered
//! within the walk have known registers of their own, and operations run on them as usual.

use rustc_hash::FxHashMap;

use crate::automaton::{OpId, StateId};

/// Cap on the ways of one walk. A frame with more is refused, like an ambiguous one, when its masks are computed on demand.
const MAX_WAYS: usize = 1 << 16;

/// One step of a way. It may fail on the registers, or change them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum WayStep {
    /// An operation.
    Op(OpId),
    /// Requires that some character that the escape can still become may be read in this state.
    Escape(StateId, u32),
}

/// The number of a way within one walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct WayId(pub(crate) u32);

impl WayId {
    /// The way without steps.
    pub(crate) const EMPTY: WayId = WayId(0);
}

/// The ways of one walk: each is another way plus one step.
#[derive(Clone, Debug, Default)]
pub(crate) struct WayTree {
    /// For each way, by number from 1: the way without its last step, and that step.
    all: Vec<(WayId, WayStep)>,
    known: FxHashMap<(WayId, WayStep), WayId>,
    /// The answer that all guards on unknown registers give; `None` if they are recorded.
    assumed: Option<bool>,
}

impl WayTree {
    /// Forgets all ways.
    pub(super) fn clear(&mut self) {
        self.all.clear();
        self.known.clear();
        self.assumed = None;
    }

    /// Makes all guards on unknown registers hold from now on, without recording them.
    pub(crate) fn assume_guards(&mut self) {
        self.assumed = Some(true);
    }

    /// Returns the answer that all guards on unknown registers give; `None` if they are recorded.
    pub(super) fn assumed(&self) -> Option<bool> {
        self.assumed
    }

    /// Sets the answer that all guards on unknown registers give; returns the previous one.
    pub(super) fn assume(&mut self, answer: Option<bool>) -> Option<bool> {
        std::mem::replace(&mut self.assumed, answer)
    }

    /// Returns the way without its last step, and that step; `None` for the empty way.
    pub(crate) fn last(&self, way: WayId) -> Option<(WayId, WayStep)> {
        self.all.get((way.0 as usize).checked_sub(1)?).copied()
    }

    /// Returns the way extended by a step; `None` if there are too many ways.
    pub(super) fn after(&mut self, way: WayId, step: WayStep) -> Option<WayId> {
        if let Some(&known) = self.known.get(&(way, step)) {
            return Some(known);
        }
        if self.all.len() >= MAX_WAYS {
            return None;
        }
        self.all.push((way, step));
        let new = WayId(self.all.len() as u32);
        self.known.insert((way, step), new);
        Some(new)
    }
}
