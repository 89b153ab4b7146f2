//! Checks before a launch, and that host and kernel agree about parameters and spans.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use ogc_cuda::{APPLY_PTX, Geometry, LogitFormat, Logits, Masking, MaskingError, Masks, Operand, RowMap, apply_kernel};

/// Three rows of 100 logits, 104 apart.
const LOGITS: Logits =
    Logits { format: LogitFormat::F16, address: 0x10_0002, len: 308, rows: 3, width: 100, stride: 104 };
/// Three masks of 90 tokens, 4 words apart.
const MASKS: Masks = Masks { address: 0x20_0004, len: 11, vocabulary: 90, stride: 4 };
const MAP: RowMap = RowMap::Listed { address: 0x30_0004, len: 3 };

fn check(logits: Logits, masks: Masks, rows: RowMap, expected: Result<(), MaskingError>) {
    assert_eq!(Masking::new(logits, masks, rows).map(drop), expected, "{logits:?} {masks:?} {rows:?}");
}

#[test]
fn buffers_of_exactly_the_needed_length_are_accepted() {
    check(LOGITS, MASKS, RowMap::SameRow, Ok(()));
    check(LOGITS, MASKS, MAP, Ok(()));
    // A map may name one row, or none.
    check(LOGITS, Masks { len: 3, ..MASKS }, MAP, Ok(()));
    // If masks have more tokens than there are logits, only the words for the logits are read: 2 words for 64.
    let narrow = Logits { width: 64, ..LOGITS };
    check(narrow, Masks { vocabulary: 5000, len: 10, ..MASKS }, RowMap::SameRow, Ok(()));
    // Adjacent memory is allowed.
    let end = 0x10_0004 + 2 * 308;
    let before = Logits { address: 0x10_0004, ..LOGITS };
    check(before, Masks { address: end, ..MASKS }, RowMap::SameRow, Ok(()));
    check(before, MASKS, RowMap::Listed { address: 0x10_0004 - 12, len: 3 }, Ok(()));
}

#[test]
fn empty_logits_need_no_memory() {
    for logits in [Logits { rows: 0, ..LOGITS }, Logits { width: 0, ..LOGITS }] {
        let logits = Logits { address: 0, len: 0, ..logits };
        let masking = Masking::new(logits, Masks { address: 0, len: 0, ..MASKS }, RowMap::SameRow).unwrap();
        assert!(masking.is_nothing() && masking.geometry().is_none());
    }
}

#[test]
fn buffers_that_are_too_short_are_refused() {
    let short = |operand, given, limit| Err(MaskingError::TooShort { operand, given, limit });
    check(Logits { len: 307, ..LOGITS }, MASKS, MAP, short(Operand::Logits, 307, 308));
    check(LOGITS, Masks { len: 10, ..MASKS }, RowMap::SameRow, short(Operand::Masks, 10, 11));
    check(LOGITS, MASKS, RowMap::Listed { address: 0x30_0004, len: 2 }, short(Operand::RowMap, 2, 3));
    let far = Logits { stride: u64::MAX, ..LOGITS };
    check(far, MASKS, MAP, short(Operand::Logits, 308, u64::MAX));
    let overlap = |operand, given, limit| Err(MaskingError::RowsOverlap { operand, given, limit });
    check(Logits { stride: 99, ..LOGITS }, MASKS, MAP, overlap(Operand::Logits, 99, 100));
    check(LOGITS, Masks { stride: 2, ..MASKS }, MAP, overlap(Operand::Masks, 2, 3));
}

#[test]
fn sizes_beyond_the_limits_of_the_kernel_are_refused() {
    let limit = 1 << 30;
    let many = |operand, given| Err(MaskingError::TooMany { operand, given, limit });
    check(Logits { rows: limit + 1, ..LOGITS }, MASKS, MAP, many(Operand::Logits, limit + 1));
    check(Logits { width: u32::MAX, ..LOGITS }, MASKS, MAP, many(Operand::Logits, u32::MAX));
    check(LOGITS, Masks { vocabulary: limit + 1, ..MASKS }, MAP, many(Operand::Masks, limit + 1));
}

