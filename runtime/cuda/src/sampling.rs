//! Parameters of `kernels/sample.cu`, and its outcome for each row.
//!
//! Weights are computed as in `ogc_generate::weights`.

use std::ffi::CStr;
use std::num::NonZeroU32;

use zerocopy::{FromBytes, IntoBytes};

use crate::pool::Pool;
use crate::record::shared;
use ogc_runtime::logits::LogitFormat;
use ogc_runtime::sampling::Sampling;

/// The warps of a block.
const WARPS: u32 = 8;

/// Maximum number of blocks in the second dimension of a grid; if there are more rows, the kernel loops.
const MOST_GRID_ROWS: u32 = 65_535;

/// Blocks that large devices run concurrently: two on each of 132 multiprocessors.
const ENOUGH_BLOCKS: u32 = 264;

/// The weight of the likeliest token.
const LIKELIEST: u32 = 1 << 31;

shared! {
    header "sampling", after "pool", "slot";

    /// Number of tokens of a chunk, and maximum number of chunks of a row.
    const CHUNK: u32 = 1024;
    const MOST_CHUNKS: u32 = 4096;

    /// Number of parts of a chunk whose greatest logits are kept, in four bytes each; a part is the share of four lanes.
    const PARTS: u32 = 8;

    /// Ways to sample a row: not at all, greedily, by a draw among all tokens, or by a draw among the likeliest.
    const SAMPLE_NOTHING: u32 = 0;
    const SAMPLE_HIGHEST: u32 = 1;
    const SAMPLE_DRAWN: u32 = 2;
    const SAMPLE_TRUNCATED: u32 = 3;

    /// The share that means the whole total; every other share is less.
    const SHARE_ALL: u32 = u32::MAX;

    /// The mask of a row: none, a row of bits, the mask of a slot, or one of a list of located masks.
    const MASK_NONE: u32 = 0;
    const MASK_BITS: u32 = 1;
    const MASK_SLOT: u32 = 2;
    const MASK_LOCATED: u32 = 3;

    /// Outcomes of sampling a row: it was not asked for, a token was sampled, no allowed token has a logit, its slot or mask is left to the host, or
    /// there was no room to count the token, which then is not sampled.
    const SAMPLED_NOTHING: u32 = 0;
    const SAMPLED_TOKEN: u32 = 1;
    const SAMPLED_NO_TOKEN: u32 = 2;
    const SAMPLED_HOST: u32 = 3;
    const SAMPLED_FULL: u32 = 4;

    /// A token and the number added to its logit.
    struct Bias { token: u32, number: u32 as f32 }

    /// A token and the number of times it was written.
    struct Count { token: u32, times: u32 }

    /// Sampling parameters of a row. Biases and counts are sorted by token. All blocks of the row read the first of its three sectors; the second is
    /// read if there is something to do, the third if logits are changed or tokens counted.
    struct SamplingRow {
        /// One of `SAMPLE_NOTHING` etc., and one of `MASK_NONE` etc.
        kind: u16,
        mask: u16,
        /// The number of the row of bits, of the slot, or of the located mask.
        mask_row: u32,
        /// Whether the logarithm of the token's probability under the model is written. All logits are read for it.
        tells_probability: u32,
        bias_count: u32,
        count_count: u32,
        /// Capacity of `counts` in entries, if sampled tokens are counted there; 0 if they are not.
        count_capacity: u32,
        /// Tokens that a truncated draw keeps: the `top_k` likeliest, or all if it is 0; of these the likeliest that together have `share`, in
        /// units of 2^-32; of these the ones with at least `least_weight`.
        top_k: u32,
        share: u32,
        least_weight: u32,
        /// log2(e) / temperature.
        scale: u32 as f32,
        seed: u64,
        request: u64,
        /// Incremented with each sampled token.
        position: u64,
        biases: u64 as *const Bias,
        counts: u64 as *mut Count,
        /// The factors of negative and of positive logits of written tokens, and the penalties subtracted from them.
        factor: u32 as f32,
        inverse_factor: u32 as f32,
        presence: u32 as f32,
        frequency: u32 as f32,
    }

    /// The result of sampling a row.
    struct Sampled {
        /// One of `SAMPLED_NOTHING` etc.
        outcome: u32,
        /// 0 if none was sampled.
        token: u32,
    }

    /// Summary of a chunk: the sum of weights relative to its greatest logit, and that logit's order; 0 if none of its tokens may be sampled.
    #[repr(align(16))]
    struct Chunk { sum: u64, greatest: u32, unused: u32 }

    /// Arguments of a launch.
    struct SampleWork {
        /// Rows of `width` logits, `stride` apart.
        logits: u64 as *const c_void,
        stride: u64,
        rows: u64 as *mut SamplingRow,
        sampled: u64 as *mut Sampled,
        /// For each row a logarithm, written if the row asks for it and a token is sampled.
        probabilities: u64 as *mut f32,
        /// Rows of bits, `mask_stride` words apart.
        masks: u64 as *const u32,
        mask_stride: u64,
        slots: u64 as *const Slot,
        located: u64 as *const Located,
        pool: Pool,
        /// The tokens that end a text.
        stops: u64 as *const u32,
        /// For each row a word that is 0 between launches, then for each row the memory that `RowScratch` divides; both are aligned to 16 bytes.
        scratch: u64 as *mut u32,
        stop_count: u32,
        row_count: u32,
        vocabulary: u32,
        width: u32,
    }
}

