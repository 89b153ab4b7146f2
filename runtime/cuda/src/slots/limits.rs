//! How much there is room for.

use super::error::SlotsError;
use crate::draft::DraftLaunch;
use crate::pool::PoolLimits;

/// The most slots, formats, and rows of a pool: kernels count in 32 bits with a sign, and lists of them are copied at once.
const MOST: u32 = 1 << 20;

/// The most logits of a row that the sampler takes.
const MOST_LOGITS: u32 = 1 << 22;

/// How much there is room for; all of it is reserved at once and stays where it is.
///
/// ```
/// use ogc_cuda::SlotLimits;
/// let limits = SlotLimits { format_bytes: 1 << 30, ..SlotLimits::for_sequences(64) };
/// assert_eq!((limits.slots, limits.formats), (64, 1024));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotLimits {
    /// The most sequences at a time.
    pub slots: u32,
    /// The most formats at a time.
    pub formats: u32,
    /// The bytes that the automata and tables of masks of all formats take.
    pub format_bytes: u64,
    /// The rows of masks, which formats share.
    pub pool: PoolLimits,
    /// The most logits of a row that is sampled, those beyond the vocabulary included; there is room for as many as there are tokens in any case.
    pub logits: u32,
    /// The most tokens of a run.
    pub run_tokens: u32,
    /// The most tokens of a draft, at most [`DraftLaunch::MOST`]. Each slot has a row more than this, which is sampled: 0 takes the least memory.
    pub draft_tokens: u32,
}

impl SlotLimits {
    /// Returns room for so many sequences and 1,024 formats, which take 256 MB and share 40,000 rows of 64 MB, and for rows of
    /// 262,144 logits, for runs of 64 tokens, and for no drafted ones.
    ///
    /// ```
    /// assert_eq!(ogc_cuda::SlotLimits::for_sequences(8).pool.rows, 40_000);
    /// ```
    #[must_use]
    pub fn for_sequences(slots: u32) -> Self {
        let pool = PoolLimits { rows: 40_000, blocks: 1 << 20 };
        Self { slots, formats: 1024, format_bytes: 256 << 20, pool, logits: 1 << 18, run_tokens: 64, draft_tokens: 0 }
    }

    /// Refuses limits that kernels cannot count to.
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

    /// Returns how many rows are sampled at most.
    pub(super) fn rows(&self) -> u32 {
        // Both factors were checked.
        self.slots * (1 + self.draft_tokens)
    }
}
