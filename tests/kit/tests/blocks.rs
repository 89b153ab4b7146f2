//! Tests of the reader of blocks against records of candle 0.11, another implementation, and of written blocks against
//! the blocks that candle wrote.
//!
//! A line of `blocks.txt` has a type, the bytes of a block, and the bits of its numbers; a line of `quantised.txt` the
//! bits of 32 numbers, and the bytes of their block as Q8_0 and as Q4_1. Blocks have numbers of medium size, or any
//! bits: subnormal numbers, infinities, NaN.

use ogc_kit::blocks::GgmlType;

const BLOCKS: &str = include_str!("blocks.txt");
const QUANTISED: &str = include_str!("quantised.txt");

/// Returns the bytes of a text of hexadecimal digits.
fn bytes(digits: &str) -> Vec<u8> {
    let byte = |at| u8::from_str_radix(&digits[at..at + 2], 16).expect("digits");
    (0..digits.len()).step_by(2).map(byte).collect()
}

/// Returns the numbers of a text of hexadecimal digits.
fn numbers(digits: &str) -> Vec<f32> {
    let bits = |at| u32::from_str_radix(&digits[at..at + 8], 16).expect("digits");
    (0..digits.len()).step_by(8).map(|at| f32::from_bits(bits(at))).collect()
}

/// Returns the bits of numbers; all NaN have the same bits.
fn bits(numbers: &[f32]) -> Vec<u32> {
    numbers.iter().map(|number| if number.is_nan() { f32::NAN.to_bits() } else { number.to_bits() }).collect()
}

#[test]
fn blocks_are_read_as_another_implementation_does() {
    let mut counts = [0; GgmlType::ALL.len()];
    for line in BLOCKS.lines() {
        let [name, block, expected] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let at = GgmlType::ALL.iter().position(|ggml_type| format!("{ggml_type:?}") == name).expect("a type");
        assert_eq!(bits(&GgmlType::ALL[at].read(&bytes(block))), bits(&numbers(expected)), "{line}");
        counts[at] += 1;
    }
    assert!(counts.iter().all(|count| *count >= 3), "{counts:?}");
}

#[test]
fn blocks_are_written_as_another_implementation_does() {
    for line in QUANTISED.lines() {
        let [given, bytewise, nibbles] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let given = numbers(given);
        assert_eq!(GgmlType::Q8_0.write(&given), bytes(bytewise), "{line}");
        assert_eq!(GgmlType::Q4_1.write(&given), bytes(nibbles), "{line}");
    }
    assert!(QUANTISED.lines().count() >= 16);
}

#[test]
fn sixteen_bit_floats_survive_writing_and_reading() {
    let all: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_le_bytes).collect();
    for ggml_type in [GgmlType::F16, GgmlType::BF16] {
        let numbers = ggml_type.read(&all);
        let again = ggml_type.read(&ggml_type.write(&numbers));
        assert_eq!(bits(&again), bits(&numbers), "{ggml_type:?}");
    }
    assert_eq!(GgmlType::F32.read(&GgmlType::F32.write(&[0.1, -0.0])), [0.1, -0.0]);
}
