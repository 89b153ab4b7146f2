//! Answers in parts: a server-sent event for each, and `[DONE]` at the end.

use std::convert::Infallible;
use std::sync::Arc;

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use tokio::sync::mpsc::{Sender, channel};
use tokio_stream::wrappers::ReceiverStream;

use super::Log;
use super::run::{Run, Step};
use super::shape::{Shape, call_id, probabilities, usage};
use crate::answer::{Delta, Finish};
use crate::server::Shared;

/// The most parts that wait for a client that reads slowly.
const MAX_WAITING: usize = 64;

/// Sends the texts of a request while they grow.
pub(super) fn respond(run: Run, shape: Shape, with_usage: bool, log: Log) -> Response {
    let (events, received) = channel(MAX_WAITING);
    let shared = Arc::clone(run.shared());
    let writer = Writer { number: shared.number(), offsets: vec![0; run.len()], shared, shape, with_usage, events };
    tokio::spawn(writer.write(run, log));
    Sse::new(ReceiverStream::new(received)).keep_alive(KeepAlive::default()).into_response()
}

/// The client has gone away.
struct Gone;

/// Writes the parts of one answer.
struct Writer {
    shared: Arc<Shared>,
    shape: Shape,
    number: u64,
    with_usage: bool,
    /// The characters of each text that were sent.
    offsets: Vec<usize>,
    events: Sender<Result<Event, Infallible>>,
}

impl Writer {
    async fn write(mut self, mut run: Run, mut log: Log) {
        let events = self.events.clone();
        tokio::select! {
            () = events.closed() => {}
            written = self.write_all(&mut run, &mut log) => drop(written),
        }
        log.record.tokens = run.tokens();
    }

    async fn write_all(&mut self, run: &mut Run, log: &mut Log) -> Result<(), Gone> {
        if self.shape == Shape::Chat {
            for index in 0..run.len() {
                self.send(json!([self.chat(index, &json!({ "role": "assistant", "content": "" }))])).await?;
            }
        }
        while let Some(step) = run.next().await {
            match step {
                Ok(step) => {
                    log.record.finish = step.finish.map(Finish::name).or(log.record.finish);
                    self.step(step).await?;
                }
                Err(error) => {
                    log.fail(&error);
                    return self.event(error.body().to_string()).await;
                }
            }
        }
        if self.with_usage {
            let mut body = self.shape.head(&self.shared, self.number, true);
            body.insert("choices".to_owned(), json!([]));
            body.insert("usage".to_owned(), usage(run.prompt_tokens(), run.tokens()));
            self.event(Value::Object(body).to_string()).await?;
        }
        self.event("[DONE]".to_owned()).await
    }

    /// Sends what has become of a text.
    async fn step(&mut self, step: Step) -> Result<(), Gone> {
        let Step { choice, deltas, probabilities: all, finish } = step;
        let offset = self.offsets[choice];
        let mut logprobs = (!all.is_empty()).then(|| probabilities(self.shape, &self.shared.loaded, &all, offset));
        let mut parts: Vec<Value> = deltas.into_iter().map(|delta| self.delta(choice, delta)).collect();
        if parts.is_empty() && logprobs.is_some() {
            parts.push(self.delta(choice, Delta::Content(String::new())));
        }
        if let Some(finish) = finish {
            let mut last = match self.shape {
                Shape::Chat => self.chat(choice, &json!({})),
                Shape::Completion => json!({ "index": choice, "text": "", "logprobs": null }),
            };
            last["finish_reason"] = json!(finish.name());
            parts.push(last);
        }
        for mut part in parts {
            part["logprobs"] = json!(logprobs.take());
            self.send(json!([part])).await?;
        }
        Ok(())
    }

    /// Returns a change of a text as a choice.
    fn delta(&mut self, choice: usize, delta: Delta) -> Value {
        match (self.shape, delta) {
            (Shape::Completion, Delta::Content(text)) => {
                self.offsets[choice] += text.chars().count();
                json!({ "index": choice, "text": text, "logprobs": null, "finish_reason": null })
            }
            (Shape::Chat, Delta::Content(text)) => self.chat(choice, &json!({ "content": text })),
            (_, Delta::CallBegins { index, name }) => {
                let call = json!({
                    "index": index,
                    "id": call_id(self.number, choice, index),
                    "type": "function",
                    "function": { "name": name, "arguments": "" },
                });
                self.chat(choice, &json!({ "tool_calls": [call] }))
            }
            (_, Delta::Arguments { index, text }) => {
                let call = json!({ "index": index, "function": { "arguments": text } });
                self.chat(choice, &json!({ "tool_calls": [call] }))
            }
        }
    }

    fn chat(&self, index: usize, delta: &Value) -> Value {
        json!({ "index": index, "delta": delta, "logprobs": null, "finish_reason": null })
    }

    async fn send(&self, choices: Value) -> Result<(), Gone> {
        let mut body = self.shape.head(&self.shared, self.number, true);
        body.insert("choices".to_owned(), choices);
        self.event(Value::Object(body).to_string()).await
    }

    async fn event(&self, data: String) -> Result<(), Gone> {
        self.events.send(Ok(Event::default().data(data))).await.map_err(|_| Gone)
    }
}
