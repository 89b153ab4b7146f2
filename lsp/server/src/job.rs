//! Requests as jobs: the question, its document, and the channel for the answer.

use always_assert::never;
use ogc_ide::{Cancelled, cancellable};
use tokio::sync::oneshot;
use tower_lsp_server::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp_server::ls_types::Uri;

use crate::failure::Failure;
use crate::pool::Lane;
use crate::view::View;

/// The error response for a request that an edit made stale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stale {
    /// `ContentModified`.
    Modified,
    /// `ServerCancelled` with a retry request: with another error, diagnostics would vanish for a moment.
    AskAgain,
}

impl Stale {
    fn error(self) -> Error {
        match self {
            Self::Modified => Error::new(ErrorCode::ContentModified),
            Self::AskAgain => {
                let message = "the text was edited in the meantime".into();
                let data = Some(serde_json::json!({ "retriggerRequest": true }));
                Error { code: ErrorCode::ServerError(-32802), message, data }
            }
        }
    }
}

/// The condition that a request waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parking {
    /// None.
    Never,
    /// The formats of the roots must have been read.
    Scan,
    /// The formats of the roots must have been read, and something must have changed since the last such request was
    /// answered.
    Change,
    /// The vocabularies that are set must have been read.
    Vocabularies,
}

/// A request on its way through the owner's queue and the pool.
pub(crate) struct Asked {
    /// The document that it is about; `None` for the whole workspace.
    pub(crate) about: Option<Uri>,
    /// The version of that document at the time of the request; `None` before the owner has taken it, and for documents
    /// that are not open.
    pub(crate) version: Option<i32>,
    /// The threads that compute the answer.
    pub(crate) lane: Lane,
    /// The title that people see while the request takes long.
    pub(crate) title: &'static str,
    /// The condition that must hold before the answer is computed.
    pub(crate) parking: Parking,
    /// The computation.
    pub(crate) job: Box<dyn Job>,
}

/// Computes the answer to one request.
pub(crate) trait Job: Send {
    /// Computes and sends the answer.
    ///
    /// # Errors
    /// An edit came in the meantime; then nothing was sent.
    fn run(&mut self, view: &View) -> std::result::Result<(), Cancelled>;

    /// Answers that the text was edited.
    fn refuse(&mut self);
}

/// A function that answers requests.
pub(crate) type Answer<P, R> = fn(&View, P) -> std::result::Result<R, Failure>;

struct Question<P, R> {
    params: P,
    answer: Answer<P, R>,
    stale: Stale,
    reply: Option<oneshot::Sender<Result<R>>>,
}

/// Makes the job of a request, and the channel of its answer.
pub(crate) fn question<P, R>(
    params: P,
    answer: Answer<P, R>,
    stale: Stale,
) -> (Box<dyn Job>, oneshot::Receiver<Result<R>>)
where
    P: Clone + Send + 'static,
    R: Send + 'static,
{
    let (reply, answered) = oneshot::channel();
    (Box::new(Question { params, answer, stale, reply: Some(reply) }), answered)
}

impl<P: Clone + Send, R: Send> Job for Question<P, R> {
    fn run(&mut self, view: &View) -> std::result::Result<(), Cancelled> {
        if self.reply.as_ref().is_none_or(oneshot::Sender::is_closed) {
            return Ok(());
        }
        let params = self.params.clone();
        let answer = cancellable(&view.snapshot, |_| (self.answer)(view, params))?;
        self.send(answer.map_err(Error::from));
        Ok(())
    }

    fn refuse(&mut self) {
        self.send(Err(self.stale.error()));
    }
}

impl<P, R> Question<P, R> {
    fn send(&mut self, answer: Result<R>) {
        let Some(reply) = self.reply.take() else {
            never!("a request is answered twice");
            return;
        };
        // If the request was cancelled, nobody waits for the answer.
        drop(reply.send(answer));
    }
}
