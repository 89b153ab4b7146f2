//! Lets a callback stop the steps, masks and budgets that this thread computes: when no request waits for them any more, or they take too
//! long.
//!
//! If a format is ambiguous, one mask can take seconds. [`watched`] calls a callback, the *watch*, every few dozen steps to ask whether the
//! work may continue. Once it returns `false`, every step is refused, so that the work ends within microseconds. Its results are dropped,
//! and no cache keeps them. Results that were complete before, such as rows of the [`MaskStore`](crate::mask::MaskStore), are kept, so that
//! a second try has less to do.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Work between two calls of the watch, in heads that steps visit: some ten microseconds.
const BETWEEN: u32 = 256;

/// The work left until the thread's watch is called again, and the watch's last answer. It has no destructor, so that
/// access to the thread-local is a plain memory access.
struct Counter {
    /// The work until the next call; 0 once the watch has stopped the work.
    left: Cell<u32>,
    is_stopped: Cell<bool>,
}

thread_local! {
    static COUNTER: Counter = const { Counter { left: Cell::new(u32::MAX), is_stopped: Cell::new(false) } };
    static MAY_GO_ON: RefCell<Option<Rc<dyn Fn() -> bool>>> = const { RefCell::new(None) };
}

/// The watch has stopped the work, which may be tried again.
///
/// ```
/// assert_eq!(ogc_runtime::watch::Stopped.to_string(), "the work was stopped by its watch");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the work was stopped by its watch")]
pub struct Stopped;

/// The outer watch. It is restored on drop, also after a panic.
struct OuterWatch {
    may_go_on: Option<Rc<dyn Fn() -> bool>>,
    left: u32,
    is_stopped: bool,
}

impl OuterWatch {
    /// Replaces the current watch; returns the previous one.
    fn replaced_by(may_go_on: Option<Rc<dyn Fn() -> bool>>) -> Self {
        let left = if may_go_on.is_some() { 0 } else { u32::MAX };
        let may_go_on = MAY_GO_ON.replace(may_go_on);
        COUNTER.with(|counter| Self {
            may_go_on,
            left: counter.left.replace(left),
            is_stopped: counter.is_stopped.replace(false),
        })
    }
}

impl Drop for OuterWatch {
    fn drop(&mut self) {
        MAY_GO_ON.replace(self.may_go_on.take());
        COUNTER.with(|counter| {
            counter.left.set(self.left);
            counter.is_stopped.set(self.is_stopped);
        });
    }
}

/// Runs `work` with matchers on this thread, and calls `may_go_on` every few dozen steps. An outer watch is not called meanwhile.
///
/// If a matcher's function is stopped, the matcher is as it was before the call.
///
/// # Errors
///
/// `may_go_on` returned `false`. The result of `work` is then dropped, as errors in it would not tell the cause.
///
/// ```
#[doc = include_str!("example.md")]
/// use ogc_runtime::watch::{Stopped, watched};
/// assert_eq!(watched(|| true, || matcher.mask().map(|mask| mask.count())), Ok(Ok(2)));
/// assert_eq!(watched(|| false, || matcher.accept_token(TokenId(2))), Err(Stopped));
/// assert!(matcher.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn watched<T>(may_go_on: impl Fn() -> bool + 'static, work: impl FnOnce() -> T) -> Result<T, Stopped> {
    let _outer = OuterWatch::replaced_by(Some(Rc::new(may_go_on)));
    let done = work();
    if is_stopped() { Err(Stopped) } else { Ok(done) }
}

/// Runs work without a watch, because its result is cached and must be complete.
pub(crate) fn unwatched<T>(work: impl FnOnce() -> T) -> T {
    let _outer = OuterWatch::replaced_by(None);
    work()
}

/// Returns whether this thread's watch has stopped the work, so that its results will not be used.
///
/// ```
/// assert!(!ogc_runtime::watch::is_stopped());
/// ```
#[must_use]
#[inline]
pub fn is_stopped() -> bool {
    COUNTER.with(|counter| counter.is_stopped.get())
}

/// Counts work, and calls the watch if due. Returns whether the work must stop.
#[inline]
pub(crate) fn spend(units: usize) -> bool {
    COUNTER.with(|counter| match counter.left.get().checked_sub(units as u32) {
        Some(left) => {
            counter.left.set(left);
            false
        }
        None => ask(counter),
    })
}

/// Calls the watch; returns whether the work must stop.
#[cold]
fn ask(counter: &Counter) -> bool {
    if counter.is_stopped.get() {
        return true;
    }
    let asked = MAY_GO_ON.with_borrow(Clone::clone);
    let is_stopped = asked.as_ref().is_some_and(|may_go_on| !may_go_on());
    counter.is_stopped.set(is_stopped);
    counter.left.set(match asked {
        None => u32::MAX,
        Some(_) if is_stopped => 0,
        Some(_) => BETWEEN,
    });
    is_stopped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_watch_is_polled_periodically_and_a_refusal_is_final() {
        let asked = Rc::new(Cell::new(0));
        let counted = Rc::clone(&asked);
        let may_go_on = move || {
            counted.set(counted.get() + 1);
            counted.get() < 3
        };
        let mut steps = 0;
        let work = || {
            while !spend(1) {
                steps += 1;
            }
            assert!(spend(1) && is_stopped());
            assert!(unwatched(|| !spend(1) && !is_stopped()), "what is kept is whole");
            assert!(is_stopped());
        };
        assert_eq!(watched(may_go_on, work), Err(Stopped));
        assert_eq!((asked.get(), steps), (3, 2 * BETWEEN as usize + 2));
        assert!(!is_stopped() && !spend(1), "the watch ends with its work");
    }

    #[test]
    fn the_outer_watch_is_restored_when_an_inner_one_ends() {
        let work = || {
            assert_eq!(watched(|| false, || spend(1)), Err(Stopped));
            assert!(!is_stopped());
            let panicked = std::panic::catch_unwind(|| watched(|| false, || std::panic::resume_unwind(Box::new("x"))));
            assert!(panicked.is_err() && !is_stopped() && !spend(1));
        };
        assert_eq!(watched(|| true, work), Ok(()));
    }
}