/// The way in which the token of a row is chosen.
///
/// ```
/// assert_eq!(ogc_cuda::TokenChoice::default(), ogc_cuda::TokenChoice::Nothing);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum TokenChoice {
    /// No token is chosen.
    #[default]
    Nothing,
    /// The first of the tokens with the highest logit.
    Highest,
    /// A random token among all allowed ones, drawn by their weights.
    Drawn {
        /// log2(e) / temperature.
        scale: f32,
    },
    /// A random token among the likeliest allowed ones, drawn by their weights.
    Truncated {
        /// log2(e) / temperature.
        scale: f32,
        /// The tokens that are kept.
        kept: KeptTokens,
    },
}

/// The tokens that a truncated draw keeps. The conditions apply one after another.
///
/// ```
/// use ogc_cuda::KeptTokens;
/// assert_eq!(KeptTokens::default(), KeptTokens { top_k: None, share: None, least_weight: 0 });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeptTokens {
    /// Number of likeliest tokens that are kept; `None` keeps all.
    pub top_k: Option<NonZeroU32>,
    /// Top-p: keeps the likeliest tokens that together have this share, in units of 2^-32; `None` keeps all. [`u32::MAX`] keeps all as
    /// well; no floating-point share close to 1 is converted to that number.
    pub share: Option<u32>,
    /// Min-p: the least weight of a kept token, where the likeliest token weighs 2^31; 0 keeps all.
    pub least_weight: u32,
}

impl KeptTokens {
    /// Returns the tokens that are kept by `top_k` (0 keeps all), then by `top_p` (1 or more keeps all), then by `min_p`: a kept token is
    /// at least `min_p` times as likely as the likeliest.
    ///
    /// ```
    /// use ogc_cuda::KeptTokens;
    /// assert_eq!(KeptTokens::of(0, 1.0, 0.0), KeptTokens::default());
    /// assert_eq!(KeptTokens::of(0, 0.25, 0.5), KeptTokens { top_k: None, share: Some(1 << 30), least_weight: 1 << 30 });
    /// ```
    #[must_use]
    pub fn of(top_k: u32, top_p: f32, min_p: f32) -> Self {
        // As in `ogc_generate::weights`; conversions from floating point saturate at the bounds of integers.
        let share = (top_p < 1.0).then_some((f64::from(top_p) * 4_294_967_296.0) as u32);
        let least_weight = ((f64::from(min_p) * f64::from(LIKELIEST)).ceil() as u32).min(LIKELIEST);
        Self { top_k: NonZeroU32::new(top_k), share, least_weight }
    }

