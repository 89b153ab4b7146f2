//! Instructions on floating point.

use super::operands::Statement;
use crate::ir::alu::{Alu, FloatForm, FloatOp, Rounding};
use crate::ir::{Format, Function, Op};
use crate::text::error::ParseFault;
use crate::text::opcode::Opcode;

/// Reads an instruction on numbers of a format, or pairs of them.
pub(super) fn decode(
    statement: &mut Statement<'_>,
    format: Format,
    is_pair: bool,
    function: &mut Function,
    line: u32,
) -> Result<Op, ParseFault> {
    let opcode = &mut statement.opcode;
    let (op, operands) = operation(opcode)?;
    let rounding = rounding(opcode);
    let may_fuse = matches!(op, FloatOp::Add | FloatOp::Subtract | FloatOp::Multiply);
    if may_fuse && rounding.is_none() {
        function.fusible.push(line);
    }
    let is_approximate = opcode.takes("approx") | opcode.takes("full");
    if is_approximate {
        function.approximate.push(line);
    }
    let must_be_exact = matches!(op, FloatOp::Divide | FloatOp::Reciprocal | FloatOp::SquareRoot);
    if must_be_exact && rounding.is_none() && !is_approximate {
        return Err(ParseFault::Missing { opcode: opcode.whole(), expected: "a rounding mode or `approx`" });
    }
    let rounding = rounding.unwrap_or(Rounding::Nearest);
    if format == Format::F64 && rounding != Rounding::Nearest {
        return Err(ParseFault::Part { opcode: opcode.whole(), part: "a rounding of f64 other than rn".to_owned() });
    }
    let form = FloatForm { format, rounding, flush: opcode.takes("ftz"), saturate: opcode.takes("sat") };
    let alu = if is_pair { Alu::FloatPair(op, form) } else { Alu::Float(op, form) };
    statement.compute(alu, operands)
}

/// Takes a rounding mode.
pub(super) fn rounding(opcode: &mut Opcode<'_>) -> Option<Rounding> {
    opcode.choice(&[("rn", Rounding::Nearest), ("rz", Rounding::Zero), ("rm", Rounding::Down), ("rp", Rounding::Up)])
}

fn operation(opcode: &mut Opcode<'_>) -> Result<(FloatOp, usize), ParseFault> {
    Ok(match opcode.name() {
        "add" => (FloatOp::Add, 2),
        "sub" => (FloatOp::Subtract, 2),
        "mul" => (FloatOp::Multiply, 2),
        "fma" | "mad" => (FloatOp::FusedMultiplyAdd, 3),
        "div" => (FloatOp::Divide, 2),
        "rcp" => (FloatOp::Reciprocal, 1),
        "sqrt" => (FloatOp::SquareRoot, 1),
        "rsqrt" => (FloatOp::ReciprocalSquareRoot, 1),
        "ex2" => (FloatOp::PowerOfTwo, 1),
        "lg2" => (FloatOp::LogarithmOfTwo, 1),
        "sin" => (FloatOp::Sine, 1),
        "cos" => (FloatOp::Cosine, 1),
        "tanh" => (FloatOp::HyperbolicTangent, 1),
        "min" if opcode.takes("NaN") => (FloatOp::MinimumOrNan, 2),
        "max" if opcode.takes("NaN") => (FloatOp::MaximumOrNan, 2),
        "min" => (FloatOp::Minimum, 2),
        "max" => (FloatOp::Maximum, 2),
        "abs" => (FloatOp::Absolute, 1),
        "neg" => (FloatOp::Negate, 1),
        "copysign" => (FloatOp::CopySign, 2),
        _ => return Err(opcode.unsupported()),
    })
}
