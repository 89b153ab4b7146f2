//! A cache of compiled formats for servers: each is compiled once, off the caller's thread, and kept within a bound of bytes.
//!
//! Whoever asks for a format that is being compiled waits for that compilation instead of starting another. When nobody waits any
//! more, it is told to stop. The cache knows nothing of compilers: the caller says how a format is made, and how large it is.

mod pending;

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

pub use pending::{CacheError, Cancel, Pending};
use pending::{Leave, Outcome, Task};

/// The content that a format is made from: its source, its options, the vocabulary's fingerprint.
///
/// ```
/// use ogc_runtime::cache::CacheKey;
/// assert_eq!(CacheKey::of(&[b"schema", b"llama"]), CacheKey::of(&[b"schema", b"llama"]));
/// assert_ne!(CacheKey::of(&[b"ab", b"c"]), CacheKey::of(&[b"a", b"bc"]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CacheKey([u8; 32]);

impl CacheKey {
    /// Makes the key of some parts, by a cryptographic hash: keys of different parts differ.
    ///
    /// ```
    /// use ogc_runtime::cache::CacheKey;
    /// assert_ne!(CacheKey::of(&[b"a"]), CacheKey::of(&[b"a", b""]));
    /// ```
    #[must_use]
    pub fn of(parts: &[&[u8]]) -> Self {
        let mut hasher = blake3::Hasher::new();
        for part in parts {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        Self(*hasher.finalize().as_bytes())
    }
}

/// The bounds of a cache.
///
/// ```
/// assert_eq!(ogc_runtime::cache::CacheLimits::default().bytes, 1 << 30);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheLimits {
    /// The most bytes of formats that are kept; those used longest ago go first. Formats in use live on outside of the cache.
    pub bytes: usize,
    /// The most formats that are compiled at a time, each on a thread of its own.
    pub threads: NonZeroUsize,
    /// The most formats that are compiled or wait for it; more are refused.
    pub waiting: usize,
}

impl Default for CacheLimits {
    fn default() -> Self {
        Self { bytes: 1 << 30, threads: NonZeroUsize::MIN, waiting: 256 }
    }
}

/// Counts of what a cache has done, and what it holds.
///
/// ```
/// assert_eq!(ogc_runtime::cache::CacheStats::default().formats, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheStats {
    /// Requests for formats that were there.
    pub hits: u64,
    /// Requests that joined a compilation that was under way.
    pub joined: u64,
    /// Requests that began a compilation.
    pub misses: u64,
    /// Requests that were refused, as too many formats waited.
    pub refused: u64,
    /// Compilations that failed, or panicked.
    pub failed: u64,
    /// Compilations that nobody waited for any more.
    pub cancelled: u64,
    /// Formats that were dropped to make room.
    pub evicted: u64,
    /// Formats that are kept.
    pub formats: usize,
    /// Their bytes.
    pub bytes: usize,
}

/// A format that is kept.
#[derive(Debug)]
struct Entry<F> {
    format: Arc<F>,
    bytes: usize,
    /// The time of the last request for it, counted in requests.
    used: u64,
}

type Job = Box<dyn FnOnce() + Send>;

struct State<F, E> {
    ready: FxHashMap<CacheKey, Entry<F>>,
    running: FxHashMap<CacheKey, Arc<Task<F, E>>>,
    queue: VecDeque<Job>,
    threads: usize,
    requests: u64,
    stats: CacheStats,
}

struct Shared<F, E> {
    limits: CacheLimits,
    state: Mutex<State<F, E>>,
}

/// Compiled formats of type `F`, and those that are being compiled; `E` is the compiler's error. Clones share one cache.
///
/// ```
/// use ogc_runtime::cache::{CacheKey, CacheLimits, FormatCache};
/// let cache: FormatCache<String, String> = FormatCache::new(CacheLimits::default());
/// let key = CacheKey::of(&[b"the source"]);
/// let made = cache.get_or_compile(key, |_| Ok(("a format".to_owned(), 100)))?.wait()?;
/// assert_eq!(*made, "a format");
/// assert_eq!(*cache.get_or_compile(key, |_| unreachable!("it is there"))?.wait()?, "a format");
/// assert_eq!((cache.stats().hits, cache.stats().bytes), (1, 100));
/// # Ok::<(), ogc_runtime::cache::CacheError<String>>(())
/// ```
pub struct FormatCache<F, E>(Arc<Shared<F, E>>);

impl<F, E> Clone for FormatCache<F, E> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<F, E> std::fmt::Debug for FormatCache<F, E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FormatCache").field("limits", &self.0.limits).field("stats", &self.0.lock().stats).finish()
    }
}

impl<F: Send + Sync + 'static, E: Send + Sync + 'static> FormatCache<F, E> {
    /// Makes an empty cache.
    ///
    /// ```
    /// use ogc_runtime::cache::{CacheLimits, FormatCache};
    /// assert_eq!(FormatCache::<u32, ()>::new(CacheLimits::default()).stats().formats, 0);
    /// ```
    #[must_use]
    pub fn new(limits: CacheLimits) -> Self {
        let state = State {
            ready: FxHashMap::default(),
            running: FxHashMap::default(),
            queue: VecDeque::new(),
            threads: 0,
            requests: 0,
            stats: CacheStats::default(),
        };
        Self(Arc::new(Shared { limits, state: Mutex::new(state) }))
    }

