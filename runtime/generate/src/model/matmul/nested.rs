//! Blocks of 256 numbers whose factors and offsets are quantised themselves: the kinds that ggml calls K.
//!
//! A block has sixteen groups of sixteen numbers. `d` is the factor of factors. Kinds with offsets also have a factor
//! of offsets, and the offsets are subtracted. The order of fields and bits is that of ggml.

use super::group::{Group, bits, bytes_at, half_at, join, times};
use super::simd::{Bytes, LANES, Simd};

/// Returns the two bits of each integer of a group: each 128 numbers share 32 bytes, the first 32 in the lowest bits.
#[inline(always)]
fn two_bits(block: &[u8], from: usize, group: usize) -> Bytes {
    let bytes = bytes_at(block, from + group / 8 * 32 + group % 2 * LANES);
    bits(bytes, group % 8 / 2 * 2, 3)
}

/// Returns the four bits of each integer of a group: each 64 numbers share 32 bytes, the first 32 in the lower bits.
#[inline(always)]
fn four_bits(block: &[u8], from: usize, group: usize) -> Bytes {
    let bytes = bytes_at(block, from + group / 4 * 32 + group % 2 * LANES);
    bits(bytes, group % 4 / 2 * 4, 0xf)
}

/// Returns one bit of each integer of a group: all numbers share 32 bytes, the first 32 in the lowest bits.
#[inline(always)]
fn one_bit(block: &[u8], from: usize, group: usize) -> Bytes {
    bits(bytes_at(block, from + group % 2 * LANES), group / 2, 1)
}

/// Block layout: factors and offsets (4 bits each) in 16 bytes, integers of 2 bits, `d`, the factor of offsets.
#[inline(always)]
pub(super) fn q2_k<S: Simd>(simd: S, block: &[u8; 84], group: usize) -> Group<S::Lanes> {
    let (d, least) = (half_at(simd, block, 80), half_at(simd, block, 82));
    let (factor, offset) = (f32::from(block[group] & 0xf), f32::from(block[group] >> 4));
    Group {
        integers: simd.small(two_bits(block, 16, group)),
        factor: times(simd, d, factor),
        offset: times(simd, least, -offset),
    }
}

/// Block layout: the high bits of the 3-bit integers in 32 bytes, their low two bits, factors (6 bits) in 12 bytes, `d`. Integers are
/// stored with 4 added, factors with 32 added.
#[inline(always)]
pub(super) fn q3_k<S: Simd>(simd: S, block: &[u8; 110], group: usize) -> Group<S::Lanes> {
    let d = half_at(simd, block, 108);
    // Four bits of the factors lie in 8 bytes, first the lower halves; two more bits in 4 bytes.
    let four = block[96 + group % 8] >> (group / 8 * 4) & 0xf;
    let two = block[104 + group % 4] >> (group / 4 * 2) & 3;
    let factor = times(simd, d, f32::from(four | two << 4) - 32.0);
    let integers = simd.small(join(two_bits(block, 32, group), one_bit(block, 0, group), 2));
    Group { integers, factor, offset: times(simd, factor, -4.0) }
}

/// Block layout: `d`, the factor of offsets, factors and offsets (6 bits each, one of each for 32 numbers) in 12 bytes, integers of 4 bits.
#[inline(always)]
pub(super) fn q4_k<S: Simd>(simd: S, block: &[u8; 144], group: usize) -> Group<S::Lanes> {
    let (d, least) = (half_at(simd, block, 0), half_at(simd, block, 2));
    let (factor, offset) = six_bits(&block[4..16], group / 2);
    Group {
        integers: simd.small(four_bits(block, 16, group)),
        factor: times(simd, d, factor),
        offset: times(simd, least, -offset),
    }
}

/// Block layout: as Q4_K, with the high bits of the 5-bit integers in 32 bytes before the others.
#[inline(always)]
pub(super) fn q5_k<S: Simd>(simd: S, block: &[u8; 176], group: usize) -> Group<S::Lanes> {
    let (d, least) = (half_at(simd, block, 0), half_at(simd, block, 2));
    let (factor, offset) = six_bits(&block[4..16], group / 2);
    let integers = simd.small(join(four_bits(block, 48, group), one_bit(block, 16, group), 4));
    Group { integers, factor: times(simd, d, factor), offset: times(simd, least, -offset) }
}

/// Returns the factor and the offset of 32 numbers in the 12 bytes of Q4_K and Q5_K.
#[inline(always)]
fn six_bits(scales: &[u8], at: usize) -> (f32, f32) {
    let (factor, offset) = if at < 4 {
        (scales[at] & 63, scales[at + 4] & 63)
    } else {
        let (factor, offset) = (scales[at - 4] >> 6, scales[at] >> 6);
        (scales[at + 4] & 0xf | factor << 4, scales[at + 4] >> 4 | offset << 4)
    };
    (f32::from(factor), f32::from(offset))
}

/// Block layout: the low four bits of the 6-bit integers in 128 bytes, their high two bits in 64, factors in 16, `d`. Integers are stored
/// with 32 added.
#[inline(always)]
pub(super) fn q6_k<S: Simd>(simd: S, block: &[u8; 210], group: usize) -> Group<S::Lanes> {
    let d = half_at(simd, block, 208);
    // Each 128 numbers share 64 bytes of four bits: the first 64 have the lower four.
    let at = group / 8 * 64 + group % 4 * LANES;
    let four = bits(bytes_at(block, at), group % 8 / 4 * 4, 0xf);
    let factor = times(simd, d, f32::from(block[192 + group].cast_signed()));
    Group {
        integers: simd.small(join(four, two_bits(block, 128, group), 4)),
        factor,
        offset: times(simd, factor, -32.0),
    }
}
