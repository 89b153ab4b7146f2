//! Arithmetic: by its type, whole numbers or floating point.

use super::operands::Statement;
use super::{float, integer};
use crate::ir::alu::{Alu, BitsOp};
use crate::ir::{DataType, Function, IntegerType, Op, Operand, Width};
use crate::text::error::ParseFault;

/// Reads an instruction that computes a value from values.
///
/// Lines whose results may differ on a device are added to the lists of the function.
pub(super) fn decode(statement: &mut Statement<'_>, function: &mut Function, line: u32) -> Result<Op, ParseFault> {
    match statement.opcode.name() {
        "dp4a" => return dot_bytes(statement),
        "prmt" => return permute(statement),
        "lop3" => return table(statement),
        "shf" => return funnel(statement),
        "bfi" => return insert(statement),
        _ => {}
    }
    match statement.opcode.ty()? {
        DataType::Integer(ty) => integer::decode(statement, ty),
        DataType::Predicate => integer::decode(statement, IntegerType { signed: false, width: Width::Bit }),
        DataType::Float(format) => float::decode(statement, format, false, function, line),
        DataType::Pair(format) => float::decode(statement, format, true, function, line),
    }
}

fn is_word(statement: &mut Statement<'_>, part: &str) -> Result<(), ParseFault> {
    statement.opcode.needs("a type of 32 bits", &[(part, ())])
}

fn dot_bytes(statement: &mut Statement<'_>) -> Result<Op, ParseFault> {
    let signed = |ty| match ty {
        DataType::Integer(IntegerType { signed, width: Width::Word }) => Some(signed),
        _ => None,
    };
    let (second, first) = (signed(statement.opcode.ty()?), signed(statement.opcode.ty()?));
    let (Some(first_signed), Some(second_signed)) = (first, second) else { return Err(statement.opcode.unsupported()) };
    statement.compute(Alu::Bits(BitsOp::DotBytes { first_signed, second_signed }), 3)
}

fn permute(statement: &mut Statement<'_>) -> Result<Op, ParseFault> {
    is_word(statement, "b32")?;
    statement.compute(Alu::Bits(BitsOp::Permute), 3)
}

fn table(statement: &mut Statement<'_>) -> Result<Op, ParseFault> {
    is_word(statement, "b32")?;
    statement.count(5)?;
    let mut from = statement.values(1)?;
    let Some(Operand::Immediate(table)) = from.pop() else { return Err(statement.opcode.unsupported()) };
    let table = u8::try_from(table).map_err(|_| statement.opcode.unsupported())?;
    Ok(Op::Compute { alu: Alu::Bits(BitsOp::Table(table)), to: statement.register(0)?, from })
}

fn funnel(statement: &mut Statement<'_>) -> Result<Op, ParseFault> {
    is_word(statement, "b32")?;
    let left = statement.opcode.needs("a direction, `l` or `r`", &[("l", true), ("r", false)])?;
    let wrap = statement.opcode.needs("`wrap` or `clamp`", &[("wrap", true), ("clamp", false)])?;
    statement.compute(Alu::Bits(BitsOp::Funnel { left, wrap }), 3)
}

fn insert(statement: &mut Statement<'_>) -> Result<Op, ParseFault> {
    let width = statement.opcode.needs("`b32` or `b64`", &[("b32", Width::Word), ("b64", Width::Double)])?;
    statement.compute(Alu::Bits(BitsOp::InsertField(width)), 4)
}