#[test]
fn misaligned_and_overflowing_addresses_are_refused() {
    let misaligned = |operand, given, limit| Err(MaskingError::Misaligned { operand, given, limit });
    check(Logits { address: 0x10_0001, ..LOGITS }, MASKS, MAP, misaligned(Operand::Logits, 0x10_0001, 2));
    let single = Logits { format: LogitFormat::F32, ..LOGITS };
    check(single, MASKS, MAP, misaligned(Operand::Logits, LOGITS.address, 4));
    check(LOGITS, Masks { address: 0x20_0002, ..MASKS }, MAP, misaligned(Operand::Masks, 0x20_0002, 4));
    check(LOGITS, MASKS, RowMap::Listed { address: 0x30_0001, len: 3 }, misaligned(Operand::RowMap, 0x30_0001, 4));
    check(LOGITS, MASKS, RowMap::Listed { address: 0, len: 3 }, Err(MaskingError::Null { operand: Operand::RowMap }));
    check(Logits { address: 0, ..LOGITS }, MASKS, MAP, Err(MaskingError::Null { operand: Operand::Logits }));

    let (address, limit) = (1 << 62, 1 << 62);
    let beyond = |operand, given| Err(MaskingError::BeyondMemory { operand, given, limit });
    check(Logits { address, ..LOGITS }, MASKS, MAP, beyond(Operand::Logits, (1 << 62) + 616));
    let all = Masks { len: u64::MAX, ..MASKS };
    check(LOGITS, all, MAP, beyond(Operand::Masks, u128::from(MASKS.address) + 4 * u128::from(u64::MAX)));
}

#[test]
fn buffers_that_overlap_the_logits_are_refused() {
    let shared = |operand, given| Err(MaskingError::Shared { operand, logits: LOGITS.address, given });
    let last = 0x10_0002 + 2 * 308 - 2;
    check(LOGITS, Masks { address: last, ..MASKS }, MAP, shared(Operand::Masks, last));
    let before = LOGITS.address + 2 - 4 * MASKS.len;
    check(LOGITS, Masks { address: before, ..MASKS }, MAP, shared(Operand::Masks, before));
    let inside = 0x10_0040;
    check(LOGITS, MASKS, RowMap::Listed { address: inside, len: 3 }, shared(Operand::RowMap, inside));
}

/// Returns the sizes of a kernel's parameters, in bits.
fn parameter_bits(kernel: &str) -> Vec<u32> {
    let ptx = APPLY_PTX.to_str().unwrap();
    let start = ptx.find(&format!(".entry {kernel}(")).unwrap();
    let list = ptx[start..].split(')').next().unwrap();
    let bits = |parameter: &str| parameter.split_whitespace().next().unwrap().parse().unwrap();
    list.split(".param .u").skip(1).map(bits).collect()
}

#[test]
fn kernel_parameters_have_the_expected_sizes() {
    for format in LogitFormat::ALL {
        assert_eq!(parameter_bits(apply_kernel(format).to_str().unwrap()), [64, 64, 64, 64, 64, 32, 32, 32]);
    }
}

#[test]
fn the_chunk_length_matches_the_kernel_source() {
    let source = include_str!("../kernels/apply.cu");
    let after = source.split("constexpr int CHUNK = ").nth(1).unwrap();
    let chunk: u32 = after.split(';').next().unwrap().parse().unwrap();
    // At most 15 numbers of 2 bytes lie between an aligned address and the row.
    assert_eq!(Geometry::with_warps(chunk - 15, 1, 1, 1).blocks.0, 1);
    assert_eq!(Geometry::with_warps(chunk - 14, 1, 1, 1).blocks.0, 2);
}
