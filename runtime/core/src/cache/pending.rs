//! Waiting for formats that are being compiled.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::cancel::{Cancel, CompileStop};

/// Interval at which a waiting request checks whether the compilation is overdue.
const OVERDUE_LOOK: Duration = Duration::from_millis(500);

/// The reason why a request gets no format.
///
/// ```
/// use ogc_runtime::cache::CacheError;
/// let error: CacheError<String> = CacheError::Busy { given: 9, limit: 8 };
/// assert_eq!(error.to_string(), "too many formats wait to be compiled: 9, the limit is 8");
/// ```
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum CacheError<E> {
    /// The compiler's error; all waiting requests share it.
    #[error("{0}")]
    Compile(Arc<E>),
    /// The compiler panicked.
    #[error("the compiler failed unexpectedly")]
    Panicked,
    /// The compilation was stopped, without an error of the compiler: it took too long, or too many long compilations were in progress.
    #[error("{0}")]
    Stopped(CompileStop),
    /// Too many formats wait to be compiled.
    #[error("too many formats wait to be compiled: {given}, the limit is {limit}")]
    Busy {
        /// The number of formats that would then be waiting.
        given: usize,
        /// The limit on waiting formats.
        limit: usize,
    },
}

impl<E> Clone for CacheError<E> {
    fn clone(&self) -> Self {
        match self {
            Self::Compile(error) => Self::Compile(Arc::clone(error)),
            Self::Panicked => Self::Panicked,
            Self::Stopped(stop) => Self::Stopped(*stop),
            Self::Busy { given, limit } => Self::Busy { given: *given, limit: *limit },
        }
    }
}

/// The result of a compilation.
pub(super) type Outcome<F, E> = Result<Arc<F>, CacheError<E>>;

/// One compilation, and the number of requests that wait for it.
pub(super) struct Task<F, E> {
    outcome: Mutex<Option<Outcome<F, E>>>,
    done: Condvar,
    waiting: AtomicUsize,
    cancel: Cancel,
}

impl<F, E> Default for Task<F, E> {
    fn default() -> Self {
        Self {
            outcome: Mutex::new(None),
            done: Condvar::new(),
            waiting: AtomicUsize::new(0),
            cancel: Cancel::default(),
        }
    }
}

impl<F, E> Task<F, E> {
    pub(super) fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Sets the outcome, unless it is set already, and wakes the waiting requests.
    pub(super) fn finish(&self, outcome: Outcome<F, E>) {
        self.outcome.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(outcome);
        self.done.notify_all();
    }

    /// Removes one waiting request. If it was the last, cancels the compilation and returns `true`. Must be called under the cache's lock,
    /// under which requests join.
    pub(super) fn leave(&self) -> bool {
        let was_last = self.waiting.fetch_sub(1, Ordering::Relaxed) == 1;
        if was_last {
            self.cancel.cancel();
        }
        was_last
    }

    /// Waits for the outcome until `until`; `None` if there is no outcome by then.
    fn wait(&self, until: Option<Instant>) -> Option<Result<Arc<F>, CacheError<E>>> {
        let mut outcome = self.outcome.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(outcome) = &*outcome {
                return Some(outcome.clone());
            }
            if let Some(stop) = self.cancel.overdue() {
                return Some(Err(CacheError::Stopped(stop)));
            }
            let left = until.map_or(OVERDUE_LOOK, |until| until.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                return None;
            }
            let look = left.min(OVERDUE_LOOK);
            outcome = self.done.wait_timeout(outcome, look).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

pub(super) type Leave<F, E> = Box<dyn Fn(&Arc<Task<F, E>>) + Send + Sync>;

enum Inner<F, E> {
    Ready(Arc<F>),
    Waiting(Arc<Task<F, E>>, Leave<F, E>),
}

/// A format that is cached or being compiled. Dropping a `Pending` stops waiting; when no request waits any more, the compilation is
/// cancelled.
///
/// ```
/// use ogc_runtime::cache::{CacheKey, CacheLimits, FormatCache};
/// let cache: FormatCache<u32, String> = FormatCache::new(CacheLimits::default());
/// let pending = cache.get_or_compile(CacheKey::of(&[b"x"]), |_| Err("no".to_owned()))?;
/// assert_eq!(pending.wait().err().map(|error| error.to_string()).as_deref(), Some("no"));
/// # Ok::<(), ogc_runtime::cache::CacheError<String>>(())
/// ```
pub struct Pending<F, E>(Inner<F, E>);

impl<F, E> Pending<F, E> {
    pub(super) fn ready(format: Arc<F>) -> Self {
        Self(Inner::Ready(format))
    }

    /// Adds a waiting request. Must be called under the cache's lock.
    pub(super) fn join(task: Arc<Task<F, E>>, leave: Leave<F, E>) -> Self {
        task.waiting.fetch_add(1, Ordering::Relaxed);
        Self(Inner::Waiting(task, leave))
    }

    /// Returns the error if the compilation was refused before it began.
    pub(super) fn refusal(&self) -> Option<CacheError<E>> {
        match self.wait_for(Duration::ZERO) {
            Some(Err(error @ CacheError::Busy { .. })) => Some(error),
            _ => None,
        }
    }

    /// Waits for the format.
    ///
    /// # Errors
    ///
    /// The compiler's error, or another [`CacheError`].
    ///
    /// ```
    /// use ogc_runtime::cache::{CacheKey, CacheLimits, FormatCache};
    /// let cache: FormatCache<u32, String> = FormatCache::new(CacheLimits::default());
    /// assert_eq!(*cache.get_or_compile(CacheKey::of(&[b"x"]), |_| Ok((7, 4)))?.wait()?, 7);
    /// # Ok::<(), ogc_runtime::cache::CacheError<String>>(())
    /// ```
    pub fn wait(&self) -> Result<Arc<F>, CacheError<E>> {
        match &self.0 {
            Inner::Ready(format) => Ok(Arc::clone(format)),
            Inner::Waiting(task, _) => task.wait(None).unwrap_or(Err(CacheError::Panicked)),
        }
    }

    /// Waits for the format for at most `time`; `None` if the compilation is not done by then.
    ///
    /// ```
    /// use ogc_runtime::cache::{CacheKey, CacheLimits, FormatCache};
    /// use std::time::Duration;
    /// let cache: FormatCache<u32, String> = FormatCache::new(CacheLimits::default());
    /// let slow = cache.get_or_compile(CacheKey::of(&[b"x"]), |cancel| {
    ///     while !cancel.is_cancelled() {}
    ///     Err("cancelled".to_owned())
    /// })?;
    /// assert!(slow.wait_for(Duration::from_millis(1)).is_none());
    /// # Ok::<(), ogc_runtime::cache::CacheError<String>>(())
    /// ```
    pub fn wait_for(&self, time: Duration) -> Option<Result<Arc<F>, CacheError<E>>> {
        match &self.0 {
            Inner::Ready(format) => Some(Ok(Arc::clone(format))),
            Inner::Waiting(task, _) => task.wait(Instant::now().checked_add(time)),
        }
    }
}

impl<F, E> Drop for Pending<F, E> {
    fn drop(&mut self) {
        if let Inner::Waiting(task, leave) = &self.0 {
            leave(task);
        }
    }
}

impl<F, E> std::fmt::Debug for Pending<F, E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let state = match &self.0 {
            Inner::Ready(_) => "ready",
            Inner::Waiting(..) => "waiting",
        };
        f.debug_tuple("Pending").field(&state).finish()
    }
}
