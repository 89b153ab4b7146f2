//! Parameters of `kernels/run.cu`, and its outcome for each sequence.

use std::ffi::CStr;

use zerocopy::{FromBytes, IntoBytes};

use crate::kernels::KernelFile;
use crate::outcome::Outcome;
use crate::record::shared;

shared! {
    header "run", after "format", "slot";

    /// The outcome of the last of several tokens (`OUTCOME_ACCEPTED` etc.), and the number of tokens by which the slot has moved.
    struct Moved { outcome: u32, count: u32 }

    /// Arguments of run launches.
    struct RunWork {
        slots: u64 as *mut Slot,
        /// The slot of each sequence; negative for none. Without a list, sequence `i` has slot `i`. No slot occurs twice.
        sequences: u64 as *const i32,
        formats: u64 as *const FormatEntry,
        vocabulary: u64 as *const u32,
        /// `most` tokens per sequence; a negative token ends a shorter run.
        runs: u64 as *const i32,
        /// The outcome of each run.
        moved: u64 as *mut Moved,
        count: u32,
        most: u32,
    }
}

/// Outcome of a run, which is several tokens given to a sequence.
///
/// ```
/// use ogc_cuda::{MovedTokens, Outcome};
/// let moved = MovedTokens::from_bytes([3, 0, 0, 0, 2, 0, 0, 0]);
/// assert_eq!(moved, Some(MovedTokens { last: Outcome::Refused, accepted: 2 }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MovedTokens {
    /// Outcome of the last token that was tried.
    pub last: Outcome,
    /// Number of tokens by which the slot has moved.
    pub accepted: u32,
}

impl MovedTokens {
    /// Size in device memory, in bytes.
    pub const BYTES: usize = size_of::<Moved>();

    /// Returns the outcome that a kernel wrote; `None` if no kernel writes such bytes.
    ///
    /// ```
    /// assert_eq!(ogc_cuda::MovedTokens::from_bytes([9; 8]), None);
    /// ```
    #[must_use]
    pub fn from_bytes(bytes: [u8; Self::BYTES]) -> Option<Self> {
        let Moved { outcome, count } = Moved::read_from_bytes(&bytes).ok()?;
        Some(Self { last: Outcome::from_number(outcome)?, accepted: count })
    }
}

/// Device addresses and sizes of a launch of `ogc_run`. It moves sequences by runs of tokens that are known beforehand, such as those that
/// a format forces. Each run ends at the first token that is not accepted; then the mask after it is located.
///
/// ```
/// use ogc_cuda::RunLaunch;
/// let launch = RunLaunch { count: 3, most: 8, ..RunLaunch::default() };
/// assert_eq!((launch.blocks(), RunLaunch::THREADS), (3, 32));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunLaunch {
    /// Address of the slots.
    pub slots: u64,
    /// Address of the slot number of each sequence, a signed number of 32 bits; negative for no slot. If the address is 0, sequence `i` has
    /// slot `i`. No slot may occur twice.
    pub sequences: u64,
    /// Address of the table of formats: for each format the address of its automaton, then the address of its masks.
    pub formats: u64,
    /// Address of the vocabulary.
    pub vocabulary: u64,
    /// Address of the runs: [`TokenRows`](crate::TokenRows) with room for `most` tokens each.
    pub runs: u64,
    /// Address of the outcome of each sequence: [`MovedTokens`]. A sequence without a run has [`Outcome::None`].
    pub outcomes: u64,
    /// Number of sequences.
    pub count: u32,
    /// Room of each run, in tokens.
    pub most: u32,
}

impl RunLaunch {
    /// The kernel.
    pub const KERNEL: &'static CStr = c"ogc_run";

    /// The threads of a block.
    pub const THREADS: u32 = 32;

    /// Returns the PTX of the kernel.
    ///
    /// ```
    /// assert!(ogc_cuda::RunLaunch::ptx().to_str()?.contains("ogc_run"));
    /// # Ok::<(), std::str::Utf8Error>(())
    /// ```
    #[must_use]
    pub fn ptx() -> &'static CStr {
        KernelFile::Run.ptx()
    }

    /// Returns the number of blocks.
    ///
    /// ```
    /// assert_eq!(ogc_cuda::RunLaunch::default().blocks(), 1);
    /// ```
    #[must_use]
    pub fn blocks(&self) -> u32 {
        self.count.max(1)
    }

    /// Returns the parameter of the kernel.
    ///
    /// ```
    /// assert_eq!(ogc_cuda::RunLaunch::default().parameters(), [0; 56]);
    /// ```
    #[must_use]
    pub fn parameters(&self) -> Vec<u8> {
        let Self { slots, sequences, formats, vocabulary, runs, outcomes, count, most } = *self;
        RunWork { slots, sequences, formats, vocabulary, runs, moved: outcomes, count, most }.as_bytes().to_vec()
    }
}