    /// Returns whether all tokens are kept.
    fn is_all(self) -> bool {
        self == Self::default()
    }
}

impl TokenChoice {
    /// Returns a draw among all tokens at a temperature above 0. At 0, or if the temperature is NaN, returns the choice of the highest.
    ///
    /// ```
    /// use ogc_cuda::TokenChoice;
    /// assert_eq!(TokenChoice::at_temperature(1.0), TokenChoice::Drawn { scale: std::f32::consts::LOG2_E });
    /// assert_eq!(TokenChoice::at_temperature(0.0), TokenChoice::Highest);
    /// ```
    #[must_use]
    pub fn at_temperature(temperature: f32) -> Self {
        if temperature > 0.0 {
            // As in `ogc_generate::weights::Scale`.
            Self::Drawn { scale: (std::f32::consts::LOG2_E / temperature).clamp(f32::MIN_POSITIVE, f32::MAX) }
        } else {
            Self::Highest
        }
    }

    /// Returns a draw among the kept tokens, if `self` is a draw; otherwise returns `self`.
    ///
    /// ```
    /// use ogc_cuda::{KeptTokens, TokenChoice};
    /// let kept = KeptTokens::of(40, 0.9, 0.0);
    /// let scale = std::f32::consts::LOG2_E;
    /// assert_eq!(TokenChoice::at_temperature(1.0).keeping(kept), TokenChoice::Truncated { scale, kept });
    /// assert_eq!(TokenChoice::Highest.keeping(kept), TokenChoice::Highest);
    /// ```
    #[must_use]
    pub fn keeping(self, kept: KeptTokens) -> Self {
        match self {
            Self::Drawn { scale } | Self::Truncated { scale, .. } => Self::Truncated { scale, kept },
            Self::Nothing | Self::Highest => self,
        }
    }
}

/// The tokens that are allowed in a row.
///
/// ```
/// assert_eq!(ogc_cuda::AllowedTokens::default(), ogc_cuda::AllowedTokens::All);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AllowedTokens {
    /// All tokens of the vocabulary.
    #[default]
    All,
    /// The tokens whose bits are set in this row of the masks.
    Bits(u32),
    /// The tokens of the located mask of this slot.
    Slot(u32),
    /// The tokens of this mask in the list of located masks, such as those of a draft. If that mask is missing, the row is not sampled.
    Located(u32),
}

/// Changes of logits before a token is chosen. Lists are in device memory, ascending by token. Each entry has 8 bytes, a token and its
/// number.
///
/// ```
/// assert_eq!(ogc_cuda::Adjustments::default().repetition_penalty, 1.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adjustments {
    /// For tokens that were written: divisor of positive logits, and factor of negative logits; 1 changes nothing.
    pub repetition_penalty: f32,
    /// Number subtracted from the logits of tokens that were written.
    pub presence_penalty: f32,
    /// Number subtracted from a token's logit for each time that the token was written.
    pub frequency_penalty: f32,
    /// Address of the tokens that were written, each with its count, and the number of entries.
    pub written: (u64, u32),
    /// Capacity of that list in entries, if each chosen token is to be counted there; 0 leaves the list as it is. If there is no room for a
    /// token, it is not chosen: [`SampleOutcome::Full`].
    pub written_capacity: u32,
    /// Address of the tokens with the biases that are added to their logits, and the number of entries.
    pub biases: (u64, u32),
}

impl Default for Adjustments {
    /// Empty lists, and the default penalties of [`Sampling`].
    fn default() -> Self {
        let Sampling { repetition_penalty, presence_penalty, frequency_penalty, .. } = Sampling::default();
        let (written, written_capacity, biases) = ((0, 0), 0, (0, 0));
        Self { repetition_penalty, presence_penalty, frequency_penalty, written, written_capacity, biases }
    }
}

