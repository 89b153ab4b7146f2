//! Events in order: the queue between handlers, threads and the owner of the database.

use ogc_ide::costs::Wanted;
use ogc_ide::vocabulary::Loaded;
use serde_json::Value;
use tokio::sync::oneshot;
use tower_lsp_server::ls_types::{
    Diagnostic, DidChangeTextDocumentParams, DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, FileEvent, InitializeParams, InitializeResult,
};

use crate::job::Asked;
use crate::outbox::FromClient;
use crate::task_id::TaskId;

/// One event.
pub(crate) enum Event {
    /// The client initializes the server.
    Initialize {
        /// Parameters of the request.
        params: Box<InitializeParams>,
        /// Receives the server's capabilities.
        reply: oneshot::Sender<InitializeResult>,
    },
    /// The client is ready for requests.
    Initialized,
    /// A document was opened.
    Opened(DidOpenTextDocumentParams),
    /// A document was edited.
    Changed(DidChangeTextDocumentParams),
    /// A document was saved.
    Saved,
    /// A document was closed.
    Closed(DidCloseTextDocumentParams),
    /// Files changed on the disk.
    Watched(Vec<FileEvent>),
    /// Roots were added or removed.
    Folders(DidChangeWorkspaceFoldersParams),
    /// Settings of the editor changed.
    Configuration(Value),
    /// The client sent a request.
    Ask(Asked),
    /// An edit cancelled a job.
    Cancelled(Asked),
    /// A task is done.
    Done(TaskId),
    /// Findings of a document are known.
    DocumentFindings(DocumentFindings),
    /// Files of roots were read.
    Scanned {
        /// Names and texts.
        files: Vec<(String, String)>,
        /// The number of the scan.
        scan: u64,
    },
    /// A vocabulary was loaded, or cannot be loaded.
    Vocabulary {
        /// Its name in settings.
        name: String,
        /// The vocabulary.
        loaded: Loaded,
    },
    /// An answer lacked the costs of masks.
    Wanted,
    /// The computation of masks ended.
    Measured {
        /// The masks that were computed.
        wanted: Wanted,
        /// Outcome of the computation.
        outcome: Measured,
    },
    /// The settings of the last edited document are known.
    Facts {
        /// Its vocabularies.
        vocabularies: Vec<String>,
        /// The budget of its outputs, in words.
        budget: Option<String>,
    },
    /// The client answered a request.
    Answered {
        /// Subject of the request.
        about: FromClient,
        /// The result; `None` for an error.
        result: Option<Value>,
    },
    /// The client is gone.
    Stop,
}

/// The outcome of a computation of masks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measured {
    /// The figures are new.
    New,
    /// The figures are as they were, or there are none.
    Known,
    /// An edit stopped it.
    Stopped,
}

/// The findings of a document.
pub(crate) struct DocumentFindings {
    /// The name of the file.
    pub(crate) name: String,
    /// The version of the document.
    pub(crate) version: i32,
    /// The findings, in the protocol's form.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Whether the lints had run, so that their findings are among these.
    pub(crate) with_lints: bool,
}
