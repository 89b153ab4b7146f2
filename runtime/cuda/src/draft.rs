//! Parameters of `kernels/draft.cu` and `kernels/verify.cu`, and their result for each sequence.

use std::ffi::CStr;

use zerocopy::{FromBytes, IntoBytes};

use crate::kernels::KernelFile;
use crate::outcome::{Handover, OUTCOME_BITS};
use crate::pool::Pool;
use crate::record::shared;
use crate::slot::{Located, MASK_IS_HOSTS, MASK_IS_MISSING, MOST_LOG, MOST_ROWS};

shared! {
    header "draft", after "format", "pool", "run", "sampling", "slot";

    /// Maximum number of tokens of a draft: they and the token sampled after them can be rolled back together.
    const MOST_DRAFT: u32 = MOST_LOG as u32 - 1;

    /// Outcomes of a draft: there is no sequence; the text continues; its last token ended it; only an end may follow; no allowed token has a logit;
    /// the sampled token is not allowed; the host must continue, for the `Trouble` above the lowest byte.
    const VERIFIED_NOTHING: u32 = 0;
    const VERIFIED_GOES_ON: u32 = 1;
    const VERIFIED_ENDED: u32 = 2;
    const VERIFIED_COMPLETE: u32 = 3;
    const VERIFIED_NO_TOKEN: u32 = 4;
    const VERIFIED_REFUSED: u32 = 5;
    const VERIFIED_HOST: u32 = 6;

    /// The result of verifying a draft: how many of the sampled tokens belong to the text, and by how many of them the slot has moved.
    struct Verified { outcome: u32, tokens: u32, moved: u32 }

    /// Arguments of draft launches. Each sequence has 1 + `most` consecutive rows: of masks, of sampling parameters and of sampled tokens.
    struct DraftWork {
        slots: u64 as *mut Slot,
        /// The slot of each sequence; negative for none. Without a list, sequence `i` has slot `i`. No slot occurs twice.
        sequences: u64 as *const i32,
        formats: u64 as *const FormatEntry,
        vocabulary: u64 as *const u32,
        /// `most` tokens per sequence; a negative token ends a shorter draft.
        drafts: u64 as *const i32,
        masks: u64 as *mut Located,
        /// The position of a sequence's first row is that of the next token. The positions of its other rows are written with the masks.
        rows: u64 as *mut SamplingRow,
        sampled: u64 as *const Sampled,
        /// The outcome of each draft: first by its format, then by the sampled tokens.
        drafted: u64 as *mut Moved,
        verified: u64 as *mut Verified,
        pool: Pool,
        /// The tokens that end a text, ascending.
        stops: u64 as *const u32,
        stop_count: u32,
        count: u32,
        most: u32,
        unused: u32,
    }
}

/// Drafts cannot be launched.
///
/// ```
/// use ogc_cuda::DraftError;
/// let error = DraftError::TooLong { given: 16, limit: 15 };
/// assert_eq!(error.to_string(), "drafts of 16 tokens, the limit is 15: slots could not take them back; make shorter ones");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DraftError {
    /// Drafts have more tokens than a slot can take back.
    #[error("drafts of {given} tokens, the limit is {limit}: slots could not take them back; make shorter ones")]
    TooLong {
        /// Tokens of each draft.
        given: u32,
        /// Maximum number of tokens of a draft.
        limit: u32,
    },
    /// The rows of all drafts are more than the kernels can count.
    #[error("drafts of {given} rows, the limit is {limit}: launch fewer sequences at a time")]
    TooManyRows {
        /// Rows of all drafts.
        given: u64,
        /// Maximum number of rows of all drafts.
        limit: u32,
    },
}

