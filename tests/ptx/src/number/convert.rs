//! Conversions between types.

use super::float::fit;
use super::format::{flush, narrow, widen};
use crate::ir::alu::{Conversion, FloatForm, Rounding};
use crate::ir::{Format, IntegerType, Width};

/// Converts a value to another type.
pub(super) fn convert(conversion: Conversion, bits: u64) -> u64 {
    match conversion {
        Conversion::IntegerToInteger { from, to, saturate } => integer_to_integer(from, to, saturate, bits),
        Conversion::IntegerToFloat { from, to, rounding } => integer_to_float(from, to, rounding, bits),
        Conversion::FloatToInteger { from, to, rounding, flush: flushes } => {
            let bits = from.width().truncate(bits);
            float_to_integer(from, to, rounding, if flushes { flush(from, bits) } else { bits })
        }
        Conversion::FloatToFloat { from, to } => fit(to, narrow(to.format, read(from, to, bits), to.rounding)),
        Conversion::FloatToIntegral { to } => {
            let value = integral(read(to.format, to, bits), to.rounding);
            fit(to, narrow(to.format, value, Rounding::Nearest))
        }
    }
}

/// Returns two binary32 numbers rounded to a format and packed, the first in the upper half.
pub(super) fn pair(to: Format, rounding: Rounding, relu: bool, high: u64, low: u64) -> u64 {
    let one = |bits| {
        let value = widen(Format::F32, bits & 0xffff_ffff);
        narrow(to, if relu && value <= 0.0 { 0.0 } else { value }, rounding)
    };
    one(high) << 16 | one(low)
}

/// Returns the number that a conversion begins with; subnormal binary32 numbers may be flushed.
fn read(from: Format, to: FloatForm, bits: u64) -> f64 {
    let bits = from.width().truncate(bits);
    widen(from, if to.flush && from == Format::F32 { flush(from, bits) } else { bits })
}

/// Returns the least and the greatest number of a type.
fn range(ty: IntegerType) -> (i128, i128) {
    let bits = ty.width.bits();
    if ty.signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
}

/// Returns the number that bits stand for.
fn number(ty: IntegerType, bits: u64) -> i128 {
    if ty.signed { i128::from(ty.width.sign_extend(bits)) } else { i128::from(ty.width.truncate(bits)) }
}

/// Returns a number's bits, extended to 64 by its sign: the register that takes them may be wider than the type.
fn bits_of(number: i128) -> u64 {
    number as u64
}

fn integer_to_integer(from: IntegerType, to: IntegerType, saturate: bool, bits: u64) -> u64 {
    let value = number(from, bits);
    if saturate {
        let (least, greatest) = range(to);
        return bits_of(value.clamp(least, greatest));
    }
    let low = to.width.truncate(bits_of(value));
    if to.signed { to.width.sign_extend(low).cast_unsigned() } else { low }
}

fn integer_to_float(from: IntegerType, to: Format, rounding: Rounding, bits: u64) -> u64 {
    let value = number(from, bits);
    if to == Format::F64 {
        return (value as f64).to_bits();
    }
    // If there are more bits than in binary64, they are rounded to odd, so that the second rounding is exact.
    let magnitude = value.unsigned_abs() as u64;
    let odd = magnitude >> 11 | u64::from(magnitude & 0x7ff != 0);
    let magnitude = if magnitude < 1 << 53 { magnitude as f64 } else { odd as f64 * 2048.0 };
    narrow(to, if value < 0 { -magnitude } else { magnitude }, rounding)
}

/// Returns the nearest whole number that fits. NaN becomes zero, or only the top bit if binary64 or 64 bits are
/// involved.
fn float_to_integer(from: Format, to: IntegerType, rounding: Rounding, bits: u64) -> u64 {
    let value = widen(from, bits);
    if value.is_nan() {
        let wide = from == Format::F64 || to.width == Width::Double;
        return if wide { 1 << (to.width.bits() - 1) } else { 0 };
    }
    let (least, greatest) = range(to);
    bits_of((integral(value, rounding) as i128).clamp(least, greatest))
}

/// Returns a number rounded to a whole one.
fn integral(value: f64, rounding: Rounding) -> f64 {
    match rounding {
        Rounding::Nearest => value.round_ties_even(),
        Rounding::Zero => value.trunc(),
        Rounding::Down => value.floor(),
        Rounding::Up => value.ceil(),
    }
}
