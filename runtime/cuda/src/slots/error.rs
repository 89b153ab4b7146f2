//! The error of a call on slots.

use ogc_runtime::artifact::LoadError;
use ogc_runtime::matcher::MatchError;

use crate::draft::DraftError;
use crate::error::CudaError;
use crate::format::FormatError;
use crate::masking::MaskingError;
use crate::masks::MasksError;
use crate::slot::SlotError;
use crate::token_rows::TokenRowsError;
use crate::vocabulary::UnknownStop;

/// A call on slots failed. Nothing was changed, unless the device failed: then all slots are lost.
///
/// ```
/// use ogc_cuda::SlotsError;
/// let error = SlotsError::Slots { limit: 64 };
/// assert_eq!(error.to_string(), "all 64 slots are open: close one, or raise `SlotLimits::slots`");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SlotsError {
    /// A limit exceeds what kernels can count.
    #[error("room for {given} {what} is asked for: it must be for 1 to {limit}")]
    Limit {
        /// Name of the limited resource.
        what: &'static str,
        /// The given limit.
        given: u32,
        /// Greatest possible limit.
        limit: u32,
    },
    /// All slots are open.
    #[error("all {limit} slots are open: close one, or raise `SlotLimits::slots`")]
    Slots {
        /// Number of slots.
        limit: u32,
    },
    /// There is no room for another format.
    #[error("there are {limit} formats, as many as there is room for: remove one, or raise `SlotLimits::formats`")]
    Formats {
        /// Maximum number of formats.
        limit: u32,
    },
    /// There is no room for the tables of a format.
    #[error(
        "the format takes {given} bytes, of which {limit} are free in one piece: remove formats, or raise `SlotLimits::format_bytes`"
    )]
    FormatBytes {
        /// Size of the format, in bytes.
        given: u64,
        /// Size of the longest free piece, in bytes.
        limit: u64,
    },
    /// A slot is not open, or a call names it twice.
    #[error("slot {given} is not open, or is named twice")]
    Closed {
        /// Number of the slot.
        given: u32,
    },
    /// A format was not added, or was removed.
    #[error("format {given} was not added, or was removed")]
    UnknownFormat {
        /// Number of the format.
        given: u32,
    },
    /// A format cannot be removed, because slots are in texts of it.
    #[error("format {given} has {slots} slots: close them, or begin others with them")]
    FormatInUse {
        /// Number of the format.
        given: u32,
        /// Number of slots in texts of the format.
        slots: usize,
    },
    /// The format asks by name for a token that the vocabulary lacks.
    #[error("the format asks for the token {name:?}, which the vocabulary lacks: compile it for this vocabulary")]
    MissingToken {
        /// Name of the token.
        name: String,
    },
    /// The format has arrays without duplicate items, or objects in which no undeclared key may come twice: only matchers remember them.
    #[error(
        "the format has arrays in which no two items may be equal, or objects in which no undeclared key may come twice, which a device does not \
         remember: use a matcher on the host"
    )]
    DistinctItems,
    /// No matcher can be made for the format.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The matcher is for another format than the slot.
    #[error("the matcher is of another format than format {given}")]
    OtherFormat {
        /// The number of the format.
        given: u32,
    },
    /// The matcher has other stop tokens than the slots.
    #[error(
        "the matcher has stop tokens of its own, other than those that the slots were made with: it stays on the host"
    )]
    OtherStops,
    /// More rows should be sampled or masked than there is room for.
    #[error(
        "{given} rows, there is room for {limit}: raise `SlotLimits::slots`, or `SlotLimits::draft_tokens` for rows of drafts"
    )]
    Rows {
        /// The given number of rows.
        given: usize,
        /// Maximum number of rows.
        limit: u32,
    },
    /// The number of rows of the logits is not the number of rows that were set.
    #[error("logits of {given} rows, {expected} rows were set")]
    OtherRows {
        /// Rows of logits.
        given: u32,
        /// Rows that were set.
        expected: u32,
    },
    /// Rows have more logits than there is room for.
    #[error("a row has {given} logits, there is room for {limit}: raise `SlotLimits::logits`")]
    Width {
        /// Logits of a row.
        given: u32,
        /// Maximum number of logits of a row.
        limit: u32,
    },
    /// The slot has an unverified draft; only `verify` may move it.
    #[error("slot {given} has a draft that was not verified: verify it before the slot is moved by other tokens")]
    Drafted {
        /// The number of the slot.
        given: u32,
    },
    /// Fewer rows were set than the drafts have.
    #[error("{given} rows were set, the drafts have {limit}: set `1 + SlotLimits::draft_tokens` rows for each")]
    DraftRows {
        /// Rows that were set.
        given: u32,
        /// Rows of the drafts.
        limit: u32,
    },
    /// The drafts cannot be launched.
    #[error(transparent)]
    Draft(#[from] DraftError),
    /// There is no room for the tokens of runs or drafts.
    #[error(transparent)]
    Tokens(#[from] TokenRowsError),
    /// The number of words is wrong for a mask.
    #[error("a mask of {given} words, the vocabulary takes {limit}")]
    MaskWords {
        /// Given number of words.
        given: usize,
        /// Words of a mask.
        limit: u32,
    },
    /// The number of tokens of the masks is not that of the vocabulary.
    #[error("masks of {given} tokens, the vocabulary has {limit}")]
    MaskTokens {
        /// Tokens of the masks.
        given: u32,
        /// Tokens of the vocabulary.
        limit: u32,
    },
    /// The stated memory of logits or masks is too short, misaligned or overlapping.
    #[error(transparent)]
    Memory(#[from] MaskingError),
    /// The matcher of a sequence on the host exceeds a limit.
    #[error(transparent)]
    Matcher(#[from] MatchError),
    /// A stop token is not in the vocabulary.
    #[error(transparent)]
    Stop(#[from] UnknownStop),
    /// The tables of a format are too large.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The masks of a format cannot be on the device.
    #[error(transparent)]
    Masks(#[from] MasksError),
    /// A matcher's place does not fit in a slot.
    #[error(transparent)]
    Slot(#[from] SlotError),
    /// The device failed.
    #[error(transparent)]
    Device(#[from] CudaError),
}
