//! The threads that touch memory.

/// A thread of the grid: 32 times the number of its warp, plus its lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ThreadId(pub(crate) u32);

impl ThreadId {
    pub(crate) fn lane(self) -> usize {
        (self.0 % 32) as usize
    }

    pub(crate) fn warp(self) -> u32 {
        self.0 / 32
    }
}
