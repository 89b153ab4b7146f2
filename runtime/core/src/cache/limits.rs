//! The bounds of a cache of formats.

use std::num::NonZeroUsize;
use std::time::Duration;

/// The bounds of a cache.
///
/// At most `2 * threads + long` formats are compiled at a time, and `paused` more are half compiled: memory is bounded by their sum.
///
/// ```
/// assert_eq!(ogc_runtime::cache::CacheLimits::default().bytes, 1 << 30);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheLimits {
    /// The most bytes of formats that are kept; those used longest ago go first. Formats in use live on outside of the cache.
    pub bytes: usize,
    /// The most young compilations at a time, each on a thread of its own; as many more may be of clients that have no other.
    pub threads: NonZeroUsize,
    /// The most compilations at a time that are no longer young.
    pub long: NonZeroUsize,
    /// The most compilations that pause, because they are no longer young and `long` others run; more are refused.
    pub paused: usize,
    /// The most formats that wait for their compilation to begin; more are refused.
    pub waiting: usize,
    /// The time for which a compilation is young.
    pub young: Duration,
    /// The longest that a compilation may take, without pauses.
    pub time: Duration,
}

impl Default for CacheLimits {
    fn default() -> Self {
        Self {
            bytes: 1 << 30,
            threads: NonZeroUsize::MIN,
            long: NonZeroUsize::MIN,
            paused: 16,
            waiting: 256,
            young: Duration::from_millis(50),
            time: Duration::from_secs(10),
        }
    }
}
