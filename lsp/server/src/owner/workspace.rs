//! The roots of the workspace, files that change on the disk, and settings.

use std::collections::BTreeSet;
use std::sync::Arc;

use ogc_ide::Language;
use serde_json::{Value, json};
use tower_lsp_server::ls_types::request::{
    CodeLensRefresh, InlayHintRefreshRequest, RegisterCapability, SemanticTokensRefresh, WorkspaceConfiguration,
    WorkspaceDiagnosticRefresh,
};
use tower_lsp_server::ls_types::{
    ConfigurationItem, ConfigurationParams, FileChangeType, FileEvent, InitializeParams, MessageType, Registration,
    RegistrationParams, Uri, WorkspaceFoldersChangeEvent,
};

use super::Owner;
use crate::disk;
use crate::documents::is_settings;
use crate::event::Event;
use crate::files;
use crate::outbox::FromClient;
use crate::pool::Lane;
use crate::settings::Settings;

/// Glob patterns of the files whose changes on the disk matter.
const WATCHED: [&str; 2] = [files::FORMATS, "**/ogc.toml"];

/// The scan of all roots, which runs in the background.
#[derive(Debug, Default)]
pub(super) struct Scan {
    /// Number of the last scan.
    number: u64,
    is_running: bool,
    /// The names of files that changed since the scan started, so that it may have read an old text.
    touched: BTreeSet<String>,
}

impl Scan {
    /// Returns whether roots are being read.
    pub(super) fn is_running(&self) -> bool {
        self.is_running
    }
}

/// Returns the names of the folders that the client opened.
pub(super) fn roots(params: &InitializeParams) -> Vec<String> {
    let folders = params.workspace_folders.iter().flatten().map(|folder| &folder.uri);
    let mut roots: Vec<String> = folders.filter_map(root).collect();
    if params.workspace_folders.is_none() {
        #[allow(deprecated, reason = "clients without folders say their root so")]
        roots.extend(params.root_uri.as_ref().and_then(root));
    }
    roots
}

fn root(uri: &Uri) -> Option<String> {
    let name = files::name(uri);
    files::is_on_disk(&name).then_some(name)
}

impl Owner {
    /// Sets the root folders, which are read once the client is ready.
    pub(super) fn set_roots(&mut self, mut roots: Vec<String>) {
        roots.sort();
        roots.dedup();
        self.roots = Arc::new(roots);
    }

    /// Starts the work that needs a ready client.
    pub(super) fn initialized(&mut self) {
        if self.client.watches_files {
            let watchers: Vec<Value> = WATCHED.iter().map(|glob| json!({ "globPattern": glob })).collect();
            let registration = Registration {
                id: "ogc/watch".to_owned(),
                method: "workspace/didChangeWatchedFiles".to_owned(),
                register_options: Some(json!({ "watchers": watchers })),
            };
            let params = RegistrationParams { registrations: vec![registration] };
            self.outbox.request::<RegisterCapability>(&params, FromClient::Nothing);
        }
        let first = self.first_settings.take().unwrap_or_default();
        self.set_settings(&first);
        self.ask_for_settings();
        self.begin_scan();
    }

    fn begin_scan(&mut self) {
        if self.roots.is_empty() {
            return;
        }
        self.scan.number += 1;
        self.scan.is_running = true;
        self.scan.touched.clear();
        let (roots, events, scan) = (Arc::clone(&self.roots), self.events.clone(), self.scan.number);
        let running = self.tasks.begin("Reading formats", &self.events);
        self.pool.run(Lane::Long, move || {
            let files = disk::scan(&roots);
            drop(running);
            drop(events.send(Event::Scanned { files, scan }));
        });
    }

    /// Receives the files of the roots. Files that are open, or that changed in the meantime, are skipped.
    pub(super) fn scanned(&mut self, files: Vec<(String, String)>, scan: u64) {
        if scan != self.scan.number {
            return;
        }
        self.scan.is_running = false;
        let (settings, files): (Vec<_>, Vec<_>) = files.into_iter().partition(|(name, _)| is_settings(name));
        let touched = std::mem::take(&mut self.scan.touched);
        let is_news = |name: &String| !self.documents.contains_key(name) && !touched.contains(name);
        let files: Vec<(String, String)> = files.into_iter().filter(|(name, _)| is_news(name)).collect();
        for (name, text) in settings.into_iter().filter(|(name, _)| is_news(name)) {
            self.host.set_settings_file(&name, &text);
            self.looked_for.insert(name);
        }
        let names: Vec<String> = files.iter().map(|(name, _)| name.clone()).collect();
        self.host.set_files(files.into_iter().map(|(name, text)| (name, text, Language::Ogc)));
        names.iter().for_each(|name| self.imports_changed(name));
        self.changed_outside();
    }

