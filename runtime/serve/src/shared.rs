//! What the requests of a server share: who writes their texts, the compiled formats, the bounds of what is done at a time.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ogc_generate::{LoadedModel, PrefixCache};
use ogc_runtime::mask::MaskStore;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};

use crate::api::ApiError;
use crate::compile::Compile;
use crate::formats::Formats;
use crate::metrics::Metrics;
use crate::options::ServeOptions;
use crate::record::Record;
use crate::scheduler::{Jobs, MaskLimits, Workers};
use crate::turns::Turns;
use crate::upstream::client::Upstream;

/// So many of the largest bodies may arrive at the same time.
const MOST_BODIES: usize = 32;

/// The most units that a body takes: a semaphore has that many for all of them.
const MOST_BODY_UNITS: u32 = 1 << 24;

/// This server's model, and the thread that runs it.
pub(crate) struct ModelWriter {
    pub(crate) loaded: Arc<LoadedModel>,
    pub(crate) store: Arc<MaskStore>,
    pub(crate) jobs: Jobs,
    /// Who computes masks that take long.
    pub(crate) workers: Arc<Workers>,
    pub(crate) limits: MaskLimits,
    /// What was read of prompts.
    pub(crate) prefixes: Arc<PrefixCache>,
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
    /// The turns of long prompts, whose tokens are made one at a time.
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
        let places = options.slots.get().saturating_add(options.queue).min(Semaphore::MAX_PERMITS);
        Self {
            writer,
            formats: Formats::new(compile, &options),
            places: Arc::new(Semaphore::new(places)),
            body_room: Semaphore::new(body_units(options.max_body) as usize * MOST_BODIES),
            long_prompts: Turns::new(options.queue),
            log,
            numbers: AtomicU64::new(1),
            seed: now().as_nanos() as u64,
            options,
            metrics,
        }
    }

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

/// Returns how many units of 1,024 bytes a body takes.
fn body_units(bytes: usize) -> u32 {
    u32::try_from(bytes.div_ceil(1_024)).unwrap_or(u32::MAX).min(MOST_BODY_UNITS)
}

/// Returns the time since 1970.
pub(crate) fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}