/// Device addresses and sizes of a launch of `ogc_draft` and `ogc_verify`.
///
/// Each sequence has [`rows`](Self::rows) of logits, masks and outcomes, one after another, from one pass in which the model read the last
/// token of the text and the drafted tokens. Three launches go together, with only the model's pass between them: `ogc_draft`, then
/// `ogc_sample_*` with rows of [`AllowedTokens::Located`](crate::AllowedTokens::Located), then `ogc_verify`. For penalties, each row needs
/// its own list of written tokens, which includes the drafted tokens before the row.
///
/// ```
/// use ogc_cuda::DraftLaunch;
/// let launch = DraftLaunch { count: 4, most: 7, ..DraftLaunch::default() };
/// assert_eq!((launch.rows()?, launch.blocks(), DraftLaunch::THREADS), (32, 4, 32));
/// # Ok::<(), ogc_cuda::DraftError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DraftLaunch {
    /// Address of the slots.
    pub slots: u64,
    /// Address of the slot number of each sequence, a signed number of 32 bits; negative for no slot. If the address is 0, sequence `i` has
    /// slot `i`. No slot may occur twice.
    pub sequences: u64,
    /// Address of the table of formats: for each format the address of its automaton, then the address of its masks.
    pub formats: u64,
    /// Address of the vocabulary.
    pub vocabulary: u64,
    /// Address of the drafts: [`TokenRows`](crate::TokenRows) with room for `most` tokens each.
    pub drafts: u64,
    /// Address of the masks of all rows: [`MaskState::BYTES`] each.
    pub masks: u64,
    /// Address of the sampling settings of all rows: [`RowSampling`](crate::RowSampling). The first row of a sequence has the position of its next
    /// token; `ogc_draft` writes the positions of the other rows, and `ogc_verify` moves the first position on.
    pub samplings: u64,
    /// Address of the sampling outcome of all rows: [`SampleOutcome`](crate::SampleOutcome).
    pub sampled: u64,
    /// Address of the format's verdict on each draft: [`MovedTokens`](crate::MovedTokens). The slots stay moved by these tokens until the
    /// drafts are verified.
    pub drafted: u64,
    /// Address of the verified drafts: [`VerifiedDraft`].
    pub verified: u64,
    /// Addresses of the pool's table of rows and of the contents of rows.
    pub pool: (u64, u64),
    /// Address of the tokens that end a text, ascending, and their number.
    pub stops: (u64, u32),
    /// Number of sequences.
    pub count: u32,
    /// Room of each draft, in tokens.
    pub most: u32,
}

impl DraftLaunch {
    /// Maximum number of tokens of a draft.
    pub const MOST: u32 = MOST_DRAFT;

    /// The kernel that finds the masks of drafts.
    pub const DRAFT: &'static CStr = c"ogc_draft";

    /// The kernel that verifies drafts.
    pub const VERIFY: &'static CStr = c"ogc_verify";

    /// Threads of a block, for both kernels.
    pub const THREADS: u32 = 32;

    /// Returns the PTX of both kernels, each with its name.
    ///
    /// ```
    /// for (kernel, ptx) in ogc_cuda::DraftLaunch::ptx() {
    ///     assert!(ptx.to_str()?.contains(kernel.to_str()?));
    /// }
    /// # Ok::<(), std::str::Utf8Error>(())
    /// ```
    #[must_use]
    pub fn ptx() -> [(&'static CStr, &'static CStr); 2] {
        [(Self::DRAFT, KernelFile::Draft.ptx()), (Self::VERIFY, KernelFile::Verify.ptx())]
    }

    /// Returns the number of blocks of a launch.
    ///
    /// ```
    /// assert_eq!(ogc_cuda::DraftLaunch::default().blocks(), 1);
    /// ```
    #[must_use]
    pub fn blocks(&self) -> u32 {
        self.count.max(1)
    }

    /// Returns the number of rows: for each sequence the room of its draft plus one.
    ///
    /// # Errors
    /// Drafts are too long, or there are too many rows.
    ///
    /// ```
    /// use ogc_cuda::{DraftError, DraftLaunch};
    /// let launch = DraftLaunch { count: 1 << 30, most: 15, ..DraftLaunch::default() };
    /// assert_eq!(launch.rows(), Err(DraftError::TooManyRows { given: 1 << 34, limit: u32::MAX }));
    /// ```
    pub fn rows(&self) -> Result<u32, DraftError> {
        if self.most > MOST_DRAFT {
            return Err(DraftError::TooLong { given: self.most, limit: MOST_DRAFT });
        }
        let given = u64::from(self.count) * u64::from(1 + self.most);
        u32::try_from(given).map_err(|_| DraftError::TooManyRows { given, limit: u32::MAX })
    }

    /// Returns the parameter of both kernels.
    ///
    /// # Errors
    /// Drafts are too long, or there are too many rows.
    ///
    /// ```
    /// assert_eq!(ogc_cuda::DraftLaunch::default().parameters()?, [0; 120]);
    /// # Ok::<(), ogc_cuda::DraftError>(())
    /// ```
    pub fn parameters(&self) -> Result<Vec<u8>, DraftError> {
        self.rows()?;
        let work = DraftWork {
            slots: self.slots,
            sequences: self.sequences,
            formats: self.formats,
            vocabulary: self.vocabulary,
            drafts: self.drafts,
            masks: self.masks,
            rows: self.samplings,
            sampled: self.sampled,
            drafted: self.drafted,
            verified: self.verified,
            pool: Pool { rows: self.pool.0, data: self.pool.1 },
            stops: self.stops.0,
            stop_count: self.stops.1,
            count: self.count,
            most: self.most,
            unused: 0,
        };
        Ok(work.as_bytes().to_vec())
    }
}

