//! Requests that another server answers: what is the format's is taken out, and all else is passed on as it came.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use super::response_format::ResponseFormat;
use super::sampling::{in_range, read_stops};
use super::tools::{ToolChoice, Tools};
use super::{ApiError, Kept, Shape, parse};
use crate::compile::FormatSource;
use crate::options::ServeOptions;

/// Parameters whose answers could not be verified, with their values that mean nothing.
const REFUSED: [(&str, &str, &str); 6] = [
    ("functions", "null", "use `tools`"),
    ("function_call", "null", "use `tool_choice`"),
    ("best_of", "1", "use `n`"),
    ("echo", "false", "remove it"),
    ("suffix", "null", "remove it"),
    ("modalities", "[\"text\"]", "remove it: only text can be verified"),
];

/// Constraints of other interfaces, which a `response_format` contradicts.
const CONSTRAINTS: [&str; 9] = [
    "structured_outputs",
    "guided_json",
    "guided_regex",
    "guided_grammar",
    "guided_choice",
    "grammar",
    "ebnf",
    "regex",
    "json_schema",
];

/// A request that another server answers.
#[derive(Debug)]
pub(crate) struct Passed {
    pub(crate) shape: Shape,
    /// The body, without what is said of it below.
    pub(crate) body: Map<String, Value>,
    /// The format of the text; nothing for any text.
    pub(crate) format: Option<WantedFormat>,
    /// The tools that may be called, each with the format of its arguments.
    pub(crate) tools: Vec<(String, FormatSource)>,
    /// Whether one of them must be called.
    pub(crate) must_call: bool,
    /// Whether only one may be called.
    pub(crate) is_single: bool,
    /// The number of texts.
    pub(crate) choices: usize,
    /// Strings that end a text of a format; where there is none, the other server gets them.
    pub(crate) stop: Vec<String>,
    /// Whether a text that is written again is the same.
    pub(crate) is_greedy: bool,
    /// What the request says of the parts of the answer.
    pub(crate) stream_options: Map<String, Value>,
    /// Whether the answer comes in parts.
    pub(crate) stream: bool,
    /// Whether the last part says what the texts took.
    pub(crate) stream_usage: bool,
    /// Whether parts have the events of the text beside them.
    pub(crate) stream_events: bool,
}

/// The format that a request asks for.
#[derive(Clone, Debug)]
pub(crate) struct WantedFormat {
    pub(crate) source: FormatSource,
    /// Whether `response_format` is passed on as it came, which every server reads.
    pub(crate) is_common: bool,
}

#[derive(Debug, Deserialize)]
struct PassedRequest {
    tool_choice: Option<ToolChoice>,
    parallel_tool_calls: Option<bool>,
    prompt: Option<Value>,
    messages: Option<Vec<IgnoredAny>>,
    n: Option<usize>,
    stream: Option<bool>,
    stream_options: Option<Map<String, Value>>,
    stop: Option<Value>,
    temperature: Option<f64>,
    top_k: Option<i64>,
}

/// Reads a request that another server answers.
pub(crate) fn read_passed(body: &[u8], shape: Shape, options: &ServeOptions) -> Result<Passed, ApiError> {
    let request: PassedRequest = parse(body)?;
    let kept: Kept = parse(body)?;
    let mut body: Map<String, Value> = parse(body)?;
    check(&request, shape, &body)?;
    let answer = ResponseFormat::read(kept.response_format.as_deref())?;
    let tools = match shape {
        Shape::Chat => Tools::read(kept.tools.as_deref(), request.tool_choice, request.parallel_tool_calls)?,
        Shape::Completion => None,
    };
    let is_common = answer.is_common();
    let format = match answer.is_text() {
        true => None,
        false => Some(WantedFormat { source: answer.source()?, is_common }),
    };
    if let Some(name) = CONSTRAINTS.iter().find(|name| format.is_some() && body.contains_key(**name)) {
        let message = format!("`{name}` contradicts `response_format`: remove one of them");
        return Err(ApiError::invalid(Some(name), message));
    }
    let stop = match &request.stop {
        Some(stop) if format.is_some() => read_stops(stop)?,
        _ => Vec::new(),
    };
    let mut stream_options = request.stream_options.unwrap_or_default();
    let mut flag = |name: &str| stream_options.shift_remove(name).is_some_and(|value| value == true);
    let (stream_usage, stream_events) = (flag("include_usage"), flag("include_events"));
    if (stream_usage || stream_events) && request.stream != Some(true) {
        let message = "`stream_options` is for `stream` alone: remove it";
        return Err(ApiError::invalid(Some("stream_options"), message));
    }
    let taken = ["n", "stream", "stream_options"].iter().chain((!is_common).then_some(&"response_format"));
    for name in taken.chain(format.is_some().then_some(&"stop")) {
        body.shift_remove(*name);
    }
    Ok(Passed {
        shape,
        body,
        format,
        must_call: tools.as_ref().is_some_and(Tools::must_call),
        is_single: tools.as_ref().is_some_and(Tools::is_single),
        tools: tools.as_ref().map(Tools::arguments).unwrap_or_default(),
        choices: in_range("n", request.n.unwrap_or(1), 1, options.max_choices)?,
        stop,
        is_greedy: request.temperature == Some(0.0) || request.top_k == Some(1),
        stream_options,
        stream: request.stream.unwrap_or(false),
        stream_usage,
        stream_events,
    })
}

/// Refuses what could not be verified.
fn check(request: &PassedRequest, shape: Shape, body: &Map<String, Value>) -> Result<(), ApiError> {
    let given = |name: &str, nothing: &str| {
        body.get(name).is_some_and(|value| ![String::from("null"), nothing.to_owned()].contains(&value.to_string()))
    };
    if let Some((name, _, way_out)) = REFUSED.iter().find(|(name, nothing, _)| given(name, nothing)) {
        return Err(ApiError::invalid(Some(name), format!("`{name}` is not supported: {way_out}")));
    }
    match (shape, &request.messages, &request.prompt) {
        (Shape::Chat, None, _) => Err(ApiError::invalid(Some("messages"), "there are no messages")),
        (Shape::Completion, _, Some(Value::String(_))) | (Shape::Chat, Some(_), _) => Ok(()),
        (Shape::Completion, _, _) => {
            let message = "`prompt` must be one text; send a request for each of several";
            Err(ApiError::invalid(Some("prompt"), message))
        }
    }
}
