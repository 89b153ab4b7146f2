//! The limits of a cache of formats.

use std::num::NonZeroUsize;
use std::time::Duration;

/// The limits of a cache.
///
/// At most `2 * threads + long` compilations run at a time, and at most `paused` more are paused, which bounds the
/// memory that they use.
///
/// ```
/// assert_eq!(ogc_runtime::cache::CacheLimits::default().bytes, 1 << 30);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheLimits {
    /// The most bytes of cached formats; the least recently used are evicted first. Formats in use stay alive outside
    /// of the cache.
    pub bytes: usize,
    /// The most young compilations at a time, each on its own thread. As many more may run for clients that have no
    /// other young compilation.
    pub threads: NonZeroUsize,
    /// The most compilations at a time that are no longer young.
    pub long: NonZeroUsize,
    /// The most paused compilations; more are refused. Compilations pause if they are no longer young and `long` others
    /// run.
    pub paused: usize,
    /// The most formats that wait for their compilation to begin; further ones are refused.
    pub waiting: usize,
    /// The time for which a compilation is young.
    pub young: Duration,
    /// Time limit of one compilation, without pauses.
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
