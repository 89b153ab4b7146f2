//! Plain loops that compute what the kernels compute, in the order that the kernels state.

use half::{bf16, f16};

use crate::weight_format::WeightFormat;

/// Butterfly sum over a warp (offsets 16, 8, 4, 2, 1).
pub(super) fn warp_sum(mut lanes: [f32; 32]) -> f32 {
    for apart in [16, 8, 4, 2, 1] {
        lanes = std::array::from_fn(|lane| lanes[lane] + lanes[lane ^ apart]);
    }
    lanes[0]
}

/// Returns e to the power of `power`, by the operations of `kernels/maths.cuh`.
pub(super) fn exponential(power: f32) -> f32 {
    let power = if power < -104.0 { -104.0 } else { power };
    let power = if power > 89.0 { 89.0 } else { power };
    let whole = (power * std::f32::consts::LOG2_E).round_ties_even();
    let rest = whole.mul_add(-0.693_145_75, power);
    let rest = whole.mul_add(-1.428_606_8e-6, rest);
    let mut sum = 1.0 / 5040.0;
    for part in [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0_f32] {
        sum = rest.mul_add(sum, part);
    }
    let powers = whole as i32;
    let power_of_two = |power: i32| f32::from_bits(((power + 127) as u32) << 23);
    sum * power_of_two(powers / 2) * power_of_two(powers - powers / 2)
}

/// Returns the numbers that the blocks of a file represent, as ggml defines them.
pub(super) fn expand(format: WeightFormat, blocks: &[u8]) -> Vec<f32> {
    let f16_at = |block: &[u8], at: usize| f16::from_le_bytes([block[at], block[at + 1]]).to_f32();
    let f32_at = |block: &[u8], at: usize| f32::from_le_bytes([block[at], block[at + 1], block[at + 2], block[at + 3]]);
    let nibble = |bytes: &[u8], at: usize| f32::from(if at < 16 { bytes[at] & 0xf } else { bytes[at - 16] >> 4 });
    let number = |block: &[u8], at: usize| match format {
        WeightFormat::F32 => f32_at(block, 0),
        WeightFormat::F16 => f16_at(block, 0),
        WeightFormat::Bf16 => bf16::from_le_bytes([block[0], block[1]]).to_f32(),
        WeightFormat::Q8_0 => f32::from(block[2 + at] as i8) * f16_at(block, 0),
        WeightFormat::Q4_0 => (nibble(&block[2..], at) - 8.0) * f16_at(block, 0),
        WeightFormat::Q4_1 => nibble(&block[4..], at).mul_add(f16_at(block, 0), f16_at(block, 2)),
        WeightFormat::Groups => f32::from(block[8 + at] as i8).mul_add(f32_at(block, 0), f32_at(block, 4)),
    };
    let blocks = blocks.chunks_exact(format.bytes());
    blocks.flat_map(|block| (0..format.numbers()).map(move |at| number(block, at))).collect()
}

/// Returns how many numbers of a weight format 16 bytes hold.
pub(super) fn vector(format: WeightFormat) -> usize {
    match format {
        WeightFormat::F32 => 4,
        WeightFormat::F16 | WeightFormat::Bf16 => 8,
        WeightFormat::Q8_0 | WeightFormat::Groups => 16,
        WeightFormat::Q4_0 | WeightFormat::Q4_1 => 32,
    }
}

/// Returns the dot product of two rows. Lanes take vectors in turn.
pub(super) fn dot(weights: &[f32], states: &[f32], vector: usize) -> f32 {
    let mut lanes = [0.0_f32; 32];
    for (at, (weights, states)) in weights.chunks(vector).zip(states.chunks(vector)).enumerate() {
        for (weight, state) in weights.iter().zip(states) {
            lanes[at % 32] = weight.mul_add(*state, lanes[at % 32]);
        }
    }
    warp_sum(lanes)
}

/// Returns the sum of squares, summed first within each thread, then over the lanes of a warp, then over the warps.
fn squares(row: &[f32], threads: usize) -> f32 {
    let mut sums = vec![0.0_f32; threads];
    for (at, number) in row.iter().enumerate() {
        sums[at % threads] = number.mul_add(*number, sums[at % threads]);
    }
    let warps = sums.as_chunks().0.iter().map(|lanes| warp_sum(*lanes));
    warps.reduce(|one, two| one + two).unwrap()
}

