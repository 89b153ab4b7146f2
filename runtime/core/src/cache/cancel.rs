//! Cancelling and pausing of compilations.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::lanes::{Crowded, Turn};

/// Time for a compilation to stop by itself after its deadline. When it is over, waiting requests get the error anyway.
const GRACE: Duration = Duration::from_secs(2);

/// The reason why a compilation must stop.
///
/// ```
/// use ogc_runtime::cache::CompileStop;
/// use std::time::Duration;
/// let late = CompileStop::Late { given: Duration::from_secs(11), limit: Duration::from_secs(10) };
/// assert_eq!(late.to_string(), "the compilation took 11 s; the limit is 10 s");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompileStop {
    /// No request waits for the compilation any more.
    #[error("nobody waits for the compilation any more")]
    Abandoned,
    /// The compilation took longer than its time limit.
    #[error("the compilation took {} s; the limit is {} s", given.as_secs(), limit.as_secs_f32())]
    Late {
        /// The time that the compilation took, in whole seconds, rounded up.
        given: Duration,
        /// The time limit.
        limit: Duration,
    },
    /// Too many other long compilations are in progress.
    #[error("too many long compilations are under way: {given}; the limit is {limit}")]
    Crowded {
        /// The number of compilations that would then be paused.
        given: usize,
        /// The limit on paused compilations.
        limit: usize,
    },
}

/// Tells a compilation whether it must stop: because no request waits for it any more, it has taken too long, or too many others are
/// paused. Clones share one state.
///
/// ```
/// use ogc_runtime::cache::Cancel;
/// let cancel = Cancel::default();
/// assert!(!cancel.is_cancelled() && cancel.check().is_ok(), "this one is never told");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    is_cancelled: AtomicBool,
    running: OnceLock<RunningJob>,
    /// The reason to stop, from the first check that found one.
    stopped: OnceLock<CompileStop>,
}

/// A compilation that has begun.
#[derive(Debug)]
struct RunningJob {
    turn: Mutex<Option<Turn>>,
    since: Instant,
    limit: Duration,
    /// The total time of earlier pauses; `None` during a pause.
    paused: Mutex<Option<Duration>>,
}

impl RunningJob {
    fn new(turn: Option<Turn>, limit: Duration) -> Self {
        Self { turn: Mutex::new(turn), since: Instant::now(), limit, paused: Mutex::new(Some(Duration::ZERO)) }
    }

    /// Returns how long the compilation has run, without pauses; `None` during a pause.
    fn time(&self) -> Option<Duration> {
        let paused = *self.paused.lock().unwrap_or_else(PoisonError::into_inner);
        paused.map(|paused| self.since.elapsed().saturating_sub(paused))
    }

    fn late(&self, given: Duration) -> CompileStop {
        let given = Duration::from_secs(given.as_secs() + u64::from(given.subsec_nanos() > 0));
        CompileStop::Late { given, limit: self.limit }
    }

    fn set_paused(&self, paused: Option<Duration>) {
        *self.paused.lock().unwrap_or_else(PoisonError::into_inner) = paused;
    }

    fn make_way(&self, is_cancelled: &AtomicBool) -> Result<(), Crowded> {
        let turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(turn) = &*turn else { return Ok(()) };
        let before = *self.paused.lock().unwrap_or_else(PoisonError::into_inner);
        self.set_paused(None);
        let paused = turn.make_way(is_cancelled);
        self.set_paused(Some(before.unwrap_or_default() + *paused.as_ref().unwrap_or(&Duration::ZERO)));
        paused.map(drop)
    }
}

impl Cancel {
    /// Makes a `Cancel` that stops only after a time limit.
    ///
    /// ```
    /// use ogc_runtime::cache::Cancel;
    /// assert!(Cancel::after(std::time::Duration::ZERO).check().is_err());
    /// ```
    #[must_use]
    pub fn after(limit: Duration) -> Self {
        let cancel = Self::default();
        cancel.0.running.get_or_init(|| RunningJob::new(None, limit));
        cancel
    }

    /// Returns whether the compilation was cancelled because no request waits for it any more.
    ///
    /// ```
    /// assert!(!ogc_runtime::cache::Cancel::default().is_cancelled());
    /// ```
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled.load(Ordering::Relaxed)
    }

    /// Checks whether the compilation may continue. Pauses it if it is no longer young and others wait to begin. Call this at least every
    /// few milliseconds.
    ///
    /// # Errors
    ///
    /// The reason why the compilation must stop.
    ///
    /// ```
    /// assert_eq!(ogc_runtime::cache::Cancel::default().check(), Ok(()));
    /// ```
    pub fn check(&self) -> Result<(), CompileStop> {
        let stop = self.reason();
        if let Some(stop) = stop {
            self.0.stopped.get_or_init(|| stop);
            return Err(stop);
        }
        Ok(())
    }

    fn reason(&self) -> Option<CompileStop> {
        if self.is_cancelled() {
            return Some(CompileStop::Abandoned);
        }
        if let Some(&stopped) = self.0.stopped.get() {
            return Some(stopped);
        }
        let running = self.0.running.get()?;
        let given = running.time().unwrap_or_default();
        if given >= running.limit {
            return Some(running.late(given));
        }
        match running.make_way(&self.0.is_cancelled) {
            Err(Crowded { given, limit }) => Some(CompileStop::Crowded { given, limit }),
            Ok(()) => self.is_cancelled().then_some(CompileStop::Abandoned),
        }
    }

    pub(super) fn cancel(&self) {
        self.0.is_cancelled.store(true, Ordering::Relaxed);
    }

    pub(super) fn begin(&self, turn: Turn, limit: Duration) {
        self.0.running.get_or_init(|| RunningJob::new(Some(turn), limit));
    }

    /// Releases the compilation's place in the lanes.
    pub(super) fn end(&self) {
        if let Some(running) = self.0.running.get() {
            running.turn.lock().unwrap_or_else(PoisonError::into_inner).take();
        }
    }

    /// Returns why the compilation was told to stop.
    pub(super) fn stopped(&self) -> Option<CompileStop> {
        self.0.stopped.get().copied()
    }

    /// Returns the error for a compilation that still runs after its deadline and [`GRACE`].
    pub(super) fn overdue(&self) -> Option<CompileStop> {
        let running = self.0.running.get()?;
        let given = running.time()?;
        (given >= running.limit.saturating_add(GRACE)).then(|| running.late(given))
    }
}
