//! Results of a launch: counts, or a fault with its place.

use crate::ir::Op;
use crate::ir::alu::Alu;
use crate::memory::MemoryFault;
use crate::number::ArithmeticFault;
use std::fmt;

/// The report of a launch that ended without a fault.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The counts.
    pub counts: Counts,
}

/// A kind of instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstructionKind {
    /// Moves, selections, packing, addresses.
    Move,
    /// Whole numbers, bits, comparisons.
    Integer,
    /// Floating point, and conversions to and from it.
    Float,
    /// Loads, stores and atomics of all spaces.
    Memory,
    /// Branches, calls, returns.
    Control,
    /// Barriers, fences, and operations of the lanes of a warp together.
    Together,
}

impl InstructionKind {
    /// Returns the kind of an instruction.
    #[must_use]
    pub(crate) fn of(op: &Op) -> InstructionKind {
        match op {
            Op::Compute { alu, .. } => match alu {
                Alu::Integer(..) | Alu::Bits(_) => InstructionKind::Integer,
                Alu::Float(..) | Alu::FloatPair(..) | Alu::Convert(_) | Alu::ConvertPair { .. } => {
                    InstructionKind::Float
                }
                Alu::Select | Alu::Address(_) => InstructionKind::Move,
            },
            Op::SetPredicate { .. } => InstructionKind::Integer,
            Op::Move { .. } | Op::Pack { .. } | Op::Unpack { .. } | Op::ActiveMask { .. } => InstructionKind::Move,
            Op::Load { .. } | Op::Store { .. } | Op::Atomic { .. } => InstructionKind::Memory,
            Op::Branch { .. } | Op::BranchTable { .. } | Op::Call { .. } => InstructionKind::Control,
            Op::Return | Op::Exit | Op::Trap | Op::Sleep => InstructionKind::Control,
            Op::Fence { .. } | Op::Barrier { .. } | Op::WarpBarrier { .. } => InstructionKind::Together,
            Op::Shuffle { .. } | Op::Vote { .. } | Op::Match { .. } | Op::Reduce { .. } => InstructionKind::Together,
        }
    }
}

/// The counts of a launch. An instruction counts once for all lanes that do it together.
///
/// A sector is 32 aligned bytes of global memory, the smallest unit that moves between memory and the cache. It counts
/// once for each instruction that touches it, as if nothing were cached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Instructions by [`InstructionKind`].
    by_kind: [u64; 6],
    /// Instructions times the lanes that did them.
    pub lane_instructions: u64,
    /// Instructions that load from global memory.
    pub loads: u64,
    /// Instructions that store to global memory.
    pub stores: u64,
    /// Sectors that loads touched.
    pub loaded_sectors: u64,
    /// Sectors that stores touched.
    pub stored_sectors: u64,
    /// Sectors that atomics touched.
    pub atomic_sectors: u64,
    /// The number of times that the banks of shared memory had to be accessed again for the same instruction.
    pub bank_conflicts: u64,
    /// Branches at which lanes parted.
    pub divergent_branches: u64,
    /// Barriers of a block that were passed.
    pub barriers: u64,
}

impl Counts {
    /// Returns the number of instructions of a kind.
    #[must_use]
    pub fn of(&self, kind: InstructionKind) -> u64 {
        self.by_kind[kind as usize]
    }

    /// Returns the number of all instructions.
    #[must_use]
    pub fn instructions(&self) -> u64 {
        self.by_kind.iter().sum()
    }

    /// Returns the number of sectors that were loaded, stored, or updated.
    #[must_use]
    pub fn sectors(&self) -> u64 {
        self.loaded_sectors + self.stored_sectors + self.atomic_sectors
    }

    /// Counts an instruction.
    pub(crate) fn add(&mut self, op: &Op, lanes: u32) {
        self.by_kind[InstructionKind::of(op) as usize] += 1;
        self.lane_instructions += u64::from(lanes.count_ones());
    }
}