/// Sampling settings of a row, as the kernel reads them.
///
/// ```
/// use ogc_cuda::{RowSampling, TokenChoice};
/// let row = RowSampling { choice: TokenChoice::Highest, ..RowSampling::default() };
/// assert_eq!(row.to_bytes().len(), RowSampling::BYTES);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RowSampling {
    /// Seed of the random draws.
    pub seed: u64,
    /// Number that separates the draws of requests with the same seed.
    pub request: u64,
    /// The position of the token in the output. The device increments it with each chosen token.
    pub position: u64,
    /// The way in which the token is chosen.
    pub choice: TokenChoice,
    /// Changes of logits before the token is chosen.
    pub adjustments: Adjustments,
    /// The tokens that are allowed.
    pub allowed: AllowedTokens,
    /// Whether the kernel returns the token's probability in the model's own distribution: before biases, penalties and masks. For that, it
    /// reads all logits.
    pub tells_probability: bool,
}

impl RowSampling {
    /// Size of a row in device memory, in bytes.
    pub const BYTES: usize = size_of::<SamplingRow>();

    /// Returns a row that chooses among all tokens as the host does. The biases are left out, because their list is in device memory.
    ///
    /// ```
    /// use ogc_cuda::{RowSampling, TokenChoice};
    /// use ogc_runtime::sampling::Sampling;
    /// let row = RowSampling::of(&Sampling { presence_penalty: 0.5, ..Sampling::default() });
    /// assert_eq!((row.choice, row.adjustments.presence_penalty), (TokenChoice::Highest, 0.5));
    /// ```
    #[must_use]
    pub fn of(sampling: &Sampling) -> Self {
        let &Sampling { temperature, top_k, top_p, min_p, seed, .. } = sampling;
        let &Sampling { repetition_penalty, presence_penalty, frequency_penalty, .. } = sampling;
        // No vocabulary has more tokens than fit in 32 bits.
        let top_k = u32::try_from(top_k).unwrap_or(0);
        Self {
            seed,
            choice: TokenChoice::at_temperature(temperature).keeping(KeptTokens::of(top_k, top_p, min_p)),
            adjustments: Adjustments {
                repetition_penalty,
                presence_penalty,
                frequency_penalty,
                ..Adjustments::default()
            },
            ..Self::default()
        }
    }

    /// Returns the row in its device layout.
    ///
    /// ```
    /// assert!(ogc_cuda::RowSampling::default().to_bytes()[..24].iter().all(|byte| *byte == 0));
    /// ```
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let Adjustments { repetition_penalty, presence_penalty, frequency_penalty, written, written_capacity, biases } =
            self.adjustments;
        let (kind, scale, kept) = match self.choice {
            TokenChoice::Nothing => (SAMPLE_NOTHING, 0.0, KeptTokens::default()),
            TokenChoice::Highest => (SAMPLE_HIGHEST, 0.0, KeptTokens::default()),
            TokenChoice::Drawn { scale } => (SAMPLE_DRAWN, scale, KeptTokens::default()),
            TokenChoice::Truncated { scale, kept } if kept.is_all() => (SAMPLE_DRAWN, scale, kept),
            TokenChoice::Truncated { scale, kept } => (SAMPLE_TRUNCATED, scale, kept),
        };
        let (mask, mask_row) = match self.allowed {
            AllowedTokens::All => (MASK_NONE, 0),
            AllowedTokens::Bits(row) => (MASK_BITS, row),
            AllowedTokens::Slot(slot) => (MASK_SLOT, slot),
            AllowedTokens::Located(mask) => (MASK_LOCATED, mask),
        };
        let row = SamplingRow {
            kind: kind as u16,
            mask: mask as u16,
            mask_row,
            tells_probability: self.tells_probability.into(),
            bias_count: biases.1,
            count_count: written.1,
            count_capacity: written_capacity,
            top_k: kept.top_k.map_or(0, NonZeroU32::get),
            share: kept.share.unwrap_or(SHARE_ALL),
            least_weight: kept.least_weight,
            scale: scale.to_bits(),
            seed: self.seed,
            request: self.request,
            position: self.position,
            biases: biases.0,
            counts: written.0,
            factor: repetition_penalty.to_bits(),
            inverse_factor: (1.0 / repetition_penalty).to_bits(),
            presence: presence_penalty.to_bits(),
            frequency: frequency_penalty.to_bits(),
        };
        row.as_bytes().to_vec()
    }
}

