//! Requests for the next message of a chat.

use ogc_generate::outside;
use ogc_runtime::vocabulary::TokenId;
use serde_json::{Value, json};

use super::fields::Object;
use super::format_reader::read_format;
use super::messages::{Message, Role, read_messages};
use super::response_format::ResponseFormat;
use super::sampling::{Common, listed};
use super::tool::Nesting;
use super::tools::Tools;
use super::{ApiError, Place, Plan, end};
use crate::call_syntax::{CALL_BEGINS, CALL_ENDS, CALL_MIDDLE};

/// Reads a request for the next message of a chat; `seed` is for one that names none.
pub(crate) fn read_chat(body: &[u8], place: Place<'_>, seed: u64) -> Result<Plan, ApiError> {
    let mut body = Object::of_body(body)?;
    let common = Common::read(&mut body, place, seed)?;
    let messages = read_messages(&body.need("messages", "an array of messages")?)?;
    let answer = read_format(&mut body)?;
    let tools = Tools::read(&mut body, Nesting::Inner)?;
    let probabilities = probabilities(&mut body)?;
    end(body)?;
    Conversation { messages, answer, tools, probabilities }.plan(common, place)
}

/// What a request for the next message of a chat has beside the parameters of all requests, however it is written.
#[derive(Debug)]
pub(super) struct Conversation {
    pub(super) messages: Vec<Message>,
    pub(super) answer: ResponseFormat,
    pub(super) tools: Option<Tools>,
    /// The number of likeliest tokens that are listed for each token; `None` for no probabilities.
    pub(super) probabilities: Option<usize>,
}

impl Conversation {
    /// Makes the plan of the request.
    pub(super) fn plan(self, common: Common, place: Place<'_>) -> Result<Plan, ApiError> {
        let Self { messages, answer, tools, probabilities } = self;
        let format_of_calls = tools.as_ref().map(|tools| tools.source(&answer)).transpose()?;
        let prompts = vec![prompt(&messages, tools.as_ref(), place)?];
        let plan = Plan { probabilities, ..common.plan(prompts, &answer) };
        let Some((tools, (format, format_fields))) = tools.zip(format_of_calls) else { return Ok(plan) };
        let (calls, call_form) = (Some(tools.called()), tools.form());
        Ok(Plan { format, format_fields, is_free: false, calls, call_form, ..plan })
    }
}

/// Takes how many of the likeliest tokens are listed; nothing for no probabilities.
fn probabilities(body: &mut Object<'_>) -> Result<Option<usize>, ApiError> {
    let is_on = body.take("logprobs").map_or(Ok(false), |field| field.flag())?;
    let most = body.take("top_logprobs").map(|field| listed(&field)).transpose()?;
    match (is_on, most) {
        (true, most) => Ok(Some(most.unwrap_or(0))),
        (false, None | Some(0)) => Ok(None),
        (false, Some(_)) => Err(ApiError::invalid(Some("top_logprobs"), "`top_logprobs` needs `\"logprobs\": true`")),
    }
}

/// Makes the tokens of the prompt. Names of special tokens in messages are text.
fn prompt(messages: &[Message], tools: Option<&Tools>, place: Place<'_>) -> Result<Vec<TokenId>, ApiError> {
    let Some(template) = &place.loaded.template else {
        return Err(ApiError::invalid(None, "the model has no chat template: use `/v1/completions`"));
    };
    let reads_tools = template.reads_tools();
    let instructions = tools.filter(|_| !reads_tools).map(Tools::instructions);
    let texts = texts(messages, instructions.as_deref(), reads_tools);
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
    let tokens = place.tokenizer.tokens_with_outside(&rendered, &contents);
    tokens.map_err(|error| ApiError::invalid(Some("messages"), error.to_string()))
}

/// Refuses tools with names of special tokens, which templates would write among their own.
fn check_tools(tools: Option<&[Value]>, place: Place<'_>) -> Result<(), ApiError> {
    let text: String = tools.unwrap_or_default().iter().map(Value::to_string).collect();
    let reserved = text.contains(|character| ('\u{fdd0}'..='\u{fdef}').contains(&character));
    if reserved || place.tokenizer.names_special(&text) {
        return Err(ApiError::invalid(Some("tools"), "the tools have the name of a special token in them: change it"));
    }
    Ok(())
}

/// Returns the roles and texts of all messages; calls are written as text, and instructions stand in the first system message.
fn texts(messages: &[Message], instructions: Option<&str>, reads_tools: bool) -> Vec<(Role, String)> {
    let mut texts = Vec::new();
    if let Some(instructions) = instructions
        && !matches!(messages[0].role, Role::System | Role::Developer)
    {
        texts.push((Role::System, instructions.to_owned()));
    }
    for (at, message) in messages.iter().enumerate() {
        let mut text = message.content.clone();
        for call in &message.calls {
            text.extend(Some("\n").filter(|_| !text.is_empty()));
            text.push_str(&[CALL_BEGINS, &call.name, CALL_MIDDLE, &call.arguments(), CALL_ENDS].concat());
        }
        if message.role == Role::Tool && !reads_tools {
            text = format!("<tool_response>\n{text}\n</tool_response>");
        }
        if let (0, Role::System | Role::Developer, Some(instructions)) = (at, message.role, instructions) {
            text = format!("{text}\n\n{instructions}");
        }
        texts.push((message.role, text));
    }
    texts
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
