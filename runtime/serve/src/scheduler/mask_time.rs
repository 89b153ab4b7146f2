//! Bounds the time of masks, and ends what nobody waits for.

use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

use ogc_runtime::watch::watched;

/// The bounds of the time of masks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MaskLimits {
    /// The time within which a text is prepared between two passes.
    pub(crate) quick: Duration,
    /// The time that the masks of one text may take beside the passes.
    pub(crate) text: Duration,
}

/// What became of bounded work.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Bounded<T> {
    Done(T),
    /// It was stopped: it took too long, or nobody waits for it.
    Stopped,
    Panicked,
}

/// Does work on masks within a time, as long as somebody waits for it; says how long it took.
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
