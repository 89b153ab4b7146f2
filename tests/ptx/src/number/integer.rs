//! Operations on whole numbers and bits.

use super::ArithmeticFault;
use crate::ir::alu::{BitsOp, IntegerOp};
use crate::ir::{IntegerType, Width};

/// Returns the value of an operation on whole numbers of a type, in its low bits; the bits above have no meaning.
#[inline(always)]
pub(super) fn compute(op: IntegerOp, ty: IntegerType, from: [u64; 4]) -> Result<u64, ArithmeticFault> {
    let [x, y, z, _] = from;
    let [a, b, c] = [x, y, z].map(|bits| move || number(ty, bits));
    // The low bits of some results follow from the low bits of the operands. All other results are computed with
    // numbers so wide that nothing overflows.
    let result = match op {
        IntegerOp::Add => return Ok(x.wrapping_add(y)),
        IntegerOp::Subtract => return Ok(x.wrapping_sub(y)),
        IntegerOp::MultiplyLow => return Ok(x.wrapping_mul(y)),
        IntegerOp::MultiplyAddLow => return Ok(x.wrapping_mul(y).wrapping_add(z)),
        IntegerOp::Negate => return Ok(x.wrapping_neg()),
        IntegerOp::And => return Ok(x & y),
        IntegerOp::Or => return Ok(x | y),
        IntegerOp::Xor => return Ok(x ^ y),
        IntegerOp::Not => return Ok(!x),
        IntegerOp::AddSaturated => (a() + b()).clamp(-(1 << 31), (1 << 31) - 1),
        IntegerOp::SubtractSaturated => (a() - b()).clamp(-(1 << 31), (1 << 31) - 1),
        IntegerOp::MultiplyWide => a().wrapping_mul(b()),
        IntegerOp::MultiplyHigh => high(ty, a(), b()),
        IntegerOp::MultiplyAddHigh => high(ty, a(), b()) + c(),
        IntegerOp::MultiplyAddWide => a().wrapping_mul(b()).wrapping_add(wide_addend(ty, from[2])),
        IntegerOp::Multiply24 => low_24(ty, from[0]) * low_24(ty, from[1]),
        IntegerOp::MultiplyAdd24 => low_24(ty, from[0]) * low_24(ty, from[1]) + c(),
        IntegerOp::Divide => a().checked_div(b()).ok_or(ArithmeticFault::DivisionByZero)?,
        IntegerOp::Remainder => a().checked_rem(b()).ok_or(ArithmeticFault::DivisionByZero)?,
        IntegerOp::Minimum => a().min(b()),
        IntegerOp::Maximum => a().max(b()),
        IntegerOp::Absolute => a().abs(),
        IntegerOp::SumOfDifference => (a() - b()).abs() + c(),
        IntegerOp::IsZero => i128::from(a() == 0),
        IntegerOp::ShiftLeft => shift(from[1], ty.width).map_or(0, |count| a() << count),
        IntegerOp::ShiftRight => a() >> shift(from[1], ty.width).unwrap_or(ty.width.bits()),
        IntegerOp::PopulationCount => i128::from(ty.width.truncate(from[0]).count_ones()),
        IntegerOp::LeadingZeros => i128::from(leading_zeros(ty.width, from[0])),
        IntegerOp::Reverse => i128::from(from[0].reverse_bits() >> (64 - ty.width.bits())),
        IntegerOp::FindTop => find_top(ty, from[0]).map_or(-1, i128::from),
        IntegerOp::FindTopShift => find_top(ty, from[0]).map_or(-1, |at| i128::from(ty.width.bits() - 1 - at)),
        IntegerOp::ExtractField => extract(ty, from[0], from[1] & 0xff, from[2] & 0xff),
    };
    Ok(result as u64)
}

/// Returns the value of an operation on bits.
pub(super) fn bits(op: BitsOp, from: [u64; 4]) -> u64 {
    let [a, b, c, d] = from;
    match op {
        BitsOp::InsertField(width) => insert(width, a, b, c & 0xff, d & 0xff),
        BitsOp::Permute => permute(a & 0xffff_ffff | b << 32, c),
        BitsOp::Table(table) => lookup(table, [a, b, c]),
        BitsOp::Funnel { left, wrap } => funnel(b << 32 | a & 0xffff_ffff, c & 0xffff_ffff, left, wrap),
        BitsOp::DotBytes { first_signed, second_signed } => dot_bytes(a, b, c, first_signed, second_signed),
    }
}

