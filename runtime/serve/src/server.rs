//! The server: what its requests share, how it starts and ends.

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ogc_generate::LoadedModel;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::vocabulary::Vocabulary;
use serde::Serialize;
use tokio::net::TcpListener;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};

use crate::api::ApiError;
use crate::connections::{self, ConnectionLimits};
use crate::formats::{Compile, Formats};
use crate::metrics::Metrics;
use crate::options::ServeOptions;
use crate::routes::router;
use crate::scheduler::{self, Job};
use crate::upstream::client::Upstream;
use crate::upstream::{UpstreamError, UpstreamOptions};

/// How long texts that are being written may take on when a server ends.
const LAST_WAIT: Duration = Duration::from_secs(30);

/// So many of the largest bodies may arrive at the same time.
const MOST_BODIES: usize = 32;

/// The most units that a body takes: a semaphore has that many for all of them.
const MOST_BODY_UNITS: u32 = 1 << 24;

/// What is said of a request when it is answered.
///
/// ```
/// use ogc_serve::Record;
/// let record = Record { path: "/health", status: 200, milliseconds: 1, prompt_tokens: 0, tokens: 0, finish: None };
/// assert_eq!(record.status, 200);
/// ```
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Record {
    /// The path.
    pub path: &'static str,
    /// The status, of HTTP.
    pub status: u16,
    /// How long it took.
    pub milliseconds: u64,
    /// The tokens of its prompts.
    pub prompt_tokens: usize,
    /// The tokens that were written.
    pub tokens: usize,
    /// How it ended: `stop`, `length`, `tool_calls` or `content_filter`; `gone` for a client that went away; else the code of the error,
    /// such as `timeout`.
    pub finish: Option<&'static str>,
}

/// This server's model, and the thread that runs it.
pub(crate) struct ModelWriter {
    pub(crate) loaded: Arc<LoadedModel>,
    pub(crate) store: Arc<MaskStore>,
    pub(crate) jobs: Sender<Job>,
}

/// Another server.
pub(crate) struct UpstreamWriter {
    pub(crate) upstream: Upstream,
    /// The store of a vocabulary of single bytes: the tokens of the other server are not known.
    pub(crate) store: Arc<MaskStore>,
    /// The texts that may be asked for at a time.
    pub(crate) slots: Arc<Semaphore>,
}

/// Who writes the texts.
pub(crate) enum Writer {
    Model(Arc<ModelWriter>),
    Upstream(Arc<UpstreamWriter>),
}

/// What the requests of a server share.
pub(crate) struct Shared {
    pub(crate) writer: Writer,
    pub(crate) formats: Formats,
    pub(crate) options: ServeOptions,
    pub(crate) metrics: Arc<Metrics>,
    /// The places of texts that are written or wait.
    places: Arc<Semaphore>,
    /// The room for bodies that arrive, in units of 1,024 bytes.
    body_room: Semaphore,
    pub(crate) log: Box<dyn Fn(&Record) + Send + Sync>,
    numbers: AtomicU64,
    seed: u64,
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("options", &self.options).field("metrics", &self.metrics).finish_non_exhaustive()
    }
}

impl Shared {
    /// Returns a number that no other request has.
    pub(crate) fn number(&self) -> u64 {
        self.numbers.fetch_add(1, Ordering::Relaxed)
    }

    /// Takes places for the texts of a request.
    pub(crate) fn places(&self, count: usize) -> Result<Vec<OwnedSemaphorePermit>, ApiError> {
        let places: Result<_, _> = (0..count).map(|_| Arc::clone(&self.places).try_acquire_owned()).collect();
        places.map_err(|_| ApiError::busy("too many texts are being written"))
    }

