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
    /// How many bits it holds.
    pub(crate) width: Width,
}

/// A value that an instruction reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operand {
    /// A register.
    Register(Register),
    /// The complement of a predicate.
    Not(Register),
    /// Bits that stand in the text, or the address of a variable.
    Immediate(u64),
    /// An address in the local memory of the running call, from its first byte.
    Local(u32),
    /// The address of the shared memory whose size the launch gives.
    OpenShared,
    /// A register that the device gives.
    Special(Special),
}

/// A register that the device gives.
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
    /// How many warps a block has.
    Warps,
    /// The bit of the lane.
    MaskEqual,
    /// The bits of the lanes before it.
    MaskLess,
    /// Those and its own.
    MaskLessOrEqual,
    /// The bits of the lanes after it.
    MaskGreater,
    /// Those and its own.
    MaskGreaterOrEqual,
}

/// Where in memory an instruction reads or writes: a value plus a constant.
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
    /// A plain access: two of different threads, of which one writes, are a race unless ordered.
    Weak,
    /// Volatile, relaxed, acquire, release, or atomic: two such are no race.
    Strong,
    /// A load by way of the read-only cache: nobody may write there during the launch.
    ReadOnly,
}

/// For which threads a fence orders accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Those of the block.
    Block,
    /// Those of the device, and of others.
    Device,
}

/// Which fences an access brings with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fences {
    /// One before it: a release.
    pub(crate) before: Option<Scope>,
    /// One after it: an acquire.
    pub(crate) after: Option<Scope>,
}

/// What an atomic operation makes of the old value and its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AtomicOp {
    /// The sum.
    Add,
    /// The smaller.
    Minimum,
    /// The larger.
    Maximum,
    /// Bit by bit, both.
    And,
    /// Bit by bit, either.
    Or,
    /// Bit by bit, one of them.
    Xor,
    /// The operand.
    Exchange,
    /// The second operand if the old value is the first.
    CompareAndSwap,
    /// The old value plus one; zero if it was the operand or more.
    Increment,
    /// The old value less one; the operand if it was zero or more than the operand.
    Decrement,
}

/// What a barrier of the block computes of a predicate of each thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BarrierReduction {
    /// For how many it is true.
    Count,
    /// Whether it is true for all.
    All,
    /// Whether it is true for any.
    Any,
}

/// How two predicates are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Logic {
    /// Both.
    And,
    /// Either.
    Or,
    /// One of them.
    Xor,
}

/// From which lane a shuffle reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShuffleMode {
    /// So many before.
    Up,
    /// So many after.
    Down,
    /// The one whose number differs in these bits.
    Butterfly,
    /// The one of this number.
    Index,
}

/// What a vote tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VoteMode {
    /// Whether the predicate is true for all.
    All,
    /// Whether it is true for any.
    Any,
    /// Whether it is the same for all.
    Uniform,
    /// The bits of those for which it is true.
    Ballot,
}

/// What a match of values tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MatchMode {
    /// The bits of the lanes with the same value.
    Any,
    /// The bits of the mask if all have the same value, else none.
    All,
}

/// What a reduction over lanes computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reduction {
    /// The sum.
    Add,
    /// The smallest.
    Minimum,
    /// The largest.
    Maximum,
    /// Bit by bit, all.
    And,
    /// Bit by bit, any.
    Or,
    /// Bit by bit, an odd number.
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

/// An instruction with the condition under which a lane does it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Instruction {
    /// The line of the text, from 1.
    pub(crate) line: u32,
    /// The predicate, and whether the instruction is done where it is true.
    pub(crate) guard: Option<(Register, bool)>,
    /// What is done.
    pub(crate) op: Op,
}

/// What an instruction does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    /// Computes a function of the lane's own values.
    Compute { alu: Alu, to: Register, from: Vec<Operand> },
    /// Copies a value, which may be undefined.
    Move { to: Register, from: Operand },
    /// Puts values of `part` bits beside each other, the first in the low bits.
    Pack { part: Width, to: Register, from: Vec<Operand> },
    /// Takes a value apart; places without a register are dropped.
    Unpack { part: Width, to: Vec<Option<Register>>, from: Operand },
    /// Compares, joins with a predicate, and writes the result, and that of the opposite comparison.
    SetPredicate {
        comparison: Comparison,
        to: Option<Register>,
        opposite: Option<Register>,
        from: [Operand; 2],
        join: Option<(Logic, Operand)>,
    },
    /// Reads one value or several that stand beside each other.
    Load { space: Space, ty: DataType, strength: Strength, fences: Fences, to: Vec<Option<Register>>, address: Address },
    /// Writes one value or several beside each other.
    Store { space: Space, ty: DataType, strength: Strength, fences: Fences, address: Address, from: Vec<Operand> },
    /// Reads a value and writes another, undivided.
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
    /// Waits for some time, which changes nothing.
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
    /// Tells which lanes run together just now.
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
