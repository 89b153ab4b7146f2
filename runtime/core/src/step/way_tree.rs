//! Ways: the operations that a walk has run on registers that it does not know, as a tree.
//!
//! An object of 20 keys in any order has a million sets of seen keys, too many to step a head from each. But a head steps alike from all of
//! them, except for the guards on its way. So a walk can begin with a head whose registers are not known: its [`Memory`](super::Memory)
//! names a way, and each operation on it leads to a longer way ([`super::record_way`]). Code that knows the registers runs the steps of the
//! way on them ([`super::run_way`]): if all guards hold, the head lives, with the registers at the end.
//!
//! From the quote of a key of `{"a": ..., "b": ...}`, the token `a":` goes the way "`a` or `b` can come; take `a`". Frames
//! that were entered within the walk have registers of their own, which are known, and run as always.

use rustc_hash::FxHashMap;

use crate::automaton::{OpId, StateId};

/// Cap on the ways of one walk. A frame with more, whose masks are computed on demand, is refused like an ambiguous one.
const MAX_WAYS: usize = 1 << 16;

/// One step of a way: it may fail on the registers, or change them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum WayStep {
    /// An operation.
    Op(OpId),
    /// Asks that in this state some character which the escape can still become may be read.
    Escape(StateId, u32),
}

/// The number of a way within one walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct WayId(pub(crate) u32);

impl WayId {
    /// The way without steps.
    pub(crate) const EMPTY: WayId = WayId(0);
}

/// The ways of one walk: each is another way and one more step.
#[derive(Clone, Debug, Default)]
pub(crate) struct WayTree {
    /// By number, from 1: the way before the last step, and that step.
    all: Vec<(WayId, WayStep)>,
    known: FxHashMap<(WayId, WayStep), WayId>,
    /// The answer of all guards on unknown registers, if they are not recorded.
    assumed: Option<bool>,
}

impl WayTree {
    /// Forgets all ways.
    pub(super) fn clear(&mut self) {
        self.all.clear();
        self.known.clear();
        self.assumed = None;
    }

    /// Makes all guards on unknown registers hold from now on, and leaves ways as they are.
    pub(crate) fn assume_guards(&mut self) {
        self.assumed = Some(true);
    }

    /// Returns the answer of all guards on unknown registers; `None` if they are recorded.
    pub(super) fn assumed(&self) -> Option<bool> {
        self.assumed
    }

    /// Sets the answer of all guards on unknown registers; returns the one before.
    pub(super) fn assume(&mut self, answer: Option<bool>) -> Option<bool> {
        std::mem::replace(&mut self.assumed, answer)
    }

    /// Returns the way before the last step, and that step; `None` of the empty way.
    pub(crate) fn last(&self, way: WayId) -> Option<(WayId, WayStep)> {
        self.all.get((way.0 as usize).checked_sub(1)?).copied()
    }

    /// Returns the way with one step more; `None` if there are too many.
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
