//! Messages to the client: answers, notifications, and requests whose answers arrive as events, if ever.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedSender;
use tower_lsp_server::ls_types::notification::Notification;
use tower_lsp_server::ls_types::request::Request;

use crate::task_id::TaskId;

/// Cap on unanswered requests to the client; beyond it the oldest is dropped.
const WAITING: usize = 1_000;

/// The subject of a request to the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FromClient {
    /// The answer changes nothing.
    Nothing,
    /// The question for the editor's settings.
    Settings,
    /// The question whether the progress of a task may be shown.
    Progress(TaskId),
}

/// The queue of messages to the client. They are written in the order in which they were added.
#[derive(Clone)]
pub(crate) struct Outbox {
    messages: UnboundedSender<Outgoing>,
    waiting: Arc<Mutex<Waiting>>,
}

/// An entry of the queue.
pub(crate) enum Outgoing {
    /// A message.
    Message(Value),
    /// The end: nothing more is written.
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
        // The receiver is gone once the client has disconnected; then nobody needs the message.
        drop(self.messages.send(Outgoing::Message(message)));
    }

    /// Closes the queue: the writer ends once it has written all earlier messages.
    pub(crate) fn end(&self) {
        drop(self.messages.send(Outgoing::End));
    }

    /// Sends a notification.
    pub(crate) fn notify<N: Notification>(&self, params: &N::Params) {
        self.send(json!({ "jsonrpc": "2.0", "method": N::METHOD, "params": params }));
    }

    /// Sends a request; `answer` is the subject of its answer.
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

    /// Returns the subject of the client's answer, and the result (`None` for an error); `None` if the answer belongs
    /// to no request.
    pub(crate) fn answered(&self, response: &Value) -> Option<(FromClient, Option<Value>)> {
        let id = response.get("id").and_then(Value::as_u64)?;
        let about = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).by_id.remove(&id)?;
        let result = response.get("result").filter(|_| response.get("error").is_none()).cloned();
        Some((about, result))
    }
}
