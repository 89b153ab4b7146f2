//! A text that is being written, and its updates.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::Duration;

use ogc_generate::{LoadedModel, Probabilities, Sequence};
use ogc_runtime::cache::Client;
use ogc_runtime::vocabulary::TokenId;
use tokio::sync::mpsc::Sender as UpdateSender;
use tokio::sync::mpsc::error::TrySendError;

use super::Event;
use super::mask_time::{Bounded, MaskLimits, bounded};
use crate::api::ApiError;
use crate::held::Held;
use crate::metrics::Metrics;

/// A text to write.
#[derive(Debug)]
pub(crate) struct Job {
    /// Index of the text within its request.
    pub(crate) choice: usize,
    pub(crate) sequence: Sequence,
    /// The client that owns the text.
    pub(crate) client: Client,
    /// Receives the updates; the text is given up when the receiver is gone.
    pub(crate) updates: UpdateSender<Update>,
    /// Set when no more of the text is wanted.
    pub(crate) is_enough: Arc<AtomicBool>,
    /// Set when the texts of the request are given up because their updates are not read.
    pub(crate) is_unread: Arc<AtomicBool>,
    /// Permit for a text that is written or waits.
    pub(crate) _place: Held,
}

impl Job {
    /// Returns whether the text need not be written any more.
    pub(super) fn is_given_up(&self) -> bool {
        is_given_up(&self.updates, &self.is_enough, &self.is_unread)
    }

    /// Returns a function for another thread that returns whether the text is given up.
    fn gives_up(&self) -> impl Fn() -> bool + 'static {
        let (updates, is_enough, is_unread) =
            (self.updates.clone(), Arc::clone(&self.is_enough), Arc::clone(&self.is_unread));
        move || is_given_up(&updates, &is_enough, &is_unread)
    }
}

fn is_given_up(updates: &UpdateSender<Update>, is_enough: &AtomicBool, is_unread: &AtomicBool) -> bool {
    updates.is_closed() || is_enough.load(Ordering::Relaxed) || is_unread.load(Ordering::Relaxed)
}

/// An update of a text.
#[derive(Debug)]
pub(crate) struct Update {
    /// Index of the text within its request.
    pub(crate) choice: usize,
    pub(crate) news: News,
}

#[derive(Debug)]
pub(crate) enum News {
    /// The text has grown; `reused` is the number of tokens of its prompt that came from the prefix cache.
    Grown { text: String, tokens: Vec<TokenId>, reused: usize, probabilities: Vec<Probabilities> },
    /// The text has ended.
    Ended,
    /// The text cannot be written.
    Failed(ApiError),
}

/// Whether a text is prepared for a pass.
#[derive(Debug)]
pub(super) enum Prepared {
    Yes,
    Failed(ApiError),
}

/// A text that is being written.
pub(super) struct Running {
    pub(super) job: Job,
    /// Numbers of bytes and of tokens that were reported.
    told: (usize, usize),
    /// Sender to the thread of the model.
    pub(super) back: Sender<Event>,
    /// Time that its masks took beside the passes.
    pub(super) mask_time: Duration,
    /// Whether the last masks took long; the next ones probably do, too.
    is_slow: bool,
    /// Passes that read other prompts while this text's prompt waited.
    pub(super) waited: usize,
    /// Unread tokens of its prompt after the last pass.
    left: usize,
}

impl fmt::Debug for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Running").field("job", &self.job).field("mask_time", &self.mask_time).finish_non_exhaustive()
    }
}

impl Running {
    pub(super) fn new(job: Job, back: Sender<Event>) -> Self {
        Self { job, told: (0, 0), back, mask_time: Duration::ZERO, is_slow: false, waited: 0, left: usize::MAX }
    }

    /// Counts a pass that read `read` of the `unread` tokens of the prompt.
    pub(super) fn count_prompt(&mut self, unread: usize, read: usize) {
        // The prompt also advances if another text has read the same tokens.
        let goes_on = read > 0 || unread < self.left;
        self.waited = if goes_on { 0 } else { self.waited + 1 };
        self.left = unread - read;
    }

    /// Prepares the text, if that takes no longer than `limit`; otherwise returns `None`.
    pub(super) fn prepare_soon(&mut self, loaded: &LoadedModel, limit: Duration) -> Option<Prepared> {
        if self.is_slow && !self.job.sequence.is_prepared() {
            return None;
        }
        let sequence = &mut self.job.sequence;
        match bounded(limit, || false, || sequence.prepare(loaded)).0 {
            Bounded::Done(done) => Some(prepared(done)),
            Bounded::Stopped => None,
            Bounded::Panicked => Some(panicked()),
        }
    }

    /// Prepares the text within the time that is left for its masks.
    pub(super) fn prepare_beside(&mut self, loaded: &LoadedModel, limits: MaskLimits) -> Prepared {
        let is_given_up = self.job.gives_up();
        let (sequence, left) = (&mut self.job.sequence, limits.text.saturating_sub(self.mask_time));
        let (done, took) = bounded(left, is_given_up, || sequence.prepare(loaded));
        self.mask_time += took;
        self.is_slow = took > limits.quick;
        match done {
            Bounded::Done(done) => prepared(done),
            Bounded::Stopped => Prepared::Failed(ApiError::slow_masks(self.mask_time, limits.text)),
            Bounded::Panicked => panicked(),
        }
    }

    /// Reports the growth of the text; returns whether the text goes on.
    pub(super) fn tell_growth(&mut self, metrics: &Metrics) -> bool {
        let sequence = &self.job.sequence;
        let (bytes, tokens) = self.told;
        let (piece, probabilities) = (&sequence.text()[bytes..], sequence.probabilities());
        let news = News::Grown {
            text: piece.to_owned(),
            tokens: sequence.tokens()[tokens..].to_vec(),
            reused: sequence.statistics().reused,
            probabilities: probabilities[tokens.min(probabilities.len())..].to_vec(),
        };
        self.told = (sequence.text().len(), sequence.tokens().len());
        if self.told.1 > tokens {
            metrics.tokens.add((self.told.1 - tokens) as u64);
            self.tell(news);
        }
        if self.job.sequence.ended().is_none() {
            return true;
        }
        metrics.count_work(&self.job.sequence.statistics());
        self.tell(News::Ended);
        false
    }

    /// Reports the growth of the text, and the error that ends it. Returns `false`, because the text does not go on.
    pub(super) fn fail(&mut self, error: ApiError, metrics: &Metrics) -> bool {
        if self.tell_growth(metrics) {
            self.tell(News::Failed(error));
        }
        false
    }

    /// Sends an update, if somebody listens. The thread of the model waits for no reader: if too many updates are unread, the texts of the request
    /// are given up.
    fn tell(&self, news: News) {
        if let Err(TrySendError::Full(_)) = self.job.updates.try_send(Update { choice: self.job.choice, news }) {
            self.job.is_unread.store(true, Ordering::Relaxed);
        }
    }
}

fn prepared(done: Result<(), ogc_generate::GenerateError>) -> Prepared {
    done.map_or_else(|error| Prepared::Failed(ApiError::of_model(&error)), |()| Prepared::Yes)
}

fn panicked() -> Prepared {
    Prepared::Failed(ApiError::defect("a mask could not be computed: please report this format"))
}
