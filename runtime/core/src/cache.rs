//! A cache of compiled formats for servers: each format is compiled once, off the caller's thread, and the cache stays within a limit in
//! bytes.
//!
//! A request for a format that is being compiled joins that compilation instead of starting another. A compilation is cancelled when no
//! request waits for it any more, or when it takes too long. The cache knows nothing of compilers: the caller passes a function that makes
//! a format and returns its size.
//!
//! A request for a cached format returns at once, whatever is being compiled. Cheap formats do not wait behind expensive ones (see
//! `lanes`). Clients take turns (see `queue`).

mod cancel;
mod lanes;
mod limits;
mod pending;
mod queue;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

pub use cancel::{Cancel, CompileStop};
use lanes::{Crowded, Lanes, Turn};
pub use limits::CacheLimits;
pub use pending::{CacheError, Pending};
use pending::{Leave, Task};
pub use queue::{Client, FairQueue};

/// A hash of everything that determines a format: its source, its options, the vocabulary's fingerprint.
///
/// ```
/// use ogc_runtime::cache::CacheKey;
/// assert_eq!(CacheKey::of(&[b"schema", b"llama"]), CacheKey::of(&[b"schema", b"llama"]));
/// assert_ne!(CacheKey::of(&[b"ab", b"c"]), CacheKey::of(&[b"a", b"bc"]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CacheKey([u8; 32]);

impl CacheKey {
    /// Hashes `parts` cryptographically, so that different parts have different keys.
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

/// Counts of a cache's requests and compilations, and of its content.
///
/// ```
/// assert_eq!(ogc_runtime::cache::CacheStats::default().formats, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheStats {
    /// Requests for formats in the cache.
    pub hits: u64,
    /// Requests that joined a compilation in progress.
    pub joined: u64,
    /// Requests that began a compilation.
    pub misses: u64,
    /// Formats that were refused because too many were waiting, or too many long compilations were in progress.
    pub refused: u64,
    /// Compilations that failed, panicked, or took too long.
    pub failed: u64,
    /// Compilations that were cancelled because no request waited for them any more.
    pub cancelled: u64,
    /// Formats that were evicted.
    pub evicted: u64,
    /// Formats in the cache.
    pub formats: usize,
    /// Bytes of the formats in the cache.
    pub bytes: usize,
}

/// A format in the cache.
#[derive(Debug)]
struct Entry<F> {
    format: Arc<F>,
    bytes: usize,
    /// The sequence number of the last request for the format.
    used: u64,
}

struct State<F, E> {
    ready: FxHashMap<CacheKey, Entry<F>>,
    running: FxHashMap<CacheKey, Arc<Task<F, E>>>,
    requests: u64,
    stats: CacheStats,
}

struct Shared<F, E> {
    limits: CacheLimits,
    lanes: Arc<Lanes>,
    state: Mutex<State<F, E>>,
}

