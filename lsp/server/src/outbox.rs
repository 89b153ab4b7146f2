//! What goes to the client: answers, notifications, and requests whose answers come as events, if ever.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedSender;
use tower_lsp_server::ls_types::notification::Notification;
use tower_lsp_server::ls_types::request::Request;

use crate::task_id::TaskId;

/// The most requests whose answers are waited for. A client that never answers makes the oldest be forgotten.
const WAITING: usize = 1_000;

/// What a request to the client was about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FromClient {
    /// The answer changes nothing.
    Nothing,
    /// The settings of the editor.
    Settings,
    /// Whether the progress of a task may be shown.
    Progress(TaskId),
}

/// The way to the client. Everything is written in the order in which it was put in.
#[derive(Clone)]
pub(crate) struct Outbox {
    messages: UnboundedSender<Outgoing>,
    waiting: Arc<Mutex<Waiting>>,
}

/// What is written.
pub(crate) enum Outgoing {
    /// A message.
    Message(Value),
    /// Nothing more.
    End,
}

/// Requests that the client has not answered yet.
#[derive(Default)]
struct Waiting {
    last: u64,
    by_id: BTreeMap<u64, FromClient>,
}

impl Outbox {
    /// Makes an outbox whose messages are taken out at the other end.
    pub(crate) fn new(messages: UnboundedSender<Outgoing>) -> Self {
        Self { messages, waiting: Arc::default() }
    }

    /// Sends a message as it is.
    pub(crate) fn send(&self, message: Value) {
        // The other end is gone when the client is; then there is nobody to tell.
        drop(self.messages.send(Outgoing::Message(message)));
    }

    /// Ends the writing, after all that was sent before.
    pub(crate) fn end(&self) {
        drop(self.messages.send(Outgoing::End));
    }

    /// Sends a notification.
    pub(crate) fn notify<N: Notification>(&self, params: &N::Params) {
        self.send(json!({ "jsonrpc": "2.0", "method": N::METHOD, "params": params }));
    }

    /// Sends a request; `answer` says what its answer is about, when it comes.
    pub(crate) fn request<R: Request>(&self, params: &R::Params, answer: FromClient) {
        let id = {
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            waiting.last += 1;
            let id = waiting.last;
            waiting.by_id.insert(id, answer);
            if waiting.by_id.len() > WAITING {
                waiting.by_id.pop_first();
            }
            id
        };
        self.send(json!({ "jsonrpc": "2.0", "id": id, "method": R::METHOD, "params": params }));
    }

    /// Returns what the client's answer is about, and the result, `None` for an error; `None` for an answer to no request.
    pub(crate) fn answered(&self, response: &Value) -> Option<(FromClient, Option<Value>)> {
        let id = response.get("id").and_then(Value::as_u64)?;
        let about = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).by_id.remove(&id)?;
        let result = response.get("result").filter(|_| response.get("error").is_none()).cloned();
        Some((about, result))
    }
}