/// A thread, by its places in the grid and in its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadPlace {
    /// The block, by x, y and z.
    pub block: [u32; 3],
    /// The thread in it, by x, y and z.
    pub thread: [u32; 3],
}

impl fmt::Display for ThreadPlace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([a, b, c], [x, y, z]) = (self.block, self.thread);
        write!(out, "({x},{y},{z}) of block ({a},{b},{c})")
    }
}

/// The reason why a launch cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaultKind {
    /// A forbidden access.
    #[error(transparent)]
    Memory(#[from] MemoryFault),
    /// An unspecified value.
    #[error(transparent)]
    Arithmetic(#[from] ArithmeticFault),
    /// A register is read that was never written.
    #[error("register {register} is read and was never written on this way")]
    UndefinedRegister {
        /// Its number in its function, from 0 in the order of declaration.
        register: u32,
    },
    /// A lane runs an instruction for a mask of lanes that does not contain the lane.
    #[error("the lane is not in the mask {mask:#010x} that it passes; name all lanes that come here")]
    LaneOutsideMask {
        /// The mask.
        mask: u32,
    },
    /// A value is read from a lane that does not take part.
    #[error("the value of lane {source_lane} is read, which is not among the lanes {present:#010x} that take part")]
    AbsentLane {
        /// The lane that is read.
        source_lane: u32,
        /// The lanes that take part.
        present: u32,
    },
    /// Lanes wait for others that never come.
    #[error("lanes {waiting:#010x} wait for lanes {missing:#010x}, which never come: {elsewhere}")]
    Deadlock {
        /// The lanes that wait here.
        waiting: u32,
        /// The lanes that they wait for.
        missing: u32,
        /// The places of the missing lanes.
        elsewhere: String,
    },
    /// Threads wait at a barrier of the block for others that never come.
    #[error("barrier {number}: {waiting} threads wait, of {expected}; {elsewhere}")]
    BarrierDeadlock {
        /// The barrier.
        number: u64,
        /// The number of waiting threads.
        waiting: u32,
        /// The number of threads that the barrier takes.
        expected: u32,
        /// The places of other threads.
        elsewhere: String,
    },
    /// A barrier for some of the threads of a block.
    #[error(
        "barrier {number} is for {given} threads; only barriers 0 to 15 for all {limit} threads of the block are interpreted"
    )]
    PartialBarrier {
        /// The barrier.
        number: u64,
        /// The number of threads that it is for.
        given: u64,
        /// The number of threads of a block.
        limit: u32,
    },
    /// An index into a list of labels is too large.
    #[error("index {given} into a list of {limit} labels")]
    BranchIndex {
        /// The index.
        given: u64,
        /// The number of labels.
        limit: u64,
    },
    /// Calls are nested too deeply, or have too many registers or too much local memory.
    #[error("calls are {given} deep; {limit} are allowed, with 32768 registers and 512 KiB of local memory in all")]
    CallDepth {
        /// The depth.
        given: u64,
        /// The maximum depth.
        limit: u64,
    },
    /// The kernel ended with a trap.
    #[error("the kernel ran into a trap")]
    Trap,
    /// The launch ran more instructions than allowed.
    #[error("{limit} instructions were done; is there an endless loop? If not, raise `Launch::limit`")]
    Endless {
        /// The number of allowed instructions.
        limit: u64,
    },
    /// The launch does not fit the kernel.
    #[error("{0}")]
    Launch(String),
    /// A mirror could not run the launch, or its memory differs afterwards.
    #[error("in the mirror: {0}")]
    Mirror(String),
}

/// A fault with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kernel.
    pub kernel: String,
    /// The line of the text, from 1; 0 before the first instruction.
    pub line: u32,
    /// The thread, if a single thread caused the fault.
    pub thread: Option<ThreadPlace>,
    /// The kind of the fault.
    pub kind: FaultKind,
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}, line {}", self.kernel, self.line)?;
        if let Some(thread) = self.thread {
            write!(out, ", thread {thread}")?;
        }
        write!(out, ": {}", self.kind)
    }
}

impl std::error::Error for Fault {}
