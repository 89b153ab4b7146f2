//! Pieces of another server's answer, as they come in its stream.

use serde::Deserialize;
use serde_json::Value;

use crate::api::ApiError;
use crate::call_syntax::ToolKind;

/// Fields of a message, beside its content and its calls, that are passed on unchanged.
const BESIDE: [&str; 3] = ["reasoning_content", "reasoning", "refusal"];

/// A piece of an answer.
#[derive(Debug, Default)]
pub(crate) struct Piece {
    pub(crate) content: String,
    /// More text of fields beside the content: the name of each, and the text.
    pub(crate) beside: Vec<(&'static str, String)>,
    pub(crate) calls: Vec<CallPiece>,
    /// Probabilities of the tokens, as JSON.
    pub(crate) logprobs: Option<Value>,
    pub(crate) end: Option<End>,
    pub(crate) usage: Option<Usage>,
    /// Size of the piece in the stream, in bytes.
    pub(crate) bytes: usize,
}

/// A piece of a call.
#[derive(Debug)]
pub(crate) struct CallPiece {
    pub(crate) index: usize,
    pub(crate) name: Option<String>,
    /// Kind of the field that has the content of the piece; `None` if it has no content.
    pub(crate) kind: Option<ToolKind>,
    /// More of the arguments, or of the input of a custom tool.
    pub(crate) arguments: String,
}

/// The reason why the other server ended an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The text is complete, or a call follows.
    Whole,
    /// The maximum number of tokens is reached.
    Length,
    /// A filter cut the text.
    Filter,
}

/// Usage of an answer.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub(crate) struct Usage {
    #[serde(default)]
    pub(crate) prompt_tokens: usize,
    #[serde(default)]
    pub(crate) completion_tokens: usize,
}

#[derive(Deserialize)]
struct Body {
    #[serde(default)]
    choices: Vec<Choice>,
    usage: Option<Usage>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Choice {
    #[serde(alias = "message")]
    delta: Option<Value>,
    text: Option<String>,
    logprobs: Option<Value>,
    finish_reason: Option<String>,
}

/// Reads a chunk of a stream, or an unstreamed answer.
pub(crate) fn read(json: &str) -> Result<Piece, ApiError> {
    let value: Value = serde_json::from_str(json).map_err(|_| {
        ApiError::upstream(None, "it sent what is no JSON, and no part of an answer: is its address right?")
    })?;
    let body: Body = serde_json::from_value(value)
        .map_err(|_| ApiError::upstream(None, "it sent JSON that is no part of an answer of this interface"))?;
    if let Some(error) = body.error.filter(|error| !error.is_null()) {
        return Err(ApiError::upstream(None, &message(&error)));
    }
    let mut piece = Piece { usage: body.usage, bytes: json.len(), ..Piece::default() };
    let mut choices = body.choices.into_iter();
    let Some(choice) = choices.next() else { return Ok(piece) };
    if choices.next().is_some() {
        return Err(ApiError::upstream(None, "it sent two texts where one was asked for"));
    }
    let delta = choice.delta.unwrap_or_default();
    piece.content = match (choice.text, &delta["content"]) {
        (Some(text), _) => text,
        (None, Value::Null) => String::new(),
        (None, Value::String(text)) => text.clone(),
        (None, _) => return Err(ApiError::upstream(None, "it sent a `content` that is no text")),
    };
    piece.beside = BESIDE.iter().filter_map(|name| Some((*name, text(&delta[*name])?))).collect();
    piece.calls = calls(&delta["tool_calls"])?;
    if delta["function_call"].is_object() {
        piece.calls.push(call(0, ToolKind::Function, &delta["function_call"]));
    }
    piece.logprobs = choice.logprobs.filter(|logprobs| !logprobs.is_null());
    piece.end = match choice.finish_reason.as_deref() {
        None => None,
        Some("stop" | "tool_calls" | "function_call" | "eos") => Some(End::Whole),
        Some("length") => Some(End::Length),
        Some("content_filter") => Some(End::Filter),
        Some(other) => return Err(ApiError::upstream(None, &format!("it ended the text for the reason `{other}`"))),
    };
    Ok(piece)
}

/// Returns the message of an error, whether or not it has the form of OpenAI's interface.
pub(crate) fn message(error: &Value) -> String {
    let inner = error.get("error").unwrap_or(error);
    text(&inner["message"])
        .or_else(|| text(inner))
        .or_else(|| text(&error["message"]))
        .unwrap_or_else(|| error.to_string())
}

fn text(value: &Value) -> Option<String> {
    value.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}

fn calls(calls: &Value) -> Result<Vec<CallPiece>, ApiError> {
    let one = |(at, piece): (usize, &Value)| {
        let index = match &piece["index"] {
            Value::Null => at,
            index => index
                .as_u64()
                .and_then(|index| usize::try_from(index).ok())
                .ok_or_else(|| ApiError::upstream(None, "it sent a call whose `index` is no number"))?,
        };
        let kinds = [ToolKind::Custom, ToolKind::Function];
        let kind = kinds.into_iter().find(|kind| piece[kind.name()].is_object());
        Ok(match kind {
            Some(kind) => call(index, kind, &piece[kind.name()]),
            None => CallPiece { index, name: None, kind: None, arguments: String::new() },
        })
    };
    calls.as_array().into_iter().flatten().enumerate().map(one).collect()
}

/// Reads the fields of a call under the name of its kind.
fn call(index: usize, kind: ToolKind, called: &Value) -> CallPiece {
    let arguments = match &called[kind.field()] {
        Value::Null => String::new(),
        Value::String(arguments) => arguments.clone(),
        // Some servers send the value itself.
        value => value.to_string(),
    };
    CallPiece { index, name: text(&called["name"]), kind: Some(kind), arguments }
}
