//! Requests for the next message of a chat.

use ogc_generate::{GivenSampling, outside};
use ogc_runtime::vocabulary::TokenId;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value, json};

use super::response_format::ResponseFormat;
use super::sampling::{Common, listed};
use super::tools::{ToolChoice, Tools};
use super::{ApiError, Kept, Place, Plan, check_known, check_model, parse};
use crate::call_syntax::{CALL_BEGINS, CALL_ENDS, CALL_MIDDLE};

#[derive(Debug, Deserialize)]
struct ChatRequest {
    messages: Vec<Message>,
    /// Read from [`Kept`].
    #[serde(rename = "response_format")]
    _response_format: Option<IgnoredAny>,
    #[serde(rename = "tools")]
    _tools: Option<IgnoredAny>,
    tool_choice: Option<ToolChoice>,
    parallel_tool_calls: Option<bool>,
    logprobs: Option<bool>,
    top_logprobs: Option<usize>,
    #[serde(flatten)]
    common: Common,
    #[serde(flatten)]
    numbers: GivenSampling,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Message {
    role: Role,
    content: Option<Content>,
    #[serde(default)]
    tool_calls: Option<Vec<Call>>,
    #[serde(rename = "tool_call_id")]
    _tool_call_id: Option<String>,
    #[serde(rename = "name")]
    _name: Option<String>,
    /// What the answers of this interface have beside, always null here.
    #[serde(rename = "refusal")]
    _refusal: Option<Value>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Role {
    System,
    Developer,
    User,
    Assistant,
    Tool,
}

/// A text, or parts of one.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<ContentPart>),
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
enum ContentPart {
    Text { text: String },
}

/// A call in a message that was written before.
#[derive(Debug, Deserialize)]
struct Call {
    function: CalledFunction,
}

#[derive(Debug, Deserialize)]
struct CalledFunction {
    name: String,
    arguments: String,
}

/// Reads a request for the next message of a chat; `seed` is for one that names none.
pub(crate) fn read_chat(body: &[u8], place: Place<'_>, seed: u64) -> Result<Plan, ApiError> {
    let request: ChatRequest = parse(body)?;
    check_known(&request.rest)?;
    let ChatRequest { common, messages, .. } = request;
    check_model(common.model.as_deref(), place)?;
    let kept: Kept = parse(body)?;
    let answer = ResponseFormat::read(kept.response_format.as_deref())?;
    let tools = Tools::read(kept.tools.as_deref(), request.tool_choice, request.parallel_tool_calls)?;
    let format = match &tools {
        Some(tools) => tools.source(&answer)?,
        None => answer.source()?,
    };
    let probabilities = match (request.logprobs.unwrap_or(false), request.top_logprobs) {
        (true, most) => Some(listed("top_logprobs", most.unwrap_or(0))?),
        (false, None | Some(0)) => None,
        (false, Some(_)) => {
            return Err(ApiError::invalid(Some("top_logprobs"), "`top_logprobs` needs `\"logprobs\": true`"));
        }
    };
    Ok(Plan {
        prompts: vec![prompt(&messages, tools.as_ref(), place)?],
        format,
        is_free: tools.is_none() && answer.is_text(),
        has_calls: tools.is_some(),
        choices: common.choices(place.options)?,
        max_tokens: common.most(place.options)?,
        sampling: common.sampling(request.numbers, place, seed)?,
        stop: common.stop()?,
        probabilities,
        stream: common.streams(),
        stream_usage: common.streams_usage()?,
        stream_events: common.streams_events(),
    })
}

/// Makes the tokens of the prompt. Names of special tokens in messages are text.
fn prompt(messages: &[Message], tools: Option<&Tools>, place: Place<'_>) -> Result<Vec<TokenId>, ApiError> {
    let Some(template) = &place.loaded.template else {
        return Err(ApiError::invalid(None, "the model has no chat template: use `/v1/completions`"));
    };
    if messages.is_empty() {
        return Err(ApiError::invalid(Some("messages"), "there are no messages"));
    }
    let reads_tools = template.reads_tools();
    let instructions = tools.filter(|_| !reads_tools).map(Tools::instructions);
    let texts = texts(messages, instructions.as_deref(), reads_tools)?;
    let described = tools.filter(|_| reads_tools).map(Tools::described);
    check_tools(described.as_deref(), place)?;
    let framed: Vec<Value> = texts
        .iter()
        .enumerate()
        .map(|(at, (role, _))| json!({ "role": role_name(*role, reads_tools), "content": outside(at) }))
        .collect();
    let rendered = template.render(&framed, described.as_ref());
    let rendered = rendered.map_err(|error| ApiError::invalid(Some("messages"), error.to_string()))?;
    let contents: Vec<&str> = texts.iter().map(|(_, text)| text.as_str()).collect();
    let tokens = place.loaded.tokenizer.tokens_with_outside(&rendered, &contents);
    tokens.map_err(|error| ApiError::invalid(Some("messages"), error.to_string()))
}

/// Refuses tools with names of special tokens, which templates would write among their own.
fn check_tools(tools: Option<&[Value]>, place: Place<'_>) -> Result<(), ApiError> {
    let text: String = tools.unwrap_or_default().iter().map(Value::to_string).collect();
    let reserved = text.contains(|character| ('\u{fdd0}'..='\u{fdef}').contains(&character));
    if reserved || place.loaded.tokenizer.names_special(&text) {
        return Err(ApiError::invalid(Some("tools"), "the tools have the name of a special token in them: change it"));
    }
    Ok(())
}

/// Returns the roles and texts of all messages; calls are written as text, and instructions stand in the first system message.
fn texts(messages: &[Message], instructions: Option<&str>, reads_tools: bool) -> Result<Vec<(Role, String)>, ApiError> {
    let mut texts = Vec::new();
    if let Some(instructions) = instructions
        && !matches!(messages[0].role, Role::System | Role::Developer)
    {
        texts.push((Role::System, instructions.to_owned()));
    }
    for (at, message) in messages.iter().enumerate() {
        let calls = message.tool_calls.as_deref().unwrap_or_default();
        if message.content.is_none() && calls.is_empty() {
            return Err(ApiError::invalid(Some("messages"), format!("message {at} has no `content`")));
        }
        let mut text = message.content.as_ref().map(content).unwrap_or_default();
        for Call { function: CalledFunction { name, arguments } } in calls {
            text.extend(Some("\n").filter(|_| !text.is_empty()));
            text.push_str(&[CALL_BEGINS, name, CALL_MIDDLE, arguments, CALL_ENDS].concat());
        }
        if message.role == Role::Tool && !reads_tools {
            text = format!("<tool_response>\n{text}\n</tool_response>");
        }
        if let (0, Role::System | Role::Developer, Some(instructions)) = (at, message.role, instructions) {
            text = format!("{text}\n\n{instructions}");
        }
        texts.push((message.role, text));
    }
    Ok(texts)
}

fn content(content: &Content) -> String {
    match content {
        Content::Text(text) => text.clone(),
        Content::Parts(parts) => parts.iter().map(|ContentPart::Text { text }| text.as_str()).collect(),
    }
}

/// Returns the name of a role that templates know.
fn role_name(role: Role, reads_tools: bool) -> &'static str {
    match role {
        Role::System | Role::Developer => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool if reads_tools => "tool",
        Role::Tool => "user",
    }
}