    /// Takes room for a body of so many bytes, or of any number that a body may have.
    pub(crate) fn body_room(&self, bytes: Option<u64>) -> Result<SemaphorePermit<'_>, ApiError> {
        let most = self.options.max_body;
        let bytes = bytes.map_or(most, |bytes| usize::try_from(bytes).unwrap_or(most).min(most));
        let room = self.body_room.try_acquire_many(body_units(bytes));
        room.map_err(|_| ApiError::busy("too many large requests arrive at the same time"))
    }

    /// Returns a seed for a request that names none: another for each.
    pub(crate) fn seed(&self, number: u64) -> u64 {
        self.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// A server of a model, or before another server.
///
/// ```
#[doc = include_str!("example.md")]
/// let server = Server::new(Arc::new(loaded), Arc::new(Fixed(automaton)), ServeOptions::default(), |_| ());
/// let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// runtime.block_on(async {
///     let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
///     server.run(listener, async {}).await;
///     Ok::<(), std::io::Error>(())
/// })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Server {
    shared: Arc<Shared>,
    /// The thread of the model, if it has one.
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Server {
    /// Makes a server of a model, which compiles formats by `compile` and tells `log` of each request.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// Server::new(Arc::new(loaded), Arc::new(Fixed(automaton)), ServeOptions::default(), |_| ());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(
        loaded: Arc<LoadedModel>,
        compile: Arc<dyn Compile>,
        options: ServeOptions,
        log: impl Fn(&Record) + Send + Sync + 'static,
    ) -> Self {
        let metrics = Arc::new(Metrics::default());
        let (jobs, thread) = scheduler::start(Arc::clone(&loaded), options.slots.get(), Arc::clone(&metrics));
        let store = MaskStore::new(Arc::clone(&loaded.vocabulary));
        let writer = Writer::Model(Arc::new(ModelWriter { loaded, store, jobs }));
        Self::with_writer(writer, Some(thread), compile, options, metrics, Box::new(log))
    }

    /// Makes a server before another one, which writes the texts: they are verified byte by byte.
    ///
    /// The model's name, `max_tokens` and `speculate` of the options are not used: requests name the model of the other server.
    ///
    /// # Errors
    /// Connections cannot be made.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// let upstream = UpstreamOptions::new("http://127.0.0.1:8000/v1", Dialect::Vllm)?;
    /// Server::before(upstream, Arc::new(Fixed(automaton)), ServeOptions::default(), |_| ())?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn before(
        upstream: UpstreamOptions,
        compile: Arc<dyn Compile>,
        options: ServeOptions,
        log: impl Fn(&Record) + Send + Sync + 'static,
    ) -> Result<Self, UpstreamError> {
        let bytes: Vec<Option<[u8; 1]>> = (0..=u8::MAX).map(|byte| Some([byte])).collect();
        let vocabulary = Vocabulary::from_tokens(&bytes, &[])
            .map_err(|error| UpstreamError::Client { reason: error.to_string() })?;
        let writer = UpstreamWriter {
            upstream: Upstream::new(upstream)?,
            store: MaskStore::new(Arc::new(vocabulary)),
            slots: Arc::new(Semaphore::new(options.slots.get().min(Semaphore::MAX_PERMITS))),
        };
        let writer = Writer::Upstream(Arc::new(writer));
        Ok(Self::with_writer(writer, None, compile, options, Arc::default(), Box::new(log)))
    }

    fn with_writer(
        writer: Writer,
        thread: Option<std::thread::JoinHandle<()>>,
        compile: Arc<dyn Compile>,
        options: ServeOptions,
        metrics: Arc<Metrics>,
        log: Box<dyn Fn(&Record) + Send + Sync>,
    ) -> Self {
        let places = options.slots.get().saturating_add(options.queue).min(Semaphore::MAX_PERMITS);
        let shared = Shared {
            writer,
            formats: Formats::new(compile, &options),
            places: Arc::new(Semaphore::new(places)),
            body_room: Semaphore::new(body_units(options.max_body) as usize * MOST_BODIES),
            log,
            numbers: AtomicU64::new(1),
            seed: now().as_nanos() as u64,
            options,
            metrics,
        };
        Self { shared: Arc::new(shared), thread }
    }

    /// Answers requests until `shutdown` is ready; those that are under way then are answered to their end, for half a minute at most.
    ///
    /// ```no_run
    #[doc = include_str!("example.md")]
    /// # async fn run(server: Server, listener: tokio::net::TcpListener) {
    /// server.run(listener, async { std::future::pending().await }).await;
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub async fn run(self, listener: TcpListener, shutdown: impl Future<Output = ()> + Send + 'static) {
        let Self { shared, thread } = self;
        let (ends, mut ended) = tokio::sync::watch::channel(false);
        let wait = async move {
            shutdown.await;
            ends.send_replace(true);
        };
        let limits = ConnectionLimits { count: shared.options.connections.get(), patience: shared.options.patience };
        let serve = connections::serve(listener, router(shared), limits, wait);
        let last = async {
            drop(ended.wait_for(|ended| *ended).await);
            tokio::time::sleep(LAST_WAIT).await;
        };
        tokio::select! {
            () = serve => {
                // All requests are gone, and with them the last sender of jobs.
                drop(tokio::task::spawn_blocking(move || thread.map(std::thread::JoinHandle::join)).await);
            }
            () = last => {}
        }
    }
}

/// Returns how many units of 1,024 bytes a body takes.
fn body_units(bytes: usize) -> u32 {
    u32::try_from(bytes.div_ceil(1_024)).unwrap_or(u32::MAX).min(MOST_BODY_UNITS)
}

/// Returns the time since 1970.
pub(crate) fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}
