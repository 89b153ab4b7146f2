//! State that blocks and threads share while a grid runs.

use super::launch::Size;
use crate::ir::{FunctionId, Module};
use crate::memory::global::Global;
use crate::memory::plain::Plain;
use crate::memory::region::Region;
use crate::memory::thread::ThreadId;
use crate::report::{Counts, Fault, FaultKind, ThreadPlace};

/// The sizes of a launch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    pub(super) grid: Size,
    pub(super) block: Size,
    /// The number of warps of a block.
    pub(super) warps: u32,
}

impl Sizes {
    /// Returns a thread's places.
    pub(super) fn place(self, thread: ThreadId) -> ThreadPlace {
        let (block, warp) = (thread.warp() / self.warps, thread.warp() % self.warps);
        let number = warp * 32 + thread.0 % 32;
        ThreadPlace { block: self.grid.place(block), thread: self.block.place(number) }
    }
}

/// State that all blocks share.
#[derive(Debug)]
pub(super) struct Machine<'m> {
    pub(super) module: &'m Module,
    pub(super) kernel: FunctionId,
    pub(super) sizes: Sizes,
    /// The kernel's arguments; bytes between parameters are not written.
    pub(super) given: Plain,
    pub(super) memory: &'m mut Global,
    pub(super) counts: Counts,
    /// The time, which grows with every barrier.
    pub(super) now: u32,
    /// The time at which the launch began.
    pub(super) launched: u32,
    /// Cap on the instructions of the launch.
    pub(super) limit: u64,
}

impl Machine<'_> {
    /// Returns a fault at a line.
    pub(super) fn fault(&self, line: u32, thread: Option<ThreadId>, kind: FaultKind) -> Box<Fault> {
        let kernel = self.module.function(self.kernel).name.clone();
        Box::new(Fault { kernel, line, thread: thread.map(|thread| self.sizes.place(thread)), kind })
    }
}

/// State that the threads of a block share.
#[derive(Debug)]
pub(super) struct Common {
    /// The block's number in the grid.
    pub(super) number: u32,
    pub(super) shared: Region,
    /// The time at which the last barrier was passed.
    pub(super) barrier: u32,
}
