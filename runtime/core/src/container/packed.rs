//! Packs tables of small numbers: each column of 32-bit words by itself, in blocks with as few bits per number as possible.
//!
//! Most of an artifact beside its rows are records of states, edges and runs. Their numbers are small, and often equal to the number in the
//! record before, or one more. Loading decodes these tables anyway, so that they may be packed in the file; rows are used in place, and are
//! not packed. Packing shrinks the tables of a schema to a fifth.
//!
//! A packed table is the number of its records, then its columns. A column begins with a byte: 0 if its numbers follow; 1 if the difference
//! of each number to the one before follows, in zigzag encoding (0, -1, 1, -2 become 0, 1, 2, 3). Then come blocks of 64 numbers: a byte
//! with the number of bits per number, then the bits, least significant first, padded to a whole byte. The column 7, 7, 7, 8 is the byte 0,
//! then the byte 4 and the numbers of four bits each.
//!
//! The unpacked table is at most [`MOST`] times as long as the packed one, so that a small file cannot require much memory.

/// The number of numbers in a block.
const BLOCK: usize = 64;

/// Cap on the ratio of a table's length to its packed length.
const MOST: usize = 64;

/// First byte of a column that has the numbers themselves, or differences.
const PLAIN: u8 = 0;
const DIFFERENCES: u8 = 1;

/// Packs a table whose records have `columns` words; `None` if it is better stored as it is.
pub(super) fn pack(content: &[u8], columns: usize) -> Option<Vec<u8>> {
    let (words, []) = content.as_chunks::<4>() else { return None };
    let words: Vec<u32> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
    if columns == 0 || words.is_empty() || !words.len().is_multiple_of(columns) {
        return None;
    }
    let mut out = ((words.len() / columns) as u32).to_le_bytes().to_vec();
    for column in 0..columns {
        let plain: Vec<u32> = words.iter().skip(column).step_by(columns).copied().collect();
        let before = [0].into_iter().chain(plain.iter().copied());
        let differences: Vec<u32> =
            plain.iter().zip(before).map(|(one, before)| zigzag(one.wrapping_sub(before))).collect();
        let (plain, differences) = (blocks(&plain), blocks(&differences));
        let (mode, shorter) = if differences.len() < plain.len() { (DIFFERENCES, differences) } else { (PLAIN, plain) };
        out.push(mode);
        out.extend_from_slice(&shorter);
    }
    (out.len() < content.len() && content.len() <= MOST * out.len()).then_some(out)
}

/// Unpacks a table whose records have `columns` words; `None` if [`pack`] does not make such bytes.
pub(super) fn unpack(packed: &[u8], columns: usize) -> Option<Vec<u32>> {
    let (records, mut rest) = packed.split_first_chunk::<4>()?;
    let records = u32::from_le_bytes(*records) as usize;
    let len = records.checked_mul(columns).filter(|len| len.saturating_mul(4) <= MOST.saturating_mul(packed.len()))?;
    let mut words = vec![0; len];
    for column in 0..columns {
        let (&mode, after) = rest.split_first()?;
        rest = read_column(after, mode, records, words.iter_mut().skip(column).step_by(columns))?;
    }
    rest.is_empty().then_some(words)
}

/// Reads a column of `records` numbers into `places`; returns the bytes after it.
fn read_column<'a, 'w>(
    mut rest: &'a [u8],
    mode: u8,
    records: usize,
    mut places: impl Iterator<Item = &'w mut u32>,
) -> Option<&'a [u8]> {
    let mut numbers = [0; BLOCK];
    let mut before = 0u32;
    for at in (0..records).step_by(BLOCK) {
        let block = &mut numbers[..(records - at).min(BLOCK)];
        rest = read_block(rest, block)?;
        match mode {
            PLAIN => {}
            DIFFERENCES => block.iter_mut().for_each(|number| {
                before = before.wrapping_add(unzigzag(*number));
                *number = before;
            }),
            _ => return None,
        }
        block.iter().zip(places.by_ref()).for_each(|(number, place)| *place = *number);
    }
    Some(rest)
}

fn zigzag(difference: u32) -> u32 {
    (difference << 1) ^ ((difference as i32) >> 31) as u32
}

fn unzigzag(number: u32) -> u32 {
    (number >> 1) ^ (number & 1).wrapping_neg()
}

/// Encodes numbers in blocks.
fn blocks(numbers: &[u32]) -> Vec<u8> {
    let mut out = Vec::new();
    for block in numbers.chunks(BLOCK) {
        let bits = 32 - block.iter().fold(0, |all, number| all | number).leading_zeros();
        out.push(bits as u8);
        let (mut held, mut len) = (0u64, 0);
        for &number in block {
            held |= u64::from(number) << len;
            len += bits;
            while len >= 8 {
                out.push(held as u8);
                held >>= 8;
                len -= 8;
            }
        }
        if len > 0 {
            out.push(held as u8);
        }
    }
    out
}