/// Normalises a row. 256 threads add up a row of states, and 32 threads a head.
pub(super) fn normalise(row: &[f32], weights: &[f32], epsilon: f32, threads: usize) -> Vec<f32> {
    let scale = 1.0 / (squares(row, threads) / row.len() as f32 + epsilon).sqrt();
    row.iter().zip(weights).map(|(number, weight)| number * (scale * weight)).collect()
}

/// Rotates a head by the sines and cosines of its pairs.
pub(super) fn rope(head: &[f32], angles: &[[f32; 2]], neighbours: bool) -> Vec<f32> {
    let mut rotated = head.to_vec();
    for (pair, [sine, cosine]) in angles.iter().enumerate() {
        let (one, two) = if neighbours { (2 * pair, 2 * pair + 1) } else { (pair, pair + angles.len()) };
        rotated[one] = head[one] * cosine - head[two] * sine;
        rotated[two] = head[one] * sine + head[two] * cosine;
    }
    rotated
}

/// Attention of a head over one span of 256 positions: the largest score, the sum of weights, the weighted sum of values.
struct Piece {
    most: f32,
    sum: f32,
    values: Vec<f32>,
}

/// Attention of a head over `positions`; `key(position)` and `value(position)` return the cached rows.
pub(super) fn attend<'k>(
    asked: &[f32],
    key: impl Fn(usize) -> &'k [f32],
    value: impl Fn(usize) -> &'k [f32],
    positions: std::ops::Range<usize>,
) -> Vec<f32> {
    let scale = 1.0 / (asked.len() as f32).sqrt();
    let score = |position: usize| {
        let pairs = asked.iter().zip(key(position));
        pairs.fold(0.0_f32, |sum, (asked, key)| asked.mul_add(*key, sum)) * scale
    };
    let spans = positions.start / 256..positions.end.div_ceil(256);
    let pieces: Vec<Piece> = spans
        .map(|span| {
            let looked = |at: usize| positions.contains(&(span * 256 + at));
            let scores: Vec<f32> =
                (0..256).map(|at| if looked(at) { score(span * 256 + at) } else { f32::NEG_INFINITY }).collect();
            let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let weights: Vec<f32> = scores.iter().map(|score| exponential(score - most)).collect();
            let mut lanes = [0.0_f32; 32];
            weights.iter().enumerate().for_each(|(at, weight)| lanes[at % 32] += weight);
            let of_warp = |warp: usize, number: usize| {
                let own = (warp * 32..(warp + 1) * 32).filter(|at| looked(*at));
                own.fold(0.0_f32, |sum, at| weights[at].mul_add(value(span * 256 + at)[number], sum))
            };
            let number = |number| (1..8).fold(of_warp(0, number), |sum, warp| sum + of_warp(warp, number));
            Piece { most, sum: warp_sum(lanes), values: (0..asked.len()).map(number).collect() }
        })
        .collect();
    let most = pieces.iter().map(|piece| piece.most).fold(f32::NEG_INFINITY, f32::max);
    let joined = |of: &dyn Fn(&Piece) -> f32| {
        pieces.iter().fold(0.0_f32, |sum, piece| exponential(piece.most - most).mul_add(of(piece), sum))
    };
    let total = joined(&|piece| piece.sum);
    (0..asked.len()).map(|number| joined(&|piece| piece.values[number]) / total).collect()
}

/// Multiplies the activated gate with the up projection.
pub(super) fn swiglu(gate: f32, up: f32) -> f32 {
    gate / (1.0 + exponential(-gate)) * up
}

#[test]
fn the_exponential_is_close_to_the_64_bit_one() {
    let mut worst = 0.0_f64;
    for at in -870_000..880_000 {
        let power = at as f32 / 10_000.0;
        let exact = f64::from(power).exp();
        worst = worst.max((f64::from(exponential(power)) / exact - 1.0).abs());
    }
    assert!(worst < 2.0 * f64::from(f32::EPSILON), "{worst:e}");
    assert_eq!([0.0, f32::NEG_INFINITY, 200.0].map(exponential), [1.0, 0.0, f32::INFINITY]);
    assert!(exponential(f32::NAN).is_nan());
}
