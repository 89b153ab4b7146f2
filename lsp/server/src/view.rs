//! The input of an answer: a snapshot of the database, the open documents and the client's capabilities.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ogc_ide::{Snapshot, SourceFile};
use tower_lsp_server::ls_types::Uri;

use crate::client::Client;
use crate::files;
use crate::last_tokens::LastTokens;
use crate::outbox::Outbox;
use crate::settings::Settings;

/// A snapshot of the owner's state, from which requests are answered.
#[derive(Clone)]
pub(crate) struct View {
    /// The database.
    pub(crate) snapshot: Snapshot,
    /// The client's capabilities.
    pub(crate) client: Arc<Client>,
    /// The open documents by name.
    pub(crate) open: Arc<BTreeMap<String, Opened>>,
    /// The folders of the workspace.
    pub(crate) roots: Arc<Vec<String>>,
    /// The last semantic tokens that the client has.
    pub(crate) tokens: Arc<LastTokens>,
    /// The settings of the editor.
    pub(crate) settings: Arc<Settings>,
    /// The queue of messages to the client, for messages to the user.
    pub(crate) outbox: Outbox,
    /// A counter for seeds of random results.
    pub(crate) seeds: Arc<AtomicU64>,
}

/// An open document, without its text.
#[derive(Clone, Debug)]
pub(crate) struct Opened {
    /// URI of the document, in the client's spelling.
    pub(crate) uri: Uri,
    /// Version of the document.
    pub(crate) version: i32,
    /// Text of the document, if it is an `ogc.toml`. The database has the texts of formats.
    pub(crate) settings: Option<Arc<str>>,
}

impl View {
    /// Returns the file of a document, if it is a format.
    pub(crate) fn file(&self, uri: &Uri) -> Option<SourceFile> {
        self.snapshot.file(&files::name(uri))
    }

    /// Returns the URI of a file; `None` for files that no editor can open.
    pub(crate) fn uri(&self, file: SourceFile) -> Option<Uri> {
        let name = self.snapshot.name(file);
        self.open.get(name).map(|opened| opened.uri.clone()).or_else(|| files::uri(name))
    }

    /// Returns the text of a document that is an open `ogc.toml`.
    pub(crate) fn settings_file(&self, uri: &Uri) -> Option<Arc<str>> {
        self.open.get(&files::name(uri))?.settings.clone()
    }

    /// Returns a new number at each call.
    pub(crate) fn next_seed(&self) -> u64 {
        self.seeds.fetch_add(1, Ordering::Relaxed)
    }

    /// Returns the version of a file's document, if it is open.
    pub(crate) fn version(&self, file: SourceFile) -> Option<i32> {
        self.open.get(self.snapshot.name(file)).map(|opened| opened.version)
    }
}
