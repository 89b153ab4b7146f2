//! The request body for another server.

use always_assert::never;
use serde_json::{Map, Value, json};

use super::custom;
use super::dialect::Dialect;
use crate::api::{ApiError, Passed, Shape};
use crate::compile::Notation;

/// A format in a notation that another server reads.
#[derive(Clone, Debug)]
pub(crate) struct Constraint {
    pub(crate) notation: Notation,
    /// A schema as JSON, a grammar as its text.
    pub(crate) written: Value,
}

impl Constraint {
    /// Takes a format that was written in a notation.
    ///
    /// # Errors
    ///
    /// The schema is not JSON, which is a bug of its writer.
    pub(crate) fn new(notation: Notation, text: &str) -> Result<Self, ApiError> {
        let written = match notation {
            Notation::JsonSchema => serde_json::from_str(text)
                .map_err(|_| ApiError::defect("the schema for the other server is no JSON"))?,
            Notation::Gbnf | Notation::Lark => Value::String(text.to_owned()),
        };
        Ok(Self { notation, written })
    }
}

/// Parameters of one attempt at a text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ask<'a> {
    /// Index of the text within its request.
    pub(crate) choice: usize,
    /// Number of times that the text was begun before.
    pub(crate) begun_before: usize,
    /// The text so far, which the other server continues.
    pub(crate) so_far: &'a str,
    /// Approximate number of its tokens.
    pub(crate) spent: usize,
}

/// Makes the body of one attempt. A continued text has no constraint, because other servers would begin its format again.
pub(crate) fn body(
    passed: &Passed,
    dialect: Dialect,
    constraint: Option<&Constraint>,
    ask: Ask<'_>,
) -> Map<String, Value> {
    let mut body = passed.body.clone();
    if !dialect.has_custom_tools() {
        custom::as_functions(&mut body);
    }
    body.insert("stream".to_owned(), json!(true));
    let mut options = passed.stream_options.clone();
    options.insert("include_usage".to_owned(), json!(true));
    body.insert("stream_options".to_owned(), Value::Object(options));
    let draws = ask.choice as u64 + (ask.begun_before as u64) * 1_000_003;
    if let Some(seed) = body.get("seed").and_then(Value::as_i64).filter(|_| draws > 0) {
        body.insert("seed".to_owned(), json!(seed.wrapping_add_unsigned(draws) & i64::from(u32::MAX)));
    }
    if ask.so_far.is_empty() {
        if let Some(constraint) = constraint {
            dialect.constrain(constraint.notation, &constraint.written, &mut body);
        }
        return body;
    }
    body.shift_remove("response_format");
    for name in ["max_tokens", "max_completion_tokens"] {
        if let Some(most) = body.get(name).and_then(Value::as_u64) {
            body.insert(name.to_owned(), json!(most.saturating_sub(ask.spent as u64).max(1)));
        }
    }
    match passed.shape {
        Shape::Completion => {
            let Some(prompt) = body.get("prompt").and_then(Value::as_str) else {
                never!("a request was taken whose `prompt` is no text");
                return body;
            };
            let prompt = json!([prompt, ask.so_far].concat());
            body.insert("prompt".to_owned(), prompt);
        }
        Shape::Chat => {
            if let Some(messages) = body.get_mut("messages").and_then(Value::as_array_mut) {
                go_on(messages, ask.so_far);
            }
            let Some(flags) = dialect.goes_on() else {
                never!("{:?} is asked to go on with a text of a chat, which it cannot", dialect);
                return body;
            };
            body.extend(flags.iter().map(|(name, value)| ((*name).to_owned(), json!(value))));
        }
    }
    body
}

/// Adds the text so far as the last message; appends it if the last message is already its beginning.
fn go_on(messages: &mut Vec<Value>, so_far: &str) {
    if let Some(last) = messages.last_mut().filter(|last| last["role"] == "assistant")
        && let Some(begun) = last["content"].as_str()
    {
        last["content"] = json!([begun, so_far].concat());
        return;
    }
    messages.push(json!({ "role": "assistant", "content": so_far }));
}

/// Returns whether a server can continue a text of this kind.
pub(crate) fn goes_on(shape: Shape, dialect: Dialect) -> bool {
    shape == Shape::Completion || dialect.goes_on().is_some()
}
