//! The JSON of responses: one text as a list of items, sent at once or as events while it grows.

mod items;
mod stream;

pub(super) use stream::respond;

use serde_json::{Map, Value, json};

use crate::answer::Finish;
use crate::api::{ApiError, Echo, FormatFields};
use crate::log::Log;
use crate::shared::now;
use crate::texts::{Step, Texts};
use items::{ItemEvent, Items};

/// Fields that all states of a response share.
#[derive(Debug)]
pub(super) struct ResponseHead {
    /// The model's name.
    pub(super) model: String,
    /// The number of the request.
    number: u64,
    /// Time of creation, in seconds since 1970.
    created: u64,
    /// Fields of the request that the response repeats.
    echo: Echo,
    /// The fields of the request that its format came from.
    pub(super) format_fields: FormatFields,
}

/// Status of a response.
enum Status<'a> {
    InProgress,
    Ended(Finish),
    Failed(&'a ApiError),
}

impl ResponseHead {
    pub(super) fn new(model: String, number: u64, echo: Echo, format_fields: FormatFields) -> Self {
        Self { model, number, created: now().as_secs(), echo, format_fields }
    }

    /// Returns an empty list of items.
    fn items(&self) -> Items {
        Items::new(self.number, self.echo.namespaces.clone())
    }

    /// Returns an error that names fields as in the request.
    pub(super) fn named(&self, error: ApiError) -> ApiError {
        error.in_request(&self.format_fields).in_response()
    }

    /// Returns the response so far.
    fn body(&self, status: &Status<'_>, output: Vec<Value>, usage: Option<Value>) -> Map<String, Value> {
        let (name, completed, incomplete, error) = match status {
            Status::InProgress => ("in_progress", None, None, None),
            Status::Ended(Finish::Length) => ("incomplete", None, Some("max_output_tokens"), None),
            Status::Ended(Finish::Filter) => ("incomplete", None, Some("content_filter"), None),
            Status::Ended(Finish::Stop | Finish::ToolCalls) => ("completed", Some(now().as_secs()), None, None),
            Status::Failed(error) => ("failed", None, None, Some(error)),
        };
        let mut body = Map::new();
        let mut insert = |name: &str, value: Value| drop(body.insert(name.to_owned(), value));
        insert("id", json!(format!("resp_{:08}", self.number)));
        insert("object", json!("response"));
        insert("created_at", json!(self.created));
        insert("status", json!(name));
        insert("completed_at", json!(completed));
        insert(
            "error",
            error.map_or(Value::Null, |error| json!({ "code": "server_error", "message": error.message() })),
        );
        insert("incomplete_details", incomplete.map_or(Value::Null, |reason| json!({ "reason": reason })));
        insert("model", json!(self.model));
        insert("output", Value::Array(output));
        insert("usage", json!(usage));
        self.echo.fields.iter().for_each(|(name, value)| insert(name, value.clone()));
        body
    }

    /// Returns the response after its text has ended.
    fn ended(&self, finish: Finish, items: Items, texts: &Texts, report: Option<Value>) -> Map<String, Value> {
        let usage = usage(texts);
        let mut body = self.body(&Status::Ended(finish), items.into_values(), Some(usage));
        if let Some(report) = report {
            body.insert("ogc".to_owned(), report);
        }
        body
    }
}

/// Returns the usage of a response.
fn usage(texts: &Texts) -> Value {
    let (input, output) = (texts.prompt_tokens(), texts.tokens());
    json!({
        "input_tokens": input,
        "input_tokens_details": { "cached_tokens": texts.cached_tokens().unwrap_or(0), "cache_write_tokens": 0 },
        "output_tokens": output,
        "output_tokens_details": { "reasoning_tokens": 0 },
        "total_tokens": input + output,
    })
}

/// Waits for the text to end, and returns the response.
pub(super) async fn collect(mut texts: Texts, head: &ResponseHead, log: &mut Log) -> Result<Value, ApiError> {
    let mut items = head.items();
    while let Some(step) = texts.next().await {
        log.record.tokens = texts.tokens();
        let (_, ended) = grow(&mut items, step?)?;
        if let Some((finish, report)) = ended {
            log.record.prompt_tokens = texts.prompt_tokens();
            log.record.finish = Some(finish.name());
            return Ok(Value::Object(head.ended(finish, items, &texts, report)));
        }
    }
    Err(ApiError::defect("the text has no end"))
}

/// Reason why a text ended, and the verification report for another server's text.
type Ended = (Finish, Option<Value>);

/// Adds a step of the text to the items; returns the events, and the end of the text if it ended.
fn grow(items: &mut Items, step: Step) -> Result<(Vec<ItemEvent>, Option<Ended>), ApiError> {
    let Step { deltas, logprobs, finish, report, .. } = step;
    let mut events = Vec::new();
    items.expect(logprobs);
    for delta in deltas {
        items.add(delta, &mut events)?;
    }
    let ended = finish.map(|finish| {
        items.end(finish, &mut events);
        (finish, report)
    });
    Ok((events, ended))
}
