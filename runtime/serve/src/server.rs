//! The server: how it starts and ends.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use ogc_generate::{LoadedModel, PrefixCache};
use ogc_runtime::mask::MaskStore;
use ogc_runtime::vocabulary::Vocabulary;
use tokio::net::TcpListener;

use crate::compile::Compile;
use crate::connections::{self, ConnectionLimits};
use crate::memory;
use crate::metrics::Metrics;
use crate::options::ServeOptions;
use crate::record::Record;
use crate::routes::router;
use crate::scheduler::{self, MaskLimits, Workers};
use crate::shared::{ModelWriter, Shared, UpstreamWriter, Writer};
use crate::turns::{TurnLimits, Turns};
use crate::upstream::client::Upstream;
use crate::upstream::{UpstreamError, UpstreamOptions};

/// Timeout for texts under way when a server shuts down.
const LAST_WAIT: Duration = Duration::from_secs(30);

/// A server with a model, or in front of another server.
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
    /// Makes a server with a model; it compiles formats with `compile`, and passes the record of each request to `log`.
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
        let workers = Workers::new(options.mask_threads);
        let limits = MaskLimits { quick: options.mask_pause, text: options.mask_time };
        let (slots, counts) = (options.slots.get(), Arc::clone(&metrics));
        let (jobs, thread) = scheduler::start(Arc::clone(&loaded), Arc::clone(&workers), limits, slots, counts);
        let store = MaskStore::with_limit(Arc::clone(&loaded.vocabulary), Some(options.mask_bytes()));
        let prefixes = Arc::new(PrefixCache::new(options.prefix_cache));
        let writer = Writer::Model(Arc::new(ModelWriter { loaded, store, jobs, workers, limits, prefixes }));
        let shared = Shared::new(writer, compile, options, metrics, Box::new(log));
        Self { shared: Arc::new(shared), thread: Some(thread) }
    }

    /// Makes a server in front of another one, which writes the texts; this server verifies them byte by byte.
    ///
    /// The options for the model's name, `max_tokens`, `speculate` and `draft` are not used: requests name the model of the other server.
    ///
    /// # Errors
    /// No connections can be made.
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
            store: MaskStore::with_limit(Arc::new(vocabulary), Some(options.mask_bytes())),
            slots: Turns::new(upstream_slots(&options)),
            workers: Workers::new(options.mask_threads),
            limits: MaskLimits { quick: options.mask_pause, text: options.mask_time },
        };
        let writer = Writer::Upstream(Arc::new(writer));
        let shared = Shared::new(writer, compile, options, Arc::default(), Box::new(log));
        Ok(Self { shared: Arc::new(shared), thread: None })
    }

    /// Answers requests until `shutdown` is ready; requests under way are then finished, for half a minute at most.
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
        let limits = ConnectionLimits {
            count: shared.options.connections.get(),
            of_client: shared.options.client_connections.get(),
            patience: shared.options.patience,
        };
        let metrics = Arc::clone(&shared.metrics);
        let router = router(shared, listener.local_addr().ok());
        let serve = connections::serve(listener, router, limits, wait);
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
            () = memory::keep_small(metrics) => {}
        }
    }
}

/// Returns the limits of concurrent requests to the other server: more than one client may have, so that some are left
/// for others.
fn upstream_slots(options: &ServeOptions) -> TurnLimits {
    let of_client = options.slots.get();
    // The number of waiting texts is already bounded by their permits.
    TurnLimits { all: of_client.saturating_add(of_client.div_ceil(8)), of_client, waiting: usize::MAX }
}
