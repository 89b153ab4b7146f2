//! Random logits in the three formats, and the token with the highest. Numbers are compared by their bits, because
//! nothing is added to them.

use ogc_cuda::LogitFormat;

use ogc_kit::Random;

/// Logits, one after another.
#[derive(Clone, Debug)]
pub(super) struct Logits {
    pub(super) format: LogitFormat,
    pub(super) bytes: Vec<u8>,
}

impl Logits {
    /// Returns `len` random numbers, none infinite or NaN.
    pub(super) fn random(random: &mut Random, len: usize) -> Self {
        let format = LogitFormat::ALL[random.below(LogitFormat::ALL.len())];
        let mut number = || loop {
            let bits = random.next() as u32;
            let exponents = exponents(format);
            if bits & exponents != exponents {
                return bits;
            }
        };
        let size = format.bytes() as usize;
        let bytes = (0..len).flat_map(|_| number().to_le_bytes().into_iter().take(size)).collect();
        Self { format, bytes }
    }

    /// Returns the first allowed token with the highest logit, in a row that begins at `first`.
    pub(super) fn highest(&self, first: usize, allowed: &[u32], vocabulary: usize) -> Option<u32> {
        let is_allowed = |token: &u32| allowed[*token as usize / 32] >> (token % 32) & 1 == 1;
        let mut highest: Option<(i64, u32)> = None;
        for token in (0..vocabulary as u32).filter(is_allowed) {
            let key = self.key(first + token as usize);
            if highest.is_none_or(|(most, _)| key > most) {
                highest = Some((key, token));
            }
        }
        highest.map(|(_, token)| token)
    }

    /// Returns a number with the same order as the logits.
    fn key(&self, at: usize) -> i64 {
        let size = self.format.bytes() as usize;
        let bits = self.bytes[size * at..][..size].iter().rev().fold(0, |bits, byte| bits << 8 | i64::from(*byte));
        let sign = 1 << (8 * size - 1);
        if bits & sign == 0 { bits } else { -(bits & (sign - 1)) }
    }
}

/// Returns the bits of the exponent, in the lowest bits of a word; infinities and NaN have all of them set.
fn exponents(format: LogitFormat) -> u32 {
    match format {
        LogitFormat::F32 => 0x7f80_0000,
        LogitFormat::F16 => 0x7c00,
        LogitFormat::Bf16 => 0x7f80,
    }
}

#[cfg(test)]
mod tests {
    use super::Logits;
    use ogc_cuda::LogitFormat;

    #[test]
    fn the_first_of_the_highest_is_found() {
        let numbers = [-1.0f32, -0.0, 0.0, -2.5, 1e-40, 3.5, 3.5];
        let bytes = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let logits = Logits { format: LogitFormat::F32, bytes };
        let highest = |allowed: u32| logits.highest(0, &[allowed], 7);
        assert_eq!(highest(0b111_1111), Some(5));
        assert_eq!(highest(0b001_1111), Some(4));
        assert_eq!(highest(0b000_1111), Some(1), "both zeros are equal");
        assert_eq!(highest(0b000_1001), Some(0));
        assert_eq!(highest(0), None);
        assert_eq!(logits.highest(3, &[0b1101], 4), Some(2), "logits begin at a place");
    }
}
