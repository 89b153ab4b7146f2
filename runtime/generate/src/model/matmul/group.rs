//! Groups of sixteen numbers, and the operations on the fields of a block that make a group: the common part of the quantised kinds.

use super::simd::{Bytes, LANES, Simd};

/// Sixteen numbers: integers, times a factor, plus an offset.
#[derive(Clone, Copy)]
pub(super) struct Group<L> {
    pub(super) integers: L,
    pub(super) factor: L,
    pub(super) offset: L,
}

/// Returns the number with 16 bits at an offset of a block, in all sixteen lanes.
#[inline(always)]
pub(super) fn half_at<S: Simd>(simd: S, block: &[u8], at: usize) -> S::Lanes {
    simd.half(u16::from_le_bytes([block[at], block[at + 1]]))
}

/// Multiplies all lanes by a number.
#[inline(always)]
pub(super) fn times<S: Simd>(simd: S, lanes: S::Lanes, number: f32) -> S::Lanes {
    simd.mul_add(lanes, simd.splat(number), simd.splat(0.0))
}

/// Returns the sixteen bytes from a place on.
#[inline(always)]
pub(super) fn bytes_at(block: &[u8], at: usize) -> &[u8; LANES] {
    &block[at..].as_chunks().0[0]
}

/// Shifts each byte to the right, and keeps the bits of `mask`; they must be bits that the byte still has.
#[inline(always)]
pub(super) fn bits(bytes: &[u8; LANES], shift: usize, mask: u8) -> Bytes {
    let (words, _) = bytes.as_chunks();
    [words[0], words[1]].map(|word| u64::from_le_bytes(word) >> shift & u64::from_ne_bytes([mask; 8]))
}

/// Joins bits that do not overlap; the second bits are shifted to the left.
#[inline(always)]
pub(super) fn join(low: Bytes, high: Bytes, shift: usize) -> Bytes {
    [low[0] | high[0] << shift, low[1] | high[1] << shift]
}
