//! Expands blocks of weights to the numbers that they stand for, exactly as ggml does.
//!
//! Each quantised kind consists of groups of sixteen small integers with a factor and an offset of their own. A factor
//! has so few bits that its product with an integer is exact. Only in Q6_K is the product rounded, and there nothing
//! else is. So a number is rounded once, however it is computed.

use super::ggml_type::GgmlType;
use super::group::{Group, bits, bytes_at, half_at, join, times};
use super::nested;
#[cfg(feature = "cuda")]
use super::simd::Portable;
use super::simd::{LANES, Simd, Sixteen};

/// Expands the numbers of whole blocks; the last sixteen are padded with zeros.
#[inline(always)]
pub(super) fn expand<S: Simd>(simd: S, ggml_type: GgmlType, blocks: &[u8], to: &mut [Sixteen]) {
    match ggml_type {
        GgmlType::F32 => expand_plain::<_, 64>(simd, blocks, to, plain_32),
        GgmlType::F16 => expand_plain::<_, 32>(simd, blocks, to, S::halves),
        GgmlType::BF16 => expand_plain::<_, 32>(simd, blocks, to, plain_bf16),
        GgmlType::Q4_0 => expand_pairs(simd, blocks, to, q4_0),
        GgmlType::Q4_1 => expand_pairs(simd, blocks, to, q4_1),
        GgmlType::Q5_0 => expand_pairs(simd, blocks, to, q5_0),
        GgmlType::Q5_1 => expand_pairs(simd, blocks, to, q5_1),
        GgmlType::Q8_0 => expand_pairs(simd, blocks, to, q8_0),
        GgmlType::Q2K => expand_nested(simd, blocks, to, nested::q2_k),
        GgmlType::Q3K => expand_nested(simd, blocks, to, nested::q3_k),
        GgmlType::Q4K => expand_nested(simd, blocks, to, nested::q4_k),
        GgmlType::Q5K => expand_nested(simd, blocks, to, nested::q5_k),
        GgmlType::Q6K => expand_nested(simd, blocks, to, nested::q6_k),
    }
}

/// Expands plain numbers, sixteen of which take `BYTES` bytes.
#[inline(always)]
fn expand_plain<S: Simd, const BYTES: usize>(
    simd: S,
    blocks: &[u8],
    to: &mut [Sixteen],
    sixteen: impl Fn(S, &[u8; BYTES]) -> S::Lanes,
) {
    let (whole, rest) = blocks.as_chunks::<BYTES>();
    for (bytes, to) in whole.iter().zip(to.iter_mut()) {
        simd.store(sixteen(simd, bytes), to);
    }
    if let Some(to) = to.get_mut(whole.len()) {
        let mut bytes = [0; BYTES];
        bytes[..rest.len()].copy_from_slice(rest);
        simd.store(sixteen(simd, &bytes), to);
    }
}

#[inline(always)]
fn plain_32<S: Simd>(simd: S, bytes: &[u8; 4 * LANES]) -> S::Lanes {
    let mut numbers = Sixteen::ZERO;
    for (number, bytes) in numbers.0.iter_mut().zip(bytes.as_chunks().0) {
        *number = f32::from_le_bytes(*bytes);
    }
    simd.load(&numbers)
}

/// BF16 is the upper half of F32.
#[inline(always)]
fn plain_bf16<S: Simd>(simd: S, bytes: &[u8; 2 * LANES]) -> S::Lanes {
    let mut numbers = Sixteen::ZERO;
    for (number, bytes) in numbers.0.iter_mut().zip(bytes.as_chunks().0) {
        *number = f32::from_bits(u32::from(u16::from_le_bytes(*bytes)) << 16);
    }
    simd.load(&numbers)
}

/// Expands blocks of two groups, and makes both groups before it writes one.
#[inline(always)]
fn expand_pairs<S: Simd, const BYTES: usize>(
    simd: S,
    blocks: &[u8],
    to: &mut [Sixteen],
    pair: impl Fn(S, &[u8; BYTES]) -> [Group<S::Lanes>; 2],
) {
    let (to, _) = to.as_chunks_mut::<2>();
    for (block, to) in blocks.as_chunks().0.iter().zip(to) {
        let [one, two] = pair(simd, block);
        write(simd, one, &mut to[0]);
        write(simd, two, &mut to[1]);
    }
}

/// Expands blocks of sixteen groups.
#[inline(always)]
fn expand_nested<S: Simd, const BYTES: usize>(
    simd: S,
    blocks: &[u8],
    to: &mut [Sixteen],
    group: impl Fn(S, &[u8; BYTES], usize) -> Group<S::Lanes>,
) {
    let (to, _) = to.as_chunks_mut::<16>();
    for (block, to) in blocks.as_chunks().0.iter().zip(to) {
        for (at, to) in to.iter_mut().enumerate() {
            write(simd, group(simd, block, at), to);
        }
    }
}

