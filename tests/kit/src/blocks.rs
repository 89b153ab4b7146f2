//! Reads and writes the blocks of numbers in which GGUF files hold tensors, slowly and plainly: one short function for
//! each type, number by number, from the layout that ggml documents. Tests compare the readers of `ogc-generate` with
//! it; they share no code.

use half::{bf16, f16};

/// The type of blocks.
#[allow(missing_docs, reason = "the names are those of ggml")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GgmlType {
    F32,
    F16,
    BF16,
    Q4_0,
    Q4_1,
    Q5_0,
    Q5_1,
    Q8_0,
    Q2K,
    Q3K,
    Q4K,
    Q5K,
    Q6K,
}

impl GgmlType {
    /// All types.
    pub const ALL: [Self; 13] = [
        Self::F32,
        Self::F16,
        Self::BF16,
        Self::Q4_0,
        Self::Q4_1,
        Self::Q5_0,
        Self::Q5_1,
        Self::Q8_0,
        Self::Q2K,
        Self::Q3K,
        Self::Q4K,
        Self::Q5K,
        Self::Q6K,
    ];

    /// Returns the type's number in GGUF files.
    #[must_use]
    pub fn number(self) -> u32 {
        match self {
            Self::F32 => 0,
            Self::F16 => 1,
            Self::Q4_0 => 2,
            Self::Q4_1 => 3,
            Self::Q5_0 => 6,
            Self::Q5_1 => 7,
            Self::Q8_0 => 8,
            Self::Q2K => 10,
            Self::Q3K => 11,
            Self::Q4K => 12,
            Self::Q5K => 13,
            Self::Q6K => 14,
            Self::BF16 => 30,
        }
    }

    /// Returns the number of numbers in a block, and its number of bytes.
    #[must_use]
    pub fn block(self) -> (usize, usize) {
        match self {
            Self::F32 => (1, 4),
            Self::F16 | Self::BF16 => (1, 2),
            Self::Q4_0 => (32, 18),
            Self::Q4_1 => (32, 20),
            Self::Q5_0 => (32, 22),
            Self::Q5_1 => (32, 24),
            Self::Q8_0 => (32, 34),
            Self::Q2K => (256, 84),
            Self::Q3K => (256, 110),
            Self::Q4K => (256, 144),
            Self::Q5K => (256, 176),
            Self::Q6K => (256, 210),
        }
    }

    /// Returns the numbers of blocks.
    ///
    /// # Panics
    /// The last block is incomplete.
    ///
    /// ```
    /// use ogc_kit::blocks::GgmlType;
    /// assert_eq!(GgmlType::BF16.read(&[0x80, 0x3f, 0, 0xc0]), [1.0, -2.0]);
    /// ```
    #[must_use]
    pub fn read(self, blocks: &[u8]) -> Vec<f32> {
        let (numbers, bytes) = self.block();
        assert!(blocks.len().is_multiple_of(bytes), "whole blocks");
        blocks.chunks_exact(bytes).flat_map(|block| (0..numbers).map(|at| self.number_of(block, at))).collect()
    }

    /// Returns a number of a block.
    fn number_of(self, block: &[u8], at: usize) -> f32 {
        match self {
            Self::F32 => f32::from_le_bytes([block[0], block[1], block[2], block[3]]),
            Self::F16 => half_at(block, 0),
            Self::BF16 => bf16::from_le_bytes([block[0], block[1]]).to_f32(),
            Self::Q4_0 => q4_0(block, at),
            Self::Q4_1 => q4_1(block, at),
            Self::Q5_0 => q5_0(block, at),
            Self::Q5_1 => q5_1(block, at),
            Self::Q8_0 => f32::from(block[2 + at].cast_signed()) * half_at(block, 0),
            Self::Q2K => q2_k(block, at),
            Self::Q3K => q3_k(block, at),
            Self::Q4K => q4_k(block, at),
            Self::Q5K => q5_k(block, at),
            Self::Q6K => q6_k(block, at),
        }
    }