/// A cache of formats of type `F`, with the compilations in progress; `E` is the compiler's error. Clones share one
/// cache.
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
            requests: 0,
            stats: CacheStats::default(),
        };
        Self(Arc::new(Shared { limits, lanes: Arc::new(Lanes::new(limits)), state: Mutex::new(state) }))
    }

    /// Looks up a format, or starts its compilation on another thread, for the default client: see
    /// [`get_or_compile_for`](Self::get_or_compile_for).
    ///
    /// # Errors
    ///
    /// [`CacheError::Busy`] if too many formats are already waiting.
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
        self.get_or_compile_for(Client::default(), key, compile)
    }

    /// Looks up a format, or starts its compilation on another thread; returns at once. `compile` returns the format and its size in bytes.
    /// It should call [`Cancel::check`] every few milliseconds; if the check fails, it should return any error, or panic. A format larger
    /// than the cache is not kept, and errors are not cached.
    ///
    /// # Errors
    ///
    /// [`CacheError::Busy`] if too many formats are already waiting and no other client has more of them than this one. A waiting format
    /// may also be refused later, in favour of a client with fewer waiting formats.
    ///
    /// ```
    /// use ogc_runtime::cache::{CacheKey, CacheLimits, Client, FormatCache};
    /// let cache: FormatCache<u32, String> = FormatCache::new(CacheLimits::default());
    /// assert_eq!(*cache.get_or_compile_for(Client(7), CacheKey::of(&[]), |_| Ok((1, 4)))?.wait()?, 1);
    /// # Ok::<(), ogc_runtime::cache::CacheError<String>>(())
    /// ```
    pub fn get_or_compile_for(
        &self,
        client: Client,
        key: CacheKey,
        compile: impl FnOnce(&Cancel) -> Result<(F, usize), E> + Send + 'static,
    ) -> Result<Pending<F, E>, CacheError<E>> {
        let mut state = self.0.lock();
        if let Some(known) = self.known(&mut state, key) {
            return Ok(known);
        }
        state.stats.misses += 1;
        let task = Arc::new(Task::default());
        state.running.insert(key, Arc::clone(&task));
        let pending = Pending::join(Arc::clone(&task), self.leave(key));
        drop(state);
        let shared = Arc::clone(&self.0);
        self.0.lanes.submit(
            client,
            Box::new(move |turn| match turn {
                Ok(turn) => shared.run(key, &task, turn, compile),
                Err(Crowded { given, limit }) => shared.refuse(key, &task, CacheError::Busy { given, limit }),
            }),
        );
        match pending.refusal() {
            Some(busy) => Err(busy),
            None => Ok(pending),
        }
    }

    /// Returns a cached format, or joins its compilation; `None` if there is neither.
    fn known(&self, state: &mut State<F, E>, key: CacheKey) -> Option<Pending<F, E>> {
        state.requests += 1;
        let now = state.requests;
        if let Some(entry) = state.ready.get_mut(&key) {
            entry.used = now;
            state.stats.hits += 1;
            return Some(Pending::ready(Arc::clone(&entry.format)));
        }
        let task = state.running.get(&key).map(Arc::clone)?;
        state.stats.joined += 1;
        Some(Pending::join(task, self.leave(key)))
    }

    /// Returns counts of the cache's requests and compilations, and of its content.
    ///
    /// ```
    /// use ogc_runtime::cache::{CacheLimits, FormatCache};
    /// assert_eq!(FormatCache::<u32, ()>::new(CacheLimits::default()).stats().misses, 0);
    /// ```
    #[must_use]
    pub fn stats(&self) -> CacheStats {
        self.0.lock().stats
    }

    /// Returns the function that a request calls when it stops waiting. If it was the last request, the function cancels the compilation.
    fn leave(&self, key: CacheKey) -> Leave<F, E> {
        let shared = Arc::clone(&self.0);
        Box::new(move |task| {
            // Hold the lock, so that no request joins a compilation that is being cancelled.
            let mut state = shared.lock();
            let is_running = state.running.get(&key).is_some_and(|running| Arc::ptr_eq(running, task));
            if task.leave() && is_running {
                state.forget(key, task);
                state.stats.cancelled += 1;
            }
        })
    }
}

impl<F, E> Shared<F, E> {
    fn lock(&self) -> MutexGuard<'_, State<F, E>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Compiles a format, caches it, and wakes the requests that wait for it.
    fn run(
        &self,
        key: CacheKey,
        task: &Arc<Task<F, E>>,
        turn: Turn,
        compile: impl FnOnce(&Cancel) -> Result<(F, usize), E>,
    ) {
        let cancel = task.cancel();
        if cancel.is_cancelled() {
            return;
        }
        cancel.begin(turn, self.limits.time);
        let made = catch_unwind(AssertUnwindSafe(|| compile(cancel)));
        cancel.end();
        let failure = match made {
            Ok(Ok((format, bytes))) => {
                let mut state = self.lock();
                state.forget(key, task);
                let format = state.keep(key, Arc::new(format), bytes, self.limits.bytes);
                drop(state);
                return task.finish(Ok(format));
            }
            Ok(Err(error)) => Some(error),
            Err(_) => None,
        };
        match (cancel.stopped(), failure) {
            _ if cancel.is_cancelled() => self.lock().forget(key, task),
            (Some(CompileStop::Crowded { given, limit }), _) => {
                self.refuse(key, task, CacheError::Stopped(CompileStop::Crowded { given, limit }));
            }
            (_, Some(error)) => self.fail(key, task, CacheError::Compile(Arc::new(error))),
            (Some(stop), None) => self.fail(key, task, CacheError::Stopped(stop)),
            (None, None) => self.fail(key, task, CacheError::Panicked),
        }
    }

    fn fail(&self, key: CacheKey, task: &Arc<Task<F, E>>, error: CacheError<E>) {
        let mut state = self.lock();
        state.forget(key, task);
        state.stats.failed += 1;
        drop(state);
        task.finish(Err(error));
    }

    /// Refuses to compile a format, because too many other compilations wait or are paused.
    fn refuse(&self, key: CacheKey, task: &Arc<Task<F, E>>, error: CacheError<E>) {
        let mut state = self.lock();
        state.forget(key, task);
        state.stats.refused += 1;
        drop(state);
        task.finish(Err(error));
    }
}

impl<F, E> State<F, E> {
    /// Removes a compilation from the list, so that no request joins it any more.
    fn forget(&mut self, key: CacheKey, task: &Arc<Task<F, E>>) {
        if self.running.get(&key).is_some_and(|running| Arc::ptr_eq(running, task)) {
            self.running.remove(&key);
        }
    }

    /// Caches a format, and evicts the least recently used formats until all fit in `limit` bytes.
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
