//! The typed form of a PTX module: the reader (`text`) makes it, and the executor (`exec`) runs it.
//!
//! It has no names: registers are numbers, labels are indexes of instructions, variables are addresses. A function of
//! one lane's own operands is an [`Alu`](alu::Alu); everything else is an [`Op`] of its own.

pub(crate) mod alu;
mod module;
mod op;
mod types;

pub use module::Module;
pub(crate) use module::{Function, Parameter, Variable, shared_end};
pub(crate) use op::{
    Address, AtomicOp, BarrierReduction, Fences, FunctionId, Instruction, Logic, MatchMode, Op, Operand, ParameterSlot,
    Reduction, Register, Scope, ShuffleMode, Special, Strength, VoteMode,
};
pub(crate) use types::{DataType, Format, IntegerType, Space, Width};
