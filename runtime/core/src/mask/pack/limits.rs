//! Limits on masks that are computed ahead of time.

/// Limits on masks that are computed ahead of time. Masks beyond a limit are computed on demand.
///
/// ```
/// let limits = ogc_runtime::mask::PackLimits { tails: 1_000, ..Default::default() };
/// assert!(limits.frames > limits.bases);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackLimits {
    /// Cap on frames (states with registers) that are followed.
    pub frames: u32,
    /// Cap on groups of frames for which bases are computed. Frames that differ only in the countdown `b`, or in the position among keys in
    /// declared order, are one group.
    pub bases: u32,
    /// Cap on tails, one for each pair of exits and return frame, computed or inferred from neighbours.
    pub tails: u32,
    /// Cap on the bytes of rows stored in the pack.
    pub row_bytes: u64,
    /// Cap on the work of the build, in units of a few nanoseconds on one thread. Units are counted and not measured, so that the result is
    /// the same in every run.
    pub work: u64,
    /// Cap on the bytes of rows and exits that the build may hold before it packs them.
    pub memory: u64,
    /// Number of threads; does not change the result.
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
    /// [`PackLimits::frames`], or a bound on the contents of one frame.
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
    /// The number of ways of tokens through one frame, or their nesting depth.
    Ways {
        /// Ways.
        limit: usize,
    },
}
