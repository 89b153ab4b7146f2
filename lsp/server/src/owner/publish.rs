//! Pushes findings to clients that do not pull them: for all open documents after each batch of edits, each with the
//! document's version. If lints take long, the findings of stages are sent first.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use always_assert::never;
use ogc_ide::cancellable;
use tower_lsp_server::ls_types::notification::PublishDiagnostics;
use tower_lsp_server::ls_types::{Diagnostic, PublishDiagnosticsParams, Uri};

use super::Owner;
use crate::event::{DocumentFindings, Event};
use crate::outbox::Outbox;
use crate::pool::Lane;
use crate::requests::diagnostic::{self, Find};
use crate::view::{Opened, View};

/// Maximum time for which the findings of stages wait for those of lints.
const LINTS_TAKE: Duration = Duration::from_millis(150);

/// The published findings, and those that are still to be published.
#[derive(Default)]
pub(super) struct Publisher {
    /// Number of the last batch; older batches stop.
    round: Arc<AtomicU64>,
    /// The documents edited since the last batch; their findings come first.
    edited: BTreeSet<String>,
    /// The findings that the client has, with the document's version.
    published: BTreeMap<String, (i32, Vec<Diagnostic>)>,
    /// Findings that wait for those of lints, each with its deadline.
    held: BTreeMap<String, (Instant, DocumentFindings)>,
}

impl Publisher {
    /// Returns the earliest deadline of held findings.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.held.values().map(|(until, _)| *until).min()
    }

    /// Notes that a document was edited.
    pub(super) fn edited(&mut self, name: &str) {
        self.edited.insert(name.to_owned());
    }

    /// Clears the findings of a closed document.
    pub(super) fn closed(&mut self, name: &str, uri: Uri, outbox: &Outbox) {
        self.held.remove(name);
        if self.published.remove(name).is_some_and(|(_, found)| !found.is_empty()) {
            let params = PublishDiagnosticsParams { uri, diagnostics: Vec::new(), version: None };
            outbox.notify::<PublishDiagnostics>(&params);
        }
    }
}

impl Owner {
    /// Starts to compute the findings of all open documents.
    pub(super) fn publish(&mut self) {
        let edited = std::mem::take(&mut self.publisher.edited);
        if self.client.pulls_diagnostics || self.open.is_empty() {
            return;
        }
        self.publish_other();
        let (before, after): (Vec<String>, Vec<String>) =
            self.open.keys().cloned().partition(|name| edited.contains(name));
        let names = before.into_iter().chain(after).collect();
        let number = self.publisher.round.fetch_add(1, Ordering::Relaxed) + 1;
        let current = Arc::clone(&self.publisher.round);
        let (view, events) = (self.view(), self.events.clone());
        let running = self.tasks.begin("Checking", &self.events);
        self.pool.run(Lane::Long, move || {
            let round = Round { number, current, view, names, events };
            round.run();
            drop(running);
        });
    }

    /// Returns whether there may be findings of a document: it is a format, or an `ogc.toml`.
    fn has_findings(&self, name: &str) -> bool {
        self.host.file(name).is_some() || self.open.get(name).is_some_and(|opened| opened.settings.is_some())
    }

    /// Clears the findings of documents that are no longer formats.
    fn publish_other(&mut self) {
        let others: Vec<String> =
            self.publisher.published.keys().filter(|name| !self.has_findings(name)).cloned().collect();
        for name in others {
            if let Some(opened) = self.open.get(&name) {
                self.publisher.closed(&name, opened.uri.clone(), &self.outbox);
            }
        }
    }

    /// Receives the findings of a document; they are sent unless the document was edited since.
    pub(super) fn found(&mut self, found: DocumentFindings) {
        if self.open.get(&found.name).is_none_or(|opened| opened.version != found.version) {
            return;
        }
        if found.with_lints {
            self.publisher.held.remove(&found.name);
            self.send_found(found);
        } else {
            let until = Instant::now() + LINTS_TAKE;
            self.publisher.held.entry(found.name.clone()).or_insert((until, found));
        }
    }

    /// Sends the held findings whose deadline has passed.
    pub(super) fn publish_held(&mut self, now: Instant) {
        let due = self.publisher.held.iter().filter(|(_, (until, _))| *until <= now);
        let due: Vec<String> = due.map(|(name, _)| name.clone()).collect();
        for name in due {
            let Some((_, found)) = self.publisher.held.remove(&name) else {
                never!("the findings of {} are not held", name);
                continue;
            };
            self.send_found(found);
        }
    }

    fn send_found(&mut self, found: DocumentFindings) {
        let Some(opened) = self.open.get(&found.name).filter(|opened| opened.version == found.version) else { return };
        let (uri, new) = (opened.uri.clone(), (found.version, found.diagnostics));
        if self.publisher.published.get(&found.name) == Some(&new) {
            return;
        }
        let params = PublishDiagnosticsParams { uri, diagnostics: new.1.clone(), version: Some(new.0) };
        self.outbox.notify::<PublishDiagnostics>(&params);
        self.publisher.published.insert(found.name, new);
    }
}

/// One batch of documents.
struct Round {
    number: u64,
    current: Arc<AtomicU64>,
    view: View,
    names: Vec<String>,
    events: Sender<Event>,
}

impl Round {
    fn run(&self) {
        self.find(diagnostic::of_stages, false);
        self.find(diagnostic::all, true);
    }

    fn find(&self, find: Find, with_lints: bool) {
        for name in &self.names {
            if self.current.load(Ordering::Relaxed) != self.number {
                return;
            }
            let Some(Opened { uri, version, .. }) = self.view.open.get(name) else {
                never!("{} is not open in the view of its batch", name);
                continue;
            };
            let is_known = self.view.file(uri).is_some() || self.view.settings_file(uri).is_some();
            if !is_known {
                continue;
            }
            let found = cancellable(&self.view.snapshot, |_| diagnostic::of_document(&self.view, uri, find));
            // The edit that cancels this also starts another batch.
            let Ok(diagnostics) = found else { return };
            let version = *version;
            let found = DocumentFindings { name: name.clone(), version, diagnostics, with_lints };
            drop(self.events.send(Event::DocumentFindings(found)));
        }
    }
}
