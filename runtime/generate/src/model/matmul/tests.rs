//! Tests of products against their definition: plain loops in the promised order, over numbers as the reader of the
//! tests expands them.

use std::sync::Arc;

use ogc_kit::{Random, blocks};
use proptest::prelude::*;

#[cfg(target_arch = "x86_64")]
use super::avx2::Avx2;
use super::expand::expand;
use super::simd::{LANES, Portable, Simd, Sixteen};
use super::{GgmlType, Matrix, Part, among_threads, padded, portable};

const KINDS: [(GgmlType, blocks::GgmlType); 13] = [
    (GgmlType::F32, blocks::GgmlType::F32),
    (GgmlType::F16, blocks::GgmlType::F16),
    (GgmlType::BF16, blocks::GgmlType::BF16),
    (GgmlType::Q4_0, blocks::GgmlType::Q4_0),
    (GgmlType::Q4_1, blocks::GgmlType::Q4_1),
    (GgmlType::Q5_0, blocks::GgmlType::Q5_0),
    (GgmlType::Q5_1, blocks::GgmlType::Q5_1),
    (GgmlType::Q8_0, blocks::GgmlType::Q8_0),
    (GgmlType::Q2K, blocks::GgmlType::Q2K),
    (GgmlType::Q3K, blocks::GgmlType::Q3K),
    (GgmlType::Q4K, blocks::GgmlType::Q4K),
    (GgmlType::Q5K, blocks::GgmlType::Q5K),
    (GgmlType::Q6K, blocks::GgmlType::Q6K),
];

/// Returns blocks of random bits, in which numbers with 16 or 32 bits are of medium size.
fn random_blocks(random: &mut Random, ggml_type: GgmlType, numbers: usize) -> Vec<u8> {
    let mut blocks = random.bytes(ggml_type.bytes(numbers));
    // The upper bytes of numbers: they contain the exponents.
    let upper: &[usize] = match ggml_type {
        GgmlType::F32 => &[3],
        GgmlType::F16 | GgmlType::BF16 | GgmlType::Q4_0 | GgmlType::Q5_0 | GgmlType::Q8_0 => &[1],
        GgmlType::Q4_1 | GgmlType::Q5_1 | GgmlType::Q4K | GgmlType::Q5K => &[1, 3],
        GgmlType::Q2K => &[81, 83],
        GgmlType::Q3K => &[109],
        GgmlType::Q6K => &[209],
    };
    let size = if matches!(ggml_type, GgmlType::F32 | GgmlType::BF16) { 0x3e } else { 0x2c };
    for block in blocks.chunks_exact_mut(ggml_type.block_bytes()) {
        upper.iter().for_each(|&at| block[at] = block[at] & 0x80 | size);
    }
    blocks
}

fn expanded<S: Simd>(simd: S, ggml_type: GgmlType, blocks: &[u8], numbers: usize) -> Vec<u32> {
    let mut to = vec![Sixteen([f32::NAN; LANES]); numbers.div_ceil(LANES)];
    expand(simd, ggml_type, blocks, &mut to);
    to.iter().flat_map(|sixteen| sixteen.0).map(f32::to_bits).collect()
}

/// The bits of numbers, without the sign of zeros and the payload of NaNs.
fn bits(numbers: impl IntoIterator<Item = f32>) -> Vec<u32> {
    let bits = |number: f32| if number.is_nan() { f32::NAN.to_bits() } else { (number + 0.0).to_bits() };
    numbers.into_iter().map(bits).collect()
}

#[track_caller]
fn check_expansion(ggml_type: GgmlType, judge: blocks::GgmlType, blocks: &[u8], numbers: usize) {
    let found = expanded(Portable, ggml_type, blocks, numbers);
    let values = found.iter().map(|&bits| f32::from_bits(bits));
    assert_eq!(bits(values.take(numbers)), bits(judge.read(blocks)), "{ggml_type:?}");
    assert!(found[numbers..].iter().all(|&bits| bits == 0), "{ggml_type:?} is padded with zeros");
    #[cfg(target_arch = "x86_64")]
    if let Some(simd) = Avx2::detect() {
        let values = |found: Vec<u32>| bits(found.into_iter().map(f32::from_bits));
        assert_eq!(values(expanded(simd, ggml_type, blocks, numbers)), values(found), "{ggml_type:?} by AVX2");
    }
}

