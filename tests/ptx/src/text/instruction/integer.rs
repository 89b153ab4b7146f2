//! Instructions on whole numbers.

use super::operands::Statement;
use crate::ir::alu::{Alu, IntegerOp};
use crate::ir::{IntegerType, Op};
use crate::text::error::ParseFault;

/// The half of a product that is wanted.
#[derive(Clone, Copy)]
enum Half {
    Low,
    High,
    Wide,
}

/// Reads an instruction on whole numbers; its type was already taken from its name.
pub(super) fn decode(statement: &mut Statement<'_>, ty: IntegerType) -> Result<Op, ParseFault> {
    let name = statement.opcode.name();
    let (op, operands) = match name {
        "add" | "sub" => sum(statement, name == "add"),
        "mul" | "mad" => product(statement, name == "mad")?,
        "mul24" | "mad24" => {
            statement.opcode.needs("`lo`", &[("lo", ())])?;
            if name == "mul24" { (IntegerOp::Multiply24, 2) } else { (IntegerOp::MultiplyAdd24, 3) }
        }
        "div" => (IntegerOp::Divide, 2),
        "rem" => (IntegerOp::Remainder, 2),
        "min" => (IntegerOp::Minimum, 2),
        "max" => (IntegerOp::Maximum, 2),
        "abs" => (IntegerOp::Absolute, 1),
        "neg" => (IntegerOp::Negate, 1),
        "sad" => (IntegerOp::SumOfDifference, 3),
        "and" => (IntegerOp::And, 2),
        "or" => (IntegerOp::Or, 2),
        "xor" => (IntegerOp::Xor, 2),
        "not" => (IntegerOp::Not, 1),
        "cnot" => (IntegerOp::IsZero, 1),
        "shl" => (IntegerOp::ShiftLeft, 2),
        "shr" => (IntegerOp::ShiftRight, 2),
        "popc" => (IntegerOp::PopulationCount, 1),
        "clz" => (IntegerOp::LeadingZeros, 1),
        "brev" => (IntegerOp::Reverse, 1),
        "bfind" if statement.opcode.takes("shiftamt") => (IntegerOp::FindTopShift, 1),
        "bfind" => (IntegerOp::FindTop, 1),
        "bfe" => (IntegerOp::ExtractField, 3),
        _ => return Err(statement.opcode.unsupported()),
    };
    statement.compute(Alu::Integer(op, ty), operands)
}

fn sum(statement: &mut Statement<'_>, is_sum: bool) -> (IntegerOp, usize) {
    let op = match (is_sum, statement.opcode.takes("sat")) {
        (true, false) => IntegerOp::Add,
        (true, true) => IntegerOp::AddSaturated,
        (false, false) => IntegerOp::Subtract,
        (false, true) => IntegerOp::SubtractSaturated,
    };
    (op, 2)
}

fn product(statement: &mut Statement<'_>, has_addend: bool) -> Result<(IntegerOp, usize), ParseFault> {
    let halves = [("lo", Half::Low), ("hi", Half::High), ("wide", Half::Wide)];
    let half = statement.opcode.needs("`lo`, `hi` or `wide`", &halves)?;
    Ok(match (half, has_addend) {
        (Half::Low, false) => (IntegerOp::MultiplyLow, 2),
        (Half::High, false) => (IntegerOp::MultiplyHigh, 2),
        (Half::Wide, false) => (IntegerOp::MultiplyWide, 2),
        (Half::Low, true) => (IntegerOp::MultiplyAddLow, 3),
        (Half::High, true) => (IntegerOp::MultiplyAddHigh, 3),
        (Half::Wide, true) => (IntegerOp::MultiplyAddWide, 3),
    })
}
