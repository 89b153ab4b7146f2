//! Logits in host memory: their number formats, and applying masks to them.
//!
//! An engine that samples on the host needs no mask of bytes or booleans: [`mask_logits`] reads the bits that
//! [`Matcher::fill_mask`](crate::matcher::Matcher::fill_mask) writes, 32 tokens a word, and skips words that allow all their tokens.

use half::{bf16, f16};

/// Number of tokens in a word of a mask.
const WORD_TOKENS: usize = 32;

/// The number format of logits.
///
/// ```
/// use ogc_runtime::logits::LogitFormat;
/// assert_eq!(LogitFormat::F16.bytes(), 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogitFormat {
    /// IEEE binary32.
    F32,
    /// IEEE binary16.
    F16,
    /// bfloat16, the upper half of binary32.
    Bf16,
}

impl LogitFormat {
    /// All formats.
    ///
    /// ```
    /// use ogc_runtime::logits::LogitFormat;
    /// assert!(LogitFormat::ALL.contains(&LogitFormat::Bf16));
    /// ```
    pub const ALL: [Self; 3] = [Self::F32, Self::F16, Self::Bf16];

    /// Returns the size of a number, in bytes.
    ///
    /// ```
    /// assert_eq!(ogc_runtime::logits::LogitFormat::F32.bytes(), 4);
    /// ```
    #[must_use]
    pub fn bytes(self) -> u32 {
        match self {
            Self::F32 => 4,
            Self::F16 | Self::Bf16 => 2,
        }
    }

    /// Returns the short name of the format: `f32`, `f16` or `bf16`.
    ///
    /// ```
    /// assert_eq!(ogc_runtime::logits::LogitFormat::Bf16.name(), "bf16");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F16 => "f16",
            Self::Bf16 => "bf16",
        }
    }

    /// Returns the bits of minus infinity, the logit of a token that is not allowed.
    ///
    /// ```
    /// assert_eq!(ogc_runtime::logits::LogitFormat::F32.minus_infinity(), f32::NEG_INFINITY.to_bits());
    /// ```
    #[must_use]
    pub fn minus_infinity(self) -> u32 {
        self.bits(f32::NEG_INFINITY)
    }

    /// Returns the bits of the nearest number in this format; values beyond the largest finite one become infinite.
    ///
    /// ```
    /// use ogc_runtime::logits::LogitFormat;
    /// assert_eq!(LogitFormat::F16.bits(1.0), 0x3c00);
    /// assert_eq!(LogitFormat::F16.bits(-1e9), LogitFormat::F16.minus_infinity());
    /// ```
    #[must_use]
    pub fn bits(self, value: f32) -> u32 {
        match self {
            Self::F32 => value.to_bits(),
            Self::F16 => f16::from_f32(value).to_bits().into(),
            Self::Bf16 => bf16::from_f32(value).to_bits().into(),
        }
    }
}

/// Overwrites the logits of tokens that the mask does not allow, and of tokens beyond its words, with `masked`.
///
/// Token `t` is allowed if bit `t % 32` of word `t / 32` is set. Logits of 16 bits may be passed as `u16`.
///
/// ```
/// use ogc_runtime::logits::{LogitFormat, mask_logits};
/// let mut logits = [0.5, 1.5, 2.5];
/// mask_logits(&[0b101], &mut logits, f32::NEG_INFINITY);
/// assert_eq!(logits, [0.5, f32::NEG_INFINITY, 2.5]);
/// let mut halves = [0x3c00, 0x3c00];
/// mask_logits(&[0b10], &mut halves, LogitFormat::F16.minus_infinity() as u16);
/// assert_eq!(halves, [0xfc00, 0x3c00]);
/// ```
pub fn mask_logits<T: Copy>(words: &[u32], logits: &mut [T], masked: T) {
    let covered = logits.len().min(words.len().saturating_mul(WORD_TOKENS));
    let (logits, beyond) = logits.split_at_mut(covered);
    beyond.fill(masked);
    for (logits, &word) in logits.chunks_mut(WORD_TOKENS).zip(words) {
        match word {
            u32::MAX => {}
            0 => logits.fill(masked),
            _ => {
                for (bit, logit) in logits.iter_mut().enumerate() {
                    *logit = if word >> bit & 1 == 1 { *logit } else { masked };
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::mask_logits;

    /// A generator of small pseudo-random numbers.
    fn numbers(seed: u32) -> impl FnMut(u32) -> u32 {
        let mut state = seed.wrapping_mul(2_654_435_761) | 1;
        move |below| {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state % below
        }
    }

    /// Compares with a token-by-token implementation, for all kinds of words (full, empty, mixed), and for rows shorter and longer than the
    /// words cover.
    #[test]
    fn masked_logits_agree_with_a_token_by_token_loop() {
        for seed in 0..300 {
            let mut next = numbers(seed);
            let words: Vec<u32> = (0..next(5))
                .map(|_| match next(3) {
                    0 => 0,
                    1 => u32::MAX,
                    _ => next(u32::MAX),
                })
                .collect();
            let before: Vec<u32> = (0..next(200)).map(|_| next(1000)).collect();
            let mut logits = before.clone();
            mask_logits(&words, &mut logits, 5_000);
            for (token, (logit, before)) in logits.into_iter().zip(before).enumerate() {
                let is_allowed = words.get(token / 32).is_some_and(|word| word >> (token % 32) & 1 == 1);
                assert_eq!(logit, if is_allowed { before } else { 5_000 }, "seed {seed}, token {token}");
            }
        }
    }
}
