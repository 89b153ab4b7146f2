//! Bounds the time of masks, and cancels work that nobody waits for.

use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

use ogc_runtime::watch::watched;

/// Time limits of masks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MaskLimits {
    /// Limit for the preparation of a text between two passes.
    pub(crate) quick: Duration,
    /// Limit for the masks of one text that are computed beside the passes.
    pub(crate) text: Duration,
}

/// Result of bounded work.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Bounded<T> {
    Done(T),
    /// The work was stopped: it took too long, or nobody waits for it.
    Stopped,
    Panicked,
}

/// Runs work on masks until `limit`, as long as somebody waits for it; also returns its duration.
pub(crate) fn bounded<T>(
    limit: Duration,
    is_given_up: impl Fn() -> bool + 'static,
    work: impl FnOnce() -> T,
) -> (Bounded<T>, Duration) {
    let start = Instant::now();
    let may_go_on = move || start.elapsed() < limit && !is_given_up();
    let done = std::panic::catch_unwind(AssertUnwindSafe(|| watched(may_go_on, work)));
    let done = match done {
        Ok(Ok(done)) => Bounded::Done(done),
        Ok(Err(_)) => Bounded::Stopped,
        Err(_) => Bounded::Panicked,
    };
    (done, start.elapsed())
}
