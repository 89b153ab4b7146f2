//! Streamed answers: a server-sent event for each chunk, and `[DONE]` at the end.

use std::collections::BTreeMap;
use std::convert::Infallible;

use always_assert::never;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use tokio::sync::mpsc::{Sender, channel};
use tokio_stream::wrappers::ReceiverStream;

use super::shape::{Head, call_id, usage};
use crate::answer::{Delta, Finish};
use crate::api::{CallForm, Shape};
use crate::call_syntax::ToolKind;
use crate::log::Log;
use crate::texts::{Step, Texts};

/// Maximum number of chunks that are buffered for a client that reads slowly.
const MAX_WAITING: usize = 64;

/// Sends the texts of a request while they grow.
pub(super) fn respond(texts: Texts, head: Head, with_usage: bool, log: Log) -> Response {
    let (events, received) = channel(MAX_WAITING);
    let writer = Writer { head, with_usage, begun: BTreeMap::new(), events };
    tokio::spawn(writer.write(texts, log));
    Sse::new(ReceiverStream::new(received)).keep_alive(KeepAlive::default()).into_response()
}

/// Error: the client has disconnected.
struct Gone;

/// Writes the chunks of one answer.
struct Writer {
    head: Head,
    with_usage: bool,
    /// Kinds of the calls that began, by choice and number of the call.
    begun: BTreeMap<(usize, usize), ToolKind>,
    events: Sender<Result<Event, Infallible>>,
}

impl Writer {
    async fn write(mut self, mut texts: Texts, mut log: Log) {
        let events = self.events.clone();
        tokio::select! {
            () = events.closed() => {}
            written = self.write_all(&mut texts, &mut log) => drop(written),
        }
        (log.record.prompt_tokens, log.record.tokens) = (texts.prompt_tokens(), texts.tokens());
    }

    async fn write_all(&mut self, texts: &mut Texts, log: &mut Log) -> Result<(), Gone> {
        if self.head.shape == Shape::Chat {
            for index in 0..texts.len() {
                self.send(json!([self.chat(index, &json!({ "role": "assistant", "content": "" }))])).await?;
            }
        }
        while let Some(step) = texts.next().await {
            match step {
                Ok(step) => {
                    log.record.finish = step.finish.map(Finish::name).or(log.record.finish);
                    self.step(step).await?;
                }
                Err(error) => {
                    let error = error.in_request(&self.head.format_fields);
                    log.fail(&error);
                    return self.event(error.body().to_string()).await;
                }
            }
        }
        if self.with_usage {
            self.send_with(json!([]), usage(texts)).await?;
        }
        self.event("[DONE]".to_owned()).await
    }

    /// Sends a step of a text.
    async fn step(&mut self, step: Step) -> Result<(), Gone> {
        let Step { choice, deltas, mut logprobs, finish, report } = step;
        let mut parts: Vec<Value> = deltas.into_iter().map(|delta| self.delta(choice, delta)).collect();
        if parts.is_empty() && logprobs.is_some() {
            parts.push(self.delta(choice, Delta::Content(String::new())));
        }
        if let Some(finish) = finish {
            let mut last = match self.head.shape {
                Shape::Chat => self.chat(choice, &json!({})),
                Shape::Completion => json!({ "index": choice, "text": "", "logprobs": null }),
            };
            last["finish_reason"] = json!(self.head.finish(finish));
            if let Some(report) = report {
                last["ogc"] = report;
            }
            parts.push(last);
        }
        for mut part in parts {
            part["logprobs"] = json!(logprobs.take());
            self.send(json!([part])).await?;
        }
        Ok(())
    }

    /// Returns a change of a text as a choice of a chunk.
    fn delta(&mut self, choice: usize, delta: Delta) -> Value {
        match (self.head.shape, delta) {
            (Shape::Completion, Delta::Content(text)) => {
                json!({ "index": choice, "text": text, "logprobs": null, "finish_reason": null })
            }
            (Shape::Chat, Delta::Content(text)) => self.chat(choice, &json!({ "content": text })),
            (Shape::Chat, Delta::Events(events)) => {
                let mut part = self.chat(choice, &json!({}));
                part["events"] = json!(events);
                part
            }
            (Shape::Completion, Delta::Events(events)) => {
                json!({ "index": choice, "text": "", "events": events, "finish_reason": null })
            }
            (_, Delta::OtherField { field, text }) => self.chat(choice, &json!({ field: text })),
            (_, Delta::CallBegins { name, .. }) if self.head.call_form == CallForm::Function => {
                self.chat(choice, &json!({ "function_call": { "name": name, "arguments": "" } }))
            }
            (_, Delta::Arguments { text, .. }) if self.head.call_form == CallForm::Function => {
                self.chat(choice, &json!({ "function_call": { "arguments": text } }))
            }
            (_, Delta::CallBegins { index, kind, name }) => {
                let call = json!({
                    "index": index,
                    "id": call_id(self.head.number, choice, index),
                    "type": kind.name(),
                    kind.name(): { "name": name, kind.field(): "" },
                });
                self.begun.insert((choice, index), kind);
                self.chat(choice, &json!({ "tool_calls": [call] }))
            }
            (_, Delta::Arguments { index, text }) => {
                let Some(kind) = self.begun.get(&(choice, index)) else {
                    never!("call {} goes on, and has not begun", index);
                    return self.chat(choice, &json!({}));
                };
                let call = json!({ "index": index, kind.name(): { kind.field(): text } });
                self.chat(choice, &json!({ "tool_calls": [call] }))
            }
        }
    }

    fn chat(&self, index: usize, delta: &Value) -> Value {
        json!({ "index": index, "delta": delta, "logprobs": null, "finish_reason": null })
    }

    async fn send(&self, choices: Value) -> Result<(), Gone> {
        self.send_with(choices, Value::Null).await
    }

    /// Sends a chunk. If one chunk has the usage, all chunks have a field for it.
    async fn send_with(&self, choices: Value, usage: Value) -> Result<(), Gone> {
        let mut body = self.head.fields(true);
        body.insert("choices".to_owned(), choices);
        if self.with_usage {
            body.insert("usage".to_owned(), usage);
        }
        self.event(Value::Object(body).to_string()).await
    }

    async fn event(&self, data: String) -> Result<(), Gone> {
        self.events.send(Ok(Event::default().data(data))).await.map_err(|_| Gone)
    }
}
