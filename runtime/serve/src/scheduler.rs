//! The thread of the model: texts join and leave between its passes, and all that are being written share each pass.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use always_assert::never;
use ogc_generate::{LoadedModel, Probabilities, Sequence, pass};
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::Sender as UpdateSender;
use tokio::sync::mpsc::error::TrySendError;

use crate::api::ApiError;
use crate::metrics::Metrics;

/// A text that is to be written.
#[derive(Debug)]
pub(crate) struct Job {
    /// The number of the text among those of its request.
    pub(crate) choice: usize,
    pub(crate) sequence: Sequence,
    /// Who is told of it; the text is given up when nobody listens.
    pub(crate) updates: UpdateSender<Update>,
    /// Set when nobody wants more of it.
    pub(crate) is_enough: Arc<AtomicBool>,
    /// Set when the texts of the request are given up, as their updates are not read.
    pub(crate) is_unread: Arc<AtomicBool>,
    /// The place among the texts that are written or wait.
    pub(crate) _permit: OwnedSemaphorePermit,
}

impl Job {
    /// Returns whether the text need not be written any more.
    fn is_given_up(&self) -> bool {
        self.updates.is_closed() || self.is_enough.load(Ordering::Relaxed) || self.is_unread.load(Ordering::Relaxed)
    }
}

/// News of a text.
#[derive(Debug)]
pub(crate) struct Update {
    /// The number of the text among those of its request.
    pub(crate) choice: usize,
    pub(crate) news: News,
}

#[derive(Debug)]
pub(crate) enum News {
    /// More of it was written.
    Grown { text: String, tokens: usize, probabilities: Vec<Probabilities> },
    /// It has ended.
    Ended,
    /// It cannot be written.
    Failed(ApiError),
}

/// A text that is being written.
struct Running {
    job: Job,
    /// The bytes and the tokens that were told.
    told: (usize, usize),
}

/// Writes texts on a thread of its own, until no [`Sender`] is left.
pub(crate) fn start(loaded: Arc<LoadedModel>, slots: usize, metrics: Arc<Metrics>) -> (Sender<Job>, JoinHandle<()>) {
    let (jobs, received) = channel();
    let thread = std::thread::spawn(move || run(&loaded, slots, &received, &metrics));
    (jobs, thread)
}

fn run(loaded: &LoadedModel, slots: usize, jobs: &Receiver<Job>, metrics: &Metrics) {
    let (mut waiting, mut running): (VecDeque<Job>, Vec<Running>) = (VecDeque::new(), Vec::new());
    loop {
        if running.is_empty() && waiting.is_empty() {
            match jobs.recv() {
                Ok(job) => waiting.push_back(job),
                Err(_) => return,
            }
        }
        waiting.extend(jobs.try_iter());
        waiting.retain(|job| !job.is_given_up());
        running.retain(|text| !text.job.is_given_up());
        let joining = waiting.len().min(slots - running.len());
        running.extend(waiting.drain(..joining).map(|job| Running { job, told: (0, 0) }));
        metrics.show_load(running.len(), waiting.len());
        go_on(loaded, &mut running, metrics);
        metrics.show_load(running.len(), waiting.len());
    }
}

/// Makes a pass, and tells what came of it.
fn go_on(loaded: &LoadedModel, running: &mut Vec<Running>, metrics: &Metrics) {
    if running.is_empty() {
        return;
    }
    let mut sequences: Vec<&mut Sequence> = running.iter_mut().map(|text| &mut text.job.sequence).collect();
    let results = match pass(loaded, &mut sequences) {
        Ok(results) => results,
        Err(error) => {
            running.drain(..).for_each(|text| tell(&text.job, News::Failed(ApiError::of_model(&error))));
            return;
        }
    };
    metrics.passes.add(1);
    let mut results = results.into_iter();
    running.retain_mut(|text| match results.next() {
        Some(Err(error)) => {
            tell(&text.job, News::Failed(ApiError::of_model(&error)));
            false
        }
        Some(Ok(())) => tell_growth(text, metrics),
        None => {
            never!("a pass says nothing of text {}", text.job.choice);
            tell_growth(text, metrics)
        }
    });
}

/// Tells what was written of a text; returns whether it goes on.
fn tell_growth(text: &mut Running, metrics: &Metrics) -> bool {
    let sequence = &text.job.sequence;
    let (bytes, tokens) = text.told;
    let (piece, probabilities) = (&sequence.text()[bytes..], sequence.probabilities());
    let news = News::Grown {
        text: piece.to_owned(),
        tokens: sequence.tokens().len() - tokens,
        probabilities: probabilities[tokens.min(probabilities.len())..].to_vec(),
    };
    text.told = (sequence.text().len(), sequence.tokens().len());
    if text.told.1 > tokens {
        metrics.tokens.add((text.told.1 - tokens) as u64);
        tell(&text.job, news);
    }
    if sequence.ended().is_none() {
        return true;
    }
    metrics.count_work(&sequence.statistics());
    tell(&text.job, News::Ended);
    false
}

/// Tells news of a text, if somebody listens. The thread of the model waits for no reader: where too much is unread, the texts of
/// the request are given up.
fn tell(job: &Job, news: News) {
    if let Err(TrySendError::Full(_)) = job.updates.try_send(Update { choice: job.choice, news }) {
        job.is_unread.store(true, Ordering::Relaxed);
    }
}