/// Outcome of sampling a row.
///
/// ```
/// use ogc_cuda::SampleOutcome;
/// assert_eq!(SampleOutcome::from_bytes([1, 0, 0, 0, 7, 0, 0, 0]), Some(SampleOutcome::Token(7)));
/// assert_eq!(SampleOutcome::from_bytes([9; 8]), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SampleOutcome {
    /// No token was requested.
    Nothing,
    /// The token was chosen.
    Token(u32),
    /// No allowed token has a logit.
    NoToken,
    /// The host steps the slot or must find the mask, so that it must choose the token.
    Host,
    /// The list of written tokens has no room for the token. Launch again once there is room.
    Full,
}

impl SampleOutcome {
    /// Size of an outcome in device memory, in bytes.
    pub const BYTES: usize = size_of::<Sampled>();

    /// Returns the outcome that a kernel wrote; `None` if no kernel writes such bytes.
    ///
    /// ```
    /// assert_eq!(ogc_cuda::SampleOutcome::from_bytes([0; 8]), Some(ogc_cuda::SampleOutcome::Nothing));
    /// ```
    #[must_use]
    pub fn from_bytes(bytes: [u8; Self::BYTES]) -> Option<Self> {
        let Sampled { outcome, token } = Sampled::read_from_bytes(&bytes).ok()?;
        match outcome {
            SAMPLED_NOTHING => Some(Self::Nothing),
            SAMPLED_TOKEN => Some(Self::Token(token)),
            SAMPLED_NO_TOKEN => Some(Self::NoToken),
            SAMPLED_HOST => Some(Self::Host),
            SAMPLED_FULL => Some(Self::Full),
            _ => None,
        }
    }
}

/// Device addresses and sizes of a launch of `ogc_sample_f32`, `ogc_sample_f16` or `ogc_sample_bf16`. Addresses that no row needs are 0.
///
/// ```
/// use ogc_cuda::SampleLaunch;
/// let launch = SampleLaunch { vocabulary: 128_256, width: 128_256, row_count: 2, ..SampleLaunch::default() };
/// assert_eq!(launch.scratch_bytes(), Some(16 + 2 * 126 * 4 * 16));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SampleLaunch {
    /// Address of the rows of `width` logits.
    pub logits: u64,
    /// Distance between the beginnings of two rows, in logits.
    pub stride: u64,
    /// Address of the settings of each row: [`RowSampling`]. It is a multiple of 32.
    pub rows: u64,
    /// Address of the outcome of each row: [`SampleOutcome`].
    pub outcomes: u64,
    /// Address of the natural logarithm of each token's probability, an `f32` for each row. Rows that do not ask for it keep their old value.
    pub probabilities: u64,
    /// Address of the masks as rows of bits.
    pub masks: u64,
    /// Distance between the beginnings of two masks, in words of 32 bits.
    pub mask_stride: u64,
    /// Address of the slots.
    pub slots: u64,
    /// Address of the located masks.
    pub located: u64,
    /// Addresses of the pool's table of rows and of the contents of rows.
    pub pool: (u64, u64),
    /// Address of the tokens that end a text, and their number.
    pub stops: (u64, u32),
    /// Address of scratch memory with [`scratch_bytes`](Self::scratch_bytes) bytes. It begins with four zero bytes for each row; kernels
    /// leave them zero.
    pub scratch: u64,
    /// The number of rows.
    pub row_count: u32,
    /// The number of tokens of the vocabulary.
    pub vocabulary: u32,
    /// Number of logits in a row. Logits beyond the vocabulary are not chosen.
    pub width: u32,
}

