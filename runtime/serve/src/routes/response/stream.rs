//! Responses as a stream of events. The last event has the whole response; there is no `[DONE]`.

use std::convert::Infallible;

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};
use tokio::sync::mpsc::{Sender, channel};
use tokio_stream::wrappers::ReceiverStream;

use super::items::Items;
use super::{ResponseHead, Status, grow, usage};
use crate::answer::Finish;
use crate::api::ApiError;
use crate::log::Log;
use crate::texts::Texts;

/// Maximum number of events that are buffered for a client that reads slowly.
const MAX_WAITING: usize = 64;

/// Sends the text of a request while it grows.
pub(in crate::routes) fn respond(texts: Texts, head: ResponseHead, log: Log) -> Response {
    let (events, received) = channel(MAX_WAITING);
    let writer = Writer { items: head.items(), head, sent: 0, events };
    tokio::spawn(writer.write(texts, log));
    Sse::new(ReceiverStream::new(received)).keep_alive(KeepAlive::default()).into_response()
}

/// Error: the client has disconnected.
struct Gone;

/// Writes the events of one response.
struct Writer {
    head: ResponseHead,
    items: Items,
    /// Number of events sent so far.
    sent: u64,
    events: Sender<Result<Event, Infallible>>,
}

impl Writer {
    async fn write(self, mut texts: Texts, mut log: Log) {
        let events = self.events.clone();
        tokio::select! {
            () = events.closed() => {}
            written = self.write_all(&mut texts, &mut log) => drop(written),
        }
        (log.record.prompt_tokens, log.record.tokens) = (texts.prompt_tokens(), texts.tokens());
    }

    async fn write_all(mut self, texts: &mut Texts, log: &mut Log) -> Result<(), Gone> {
        for name in ["response.created", "response.in_progress"] {
            let response = self.head.body(&Status::InProgress, Vec::new(), None);
            self.send(name, json!({ "response": response })).await?;
        }
        while let Some(step) = texts.next().await {
            let grown = step.and_then(|step| grow(&mut self.items, step));
            let (events, ended) = match grown {
                Ok(grown) => grown,
                Err(error) => return self.fail(error, texts, log).await,
            };
            for (name, fields) in events {
                self.send(name, fields).await?;
            }
            if let Some((finish, report)) = ended {
                log.record.finish = Some(finish.name());
                let items = std::mem::replace(&mut self.items, self.head.items());
                let response = self.head.ended(finish, items, texts, report);
                let is_cut = matches!(finish, Finish::Length | Finish::Filter);
                let name = if is_cut { "response.incomplete" } else { "response.completed" };
                return self.send(name, json!({ "response": response })).await;
            }
        }
        self.fail(ApiError::defect("the text has no end"), texts, log).await
    }

    /// Ends the response with an error.
    async fn fail(mut self, error: ApiError, texts: &Texts, log: &mut Log) -> Result<(), Gone> {
        let error = self.head.named(error);
        log.fail(&error);
        let usage = usage(texts);
        let items = std::mem::replace(&mut self.items, self.head.items());
        let response = self.head.body(&Status::Failed(&error), items.into_values(), Some(usage));
        self.send("response.failed", json!({ "response": response })).await
    }

    /// Sends an event.
    async fn send(&mut self, name: &'static str, fields: Value) -> Result<(), Gone> {
        let mut data = Map::new();
        data.insert("type".to_owned(), json!(name));
        data.insert("sequence_number".to_owned(), json!(self.sent));
        if let Value::Object(fields) = fields {
            data.extend(fields);
        }
        self.sent += 1;
        let event = Event::default().event(name).data(Value::Object(data).to_string());
        self.events.send(Ok(event)).await.map_err(|_| Gone)
    }
}
