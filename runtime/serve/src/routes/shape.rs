//! The JSON of answers, at once or in parts.

use ogc_generate::{LoadedModel, Probabilities, Probable};
use serde_json::{Map, Value, json};

use super::Log;
use super::run::Run;
use crate::answer::{Delta, Finish};
use crate::api::ApiError;
use crate::server::{Shared, now};

/// The kind of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Chat,
    Completion,
}

impl Shape {
    pub(super) fn path(self) -> &'static str {
        match self {
            Self::Chat => "/v1/chat/completions",
            Self::Completion => "/v1/completions",
        }
    }

    /// Returns the head of an answer, or of a part of one.
    pub(super) fn head(self, shared: &Shared, number: u64, is_part: bool) -> Map<String, Value> {
        let (prefix, object) = match (self, is_part) {
            (Self::Chat, false) => ("chatcmpl", "chat.completion"),
            (Self::Chat, true) => ("chatcmpl", "chat.completion.chunk"),
            (Self::Completion, _) => ("cmpl", "text_completion"),
        };
        let mut head = Map::new();
        head.insert("id".to_owned(), json!(format!("{prefix}-{number:08}")));
        head.insert("object".to_owned(), json!(object));
        head.insert("created".to_owned(), json!(now().as_secs()));
        head.insert("model".to_owned(), json!(shared.options.model));
        head
    }
}

/// Returns what texts took.
pub(super) fn usage(prompt_tokens: usize, tokens: usize) -> Value {
    json!({ "prompt_tokens": prompt_tokens, "completion_tokens": tokens, "total_tokens": prompt_tokens + tokens })
}

/// Returns the identification of a call.
pub(super) fn call_id(number: u64, choice: usize, index: usize) -> String {
    format!("call_{number:08}_{choice}_{index}")
}

/// Returns probabilities as the kind of answer has them.
pub(super) fn probabilities(shape: Shape, loaded: &LoadedModel, all: &[Probabilities], offset: usize) -> Value {
    let bytes = |one: &Probable| loaded.vocabulary.text(one.token).unwrap_or_default();
    let text = |one: &Probable| match loaded.vocabulary.text(one.token) {
        Some(text) => String::from_utf8_lossy(text).into_owned(),
        None => loaded.vocabulary.name_of(one.token).unwrap_or_default().to_owned(),
    };
    // JSON has no negative infinity.
    let logarithm = |one: &Probable| one.logarithm.max(-9_999.0);
    match shape {
        Shape::Chat => {
            let entry = |one: &Probable| json!({ "token": text(one), "logprob": logarithm(one), "bytes": bytes(one) });
            let content = all.iter().map(|one| {
                let mut written = entry(&one.written);
                written["top_logprobs"] = one.likeliest.iter().map(entry).collect();
                written
            });
            json!({ "content": content.collect::<Value>(), "refusal": null })
        }
        Shape::Completion => {
            let mut offset = offset;
            let offsets = all.iter().map(|one| {
                let start = offset;
                offset += text(&one.written).chars().count();
                start
            });
            let likeliest = |one: &Probabilities| {
                let pairs = one.likeliest.iter().map(|one| (text(one), json!(logarithm(one))));
                Value::Object(pairs.collect())
            };
            json!({
                "text_offset": offsets.collect::<Value>(),
                "tokens": all.iter().map(|one| text(&one.written)).collect::<Value>(),
                "token_logprobs": all.iter().map(|one| logarithm(&one.written)).collect::<Value>(),
                "top_logprobs": all.iter().map(likeliest).collect::<Value>(),
            })
        }
    }
}

/// One text of an answer that is sent at once.
#[derive(Debug, Default)]
struct CollectedChoice {
    content: String,
    calls: Vec<(String, String)>,
    probabilities: Vec<Probabilities>,
    finish: Option<Finish>,
}

/// An answer that is sent at once.
#[derive(Debug)]
pub(super) struct Collected {
    choices: Vec<CollectedChoice>,
    prompt_tokens: usize,
    tokens: usize,
}

impl Collected {
    /// Waits for all texts to end.
    pub(super) async fn of(mut run: Run, log: &mut Log) -> Result<Self, ApiError> {
        let mut choices: Vec<CollectedChoice> = (0..run.len()).map(|_| CollectedChoice::default()).collect();
        while let Some(step) = run.next().await {
            log.record.tokens = run.tokens();
            let step = step?;
            let choice = &mut choices[step.choice];
            for delta in step.deltas {
                match delta {
                    Delta::Content(text) => choice.content.push_str(&text),
                    Delta::CallBegins { name, .. } => choice.calls.push((name, String::new())),
                    Delta::Arguments { text, .. } => {
                        choice.calls.last_mut().into_iter().for_each(|(_, arguments)| arguments.push_str(&text));
                    }
                }
            }
            choice.probabilities.extend(step.probabilities);
            choice.finish = step.finish;
        }
        log.record.finish = choices.first().and_then(|choice| choice.finish).map(Finish::name);
        Ok(Self { choices, prompt_tokens: run.prompt_tokens(), tokens: run.tokens() })
    }

    /// Returns the answer.
    pub(super) fn body(&self, shape: Shape, shared: &Shared) -> Value {
        let number = shared.number();
        let mut body = shape.head(shared, number, false);
        let choices = self.choices.iter().enumerate().map(|(index, choice)| {
            let probabilities = (!choice.probabilities.is_empty())
                .then(|| probabilities(shape, &shared.loaded, &choice.probabilities, 0));
            let mut value = json!({
                "index": index,
                "logprobs": probabilities,
                "finish_reason": choice.finish.map(Finish::name),
            });
            match shape {
                Shape::Chat => value["message"] = message(choice, number, index),
                Shape::Completion => value["text"] = json!(choice.content),
            }
            value
        });
        body.insert("choices".to_owned(), choices.collect());
        body.insert("usage".to_owned(), usage(self.prompt_tokens, self.tokens));
        Value::Object(body)
    }
}

fn message(choice: &CollectedChoice, number: u64, index: usize) -> Value {
    let content = Some(&choice.content).filter(|content| choice.calls.is_empty() || !content.is_empty());
    let mut message = json!({ "role": "assistant", "content": content, "refusal": null });
    if !choice.calls.is_empty() {
        let call = |(at, (name, arguments)): (usize, &(String, String))| {
            json!({
                "id": call_id(number, index, at),
                "type": "function",
                "function": { "name": name, "arguments": arguments },
            })
        };
        message["tool_calls"] = choice.calls.iter().enumerate().map(call).collect();
    }
    message
}
