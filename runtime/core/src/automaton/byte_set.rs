//! Sets of bytes, a bit for each.

/// A set of bytes.
pub(crate) type ByteSet = [u64; 4];

/// Returns whether the byte is in the set.
pub(crate) fn has(set: &ByteSet, byte: u8) -> bool {
    set[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1
}

/// Adds a byte to the set.
pub(crate) const fn insert(set: &mut ByteSet, byte: u8) {
    set[(byte >> 6) as usize] |= 1 << (byte & 63);
}

/// Adds the bytes `lo..=hi` to a 256-bit set.
pub(super) fn add_range(set: &mut ByteSet, lo: u8, hi: u8) {
    for (word, first) in set.iter_mut().zip([0u8, 64, 128, 192]) {
        let (from, to) = (lo.max(first), hi.min(first | 63));
        if from <= to {
            *word |= u64::MAX >> (63 - (to - from)) << (from & 63);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::add_range;

    #[test]
    fn byte_ranges_hold_exactly_the_bytes_between_their_ends() {
        for (lo, hi) in [(0, 0), (0, 255), (63, 64), (10, 20), (64, 127), (100, 200), (255, 255)] {
            let mut set = [0u64; 4];
            add_range(&mut set, lo, hi);
            let has = |byte: u8| set[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1;
            assert!((0..=u8::MAX).all(|byte| has(byte) == (lo..=hi).contains(&byte)), "{lo} to {hi}");
        }
    }
}