    /// Handles changes of files on the disk.
    pub(super) fn watched(&mut self, changes: Vec<FileEvent>) {
        for change in changes {
            let name = files::name(&change.uri);
            if change.typ == FileChangeType::DELETED {
                self.folder_deleted(&name);
            }
            self.disk_changed(name);
        }
    }

    /// If the name is a deleted folder, marks all files below it as gone, because clients do not name each file.
    fn folder_deleted(&mut self, folder: &str) {
        let below = self.names().into_iter().filter(|name| files::is_below(name, folder));
        below.for_each(|name| self.disk_changed(name));
    }

    fn disk_changed(&mut self, name: String) {
        if self.scan.is_running {
            self.scan.touched.insert(name.clone());
        }
        self.dirty.insert(name);
        self.changed_outside();
    }

    fn changed_outside(&mut self) {
        self.changes.any = true;
        self.changes.outside = true;
    }

    pub(super) fn names(&self) -> Vec<String> {
        let snapshot = self.host.snapshot();
        snapshot.files().into_iter().map(|file| snapshot.name(file).to_owned()).collect()
    }

    /// Checks for imported files that were missing: a client that watches no files does not report when they appear.
    pub(super) fn saved(&mut self) {
        if !self.client.watches_files {
            for name in self.host.missing_imports() {
                self.disk_changed(name);
            }
        }
    }

    /// Adds and removes roots.
    pub(super) fn folders(&mut self, change: WorkspaceFoldersChangeEvent) {
        let removed: Vec<String> = change.removed.iter().filter_map(|folder| root(&folder.uri)).collect();
        let mut roots: Vec<String> = self.roots.iter().filter(|root| !removed.contains(root)).cloned().collect();
        roots.extend(change.added.iter().filter_map(|folder| root(&folder.uri)));
        self.set_roots(roots);
        // Files of removed roots are dropped, unless something else needs them.
        self.dirty.extend(self.names());
        self.changed_outside();
        self.begin_scan();
    }

    fn ask_for_settings(&mut self) {
        if self.client.configuration {
            let items = vec![ConfigurationItem { scope_uri: None, section: Some("ogc".to_owned()) }];
            self.outbox.request::<WorkspaceConfiguration>(&ConfigurationParams { items }, FromClient::Settings);
        }
    }

    /// Handles a change of the editor's settings: some clients send the new settings, others must be asked.
    pub(super) fn configuration(&mut self, settings: Value) {
        if self.client.configuration {
            self.ask_for_settings();
        } else if let Some(settings) = settings.get("ogc") {
            self.set_settings(settings);
        }
    }

    /// Receives the client's settings.
    pub(super) fn settings_answered(&mut self, answer: Option<Value>) {
        if let Some(settings) = answer.as_ref().and_then(|answer| answer.get(0)) {
            self.set_settings(settings);
        }
    }

    /// Applies settings of the editor.
    fn set_settings(&mut self, said: &Value) {
        let (settings, mistakes) = Settings::read(said);
        for mistake in mistakes {
            self.say(MessageType::WARNING, &mistake);
        }
        self.host.set_editor_vocabularies(settings.vocabularies.clone());
        if *self.settings != settings {
            self.settings = Arc::new(settings);
            self.changed_outside();
        }
    }

    /// Asks the client to request its results again, because something changed that it does not know of.
    pub(super) fn refresh(&mut self) {
        let (outbox, refreshes) = (&self.outbox, self.client.refreshes);
        if self.client.pulls_diagnostics && self.client.refreshes_diagnostics {
            outbox.request::<WorkspaceDiagnosticRefresh>(&(), FromClient::Nothing);
        }
        if refreshes.tokens {
            outbox.request::<SemanticTokensRefresh>(&(), FromClient::Nothing);
        }
        if refreshes.hints {
            outbox.request::<InlayHintRefreshRequest>(&(), FromClient::Nothing);
        }
        if refreshes.lenses {
            outbox.request::<CodeLensRefresh>(&(), FromClient::Nothing);
        }
    }
}
