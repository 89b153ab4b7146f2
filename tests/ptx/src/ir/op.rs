//! Instructions and their operands.

use super::alu::{Alu, Comparison};
use super::types::{DataType, Space, Width};

/// A function of a module, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FunctionId(pub(crate) u32);

/// A register of a function, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Register {
    /// Its number, from 0 in each function.
    pub(crate) index: u32,
    /// The number of its bits.
    pub(crate) width: Width,
}

/// A value that an instruction reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operand {
    /// A register.
    Register(Register),
    /// The complement of a predicate.
    Not(Register),
    /// Bits in the text, or the address of a variable.
    Immediate(u64),
    /// An address in the local memory of the running call, from its first byte.
    Local(u32),
    /// The address of the shared memory whose size the launch gives.
    OpenShared,
    /// A special register of the device.
    Special(Special),
}

/// A special register of the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Special {
    /// The thread's place in its block, for x, y or z.
    Thread(u8),
    /// The block's size.
    BlockSize(u8),
    /// The block's place in the grid.
    Block(u8),
    /// The grid's size.
    GridSize(u8),
    /// The lane in its warp.
    Lane,
    /// The warp in its block.
    Warp,
    /// The number of warps of a block.
    Warps,
    /// The bit of the lane.
    MaskEqual,
    /// The bits of the lanes before it.
    MaskLess,
    /// The bits of the lanes before it, and its own.
    MaskLessOrEqual,
    /// The bits of the lanes after it.
    MaskGreater,
    /// The bits of the lanes after it, and its own.
    MaskGreaterOrEqual,
}

/// The address that an instruction reads or writes: a value plus a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    /// The value.
    pub(crate) base: Operand,
    /// The constant.
    pub(crate) offset: i64,
}

/// Whether an access takes part in synchronisation between threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strength {
    /// A plain access: two accesses of different threads, of which one writes, are a race unless they are ordered.
    Weak,
    /// Volatile, relaxed, acquire, release, or atomic: two such accesses are no race.
    Strong,
    /// A load through the read-only cache: the memory must not be written during the launch.
    ReadOnly,
}

/// The threads for which a fence orders accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// The threads of the block.
    Block,
    /// The threads of the device, and of others.
    Device,
}

/// The fences of an access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fences {
    /// A fence before it: a release.
    pub(crate) before: Option<Scope>,
    /// A fence after it: an acquire.
    pub(crate) after: Option<Scope>,
}

/// The function of the old value and the operands that an atomic operation writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AtomicOp {
    /// The sum.
    Add,
    /// The smaller.
    Minimum,
    /// The larger.
    Maximum,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// The operand.
    Exchange,
    /// The second operand if the old value is the first.
    CompareAndSwap,
    /// The old value plus one; zero if it was the operand or more.
    Increment,
    /// The old value minus one; the operand if it was zero or more than the operand.
    Decrement,
}

/// The reduction of a predicate of each thread at a barrier of the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BarrierReduction {
    /// The number of threads for which it is true.
    Count,
    /// Whether it is true for all.
    All,
    /// Whether it is true for any.
    Any,
}

/// The logical operation on two predicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Logic {
    /// Both.
    And,
    /// Either.
    Or,
    /// One of them.
    Xor,
}

/// The lane that a shuffle reads from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShuffleMode {
    /// A number of lanes before.
    Up,
    /// A number of lanes after.
    Down,
    /// The lane whose number differs in these bits.
    Butterfly,
    /// The lane of this number.
    Index,
}

/// The result of a vote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VoteMode {
    /// Whether the predicate is true for all.
    All,
    /// Whether it is true for any.
    Any,
    /// Whether it is the same for all.
    Uniform,
    /// The bits of the lanes for which it is true.
    Ballot,
}

/// The result of a match of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MatchMode {
    /// The bits of the lanes with the same value.
    Any,
    /// The bits of the mask if all have the same value, else none.
    All,
}

/// The function of a reduction over lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reduction {
    /// The sum.
    Add,
    /// The smallest.
    Minimum,
    /// The largest.
    Maximum,
    /// Bitwise and of all lanes.
    And,
    /// Bitwise or of all lanes.
    Or,
    /// Bitwise exclusive or of all lanes.
    Xor,
}

/// A variable in the parameter space of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ParameterSlot {
    /// Its first byte.
    pub(crate) offset: u32,
    /// Its size in bytes.
    pub(crate) size: u32,
}

/// An instruction, and the condition under which a lane runs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Instruction {
    /// The line of the text, from 1.
    pub(crate) line: u32,
    /// The predicate, and the value of it for which the instruction runs.
    pub(crate) guard: Option<(Register, bool)>,
    /// The operation.
    pub(crate) op: Op,
}

/// An operation of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    /// Computes a function of the lane's own values.
    Compute { alu: Alu, to: Register, from: Vec<Operand> },
    /// Copies a value, which may be undefined.
    Move { to: Register, from: Operand },
    /// Puts values of `part` bits next to each other, the first in the low bits.
    Pack { part: Width, to: Register, from: Vec<Operand> },
    /// Splits a value into parts; parts without a register are dropped.
    Unpack { part: Width, to: Vec<Option<Register>>, from: Operand },
    /// Compares, joins the result with a predicate, and writes it, and also the result of the opposite comparison.
    SetPredicate {
        comparison: Comparison,
        to: Option<Register>,
        opposite: Option<Register>,
        from: [Operand; 2],
        join: Option<(Logic, Operand)>,
    },
    /// Reads one value, or several adjacent ones.
    Load { space: Space, ty: DataType, strength: Strength, fences: Fences, to: Vec<Option<Register>>, address: Address },
    /// Writes one value, or several adjacent ones.
    Store { space: Space, ty: DataType, strength: Strength, fences: Fences, address: Address, from: Vec<Operand> },
    /// Reads a value and writes another, atomically.
    Atomic {
        space: Space,
        op: AtomicOp,
        ty: DataType,
        fences: Fences,
        to: Option<Register>,
        address: Address,
        from: Vec<Operand>,
    },
    /// Orders the thread's accesses before it and after it.
    Fence { scope: Scope },
    /// Waits for some time; nothing changes.
    Sleep,
    /// Waits for all threads of the block.
    Barrier { number: Operand, threads: Option<Operand>, reduction: Option<(BarrierReduction, Register, Operand)> },
    /// Waits for the lanes of a mask, and orders their accesses.
    WarpBarrier { mask: Operand },
    /// Reads a value of another lane.
    Shuffle {
        mode: ShuffleMode,
        to: Register,
        inside: Option<Register>,
        value: Operand,
        lane: Operand,
        clamp: Operand,
        mask: Operand,
    },
    /// Joins a predicate of the lanes.
    Vote { mode: VoteMode, to: Register, predicate: Operand, mask: Operand },
    /// Finds the lanes with the same value.
    Match { mode: MatchMode, width: Width, to: Register, all: Option<Register>, value: Operand, mask: Operand },
    /// Joins a value of the lanes.
    Reduce { reduction: Reduction, signed: bool, to: Register, value: Operand, mask: Operand },
    /// Returns the lanes that currently run together.
    ActiveMask { to: Register },
    /// Goes on at another instruction.
    Branch { target: u32 },
    /// Goes on at one of several instructions.
    BranchTable { index: Operand, targets: Vec<u32> },
    /// Runs a function; arguments are copied to its parameters, results back.
    Call { function: FunctionId, results: Vec<ParameterSlot>, arguments: Vec<ParameterSlot> },
    /// Ends the call, or the thread if none is open.
    Return,
    /// Ends the thread.
    Exit,
    /// Ends the launch with a fault.
    Trap,
}