/// Calls `put` with the groups of blocks of a quantised kind, one after the other; plain kinds have none.
#[cfg(feature = "cuda")]
pub(super) fn groups(ggml_type: GgmlType, blocks: &[u8], put: &mut impl FnMut(Group<[f32; LANES]>)) {
    match ggml_type {
        GgmlType::F32 | GgmlType::F16 | GgmlType::BF16 => {}
        GgmlType::Q4_0 => pairs(blocks, q4_0, put),
        GgmlType::Q4_1 => pairs(blocks, q4_1, put),
        GgmlType::Q5_0 => pairs(blocks, q5_0, put),
        GgmlType::Q5_1 => pairs(blocks, q5_1, put),
        GgmlType::Q8_0 => pairs(blocks, q8_0, put),
        GgmlType::Q2K => sixteen(blocks, nested::q2_k, put),
        GgmlType::Q3K => sixteen(blocks, nested::q3_k, put),
        GgmlType::Q4K => sixteen(blocks, nested::q4_k, put),
        GgmlType::Q5K => sixteen(blocks, nested::q5_k, put),
        GgmlType::Q6K => sixteen(blocks, nested::q6_k, put),
    }
}

/// Calls `put` with the groups of blocks of two groups.
#[cfg(feature = "cuda")]
fn pairs<const BYTES: usize>(
    blocks: &[u8],
    pair: impl Fn(Portable, &[u8; BYTES]) -> [Group<[f32; LANES]>; 2],
    put: &mut impl FnMut(Group<[f32; LANES]>),
) {
    blocks.as_chunks().0.iter().flat_map(|block| pair(Portable, block)).for_each(put);
}

/// Calls `put` with the groups of blocks of sixteen groups.
#[cfg(feature = "cuda")]
fn sixteen<const BYTES: usize>(
    blocks: &[u8],
    group: impl Fn(Portable, &[u8; BYTES], usize) -> Group<[f32; LANES]>,
    put: &mut impl FnMut(Group<[f32; LANES]>),
) {
    for block in blocks.as_chunks().0 {
        (0..16).map(|at| group(Portable, block, at)).for_each(&mut *put);
    }
}

#[inline(always)]
fn write<S: Simd>(simd: S, group: Group<S::Lanes>, to: &mut Sixteen) {
    simd.store(simd.mul_add(group.integers, group.factor, group.offset), to);
}

/// Makes a pair of groups that share a factor and an offset.
#[inline(always)]
fn pair<L: Copy>(one: L, two: L, factor: L, offset: L) -> [Group<L>; 2] {
    [Group { integers: one, factor, offset }, Group { integers: two, factor, offset }]
}

/// A factor, then a byte for the numbers `i` and `i + 16`; integers are stored with 8 added.
#[inline(always)]
fn q4_0<S: Simd>(simd: S, block: &[u8; 18]) -> [Group<S::Lanes>; 2] {
    let (factor, bytes) = (half_at(simd, block, 0), bytes_at(block, 2));
    pair(simd.low(bytes), simd.high(bytes), factor, times(simd, factor, -8.0))
}

/// A factor, an offset, then a byte for the numbers `i` and `i + 16`.
#[inline(always)]
fn q4_1<S: Simd>(simd: S, block: &[u8; 20]) -> [Group<S::Lanes>; 2] {
    let (factor, offset, bytes) = (half_at(simd, block, 0), half_at(simd, block, 2), bytes_at(block, 4));
    pair(simd.low(bytes), simd.high(bytes), factor, offset)
}

/// As Q4_0 with a fifth bit for each integer. The fifth bits lie together behind the factor; integers are stored with
/// 16 added.
#[inline(always)]
fn q5_0<S: Simd>(simd: S, block: &[u8; 22]) -> [Group<S::Lanes>; 2] {
    let factor = half_at(simd, block, 0);
    pair(five_bits(simd, block, 2, 0), five_bits(simd, block, 2, 1), factor, times(simd, factor, -16.0))
}

/// As Q4_1 with a fifth bit for each integer. The fifth bits lie together behind the offset.
#[inline(always)]
fn q5_1<S: Simd>(simd: S, block: &[u8; 24]) -> [Group<S::Lanes>; 2] {
    let (factor, offset) = (half_at(simd, block, 0), half_at(simd, block, 2));
    pair(five_bits(simd, block, 4, 0), five_bits(simd, block, 4, 1), factor, offset)
}

/// Returns the integers of five bits of a group: at an offset, 32 fifth bits lie before the other bits.
#[inline(always)]
fn five_bits<S: Simd>(simd: S, block: &[u8], at: usize, group: usize) -> S::Lanes {
    let fifth = [spread(block[at + 2 * group]), spread(block[at + 2 * group + 1])];
    simd.small(join(bits(bytes_at(block, at + 4), 4 * group, 0xf), fifth, 4))
}

/// Expands each bit to a byte.
#[inline(always)]
fn spread(bits: u8) -> u64 {
    // Each byte keeps one bit; adding 127 carries it to the highest bit.
    let own = u64::from_ne_bytes([bits; 8]) & 0x8040_2010_0804_0201;
    (own + 0x7f7f_7f7f_7f7f_7f7f) >> 7 & 0x0101_0101_0101_0101
}

/// A factor, then a byte for each integer.
#[inline(always)]
fn q8_0<S: Simd>(simd: S, block: &[u8; 34]) -> [Group<S::Lanes>; 2] {
    let (one, two) = (bits(bytes_at(block, 2), 0, 0xff), bits(bytes_at(block, 18), 0, 0xff));
    pair(simd.small(one), simd.small(two), half_at(simd, block, 0), simd.splat(0.0))
}