/// Returns the number that the low bits stand for.
fn number(ty: IntegerType, bits: u64) -> i128 {
    if ty.signed { i128::from(ty.width.sign_extend(bits)) } else { i128::from(ty.width.truncate(bits)) }
}

/// Returns the high half of a product. Products of unsigned 64-bit numbers take all 128 bits.
fn high(ty: IntegerType, a: i128, b: i128) -> i128 {
    if ty.signed {
        (a * b) >> ty.width.bits()
    } else {
        ((a.cast_unsigned() * b.cast_unsigned()) >> ty.width.bits()).cast_signed()
    }
}

/// Returns the third operand of a wide product, which has twice the width of the others.
fn wide_addend(ty: IntegerType, bits: u64) -> i128 {
    number(IntegerType { signed: ty.signed, width: ty.width.doubled().unwrap_or(Width::Double) }, bits)
}

fn low_24(ty: IntegerType, bits: u64) -> i128 {
    let low = i128::from(bits & 0xff_ffff);
    if ty.signed && low >> 23 == 1 { low - (1 << 24) } else { low }
}

/// Returns a shift's distance if it is below the width.
fn shift(count: u64, width: Width) -> Option<u32> {
    u32::try_from(count & 0xffff_ffff).ok().filter(|count| *count < width.bits())
}

fn leading_zeros(width: Width, bits: u64) -> u32 {
    width.truncate(bits).leading_zeros() + width.bits() - 64
}

fn find_top(ty: IntegerType, bits: u64) -> Option<u32> {
    let value = number(ty, bits);
    let magnitude = ty.width.truncate((if value < 0 { !value } else { value }) as u64);
    magnitude.checked_ilog2()
}

/// Returns `count` bits from bit `from`; if the type is signed, they are extended by the top bit of them that exists.
fn extract(ty: IntegerType, bits: u64, from: u64, count: u64) -> i128 {
    let top = u64::from(ty.width.bits()) - 1;
    let bit = |at: u64| ty.width.truncate(bits) >> at.min(63) & 1;
    let filler = if !ty.signed || count == 0 { 0 } else { bit((from + count - 1).min(top)) };
    let taken = (0..=top).map(|at| (at, if at < count && from + at <= top { bit(from + at) } else { filler }));
    i128::from(taken.fold(0, |sum, (at, bit)| sum | bit << at))
}

fn insert(width: Width, from: u64, into: u64, at: u64, count: u64) -> u64 {
    let replaced = (0..u64::from(width.bits())).filter(|bit| *bit >= at && bit - at < count);
    width.truncate(replaced.fold(into, |sum, bit| sum & !(1 << bit) | (from >> (bit - at) & 1) << bit))
}

fn permute(bytes: u64, selectors: u64) -> u64 {
    let pick = |at: u64| {
        let selector = selectors >> (4 * at) & 0xf;
        let byte = bytes >> (8 * (selector & 7)) & 0xff;
        if selector < 8 { byte } else { 0xff * (byte >> 7) }
    };
    (0..4).fold(0, |word, at| word | pick(at) << (8 * at))
}

fn lookup(table: u8, [a, b, c]: [u64; 3]) -> u64 {
    let chosen = (0..8_u64).filter(|row| table >> row & 1 == 1);
    let rows = chosen.map(|row| {
        let side = |bits: u64, is_set: u64| if is_set & 1 == 1 { bits } else { !bits };
        side(a, row >> 2) & side(b, row >> 1) & side(c, row)
    });
    rows.fold(0, |sum, row| sum | row) & 0xffff_ffff
}

fn funnel(pair: u64, count: u64, left: bool, wrap: bool) -> u64 {
    let count = if wrap { count & 31 } else { count.min(32) };
    if left { (pair << count) >> 32 } else { pair >> count & 0xffff_ffff }
}

fn dot_bytes(a: u64, b: u64, c: u64, first_signed: bool, second_signed: bool) -> u64 {
    let byte = |word: u64, at: u64, signed: bool| {
        let byte = word >> (8 * at) & 0xff;
        if signed { Width::Byte.sign_extend(byte) } else { byte.cast_signed() }
    };
    let products = (0..4).map(|at| byte(a, at, first_signed) * byte(b, at, second_signed));
    products.fold(c.cast_signed(), i64::wrapping_add).cast_unsigned() & 0xffff_ffff
}
