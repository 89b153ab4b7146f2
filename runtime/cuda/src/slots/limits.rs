//! Memory limits of slots.

use super::error::SlotsError;
use crate::draft::DraftLaunch;
use crate::pool::PoolLimits;

/// Maximum number of slots, formats, and rows of a pool: kernels count in signed numbers of 32 bits, and lists are copied at once.
const MOST: u32 = 1 << 20;

/// Maximum number of logits of a row that the sampler supports.
const MOST_LOGITS: u32 = 1 << 22;

/// Memory limits of slots. All memory is reserved at once, and never moves.
///
/// ```
/// use ogc_cuda::SlotLimits;
/// let limits = SlotLimits { format_bytes: 1 << 30, ..SlotLimits::for_sequences(64) };
/// assert_eq!((limits.slots, limits.formats), (64, 1024));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotLimits {
    /// Maximum number of concurrent sequences.
    pub slots: u32,
    /// Maximum number of formats at the same time.
    pub formats: u32,
    /// Memory for the automata and tables of masks of all formats, in bytes.
    pub format_bytes: u64,
    /// Limits of the pool of mask rows, which formats share.
    pub pool: PoolLimits,
    /// Maximum number of logits in a sampled row, including logits beyond the vocabulary. There is always room for as many logits as the
    /// vocabulary has tokens.
    pub logits: u32,
    /// Maximum number of tokens of a run by which one launch moves a slot.
    pub run_tokens: u32,
    /// Maximum number of tokens of a draft, at most [`DraftLaunch::MOST`]. Each slot has one more sampled row than this; 0 takes the least
    /// memory.
    pub draft_tokens: u32,
}

impl SlotLimits {
    /// Returns limits for `slots` sequences; for 1,024 formats, which take 256 MB and share 40,000 rows of 64 MB; for rows of 262,144
    /// logits; for runs of 64 tokens, and no drafted tokens.
    ///
    /// ```
    /// assert_eq!(ogc_cuda::SlotLimits::for_sequences(8).pool.rows, 40_000);
    /// ```
    #[must_use]
    pub fn for_sequences(slots: u32) -> Self {
        let pool = PoolLimits { rows: 40_000, blocks: 1 << 20 };
        Self { slots, formats: 1024, format_bytes: 256 << 20, pool, logits: 1 << 18, run_tokens: 64, draft_tokens: 0 }
    }

    /// Rejects limits that exceed what kernels can count.
    pub(super) fn check(&self) -> Result<(), SlotsError> {
        for (what, given) in [("slots", self.slots), ("formats", self.formats)] {
            if given == 0 || given > MOST {
                return Err(SlotsError::Limit { what, given, limit: MOST });
            }
        }
        let others = [
            ("logits of a row", self.logits, MOST_LOGITS),
            ("tokens of a run", self.run_tokens, MOST),
            ("tokens of a draft", self.draft_tokens, DraftLaunch::MOST),
        ];
        match others.into_iter().find(|(_, given, limit)| given > limit) {
            Some((what, given, limit)) => Err(SlotsError::Limit { what, given, limit }),
            None => Ok(()),
        }
    }

    /// Returns the maximum number of rows that are sampled.
    pub(super) fn rows(&self) -> u32 {
        // `check` has bounded both factors.
        self.slots * (1 + self.draft_tokens)
    }
}