/// Devices get groups for the kinds that their kernels do not support.
#[test]
#[cfg(feature = "cuda")]
fn quantised_blocks_and_their_groups_hold_equal_numbers() {
    let mut random = Random::new(9);
    for (ggml_type, _) in KINDS.into_iter().filter(|(ggml_type, _)| ggml_type.block() > 1) {
        let (rows, columns) = (3, 512);
        let blocks = random_blocks(&mut random, ggml_type, rows * columns);
        let expected = expanded(Portable, ggml_type, &blocks, rows * columns);
        let matrix = Matrix::new(ggml_type, Arc::new(blocks), rows, columns).expect("a matrix");
        let groups = matrix.groups();
        let number = |bytes: &[u8]| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        let found = groups.as_chunks::<24>().0.iter().flat_map(|group| {
            let (factor, offset) = (number(&group[..4]), number(&group[4..8]));
            group[8..].iter().map(move |integer| f32::from(integer.cast_signed()).mul_add(factor, offset))
        });
        assert_eq!(bits(found), bits(expected.into_iter().map(f32::from_bits)), "{ggml_type:?}");
    }
}

#[test]
fn quantised_blocks_expand_like_a_plain_reader() {
    let mut random = Random::new(1);
    for (ggml_type, judge) in KINDS {
        let numbers = if ggml_type.block() == 1 { 77 } else { 4 * ggml_type.block() };
        for _ in 0..50 {
            let blocks = random_blocks(&mut random, ggml_type, numbers);
            check_expansion(ggml_type, judge, &blocks, numbers);
            // Numbers of any size: subnormal, infinite, NaN.
            let any: Vec<u8> = random.bytes(blocks.len());
            check_expansion(ggml_type, judge, &any, numbers);
        }
    }
}

#[test]
fn all_16_bit_floats_expand_correctly() {
    let all: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_le_bytes).collect();
    check_expansion(GgmlType::F16, blocks::GgmlType::F16, &all, 1 << 16);
    check_expansion(GgmlType::BF16, blocks::GgmlType::BF16, &all, 1 << 16);
}

/// The product of two rows by its definition: sixteen sums in the order of places, then sums of halves.
fn dot(weights: &[f32], states: &[f32]) -> f32 {
    let mut sums = vec![0.0_f32; LANES];
    for (at, (weight, state)) in weights.iter().zip(states).enumerate() {
        sums[at % LANES] = weight.mul_add(*state, sums[at % LANES]);
    }
    while sums.len() > 1 {
        let upper = sums.split_off(sums.len() / 2);
        sums.iter_mut().zip(upper).for_each(|(sum, upper)| *sum += upper);
    }
    sums[0]
}

