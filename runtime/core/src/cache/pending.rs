//! Waiting for a format that is being compiled.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The reason why there is no format.
///
/// ```
/// use ogc_runtime::cache::CacheError;
/// let error: CacheError<String> = CacheError::Busy { given: 9, limit: 8 };
/// assert_eq!(error.to_string(), "too many formats wait to be compiled: 9, the limit is 8");
/// ```
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum CacheError<E> {
    /// The compiler's error, which all who waited share.
    #[error("{0}")]
    Compile(Arc<E>),
    /// The compiler panicked.
    #[error("the compiler failed unexpectedly")]
    Panicked,
    /// Too many formats wait to be compiled.
    #[error("too many formats wait to be compiled: {given}, the limit is {limit}")]
    Busy {
        /// The formats that would wait.
        given: usize,
        /// The most that may.
        limit: usize,
    },
}

impl<E> Clone for CacheError<E> {
    fn clone(&self) -> Self {
        match self {
            Self::Compile(error) => Self::Compile(Arc::clone(error)),
            Self::Panicked => Self::Panicked,
            Self::Busy { given, limit } => Self::Busy { given: *given, limit: *limit },
        }
    }
}

/// Tells a compilation whether anybody still waits for it.
///
/// ```
/// assert!(!ogc_runtime::cache::Cancel::default().is_cancelled());
/// ```
#[derive(Debug, Default)]
pub struct Cancel(AtomicBool);

impl Cancel {
    /// Returns whether nobody waits any more.
    ///
    /// ```
    /// assert!(!ogc_runtime::cache::Cancel::default().is_cancelled());
    /// ```
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What came of a compilation; no error if it panicked.
pub(super) enum Outcome<F, E> {
    Made(Arc<F>),
    Failed(Option<Arc<E>>),
}

impl<F, E> Outcome<F, E> {
    fn get(&self) -> Result<Arc<F>, CacheError<E>> {
        match self {
            Self::Made(format) => Ok(Arc::clone(format)),
            Self::Failed(Some(error)) => Err(CacheError::Compile(Arc::clone(error))),
            Self::Failed(None) => Err(CacheError::Panicked),
        }
    }
}

/// One compilation, and those who wait for it.
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

    pub(super) fn finish(&self, outcome: Outcome<F, E>) {
        *self.outcome.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
        self.done.notify_all();
    }

    /// One of those who wait goes; returns whether it was the last one. Must be called under the cache's lock, under which others
    /// join.
    pub(super) fn leave(&self) -> bool {
        let was_last = self.waiting.fetch_sub(1, Ordering::Relaxed) == 1;
        if was_last {
            self.cancel.0.store(true, Ordering::Relaxed);
        }
        was_last
    }

    /// Waits for the outcome, at most until a time; `None` if there is none by then.
    fn wait(&self, until: Option<Instant>) -> Option<Result<Arc<F>, CacheError<E>>> {
        let mut outcome = self.outcome.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(outcome) = &*outcome {
                return Some(outcome.get());
            }
            outcome = match until.map(|until| until.saturating_duration_since(Instant::now())) {
                Some(Duration::ZERO) => return None,
                Some(left) => self.done.wait_timeout(outcome, left).unwrap_or_else(PoisonError::into_inner).0,
                None => self.done.wait(outcome).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }
}

pub(super) type Leave<F, E> = Box<dyn Fn(&Arc<Task<F, E>>) + Send + Sync>;

enum Inner<F, E> {
    Ready(Arc<F>),
    Waiting(Arc<Task<F, E>>, Leave<F, E>),
}

/// A format that is there or is being compiled. Dropping it is to wait no more: when all who wait have, the compilation is
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

    /// Joins those who wait. Must be called under the cache's lock.
    pub(super) fn join(task: Arc<Task<F, E>>, leave: Leave<F, E>) -> Self {
        task.waiting.fetch_add(1, Ordering::Relaxed);
        Self(Inner::Waiting(task, leave))
    }

    /// Waits for the format.
    ///
    /// # Errors
    ///
    /// The compiler's, or that it panicked.
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

    /// Waits for the format for some time; `None` if it is not there by then.
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
