//! Heads and frames: the readings of the text so far, as plain data.

use super::memory::Memory;
use crate::automaton::{StateId, UNBOUNDED};

/// The number of a node of the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeId(pub(crate) u32);

/// The node below the lowest frame.
pub(crate) const BOTTOM: NodeId = NodeId(u32::MAX);

/// A suspended frame: the state to return to, and the registers at that time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Frame {
    pub(crate) state: StateId,
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) memory: Memory,
}

impl Frame {
    #[inline]
    pub(crate) fn resume(self, parent: NodeId) -> Head {
        Head { state: self.state, a: self.a, b: self.b, memory: self.memory, esc: 0, parent }
    }
}

/// One reading of the text, represented by its top frame. The frames below are shared in the [`super::Stack`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Head {
    /// The state of the top frame.
    pub(crate) state: StateId,
    /// The countdown to the minimum: number of ticks still needed.
    pub(crate) a: u32,
    /// The countdown from the minimum to the maximum: number of ticks allowed after those.
    pub(crate) b: u32,
    /// The keys that were seen, the tokens left, or a way.
    pub(crate) memory: Memory,
    /// The incomplete escape sequence, 0 for none: see [`super::escape`].
    pub(crate) esc: u32,
    /// The node of the stack with the frames below.
    pub(crate) parent: NodeId,
}

impl Head {
    /// The head that has returned from the last frame: nothing more can be read.
    pub(crate) const RETURNED: Head =
        Head { state: StateId(u32::MAX), a: 0, b: 0, memory: Memory::EMPTY, esc: 0, parent: BOTTOM };

    /// Returns the head after its frame, the lowest one, has returned: only its way remains.
    #[inline]
    pub(super) fn returned(&self) -> Head {
        self.memory.way().map_or(Self::RETURNED, |way| Head { memory: Memory::of_way(way), ..Self::RETURNED })
    }

    #[inline]
    pub(crate) fn is_returned(&self) -> bool {
        self.state.0 == u32::MAX
    }

    /// Calls `act` with `ticks` fewer ticks left, restores them, and returns the result. Returns `false` without a call if fewer ticks are
    /// left.
    pub(super) fn owing(&mut self, ticks: u32, act: impl FnOnce(&mut Head) -> bool) -> bool {
        let of_b = if self.b == UNBOUNDED { 0 } else { ticks.min(self.b) };
        let of_a = if self.b == UNBOUNDED { 0 } else { ticks - of_b };
        if self.a < of_a {
            return false;
        }
        (self.a, self.b) = (self.a - of_a, self.b - of_b);
        let done = act(self);
        (self.a, self.b) = (self.a + of_a, self.b + of_b);
        done
    }

    /// Ticks the countdowns: decrements `a`, or `b` if `a` is 0. Returns `false` if nothing is left.
    #[inline]
    pub(super) fn tick(&mut self) -> bool {
        if self.a > 0 {
            self.a -= 1;
        } else if self.b == 0 {
            return false;
        } else if self.b != UNBOUNDED {
            self.b -= 1;
        }
        true
    }
}