/// Products by one kind of instructions, in one part.
fn by(multiply: impl FnOnce(Part<'_>), matrix: &Matrix, rows: &[f32]) -> Vec<f32> {
    let states = padded(rows, matrix.columns);
    let mut products = vec![0.0; rows.len() / matrix.columns * matrix.rows];
    let Matrix { ggml_type, columns, rows: outputs, .. } = *matrix;
    multiply(Part { ggml_type, blocks: &matrix.blocks, columns, states: &states, products: &mut products, outputs });
    products
}

#[track_caller]
fn check_products(
    ggml_type: GgmlType,
    judge: blocks::GgmlType,
    [rows, outputs, columns]: [usize; 3],
    random: &mut Random,
) {
    let blocks = random_blocks(random, ggml_type, outputs * columns);
    let weights = judge.read(&blocks);
    let states = random.numbers(rows * columns);
    let matrix = Matrix::new(ggml_type, Arc::new(blocks), outputs, columns).expect("a matrix");
    let expected = states
        .chunks_exact(columns)
        .flat_map(|states| weights.chunks_exact(columns).map(move |weights| dot(weights, states)));
    let expected = bits(expected);
    let shape = format!("{ggml_type:?}, {rows} rows, {outputs} x {columns}");
    assert_eq!(bits(matrix.matmul(&states)), expected, "{shape}");
    assert_eq!(bits(by(portable, &matrix, &states)), expected, "{shape}, without instructions");
    #[cfg(target_arch = "x86_64")]
    if let Some(simd) = Avx2::detect() {
        assert_eq!(bits(by(|part| simd.multiply(part), &matrix, &states)), expected, "{shape}, by AVX2");
    }
    // The rounding of the definition stays within the tolerance around an exact sum.
    let exact: f64 = weights[..columns].iter().zip(&states).map(|(one, two)| f64::from(*one) * f64::from(*two)).sum();
    let size: f64 = weights[..columns].iter().zip(&states).map(|(one, two)| f64::from(one * two).abs()).sum();
    assert!((f64::from(f32::from_bits(expected[0])) - exact).abs() <= 1e-6 * size, "{shape}");
}

#[test]
fn matmul_matches_its_definition_for_1_to_9_rows() {
    let mut random = Random::new(2);
    for (ggml_type, judge) in KINDS {
        for rows in 1..=9 {
            check_products(ggml_type, judge, [rows, rows % 5 + 1, 2 * ggml_type.block().max(16)], &mut random);
        }
    }
}

#[test]
fn matmul_matches_its_definition_for_long_and_many_rows() {
    let mut random = Random::new(3);
    for (ggml_type, judge) in KINDS {
        check_products(ggml_type, judge, [2, 3, 7 * 256], &mut random);
        check_products(ggml_type, judge, [70, 5, 256], &mut random);
    }
}

#[test]
fn matmul_matches_its_definition_on_several_threads() {
    let mut random = Random::new(4);
    for outputs in [63, 64, 66] {
        check_products(GgmlType::Q4_1, blocks::GgmlType::Q4_1, [16, outputs, 544], &mut random);
    }
}

#[test]
fn a_matrix_needs_exactly_the_bytes_of_its_shape() {
    let new = |bytes, rows, columns| Matrix::new(GgmlType::Q8_0, Arc::new(vec![0; bytes]), rows, columns);
    assert!(new(68, 2, 32).is_some());
    assert!(new(67, 2, 32).is_none() && new(69, 2, 32).is_none());
    assert!(new(34, 2, 16).is_none() && new(0, 2, 0).is_none());
    assert!(new(0, usize::MAX, 64).is_none());
}

proptest! {
    #[test]
    fn matmul_matches_its_definition_for_random_shapes(
        (at, rows, outputs) in (0..KINDS.len(), 1..12_usize, 1..12_usize),
        (columns, seed) in (1..60_usize, any::<u64>()),
    ) {
        let (ggml_type, judge) = KINDS[at];
        let columns = if ggml_type.block() == 1 { 13 * columns } else { (columns % 5 + 1) * ggml_type.block() };
        check_products(ggml_type, judge, [rows, outputs, columns], &mut Random::new(seed));
    }
}

#[test]
fn nested_parallel_products_do_not_deadlock() {
    let mut random = Random::new(3);
    // Enough products for every thread to get a part.
    let (rows, columns) = (4096, 256);
    let blocks = Arc::new(random_blocks(&mut random, GgmlType::Q8_0, rows * columns));
    let matrix = Matrix::new(GgmlType::Q8_0, blocks, rows, columns).expect("a matrix");
    let states = random.numbers(columns);
    let expected = bits(matrix.matmul(&states));
    let check = || assert_eq!(bits(matrix.matmul(&states)), expected);
    // Work of several threads at a time, and work inside of work, as servers do it between layers.
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..20 {
                    among_threads(|| {
                        check();
                        among_threads(check);
                        check();
                    });
                }
            });
        }
    });
    // Work that panics ends, too.
    let panicked = std::panic::catch_unwind(|| among_threads(|| panic!("on purpose")));
    assert!(panicked.is_err());
    among_threads(check);
}
