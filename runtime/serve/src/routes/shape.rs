//! The JSON of answers with choices, sent at once or as a stream.

use always_assert::never;
use serde_json::{Map, Value, json};

use crate::answer::{Delta, Finish};
use crate::api::{ApiError, CallForm, FormatFields, Shape};
use crate::call_syntax::ToolKind;
use crate::log::Log;
use crate::shared::now;
use crate::texts::{Texts, logprobs};

/// Fields with which all chunks of an answer begin.
#[derive(Clone, Debug)]
pub(super) struct Head {
    pub(super) shape: Shape,
    pub(super) call_form: CallForm,
    /// The model's name.
    pub(super) model: String,
    /// The number of the request.
    pub(super) number: u64,
    /// The fields of the request that its format came from.
    pub(super) format_fields: FormatFields,
}

impl Head {
    /// Returns the name of the reason why a text ended.
    pub(super) fn finish(&self, finish: Finish) -> &'static str {
        match (finish, self.call_form) {
            (Finish::ToolCalls, CallForm::Function) => "function_call",
            (finish, _) => finish.name(),
        }
    }

    /// Returns the common fields of an answer, or of a chunk.
    pub(super) fn fields(&self, is_part: bool) -> Map<String, Value> {
        let (prefix, object) = match (self.shape, is_part) {
            (Shape::Chat, false) => ("chatcmpl", "chat.completion"),
            (Shape::Chat, true) => ("chatcmpl", "chat.completion.chunk"),
            (Shape::Completion, _) => ("cmpl", "text_completion"),
        };
        let mut head = Map::new();
        head.insert("id".to_owned(), json!(format!("{prefix}-{:08}", self.number)));
        head.insert("object".to_owned(), json!(object));
        head.insert("created".to_owned(), json!(now().as_secs()));
        head.insert("model".to_owned(), json!(self.model));
        head
    }
}

/// Returns the usage of texts.
pub(super) fn usage(texts: &Texts) -> Value {
    let (prompt_tokens, tokens) = (texts.prompt_tokens(), texts.tokens());
    let mut usage =
        json!({ "prompt_tokens": prompt_tokens, "completion_tokens": tokens, "total_tokens": prompt_tokens + tokens });
    if let Some(cached) = texts.cached_tokens() {
        usage["prompt_tokens_details"] = json!({ "cached_tokens": cached });
    }
    usage
}

/// Returns the identifier of a call.
pub(super) fn call_id(number: u64, choice: usize, index: usize) -> String {
    format!("call_{number:08}_{choice}_{index}")
}

/// A call in an answer that is sent at once.
#[derive(Debug)]
struct CollectedCall {
    kind: ToolKind,
    name: String,
    input: String,
}

/// One text of an answer that is sent at once.
#[derive(Debug, Default)]
struct CollectedChoice {
    content: String,
    /// Fields beside the content that another server sent.
    beside: Map<String, Value>,
    calls: Vec<CollectedCall>,
    logprobs: Option<Value>,
    finish: Option<Finish>,
    report: Option<Value>,
}

impl CollectedChoice {
    fn add(&mut self, delta: Delta) {
        match delta {
            Delta::Content(text) => self.content.push_str(&text),
            Delta::OtherField { field, text } => {
                let before = self.beside.get(field).and_then(Value::as_str).unwrap_or_default();
                self.beside.insert(field.to_owned(), json!([before, &text].concat()));
            }
            // Only streamed answers have events.
            Delta::Events(_) => {}
            Delta::CallBegins { kind, name, .. } => self.calls.push(CollectedCall { kind, name, input: String::new() }),
            Delta::Arguments { index, text } => {
                let Some(call) = self.calls.get_mut(index) else {
                    never!("arguments of call {}, and {} have begun", index, self.calls.len());
                    return;
                };
                call.input.push_str(&text);
            }
        }
    }
}

/// An answer that is sent whole, not streamed.
#[derive(Debug)]
pub(super) struct Collected {
    choices: Vec<CollectedChoice>,
    usage: Value,
}

impl Collected {
    /// Waits for all texts to end.
    pub(super) async fn of(mut texts: Texts, log: &mut Log) -> Result<Self, ApiError> {
        let mut choices: Vec<CollectedChoice> = (0..texts.len()).map(|_| CollectedChoice::default()).collect();
        while let Some(step) = texts.next().await {
            log.record.tokens = texts.tokens();
            let step = step?;
            let choice = &mut choices[step.choice];
            step.deltas.into_iter().for_each(|delta| choice.add(delta));
            if let Some(more) = step.logprobs {
                logprobs::append(&mut choice.logprobs, more);
            }
            choice.finish = step.finish;
            choice.report = step.report;
        }
        log.record.prompt_tokens = texts.prompt_tokens();
        log.record.finish = choices.first().and_then(|choice| choice.finish).map(Finish::name);
        Ok(Self { choices, usage: usage(&texts) })
    }

    /// Returns the answer as a JSON body.
    pub(super) fn body(&self, head: &Head) -> Value {
        let mut body = head.fields(false);
        let choices = self.choices.iter().enumerate().map(|(index, choice)| {
            let mut value = json!({
                "index": index,
                "logprobs": choice.logprobs,
                "finish_reason": choice.finish.map(|finish| head.finish(finish)),
            });
            if let Some(report) = &choice.report {
                value["ogc"] = report.clone();
            }
            match head.shape {
                Shape::Chat => value["message"] = message(choice, head, index),
                Shape::Completion => value["text"] = json!(choice.content),
            }
            value
        });
        body.insert("choices".to_owned(), choices.collect());
        body.insert("usage".to_owned(), self.usage.clone());
        Value::Object(body)
    }
}

fn message(choice: &CollectedChoice, head: &Head, index: usize) -> Value {
    let content = Some(&choice.content).filter(|content| choice.calls.is_empty() || !content.is_empty());
    let mut message = json!({ "role": "assistant", "content": content, "refusal": null });
    choice.beside.iter().for_each(|(field, text)| message[field] = text.clone());
    if let (CallForm::Function, [CollectedCall { name, input, .. }]) = (head.call_form, &choice.calls[..]) {
        message["function_call"] = json!({ "name": name, "arguments": input });
    } else if !choice.calls.is_empty() {
        let call = |(at, CollectedCall { kind, name, input }): (usize, &CollectedCall)| {
            json!({
                "id": call_id(head.number, index, at),
                "type": kind.name(),
                kind.name(): { "name": name, kind.field(): input },
            })
        };
        message["tool_calls"] = choice.calls.iter().enumerate().map(call).collect();
    }
    message
}