/// State of the mask of a row.
///
/// ```
/// use ogc_cuda::MaskState;
/// let empty = MaskState::Located { may_end: false, is_dense: false, rows: Vec::new() };
/// assert_eq!(MaskState::from_bytes(&[0; MaskState::BYTES]), Some(empty));
/// assert_eq!(MaskState::from_bytes(&[9; MaskState::BYTES]), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MaskState {
    /// The mask was found.
    Located {
        /// Whether the mask has the tokens that end a text.
        may_end: bool,
        /// Whether any of the rows is not a list of tokens.
        is_dense: bool,
        /// Numbers of the pool rows that make up the mask.
        rows: Vec<u32>,
    },
    /// There is no mask; the row is not sampled.
    Missing,
    /// The host must find the mask.
    Host,
}

impl MaskState {
    /// Size of a mask in device memory, in bytes.
    pub const BYTES: usize = size_of::<Located>();

    /// Returns the mask of a row that a kernel wrote; `None` if no kernel writes such bytes. Bytes after the rows are ignored.
    ///
    /// ```
    /// use ogc_cuda::MaskState;
    /// let mut bytes = [0; MaskState::BYTES];
    /// bytes[0] = 2;
    /// assert_eq!(MaskState::from_bytes(&bytes), Some(MaskState::Missing));
    /// ```
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let Located { may_end, row_count, is_dense, rows, unused: _ } = Located::read_from_bytes(bytes).ok()?;
        let rows = rows.get(..row_count as usize)?;
        match may_end {
            0 | 1 => Some(Self::Located { may_end: may_end == 1, is_dense: is_dense != 0, rows: rows.to_vec() }),
            MASK_IS_MISSING => Some(Self::Missing),
            MASK_IS_HOSTS => Some(Self::Host),
            _ => None,
        }
    }

    /// Maximum number of rows of a mask.
    pub const MOST_ROWS: usize = MOST_ROWS;
}

/// State of a text after its verified tokens.
///
/// ```
/// use ogc_cuda::{DraftEnd, VerifiedDraft};
/// let bytes = [2, 1, 1].map(u32::to_le_bytes).concat();
/// assert_eq!(VerifiedDraft::from_bytes(&bytes).map(|draft| draft.end), Some(DraftEnd::Ended));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DraftEnd {
    /// There is no sequence.
    Nothing,
    /// The text continues: the slot has the mask of the next token.
    GoesOn,
    /// The last token ended the text.
    Ended,
    /// Only the end can follow.
    Complete,
    /// No allowed token has a logit.
    NoToken,
    /// The token sampled after the verified ones is not allowed: it was sampled without the mask.
    Refused,
    /// The host must continue.
    Host(Handover),
}

/// Result of a draft after its rows were sampled.
///
/// ```
/// use ogc_cuda::{DraftEnd, VerifiedDraft};
/// let bytes = [1, 3, 3].map(u32::to_le_bytes).concat();
/// let verified = VerifiedDraft { end: DraftEnd::GoesOn, tokens: 3, moved: 3 };
/// assert_eq!(VerifiedDraft::from_bytes(&bytes), Some(verified));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerifiedDraft {
    /// State of the text after the tokens.
    pub end: DraftEnd,
    /// Number of tokens that were appended to the text: the first ones of the sampled tokens.
    pub tokens: u32,
    /// Number of these tokens by which the slot has moved: all, or all but the last if the device left the last one to the host.
    pub moved: u32,
}

impl VerifiedDraft {
    /// Size in device memory, in bytes.
    pub const BYTES: usize = size_of::<Verified>();

    /// Returns the result that a kernel wrote; `None` if no kernel writes such bytes.
    ///
    /// ```
    /// assert_eq!(ogc_cuda::VerifiedDraft::from_bytes(&[9; 12]), None);
    /// ```
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let Verified { outcome, tokens, moved } = Verified::read_from_bytes(bytes).ok()?;
        let end = match (outcome & ((1 << OUTCOME_BITS) - 1), outcome >> OUTCOME_BITS) {
            (VERIFIED_NOTHING, 0) => DraftEnd::Nothing,
            (VERIFIED_GOES_ON, 0) => DraftEnd::GoesOn,
            (VERIFIED_ENDED, 0) => DraftEnd::Ended,
            (VERIFIED_COMPLETE, 0) => DraftEnd::Complete,
            (VERIFIED_NO_TOKEN, 0) => DraftEnd::NoToken,
            (VERIFIED_REFUSED, 0) => DraftEnd::Refused,
            (VERIFIED_HOST, reason) => DraftEnd::Host(Handover::from_number(reason)?),
            _ => return None,
        };
        Some(Self { end, tokens, moved })
    }
}
