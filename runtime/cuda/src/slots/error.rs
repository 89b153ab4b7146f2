//! Why sequences cannot be on a device, or why a call was refused.

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

/// The reason why sequences cannot be on a device, or why a call was refused. Nothing was changed, unless the device failed: then all slots are lost.
///
/// ```
/// use ogc_cuda::SlotsError;
/// let error = SlotsError::Slots { limit: 64 };
/// assert_eq!(error.to_string(), "all 64 slots are open: close one, or raise `SlotLimits::slots`");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SlotsError {
    /// A limit that kernels cannot count to.
    #[error("room for {given} {what} is asked for: it must be for 1 to {limit}")]
    Limit {
        /// What there would be room for.
        what: &'static str,
        /// How many.
        given: u32,
        /// The most.
        limit: u32,
    },
    /// All slots are open.
    #[error("all {limit} slots are open: close one, or raise `SlotLimits::slots`")]
    Slots {
        /// How many there are.
        limit: u32,
    },
    /// There are as many formats as there is room for.
    #[error("there are {limit} formats, as many as there is room for: remove one, or raise `SlotLimits::formats`")]
    Formats {
        /// The most.
        limit: u32,
    },
    /// There is no room for the tables of a format.
    #[error(
        "the format takes {given} bytes, of which {limit} are free in one piece: remove formats, or raise `SlotLimits::format_bytes`"
    )]
    FormatBytes {
        /// The bytes that it takes.
        given: u64,
        /// The bytes of the longest piece that is free.
        limit: u64,
    },
    /// A slot that is not open, or that a call names twice.
    #[error("slot {given} is not open, or is named twice")]
    Closed {
        /// Its number.
        given: u32,
    },
    /// A format that was not added, or was removed.
    #[error("format {given} was not added, or was removed")]
    UnknownFormat {
        /// Its number.
        given: u32,
    },
    /// A format that slots are at, and that cannot be removed therefore.
    #[error("format {given} has {slots} slots: close them, or begin others with them")]
    FormatInUse {
        /// Its number.
        given: u32,
        /// How many slots have it.
        slots: usize,
    },
    /// The format asks for a token by name that the vocabulary lacks.
    #[error("the format asks for the token {name:?}, which the vocabulary lacks: compile it for this vocabulary")]
    MissingToken {
        /// The name.
        name: String,
    },
    /// The format has arrays in which no two items may be equal, or objects in which no undeclared key may come twice: only matchers remember them.
    #[error(
        "the format has arrays in which no two items may be equal, or objects in which no undeclared key may come twice, which a device does not \
         remember: use a matcher on the host"
    )]
    DistinctItems,
    /// No matcher can be made of the format.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The matcher is of another format than the slot.
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
    /// More rows are to be sampled or masked than there is room for.
    #[error(
        "{given} rows, there is room for {limit}: raise `SlotLimits::slots`, or `SlotLimits::draft_tokens` for rows of drafts"
    )]
    Rows {
        /// How many.
        given: usize,
        /// The most.
        limit: u32,
    },
    /// Logits of another number of rows than were set.
    #[error("logits of {given} rows, {expected} rows were set")]
    OtherRows {
        /// How many rows of logits.
        given: u32,
        /// How many were set.
        expected: u32,
    },
    /// Rows have more logits than there is room for.
    #[error("a row has {given} logits, there is room for {limit}: raise `SlotLimits::logits`")]
    Width {
        /// How many.
        given: u32,
        /// The most.
        limit: u32,
    },
    /// A slot has a draft, and is to be moved otherwise.
    #[error("slot {given} has a draft that was not verified: verify it before the slot is moved by other tokens")]
    Drafted {
        /// The number of the slot.
        given: u32,
    },
    /// Fewer rows are sampled than drafts have.
    #[error("{given} rows were set, the drafts have {limit}: set `1 + SlotLimits::draft_tokens` rows for each")]
    DraftRows {
        /// How many were set.
        given: u32,
        /// How many drafts have.
        limit: u32,
    },
    /// Drafts that cannot be launched.
    #[error(transparent)]
    Draft(#[from] DraftError),
    /// Runs or drafts for which there is no room.
    #[error(transparent)]
    Tokens(#[from] TokenRowsError),
    /// The words of a mask are not as many as a mask has.
    #[error("a mask of {given} words, the vocabulary takes {limit}")]
    MaskWords {
        /// How many were given.
        given: usize,
        /// How many a mask has.
        limit: u32,
    },
    /// Masks of another number of tokens.
    #[error("masks of {given} tokens, the vocabulary has {limit}")]
    MaskTokens {
        /// How many were given.
        given: u32,
        /// How many there are.
        limit: u32,
    },
    /// The logits or masks are not where, or not as many as, was said.
    #[error(transparent)]
    Memory(#[from] MaskingError),
    /// The matcher of a sequence that the host steps gives up.
    #[error(transparent)]
    Matcher(#[from] MatchError),
    /// A stop token that there is not.
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