/// Reads a block into `numbers`; returns the bytes after it.
fn read_block<'a>(bytes: &'a [u8], numbers: &mut [u32]) -> Option<&'a [u8]> {
    let (&bits, rest) = bytes.split_first()?;
    if bits > 32 || numbers.len() > BLOCK {
        return None;
    }
    if bits == 0 {
        numbers.fill(0);
        return Some(rest);
    }
    let bits = usize::from(bits);
    let (own, rest) = rest.split_at_checked((numbers.len() * bits).div_ceil(8))?;
    let mask = (1u64 << bits) - 1;
    // Bits read beyond the block are masked off.
    let all = bytes.split_at(1).1;
    if bits <= 8 {
        // Eight numbers of at most eight bits fit in the eight bytes from the first number on.
        for (group, numbers) in numbers.chunks_mut(8).enumerate() {
            let word = word_at(all, group * bits);
            numbers.iter_mut().zip((0..).step_by(bits)).for_each(|(to, at)| *to = ((word >> at) & mask) as u32);
        }
    } else {
        // Each number lies within eight bytes, from the byte of its first bit on.
        for (at, number) in (0..).step_by(bits).zip(numbers.iter_mut()) {
            *number = ((word_at(all, at / 8) >> (at % 8)) & mask) as u32;
        }
    }
    let used = numbers.len() * bits % 8;
    let unused = own.last().filter(|_| used > 0).map_or(0, |last| last >> used);
    (unused == 0).then_some(rest)
}

/// Reads eight bytes from offset `at` as a little-endian number; missing bytes are 0.
#[inline]
fn word_at(bytes: &[u8], at: usize) -> u64 {
    let from = bytes.get(at..).unwrap_or_default();
    if let Some(word) = from.first_chunk() {
        return u64::from_le_bytes(*word);
    }
    let mut word = [0; 8];
    word.iter_mut().zip(from).for_each(|(to, byte)| *to = *byte);
    u64::from_le_bytes(word)
}

#[cfg(test)]
mod tests {
    use ogc_kit::Random;

    use super::{BLOCK, pack, unpack};

    fn bytes(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    #[test]
    fn packed_numbers_unpack_to_the_same() {
        let mut random = Random::new(1);
        let mut packed_tables = 0;
        for round in 0..2_000u32 {
            let (columns, records) = (1 + round as usize % 9, random.next() as usize % (3 * BLOCK));
            let bits = random.next() % 33;
            let number = |random: &mut Random, at: usize| match round % 3 {
                0 => (random.next() & ((1 << bits) - 1)) as u32,
                1 => at as u32 * 3,
                _ => {
                    if random.next().is_multiple_of(9) {
                        u32::MAX
                    } else {
                        0
                    }
                }
            };
            let words: Vec<u32> = (0..columns * records).map(|at| number(&mut random, at)).collect();
            if let Some(packed) = pack(&bytes(&words), columns) {
                packed_tables += 1;
                assert!(packed.len() < 4 * words.len(), "round {round}");
                assert_eq!(unpack(&packed, columns), Some(words), "round {round}");
            }
        }
        assert!(packed_tables > 1_000, "{packed_tables}");
    }

    #[test]
    fn altered_tables_are_refused_or_unpacked_within_bounds() {
        let mut random = Random::new(2);
        let words: Vec<u32> = (0..600).map(|at| at * at % 1_000).collect();
        let packed = pack(&bytes(&words), 3).expect("it is shorter");
        for _ in 0..20_000 {
            let mut altered = packed.clone();
            let at = random.next() as usize % altered.len();
            altered[at] = random.next() as u8;
            altered.truncate(altered.len() - random.next() as usize % 3);
            assert!(unpack(&altered, 3).is_none_or(|words| words.len() <= 16 * altered.len()));
        }
        let endless = [0xff, 0xff, 0xff, 0xff, 0, 0, 0];
        assert_eq!(unpack(&endless, 3), None);
    }

    #[test]
    fn nonzero_padding_bits_are_refused() {
        for (width, count) in [(1, 3), (4, 1), (4, 3), (7, 5), (31, 1)] {
            let words: Vec<u32> = (0..count).map(|at| u32::MAX >> (32 - width) >> (at % 2)).collect();
            let mut block = super::blocks(&words);
            let mut numbers = vec![0; words.len()];
            assert_eq!(super::read_block(&block, &mut numbers), Some(&[][..]));
            assert_eq!(numbers, words);
            *block.last_mut().expect("a block has bytes") |= 0x80;
            assert_eq!(super::read_block(&block, &mut numbers), None, "{count} numbers of {width} bits");
        }
    }

    #[test]
    fn small_numbers_take_few_bits() {
        let packed = pack(&bytes(&[7, 7, 7, 8]), 1).expect("it is shorter");
        assert_eq!(packed, [4, 0, 0, 0, 0, 4, 0x77, 0x87]);
    }
}