    /// Writes numbers as blocks, rounded as ggml's reference does.
    ///
    /// # Panics
    /// The type cannot be written (only F32, F16, BF16, Q4_1 and Q8_0 can), or the last block is not full.
    #[must_use]
    pub fn write(self, numbers: &[f32]) -> Vec<u8> {
        assert!(numbers.len().is_multiple_of(self.block().0), "whole blocks");
        let each = |bytes: fn(f32) -> Vec<u8>| numbers.iter().flat_map(|number| bytes(*number)).collect();
        let blocks = |block: fn(&[f32]) -> Vec<u8>| numbers.chunks_exact(32).flat_map(block).collect();
        match self {
            Self::F32 => each(|number| number.to_le_bytes().to_vec()),
            Self::F16 => each(|number| f16::from_f32(number).to_le_bytes().to_vec()),
            Self::BF16 => each(|number| bf16::from_f32(number).to_le_bytes().to_vec()),
            Self::Q4_1 => blocks(to_q4_1),
            Self::Q8_0 => blocks(to_q8_0),
            _ => panic!("{self:?} is not written"),
        }
    }
}

/// Returns the number of 16 bits at a place.
fn half_at(block: &[u8], at: usize) -> f32 {
    f16::from_le_bytes([block[at], block[at + 1]]).to_f32()
}

/// Returns four bits of 16 bytes: the first half of the numbers is in the lower four bits of the bytes.
fn nibble(bytes: &[u8], at: usize) -> u8 {
    if at < 16 { bytes[at] & 15 } else { bytes[at - 16] >> 4 }
}

/// Returns a bit of bytes.
fn bit(bytes: &[u8], at: usize) -> u8 {
    bytes[at / 8] >> (at % 8) & 1
}

/// Reads a factor and nibbles; the nibble 8 stands for zero.
fn q4_0(block: &[u8], at: usize) -> f32 {
    (f32::from(nibble(&block[2..], at)) - 8.0) * half_at(block, 0)
}

/// Reads a factor, a least number, and nibbles.
fn q4_1(block: &[u8], at: usize) -> f32 {
    f32::from(nibble(&block[4..], at)) * half_at(block, 0) + half_at(block, 2)
}

/// Reads a factor, fifth bits, and nibbles; 16 stands for zero.
fn q5_0(block: &[u8], at: usize) -> f32 {
    let integer = nibble(&block[6..], at) | bit(&block[2..6], at) << 4;
    (f32::from(integer) - 16.0) * half_at(block, 0)
}

/// Reads a factor, a least number, fifth bits, and nibbles.
fn q5_1(block: &[u8], at: usize) -> f32 {
    let integer = nibble(&block[8..], at) | bit(&block[4..8], at) << 4;
    f32::from(integer) * half_at(block, 0) + half_at(block, 2)
}

/// Reads 16 bytes of a scale and a minimum for each 16 numbers, pairs of bits, and the factors of scales and of minima. Each 32
/// bytes have 128 numbers, the first 32 in their lowest bits.
fn q2_k(block: &[u8], at: usize) -> f32 {
    let (scale, pairs) = (block[at / 16], &block[16..80]);
    let integer = pairs[at / 128 * 32 + at % 32] >> (at % 128 / 32 * 2) & 3;
    half_at(block, 80) * f32::from(scale & 15) * f32::from(integer) - half_at(block, 82) * f32::from(scale >> 4)
}

/// Reads third bits, pairs of bits as in [`q2_k`], 12 bytes of scales with 6 bits, and their factor. The third bits in
/// one byte belong to numbers that are 32 apart; where a third bit is not set, 4 is subtracted.
fn q3_k(block: &[u8], at: usize) -> f32 {
    let (thirds, pairs, scales) = (&block[..32], &block[32..96], &block[96..108]);
    let pair = pairs[at / 128 * 32 + at % 32] >> (at % 128 / 32 * 2) & 3;
    let third = thirds[at % 32] >> (at / 32) & 1;
    // Of the 16 scales, the first eight have the lower nibbles of eight bytes, and four bytes behind them have pairs of bits.
    let number = at / 16;
    let lower = if number < 8 { scales[number] & 15 } else { scales[number - 8] >> 4 };
    let upper = scales[8 + number % 4] >> (number / 4 * 2) & 3;
    let scale = f32::from(lower | upper << 4) - 32.0;
    half_at(block, 108) * scale * (f32::from(pair | third << 2) - 4.0)
}