impl SampleLaunch {
    /// Returns the number of chunks of a row.
    fn chunks(&self) -> u64 {
        u64::from(self.width.div_ceil(CHUNK))
    }

    /// Returns the size of the scratch memory in bytes; `None` if rows have more tokens than the kernel can sample from.
    ///
    /// ```
    /// let wide = ogc_cuda::SampleLaunch { vocabulary: u32::MAX, width: u32::MAX, ..Default::default() };
    /// assert_eq!(wide.scratch_bytes(), None);
    /// ```
    #[must_use]
    pub fn scratch_bytes(&self) -> Option<u64> {
        let chunks = self.chunks();
        let row = chunks * (2 * size_of::<Chunk>() as u64 + 4 * u64::from(PARTS));
        let rows = u64::from(self.row_count);
        (chunks <= u64::from(MOST_CHUNKS)).then_some((4 * rows).next_multiple_of(16) + rows * row)
    }

    /// Returns the number of blocks: per row, and in the dimension of rows. Each block has [`THREADS`](Self::THREADS) threads. With many
    /// rows, each row has fewer blocks, because each warp of a row has to find its place in the mask first.
    ///
    /// ```
    /// let launch = ogc_cuda::SampleLaunch { vocabulary: 128_256, width: 128_256, row_count: 2, ..Default::default() };
    /// assert_eq!(launch.blocks(), (16, 2));
    /// assert_eq!(ogc_cuda::SampleLaunch { row_count: 64, ..launch }.blocks(), (5, 64));
    /// ```
    #[must_use]
    pub fn blocks(&self) -> (u32, u32) {
        let rows = self.row_count.clamp(1, MOST_GRID_ROWS);
        let most = self.chunks().div_ceil(u64::from(WARPS)).max(1) as u32;
        (most.min(ENOUGH_BLOCKS.div_ceil(rows)), rows)
    }

    /// Returns the kernel that samples from logits of a format.
    ///
    /// ```
    /// assert_eq!(ogc_cuda::SampleLaunch::kernel(ogc_cuda::LogitFormat::F16), c"ogc_sample_f16");
    /// ```
    #[must_use]
    pub fn kernel(format: LogitFormat) -> &'static CStr {
        match format {
            LogitFormat::F32 => c"ogc_sample_f32",
            LogitFormat::F16 => c"ogc_sample_f16",
            LogitFormat::Bf16 => c"ogc_sample_bf16",
        }
    }

    /// Threads of a block.
    pub const THREADS: u32 = 32 * WARPS;

    /// Returns the parameter of the kernels.
    ///
    /// ```
    /// assert_eq!(ogc_cuda::SampleLaunch::default().parameters(), [0; 120]);
    /// ```
    #[must_use]
    pub fn parameters(&self) -> Vec<u8> {
        self.work().as_bytes().to_vec()
    }

    /// Returns the parameter of the kernels as a record.
    pub(crate) fn work(&self) -> SampleWork {
        SampleWork {
            logits: self.logits,
            stride: self.stride,
            rows: self.rows,
            sampled: self.outcomes,
            probabilities: self.probabilities,
            masks: self.masks,
            mask_stride: self.mask_stride,
            slots: self.slots,
            located: self.located,
            pool: Pool { rows: self.pool.0, data: self.pool.1 },
            stops: self.stops.0,
            scratch: self.scratch,
            stop_count: self.stops.1,
            row_count: self.row_count,
            vocabulary: self.vocabulary,
            width: self.width,
        }
    }
}
