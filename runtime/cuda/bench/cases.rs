//! The cases to measure: formats of logits, numbers of rows, shares of allowed tokens.

use std::fmt;

use ogc_cuda::{LogitFormat, Logits, Masking, MaskingError, Masks, RowMap};

/// Vocabulary size of Llama 3.
pub(crate) const VOCABULARY: u32 = 128_256;

/// Words of a mask.
const WORDS: usize = (VOCABULARY / 32) as usize;

/// Shares of allowed tokens, in thousandths.
const SHARES: [u32; 3] = [1, 500, 999];

/// A case.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case {
    pub(crate) format: LogitFormat,
    pub(crate) rows: u32,
    /// Number of allowed tokens of every 1,000.
    pub(crate) allowed: u32,
}

/// Returns all cases.
pub(crate) fn all(rows: &[u32]) -> impl Iterator<Item = Case> {
    let shares = |format, rows| SHARES.map(|allowed| Case { format, rows, allowed });
    LogitFormat::ALL.into_iter().flat_map(move |format| rows.iter().flat_map(move |rows| shares(format, *rows)))
}

impl fmt::Display for Case {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?} | {} | {} %", self.format, self.rows, f64::from(self.allowed) / 10.0)
    }
}

impl Case {
    /// Returns the bytes of the logits.
    pub(crate) fn bytes(&self) -> usize {
        self.rows as usize * (VOCABULARY * self.format.bytes()) as usize
    }

    /// Returns masks in which each token is allowed with the probability of the case.
    pub(crate) fn masks(&self) -> Vec<u32> {
        let mut state = u64::from(self.allowed);
        let mut is_allowed = || {
            // SplitMix64 (Steele et al. 2014).
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut bits = state;
            bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            (bits ^ (bits >> 31)) % 1000 < u64::from(self.allowed)
        };
        let mut word = || (0..32).fold(0, |word, bit| word | u32::from(is_allowed()) << bit);
        (0..self.rows as usize * WORDS).map(|_| word()).collect()
    }

    /// Returns the number of bytes moved: the masks, and for each 16 bytes of logits 0 if all are allowed, 16 if none is, 32 otherwise.
    pub(crate) fn moved_bytes(&self, masks: &[u32]) -> u64 {
        let logits = 16 / self.format.bytes();
        let all = (1 << logits) - 1;
        let parts = masks.iter().flat_map(|word| (0..32 / logits).map(move |part| word >> (part * logits) & all));
        let moved = parts.map(|part| {
            if part == all {
                0
            } else if part == 0 {
                16
            } else {
                32
            }
        });
        moved.sum::<u64>() + 4 * masks.len() as u64
    }

    /// Returns the checked masking for logits and masks at these addresses.
    pub(crate) fn masking(
        &self,
        logits: u64,
        numbers: usize,
        masks: u64,
        words: usize,
    ) -> Result<Masking, MaskingError> {
        let logits = Logits {
            format: self.format,
            address: logits,
            len: numbers as u64,
            rows: self.rows,
            width: VOCABULARY,
            stride: VOCABULARY.into(),
        };
        let masks = Masks { address: masks, len: words as u64, vocabulary: VOCABULARY, stride: WORDS as u64 };
        Masking::new(logits, masks, RowMap::SameRow)
    }
}
