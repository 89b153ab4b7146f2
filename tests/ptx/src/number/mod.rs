//! Arithmetic of one lane: whole numbers, floating point in four formats and four roundings, conversions.
//!
//! # Steps
//! `format` converts a number of any format to binary64 and rounds it back; `exact` computes sums, quotients and roots
//! in binary64 so that rounding them once more is exact; `float` and `integer` are the operations, `convert` the
//! conversions; `rows` computes them for all lanes of a warp.

mod compare;
mod convert;
mod exact;
mod float;
mod format;
mod integer;
pub(crate) mod rows;

use crate::ir::Space;
use crate::ir::alu::{AddressOp, Alu, Comparison};
use crate::memory::window;

/// The fault of an operation on a lane's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArithmeticFault {
    /// The result would be unspecified.
    #[error("a whole number is divided by zero, which gives an unspecified number; test the divisor first")]
    DivisionByZero,
    /// The address has no counterpart.
    #[error("the address {address:#x} is not in {space} memory, so that it has no address there")]
    NotInSpace {
        /// The address.
        address: u64,
        /// The space.
        space: &'static str,
    },
}

/// Returns a function's value; operands that it does not have are ignored.
///
/// # Errors
/// The value is unspecified.
pub(crate) fn compute(alu: Alu, from: [u64; 4]) -> Result<u64, ArithmeticFault> {
    match alu {
        Alu::Integer(op, ty) => integer::compute(op, ty, from),
        Alu::Bits(op) => Ok(integer::bits(op, from)),
        Alu::Float(op, form) => Ok(float::compute(op, form, from)),
        Alu::FloatPair(op, form) => Ok(float::pair(op, form, from)),
        Alu::Select => Ok(if from[2] & 1 == 1 { from[0] } else { from[1] }),
        Alu::Convert(conversion) => Ok(convert::convert(conversion, from[0])),
        Alu::ConvertPair { to, rounding, relu } => Ok(convert::pair(to, rounding, relu, from[0], from[1])),
        Alu::Address(op) => address(op, from[0]),
    }
}

/// Returns whether a comparison holds for two values.
pub(crate) fn holds(comparison: Comparison, a: u64, b: u64) -> bool {
    compare::holds(comparison, a, b)
}

fn address(op: AddressOp, address: u64) -> Result<u64, ArithmeticFault> {
    match op {
        AddressOp::ToGeneric(space) => Ok(window::to_generic(space, address)),
        AddressOp::FromGeneric(space) => {
            window::from_generic(space, address).ok_or(ArithmeticFault::NotInSpace { address, space: space.name() })
        }
        AddressOp::IsIn(Space::Global) => Ok(u64::from(window::space_of(address) == Space::Global)),
        AddressOp::IsIn(space) => Ok(u64::from(window::from_generic(space, address).is_some())),
    }
}
