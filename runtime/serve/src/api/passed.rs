//! Requests that are passed to another server: the fields of the format are taken out, and all other fields are passed on unchanged.

use serde_json::{Map, Value};

use super::fields::Object;
use super::format_reader::read_format;
use super::response_format::FormatFields;
use super::sampling::{StreamOptions, choices, stops};
use super::tool::Nesting;
use super::tools::{CallForm, Tools, WantedTool};
use super::{ApiError, Shape, functions, other_names};
use crate::compile::FormatSource;
use crate::options::ServeOptions;

/// Parameters whose answers could not be verified, each with the value that means the same as no value, and advice.
const REFUSED: [(&str, &str, &str); 4] = [
    ("best_of", "1", "use `n`"),
    ("echo", "false", "remove it"),
    ("suffix", "null", "remove it"),
    ("modalities", "[\"text\"]", "remove it: only text can be verified"),
];

/// A request that another server answers.
#[derive(Debug)]
pub(crate) struct Passed {
    pub(crate) shape: Shape,
    /// The body, without the fields that were taken out below.
    pub(crate) body: Map<String, Value>,
    /// Format of the text; `None` for any text.
    pub(crate) format: Option<WantedFormat>,
    /// The fields of the request that the format came from.
    pub(crate) format_fields: FormatFields,
    /// The tools that may be called.
    pub(crate) tools: Vec<WantedTool>,
    /// Form in which the answer writes calls.
    pub(crate) call_form: CallForm,
    /// Whether a tool must be called.
    pub(crate) must_call: bool,
    /// Whether only one tool may be called.
    pub(crate) is_single: bool,
    /// The number of texts.
    pub(crate) choices: usize,
    /// Strings that end a text of a format. Without a format, the other server gets them instead.
    pub(crate) stop: Vec<String>,
    /// Whether a repeated request yields the same text.
    pub(crate) is_greedy: bool,
    /// Stream options of the request that are passed on.
    pub(crate) stream_options: Map<String, Value>,
    /// Whether the answer is streamed.
    pub(crate) stream: bool,
    /// Whether the last chunk of a stream has the usage.
    pub(crate) stream_usage: bool,
    /// Whether chunks of a stream have the events of the text.
    pub(crate) stream_events: bool,
}

/// The format that a request asks for.
#[derive(Clone, Debug)]
pub(crate) struct WantedFormat {
    pub(crate) source: FormatSource,
    /// Whether every server understands the request's `response_format`, so that it is passed on unchanged.
    pub(crate) is_common: bool,
}

/// Reads a request that another server answers.
pub(crate) fn read_passed(body: &[u8], shape: Shape, options: &ServeOptions) -> Result<Passed, ApiError> {
    let mut fields = Object::of_body(body)?;
    let mut body: Map<String, Value> = fields.values()?;
    check(&mut fields, shape, &body)?;
    let answer = read_format(&mut fields)?;
    let tools = match shape {
        Shape::Chat => Tools::read(&mut fields, Nesting::Inner)?,
        Shape::Completion => None,
    };
    let format = (!answer.is_text()).then(|| WantedFormat { source: answer.source(), is_common: answer.is_common });
    let choices = choices(&mut fields, options)?;
    let (stream, stream_options) = stream(&mut fields)?;
    let stop = match fields.take("stop") {
        Some(stop) if format.is_some() => stops(&stop)?,
        _ => Vec::new(),
    };
    let is_greedy = is_greedy(&mut fields)?;
    let format_names = other_names::ALL.iter().map(|(name, _)| name);
    let taken = ["n", "stream", "stream_options"].iter().chain(format_names);
    let taken = taken.chain((!answer.is_common).then_some(&"response_format"));
    for name in taken.chain(format.is_some().then_some(&"stop")) {
        body.shift_remove(*name);
    }
    if shape == Shape::Chat {
        functions::as_tools(&mut body);
    }
    Ok(Passed {
        shape,
        body,
        format,
        format_fields: answer.fields(),
        must_call: tools.as_ref().is_some_and(Tools::must_call),
        is_single: tools.as_ref().is_some_and(Tools::is_single),
        call_form: tools.as_ref().map(Tools::form).unwrap_or_default(),
        tools: tools.as_ref().map(Tools::arguments).unwrap_or_default(),
        choices,
        stop,
        is_greedy,
        stream_options,
        stream: stream.is_on,
        stream_usage: stream.usage,
        stream_events: stream.events,
    })
}

/// Takes the choice whether the answer is streamed, and the stream options that are passed on.
fn stream(fields: &mut Object<'_>) -> Result<(StreamOptions, Map<String, Value>), ApiError> {
    let is_on = fields.take("stream").map_or(Ok(false), |field| field.flag())?;
    let Some(field) = fields.take("stream_options") else {
        return Ok((StreamOptions { is_on, ..StreamOptions::default() }, Map::new()));
    };
    let mut object = field.object()?;
    let mut rest = object.values()?;
    let mut flag = |name| {
        rest.shift_remove(name);
        object.take(name).map_or(Ok(false), |field| field.flag())
    };
    let (usage, events) = (flag("include_usage")?, flag("include_events")?);
    if (usage || events) && !is_on {
        return Err(field.refused("it needs `\"stream\": true`: add that, or remove it"));
    }
    Ok((StreamOptions { is_on, usage, events }, rest))
}

/// Takes the choice whether a repeated request yields the same text.
fn is_greedy(fields: &mut Object<'_>) -> Result<bool, ApiError> {
    let mut number = |name| fields.take(name).map(|field| field.number()).transpose();
    Ok(number("temperature")? == Some(0.0) || number("top_k")? == Some(1.0))
}

/// Rejects parameters whose answers could not be verified.
fn check(fields: &mut Object<'_>, shape: Shape, body: &Map<String, Value>) -> Result<(), ApiError> {
    let given = |name: &str, nothing: &str| {
        body.get(name).is_some_and(|value| ![String::from("null"), nothing.to_owned()].contains(&value.to_string()))
    };
    if let Some((name, _, way_out)) = REFUSED.iter().find(|(name, nothing, _)| given(name, nothing)) {
        return Err(ApiError::invalid(Some(name), format!("`{name}` is not supported: {way_out}")));
    }
    match shape {
        Shape::Chat => fields.need("messages", "an array of messages")?.list().map(drop),
        Shape::Completion => {
            let takes = "one string; send a request for each of several";
            let prompt = fields.need("prompt", takes)?;
            if prompt.is_text() { Ok(()) } else { Err(prompt.wrong(takes)) }
        }
    }
}