    /// Looks up a format, or has it compiled on another thread; returns at once. `compile` returns the format with its size in
    /// bytes; it should ask now and then whether it is cancelled, and return any error then. A format that is larger than the
    /// cache is not kept, and an error is not remembered.
    ///
    /// # Errors
    ///
    /// [`CacheError::Busy`] if too many formats wait already.
    ///
    /// ```
    /// use ogc_runtime::cache::{CacheError, CacheKey, CacheLimits, FormatCache};
    /// let cache: FormatCache<u32, &str> = FormatCache::new(CacheLimits { waiting: 0, ..CacheLimits::default() });
    /// let refused = cache.get_or_compile(CacheKey::of(&[]), |_| Ok((1, 4))).err();
    /// assert_eq!(refused, Some(CacheError::Busy { given: 1, limit: 0 }));
    /// ```
    pub fn get_or_compile(
        &self,
        key: CacheKey,
        compile: impl FnOnce(&Cancel) -> Result<(F, usize), E> + Send + 'static,
    ) -> Result<Pending<F, E>, CacheError<E>> {
        let mut state = self.0.lock();
        state.requests += 1;
        let now = state.requests;
        if let Some(entry) = state.ready.get_mut(&key) {
            entry.used = now;
            let format = Arc::clone(&entry.format);
            state.stats.hits += 1;
            return Ok(Pending::ready(format));
        }
        if let Some(task) = state.running.get(&key).map(Arc::clone) {
            state.stats.joined += 1;
            return Ok(Pending::join(task, self.leave(key)));
        }
        // Cancelled jobs stay in the queue until a thread comes to them.
        let given = state.running.len().max(state.queue.len()) + 1;
        if given > self.0.limits.waiting {
            state.stats.refused += 1;
            return Err(CacheError::Busy { given, limit: self.0.limits.waiting });
        }
        state.stats.misses += 1;
        let task = Arc::new(Task::default());
        state.running.insert(key, Arc::clone(&task));
        let pending = Pending::join(Arc::clone(&task), self.leave(key));
        let shared = Arc::clone(&self.0);
        state.queue.push_back(Box::new(move || shared.run(key, &task, compile)));
        if state.threads < self.0.limits.threads.get() {
            state.threads += 1;
            let shared = Arc::clone(&self.0);
            std::thread::spawn(move || shared.work());
        }
        Ok(pending)
    }

    /// Returns counts of what the cache has done, and what it holds.
    ///
    /// ```
    /// use ogc_runtime::cache::{CacheLimits, FormatCache};
    /// assert_eq!(FormatCache::<u32, ()>::new(CacheLimits::default()).stats().misses, 0);
    /// ```
    #[must_use]
    pub fn stats(&self) -> CacheStats {
        self.0.lock().stats
    }

    /// Returns what someone does who waits for a format no more: the last one cancels its compilation.
    fn leave(&self, key: CacheKey) -> Leave<F, E> {
        let shared = Arc::clone(&self.0);
        Box::new(move |task| {
            // Under the lock, so that nobody joins a compilation that is being cancelled.
            let mut state = shared.lock();
            if task.leave() && state.running.get(&key).is_some_and(|running| Arc::ptr_eq(running, task)) {
                state.running.remove(&key);
                state.stats.cancelled += 1;
            }
        })
    }
}

impl<F, E> Shared<F, E> {
    fn lock(&self) -> MutexGuard<'_, State<F, E>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs the jobs that wait, until there are none.
    fn work(&self) {
        loop {
            let mut state = self.lock();
            let Some(job) = state.queue.pop_front() else {
                state.threads -= 1;
                return;
            };
            drop(state);
            job();
        }
    }

    /// Compiles a format, keeps it, and tells those who wait.
    fn run(&self, key: CacheKey, task: &Arc<Task<F, E>>, compile: impl FnOnce(&Cancel) -> Result<(F, usize), E>) {
        let cancel = task.cancel();
        if cancel.is_cancelled() {
            return;
        }
        let made = catch_unwind(AssertUnwindSafe(|| compile(cancel)));
        let mut state = self.lock();
        if state.running.get(&key).is_some_and(|running| Arc::ptr_eq(running, task)) {
            state.running.remove(&key);
        }
        let outcome = match made {
            Ok(Ok((format, bytes))) => Ok(state.keep(key, Arc::new(format), bytes, self.limits.bytes)),
            Ok(Err(_)) if cancel.is_cancelled() => return,
            failed => {
                state.stats.failed += 1;
                Err(failed.ok().and_then(Result::err).map(Arc::new))
            }
        };
        drop(state);
        task.finish(outcome.map_or_else(Outcome::Failed, Outcome::Made));
    }
}

impl<F, E> State<F, E> {
    /// Keeps a format, and drops those that were used longest ago until all fit.
    fn keep(&mut self, key: CacheKey, format: Arc<F>, bytes: usize, limit: usize) -> Arc<F> {
        if bytes > limit {
            return format;
        }
        let entry = Entry { format: Arc::clone(&format), bytes, used: self.requests };
        let replaced = self.ready.insert(key, entry);
        self.stats.bytes += bytes;
        self.stats.bytes -= replaced.map_or(0, |entry| entry.bytes);
        while self.stats.bytes > limit {
            let others = self.ready.iter().filter(|(other, _)| **other != key);
            let Some(oldest) = others.min_by_key(|(_, entry)| entry.used).map(|(key, _)| *key) else { break };
            let dropped = self.ready.remove(&oldest).map_or(0, |entry| entry.bytes);
            self.stats.bytes -= dropped;
            self.stats.evicted += 1;
        }
        self.stats.formats = self.ready.len();
        format
    }
}
