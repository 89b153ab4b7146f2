//! Limits of the masks that are computed ahead of time.

/// Limits of the masks that are computed ahead of time. Masks beyond a limit are computed on demand.
///
/// ```
/// let limits = ogc_runtime::mask::PackLimits { tails: 1_000, ..Default::default() };
/// assert!(limits.frames > limits.bases);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackLimits {
    /// The most frames (states with registers) to follow.
    pub frames: u32,
    /// The most groups of frames to compute bases for; frames that differ only in the countdown `b`, or in
    /// the position among keys in declared order, are one group.
    pub bases: u32,
    /// The most tails, one for each pair of exits and return frame, to compute or to infer from neighbours.
    pub tails: u32,
    /// The most bytes of rows to store in the pack.
    pub row_bytes: u64,
    /// The most work of the build, in units of a few nanoseconds on one thread. Units are counted and not measured, so
    /// that the result is the same in every run.
    pub work: u64,
    /// The most bytes of rows and of exits that the build may hold before it packs them.
    pub memory: u64,
    /// Threads to use; does not change the result.
    pub threads: usize,
}

impl Default for PackLimits {
    fn default() -> Self {
        Self {
            frames: 1 << 20,
            bases: 1 << 18,
            tails: 1 << 20,
            row_bytes: 1 << 28,
            work: 1 << 32,
            memory: 1 << 29,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

/// The limit that made a build omit masks.
///
/// ```
/// use ogc_runtime::mask::{PackLimit, PackLimits};
/// let limits = PackLimits::default();
/// assert_ne!(PackLimit::Work { limit: limits.work }, PackLimit::Memory { limit: limits.memory });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackLimit {
    /// [`PackLimits::work`].
    Work {
        /// Units of work.
        limit: u64,
    },
    /// The share of [`PackLimits::work`] that one group of frames may take.
    Part {
        /// Units of work.
        limit: u64,
    },
    /// [`PackLimits::memory`].
    Memory {
        /// Bytes.
        limit: u64,
    },
    /// [`PackLimits::frames`], or a bound on what one frame may hold.
    Frames {
        /// Frames.
        limit: u32,
    },
    /// [`PackLimits::bases`].
    Bases {
        /// Groups of frames.
        limit: u32,
    },
    /// [`PackLimits::tails`].
    Tails {
        /// Tails.
        limit: u32,
    },
    /// [`PackLimits::row_bytes`].
    Rows {
        /// Bytes.
        limit: u64,
    },
    /// The number of ways in which tokens go through one frame, or their depth.
    Ways {
        /// Ways.
        limit: usize,
    },
}
