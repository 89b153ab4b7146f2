//! Computes masks in the background if an answer lacked their costs, one format after another. An edit stops the
//! computation; it restarts after a quiet period.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ogc_ide::cancellable;
use ogc_ide::costs::{self, Wanted};
use serde_json::json;
use tower_lsp_server::ls_types::notification::Notification;

use super::Owner;
use crate::event::{Event, Measured};
use crate::pool::Lane;

/// Time without edits after which masks are computed.
const QUIET: Duration = Duration::from_millis(400);

/// The notification that costs are known.
pub(crate) enum CostsChanged {}

impl Notification for CostsChanged {
    type Params = serde_json::Value;
    const METHOD: &'static str = "ogc/costsChanged";
}

/// The computation of masks.
#[derive(Default)]
pub(super) struct Measuring {
    /// Stops the running computation.
    stop: Arc<AtomicBool>,
    is_running: bool,
    /// Earliest time for the next computation, if one is wanted.
    due: Option<Instant>,
}

impl Measuring {
    /// Returns whether masks are being computed.
    pub(super) fn is_running(&self) -> bool {
        self.is_running
    }

    /// Returns the time to check for wanted masks.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.due.filter(|_| !self.is_running)
    }

    /// Schedules a check for wanted masks as soon as there are no edits.
    pub(super) fn begin_soon(&mut self) {
        self.due.get_or_insert_with(Instant::now);
    }

    /// Stops the computation, because something was edited.
    pub(super) fn edited(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.stop = Arc::default();
        if self.is_running || self.due.is_some() {
            self.due = Some(Instant::now() + QUIET);
        }
    }
}

impl Owner {
    /// Starts to compute wanted masks.
    pub(super) fn measure(&mut self, now: Instant) {
        if self.measuring.is_running || self.measuring.due.is_none_or(|due| now < due) || !self.loading.is_empty() {
            return;
        }
        self.measuring.due = None;
        let view = self.view();
        if costs::are_vocabularies_wanted(&view.snapshot) {
            self.load_vocabularies();
        }
        let Some(wanted) = costs::next_wanted(&view.snapshot) else { return };
        if view.snapshot.lacks_vocabulary(&wanted.vocabulary) {
            costs::want(&view.snapshot, wanted);
            // After the vocabulary is read, this starts again.
            return self.load_vocabularies();
        }
        self.measuring.is_running = true;
        let (stop, events) = (Arc::clone(&self.measuring.stop), self.events.clone());
        let running = self.tasks.begin("Computing masks", &self.events);
        self.pool.run(Lane::Long, move || {
            let done = MeasuredGuard { wanted: Some(wanted), events };
            let wanted = done.wanted.clone();
            let found =
                cancellable(&view.snapshot, |snapshot| wanted.and_then(|wanted| costs::measurement(snapshot, &wanted)));
            // No edit must wait for the following work.
            drop(view);
            let outcome = match found {
                Err(_) => Measured::Stopped,
                Ok(None) => Measured::Known,
                Ok(Some(measurement)) => match measurement.run(&stop) {
                    None => Measured::Stopped,
                    Some(true) => Measured::New,
                    Some(false) => Measured::Known,
                },
            };
            drop(running);
            done.end(outcome);
        });
    }

    /// Handles the end of a computation.
    pub(super) fn measured(&mut self, wanted: Wanted, outcome: Measured) {
        self.measuring.is_running = false;
        match outcome {
            Measured::Stopped => {
                costs::want(&self.host.snapshot(), wanted);
                self.measuring.due = Some(Instant::now() + QUIET);
            }
            Measured::Known => self.measuring.begin_soon(),
            Measured::New => {
                let view = self.view();
                let uri = view.snapshot.file(&wanted.file).and_then(|file| view.uri(file));
                if self.client.notifications {
                    self.outbox.notify::<CostsChanged>(&json!({ "uris": uri.into_iter().collect::<Vec<_>>() }));
                }
                self.measuring.begin_soon();
            }
        }
    }
}

/// Reports the end of a computation, even if it fails.
struct MeasuredGuard {
    wanted: Option<Wanted>,
    events: std::sync::mpsc::Sender<Event>,
}

impl MeasuredGuard {
    fn end(mut self, outcome: Measured) {
        self.say(outcome);
    }

    fn say(&mut self, outcome: Measured) {
        if let Some(wanted) = self.wanted.take() {
            // If the owner is gone, nobody waits.
            drop(self.events.send(Event::Measured { wanted, outcome }));
        }
    }
}

impl Drop for MeasuredGuard {
    fn drop(&mut self) {
        self.say(Measured::Known);
    }
}
