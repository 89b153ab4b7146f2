//! Numbers in floating point as bits: read exactly as binary64, and rounded from it in any mode.

use crate::ir::Format;
use crate::ir::alu::Rounding;

/// The shape of a format below binary64.
#[derive(Clone, Copy)]
struct Shape {
    /// The number of bits of the significand, including the bit that is not stored.
    precision: u32,
    /// The exponent of the last bit of the smallest numbers.
    least: i32,
    /// The number of bits of the exponent.
    exponent_bits: u32,
    /// The bits of the NaN that operations return.
    nan: u64,
}

fn shape(format: Format) -> Shape {
    match format {
        Format::F16 => Shape { precision: 11, least: -24, exponent_bits: 5, nan: 0x7fff },
        Format::Bf16 => Shape { precision: 8, least: -133, exponent_bits: 8, nan: 0x7fff },
        Format::F32 => Shape { precision: 24, least: -149, exponent_bits: 8, nan: 0x7fff_ffff },
        Format::F64 => Shape { precision: 53, least: -1074, exponent_bits: 11, nan: 0x7ff8_0000_0000_0000 },
    }
}

impl Shape {
    fn sign(self) -> u64 {
        1 << (self.precision - 1 + self.exponent_bits)
    }

    fn infinity(self) -> u64 {
        ((1 << self.exponent_bits) - 1) << (self.precision - 1)
    }
}

/// Returns the bits of the NaN that operations of a format return.
pub(super) fn nan(format: Format) -> u64 {
    shape(format).nan
}

/// Returns the bit of the sign.
pub(super) fn sign(format: Format) -> u64 {
    shape(format).sign()
}

/// Returns zero with the sign of `bits` if they are a subnormal number, else `bits`.
pub(super) fn flush(format: Format, bits: u64) -> u64 {
    let shape = shape(format);
    if bits & shape.infinity() == 0 { bits & shape.sign() } else { bits }
}

/// Converts a number to binary64, which can represent all formats exactly.
pub(crate) fn widen(format: Format, bits: u64) -> f64 {
    if format == Format::F64 {
        return f64::from_bits(bits);
    }
    let shape = shape(format);
    let magnitude = bits & (shape.sign() - 1);
    let fraction = magnitude & ((1 << (shape.precision - 1)) - 1);
    let field = magnitude >> (shape.precision - 1);
    let value = if magnitude > shape.infinity() {
        f64::NAN
    } else if magnitude == shape.infinity() {
        f64::INFINITY
    } else if field == 0 {
        fraction as f64 * power_of_two(shape.least)
    } else {
        let exponent = i32::try_from(field).unwrap_or_default() - 1 + shape.least;
        (fraction | 1 << (shape.precision - 1)) as f64 * power_of_two(exponent)
    };
    if bits & shape.sign() == 0 { value } else { -value }
}

/// Returns 2 to an exponent for which binary64 has a normal number.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(u64::try_from(exponent + 1023).unwrap_or_default() << 52)
}

/// Returns the bits of `value` rounded to a format; a NaN becomes the NaN that operations return.
pub(crate) fn narrow(format: Format, value: f64, rounding: Rounding) -> u64 {
    let shape = shape(format);
    if value.is_nan() {
        return shape.nan;
    }
    if format == Format::F64 {
        return value.to_bits();
    }
    let negative = value.is_sign_negative();
    let magnitude = if value.is_infinite() { shape.infinity() } else { narrow_magnitude(shape, value, rounding) };
    if negative { magnitude | shape.sign() } else { magnitude }
}

/// Returns the bits of `|value|` rounded to a format below binary64, without the sign.
fn narrow_magnitude(shape: Shape, value: f64, rounding: Rounding) -> u64 {
    let bits = value.abs().to_bits();
    let (field, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
    let (significand, exponent) = if field == 0 { (fraction, -1074) } else { (fraction | 1 << 52, field - 1075) };
    // The last bit that is kept: by the format's precision, but no lower than for the smallest numbers.
    let top = exponent + 63 - i32::try_from(significand.leading_zeros()).unwrap_or_default();
    let last = (top - i32::try_from(shape.precision).unwrap_or_default() + 1).max(shape.least);
    let dropped = u32::try_from(last - exponent).unwrap_or_default();
    let mut kept = significand.checked_shr(dropped).unwrap_or(0);
    let rest = significand - kept.checked_shl(dropped).unwrap_or(0);
    let half = 1_u64.checked_shl(dropped.wrapping_sub(1)).unwrap_or(u64::MAX);
    let negative = value.is_sign_negative();
    let up = match rounding {
        Rounding::Nearest => dropped > 0 && (rest > half || rest == half && kept & 1 == 1),
        Rounding::Zero => false,
        Rounding::Down => negative && rest != 0,
        Rounding::Up => !negative && rest != 0,
    };
    kept += u64::from(up);
    // If a significand of all ones is rounded up, it carries into the exponent by itself.
    let steps = u64::try_from(last - shape.least).unwrap_or_default();
    let normal = (steps << (shape.precision - 1)) + kept;
    if normal < shape.infinity() {
        normal
    } else {
        let to_infinity = match rounding {
            Rounding::Nearest => true,
            Rounding::Zero => false,
            Rounding::Down => negative,
            Rounding::Up => !negative,
        };
        shape.infinity() - u64::from(!to_infinity)
    }
}
