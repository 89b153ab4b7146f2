//! The limits of a cache of formats.

use std::num::NonZeroUsize;
use std::time::Duration;

/// The limits of a cache.
///
/// At most `2 * threads + long` compilations run at a time, and at most `paused` more are paused. This bounds their memory.
///
/// ```
/// assert_eq!(ogc_runtime::cache::CacheLimits::default().bytes, 1 << 30);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheLimits {
    /// Cap on the bytes of cached formats; beyond it, the least recently used are evicted. An evicted format that is in use stays alive
    /// outside of the cache.
    pub bytes: usize,
    /// Cap on concurrent young compilations, each on its own thread. As many more may run for clients that have no other young compilation.
    pub threads: NonZeroUsize,
    /// Cap on concurrent compilations that are no longer young.
    pub long: NonZeroUsize,
    /// Cap on paused compilations; further ones are refused. A compilation pauses if it is no longer young, `long` others run, and another
    /// waits to begin.
    pub paused: usize,
    /// Cap on formats whose compilation waits to begin; further ones are refused.
    pub waiting: usize,
    /// Age until which a compilation is young.
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