/// Returns the scale and the minimum of 32 numbers, of 6 bits each. The first four scales and minima have a byte each;
/// the upper two bits of these bytes belong to the last four, whose lower bits are nibbles in four more bytes.
fn scale_and_minimum(scales: &[u8], number: usize) -> (f32, f32) {
    let (scale, minimum) = if number < 4 {
        (scales[number] & 63, scales[number + 4] & 63)
    } else {
        let nibbles = scales[number + 4];
        (nibbles & 15 | scales[number - 4] >> 6 << 4, nibbles >> 4 | scales[number] >> 6 << 4)
    };
    (f32::from(scale), f32::from(minimum))
}

/// Reads the factors of scales and of minima, the scales and minima, and nibbles. Each 32 bytes have 64 numbers, the
/// first 32 in their lower halves.
fn q4_k(block: &[u8], at: usize) -> f32 {
    let (scale, minimum) = scale_and_minimum(&block[4..16], at / 32);
    let integer = block[16 + at / 64 * 32 + at % 32] >> (at / 32 % 2 * 4) & 15;
    half_at(block, 0) * scale * f32::from(integer) - half_at(block, 2) * minimum
}

/// Reads the same as [`q4_k`], with fifth bits before the nibbles. The fifth bits in one byte belong to numbers that
/// are 32 apart.
fn q5_k(block: &[u8], at: usize) -> f32 {
    let (scale, minimum) = scale_and_minimum(&block[4..16], at / 32);
    let fifth = block[16 + at % 32] >> (at / 32) & 1;
    let integer = block[48 + at / 64 * 32 + at % 32] >> (at / 32 % 2 * 4) & 15 | fifth << 4;
    half_at(block, 0) * scale * f32::from(integer) - half_at(block, 2) * minimum
}

/// Reads nibbles, pairs of bits above them, 16 scales with signs, and their factor; 32 stands for zero. For each 128
/// numbers, the nibbles are in 64 bytes, the first half in the lower halves, and the pairs are in 32 bytes.
fn q6_k(block: &[u8], at: usize) -> f32 {
    let (half, within) = (at / 128, at % 128);
    let lower = block[half * 64 + within % 64] >> (within / 64 * 4) & 15;
    let upper = block[128 + half * 32 + within % 32] >> (within / 32 * 2) & 3;
    let scale = f32::from(block[192 + at / 16].cast_signed());
    half_at(block, 208) * scale * (f32::from(lower | upper << 4) - 32.0)
}

/// Writes the number of greatest size as 127, and the others in proportion.
fn to_q8_0(numbers: &[f32]) -> Vec<u8> {
    let factor = numbers.iter().fold(0.0, |most: f32, number| most.max(number.abs())) / 127.0;
    let inverse = if factor == 0.0 { 0.0 } else { 1.0 / factor };
    let mut block = f16::from_f32(factor).to_le_bytes().to_vec();
    block.extend(numbers.iter().map(|number| ((number * inverse).round() as i8).cast_unsigned()));
    block
}

/// Writes the least number as 0, the greatest as 15, and the others in proportion.
fn to_q4_1(numbers: &[f32]) -> Vec<u8> {
    let least = numbers.iter().copied().fold(f32::INFINITY, f32::min);
    let greatest = numbers.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let factor = (greatest - least) / 15.0;
    let inverse = if factor == 0.0 { 0.0 } else { 1.0 / factor };
    let nibble = |number: f32| ((number - least) * inverse + 0.5).min(15.0) as u8;
    let mut block = [f16::from_f32(factor), f16::from_f32(least)].map(f16::to_le_bytes).concat();
    let (first, second) = numbers.split_at(16);
    block.extend(first.iter().zip(second).map(|(lower, upper)| nibble(*lower) | nibble(*upper) << 4));
    block
}
