//! What `kernels/run.cu` is given, and what it says of each sequence.

use std::ffi::CStr;

use zerocopy::{FromBytes, IntoBytes};

use crate::kernels::KernelFile;
use crate::outcome::Outcome;
use crate::record::shared;

shared! {
    header "run", after "format", "slot";

    /// What became of the last of some tokens, as `OUTCOME_ACCEPTED` and so on say it, and by how many of them the slot has moved.
    struct Moved { outcome: u32, count: u32 }

    /// All that runs are about.
    struct RunWork {
        slots: u64 as *mut Slot,
        /// The slot of each sequence; one below 0 stands for none. Without a list they are the slots from the first on. No slot is there twice.
        sequences: u64 as *const i32,
        formats: u64 as *const FormatEntry,
        vocabulary: u64 as *const u32,
        /// `most` tokens of each sequence; one below 0 ends a run before.
        runs: u64 as *const i32,
        /// What became of each run.
        moved: u64 as *mut Moved,
        count: u32,
        most: u32,
    }
}

/// What became of several tokens that a sequence was given.
///
/// ```
/// use ogc_cuda::{MovedTokens, Outcome};
/// let moved = MovedTokens::from_bytes([3, 0, 0, 0, 2, 0, 0, 0]);
/// assert_eq!(moved, Some(MovedTokens { last: Outcome::Refused, accepted: 2 }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MovedTokens {
    /// What became of the last token that was tried.
    pub last: Outcome,
    /// By how many tokens the slot has moved.
    pub accepted: u32,
}

impl MovedTokens {
    /// The bytes in device memory.
    pub const BYTES: usize = size_of::<Moved>();

    /// Returns what a kernel wrote; `None` if none writes such bytes.
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

/// What a launch of `ogc_run` works on, by addresses in device memory: it moves sequences by runs of tokens that are known beforehand, such as those that a
/// format forces, up to the first that is not accepted, and locates the masks behind them.
///
/// ```
/// use ogc_cuda::RunLaunch;
/// let launch = RunLaunch { count: 3, most: 8, ..RunLaunch::default() };
/// assert_eq!((launch.blocks(), RunLaunch::THREADS), (3, 32));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunLaunch {
    /// The slots.
    pub slots: u64,
    /// The slot of each sequence, 4 bytes with a sign: one below 0 stands for none. 0 if they are the slots from the first on. No slot is there twice.
    pub sequences: u64,
    /// The table of formats: the addresses of their automata and of their masks, by turns.
    pub formats: u64,
    /// The vocabulary.
    pub vocabulary: u64,
    /// The runs: [`TokenRows`](crate::TokenRows) of `most` places.
    pub runs: u64,
    /// What is said of each sequence: [`MovedTokens`]. That of one without a run is that there was none.
    pub outcomes: u64,
    /// How many sequences there are.
    pub count: u32,
    /// The places of each run.
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

    /// Returns how many blocks there are.
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
