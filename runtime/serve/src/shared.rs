//! State that the requests of a server share: the writer of texts, the compiled formats, and the limits of concurrent work.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ogc_generate::{LoadedModel, PrefixCache};
use ogc_runtime::mask::MaskStore;

use crate::api::ApiError;
use crate::compile::Compile;
use crate::formats::Formats;
use crate::held::{Held, HeldByClient, TooMany};
use crate::metrics::Metrics;
use crate::options::ServeOptions;
use crate::peer;
use crate::record::Record;
use crate::scheduler::{Jobs, MaskLimits, Workers};
use crate::text_places::TextPlaces;
use crate::turns::{TurnLimits, Turns};
use crate::upstream::client::Upstream;

/// This many of the largest bodies may arrive concurrently, half of them of one client.
const MOST_BODIES: usize = 32;

/// This server's model, and the thread that runs it.
pub(crate) struct ModelWriter {
    pub(crate) loaded: Arc<LoadedModel>,
    pub(crate) store: Arc<MaskStore>,
    pub(crate) jobs: Jobs,
    /// Workers for masks that take long.
    pub(crate) workers: Arc<Workers>,
    pub(crate) limits: MaskLimits,
    /// Cache of prompt prefixes.
    pub(crate) prefixes: Arc<PrefixCache>,
}

/// Another server.
pub(crate) struct UpstreamWriter {
    pub(crate) upstream: Upstream,
    /// Mask store of a vocabulary of single bytes, because the tokens of the other server are not known.
    pub(crate) store: Arc<MaskStore>,
    /// Permits for concurrent requests to the other server.
    pub(crate) slots: Turns,
    /// Workers for matchers that take long.
    pub(crate) workers: Arc<Workers>,
    pub(crate) limits: MaskLimits,
}

/// Writer of the texts: the model of this server, or another server.
pub(crate) enum Writer {
    Model(Arc<ModelWriter>),
    Upstream(Arc<UpstreamWriter>),
}

/// State that the requests of a server share.
pub(crate) struct Shared {
    pub(crate) writer: Writer,
    pub(crate) formats: Formats,
    pub(crate) options: ServeOptions,
    pub(crate) metrics: Arc<Metrics>,
    /// Permits for texts that are written or wait.
    places: TextPlaces,
    /// Bytes of bodies that are arriving.
    bodies: HeldByClient,
    /// Permits for tokenising long prompts, one at a time.
    pub(crate) long_prompts: Turns,
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
    pub(crate) fn new(
        writer: Writer,
        compile: Arc<dyn Compile>,
        options: ServeOptions,
        metrics: Arc<Metrics>,
        log: Box<dyn Fn(&Record) + Send + Sync>,
    ) -> Self {
        Self {
            writer,
            formats: Formats::new(compile, &options),
            places: TextPlaces::new(options.slots.get().saturating_add(options.queue)),
            bodies: HeldByClient::default(),
            long_prompts: Turns::new(TurnLimits { all: 1, of_client: 1, waiting: options.queue }),
            log,
            numbers: AtomicU64::new(1),
            seed: now().as_nanos() as u64,
            options,
            metrics,
        }
    }

    /// Returns a new request number.
    pub(crate) fn number(&self) -> u64 {
        self.numbers.fetch_add(1, Ordering::Relaxed)
    }

    /// Takes permits for the texts of a request of the current client.
    pub(crate) fn places(&self, count: usize) -> Result<Vec<Held>, ApiError> {
        self.places.take(peer::current(), count).map_err(|TooMany { given, limit }| {
            let texts = "texts of this client would be written or wait";
            ApiError::busy(&format!("{given} {texts}; its limit is now {limit}"))
        })
    }

    /// Takes a permit for a body of `bytes` bytes; without a length, for the largest possible body.
    pub(crate) fn body_room(&self, bytes: Option<u64>) -> Result<Held, ApiError> {
        let most = self.options.max_body;
        let bytes = bytes.map_or(most, |bytes| usize::try_from(bytes).unwrap_or(most).min(most));
        let all = most.saturating_mul(MOST_BODIES);
        let room = self.bodies.take(peer::current(), bytes, |others| (all / 2).min(all.saturating_sub(others)));
        room.map_err(|TooMany { given, limit }| {
            let bodies = "bytes of this client's requests would arrive at the same time";
            ApiError::busy(&format!("{given} {bodies}; its limit is now {limit}"))
        })
    }

    /// Returns a seed for a request without one; each request gets a different seed.
    pub(crate) fn seed(&self, number: u64) -> u64 {
        self.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// Returns the time since 1970.
pub(crate) fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}
