//! Operations in floating point.
//!
//! The arithmetic of binary16, bfloat16 and binary32 is exact and rounded once; that of binary64 is the host's, to the nearest. An
//! operation that is approximate on the device is computed in binary64 and rounded to the nearest: within the device's error
//! bound, and the same each time, but a device may give other last bits. A result that is NaN has the bits 0x7fffffff (0x7fff
//! in 16 bits), as on the device.

use super::exact;
use super::format::{flush, nan, narrow, sign, widen};
use crate::ir::Format;
use crate::ir::alu::{FloatForm, FloatOp, Rounding};

/// Returns the value of an operation on numbers of a format.
pub(super) fn compute(op: FloatOp, form: FloatForm, from: [u64; 4]) -> u64 {
    let from = from.map(|bits| operand(form, bits));
    let result = match op {
        FloatOp::Absolute => from[0] & !sign(form.format),
        FloatOp::Negate => from[0] ^ sign(form.format),
        FloatOp::CopySign => from[1] & !sign(form.format) | from[0] & sign(form.format),
        FloatOp::Minimum => choose(form.format, from, false, false),
        FloatOp::Maximum => choose(form.format, from, true, false),
        FloatOp::MinimumOrNan => choose(form.format, from, false, true),
        FloatOp::MaximumOrNan => choose(form.format, from, true, true),
        _ => {
            let [a, b, c, _] = from.map(|bits| widen(form.format, bits));
            let value =
                if form.format == Format::F64 { double(op, a, b, c) } else { single(op, form.rounding, a, b, c) };
            narrow(form.format, value, form.rounding)
        }
    };
    fit(form, result)
}

/// Returns the values of an operation on pairs.
pub(super) fn pair(op: FloatOp, form: FloatForm, from: [u64; 4]) -> u64 {
    let low = compute(op, form, from.map(|bits| bits & 0xffff));
    let high = compute(op, form, from.map(|bits| bits >> 16 & 0xffff));
    low | high << 16
}

/// Returns the bits of an operand, without bits that a wider register has above them.
fn operand(form: FloatForm, bits: u64) -> u64 {
    let bits = form.format.width().truncate(bits);
    if form.flush { flush(form.format, bits) } else { bits }
}

/// Returns a result, flushed and saturated as its form requires.
pub(super) fn fit(form: FloatForm, bits: u64) -> u64 {
    let bits = if form.flush { flush(form.format, bits) } else { bits };
    if !form.saturate {
        return bits;
    }
    let value = widen(form.format, bits);
    if value > 0.0 { narrow(form.format, value.min(1.0), Rounding::Zero) } else { 0 }
}

/// Returns the smaller or larger number; zero is larger than minus zero.
fn choose(format: Format, from: [u64; 4], larger: bool, or_nan: bool) -> u64 {
    let (a, b) = (widen(format, from[0]), widen(format, from[1]));
    match (a.is_nan(), b.is_nan()) {
        (true, true) => nan(format),
        (true, false) if !or_nan => from[1],
        (false, true) if !or_nan => from[0],
        (true, _) | (_, true) => nan(format),
        (false, false) => {
            let first_is_less = a < b || a == b && a.is_sign_negative();
            if first_is_less == larger { from[1] } else { from[0] }
        }
    }
}

/// Returns the result in binary64 of an operation on numbers of smaller formats, ready to be rounded.
fn single(op: FloatOp, rounding: Rounding, a: f64, b: f64, c: f64) -> f64 {
    match op {
        FloatOp::Add => sum(a, b, rounding),
        FloatOp::Subtract => sum(a, -b, rounding),
        FloatOp::Multiply => a * b,
        FloatOp::FusedMultiplyAdd => sum(a * b, c, rounding),
        FloatOp::Divide => exact::divide(a, b),
        FloatOp::Reciprocal => exact::divide(1.0, a),
        FloatOp::SquareRoot => exact::square_root(a),
        _ => approximate(op, a),
    }
}

/// Returns `a + b` rounded to odd; an exact zero from opposite signs is negative if results are rounded down.
fn sum(a: f64, b: f64, rounding: Rounding) -> f64 {
    let sum = exact::add(a, b);
    let signs_differ = a.is_sign_negative() != b.is_sign_negative();
    if sum == 0.0 && signs_differ && rounding == Rounding::Down { -0.0 } else { sum }
}

fn double(op: FloatOp, a: f64, b: f64, c: f64) -> f64 {
    match op {
        FloatOp::Add => a + b,
        FloatOp::Subtract => a - b,
        FloatOp::Multiply => a * b,
        FloatOp::FusedMultiplyAdd => a.mul_add(b, c),
        FloatOp::Divide => a / b,
        FloatOp::Reciprocal => 1.0 / a,
        FloatOp::SquareRoot => a.sqrt(),
        _ => approximate(op, a),
    }
}

/// Computes functions that devices approximate; NaN for other operations.
fn approximate(op: FloatOp, a: f64) -> f64 {
    match op {
        FloatOp::ReciprocalSquareRoot if a == 0.0 => f64::INFINITY.copysign(a),
        FloatOp::ReciprocalSquareRoot => 1.0 / a.sqrt(),
        FloatOp::PowerOfTwo => a.exp2(),
        FloatOp::LogarithmOfTwo => a.log2(),
        FloatOp::Sine => a.sin(),
        FloatOp::Cosine => a.cos(),
        FloatOp::HyperbolicTangent => a.tanh(),
        FloatOp::Add
        | FloatOp::Subtract
        | FloatOp::Multiply
        | FloatOp::FusedMultiplyAdd
        | FloatOp::Divide
        | FloatOp::Reciprocal
        | FloatOp::SquareRoot
        | FloatOp::Minimum
        | FloatOp::Maximum
        | FloatOp::MinimumOrNan
        | FloatOp::MaximumOrNan
        | FloatOp::Absolute
        | FloatOp::Negate
        | FloatOp::CopySign => f64::NAN,
    }
}
