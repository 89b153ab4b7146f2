//! Requests for a response: OpenAI's Responses API.
//!
//! A request for a response means the same as one for a chat, and is read to the same plan: [`items`] makes messages of `input`, `text.format` is
//! `response_format`, and tools have their fields beside their type. Another server is asked for a chat instead ([`as_chat`]). [`echo`] has the
//! fields that the answer repeats.
//!
//! No response is stored: a parameter that refers to an earlier response is rejected ([`STATEFUL`]). `store` is
//! accepted with any value, since clients send it as a matter of course, or rely on its default; the answer says
//! `"store": false`.

mod as_chat;
mod echo;
mod items;

pub(crate) use as_chat::read_passed_response;
pub(crate) use echo::{Echo, Namespaces};

use super::chat::Conversation;
use super::fields::{Field, Object};
use super::format_reader::text_format;
use super::messages::{Message, Role};
use super::response_format::ResponseFormat;
use super::sampling::{Common, listed};
use super::tool::Nesting;
use super::tools::Tools;
use super::{ApiError, Place, Plan};

/// Parameters that need stored state, each with the value that means the same as no value, and advice.
const STATEFUL: [(&str, &str, &str); 4] = [
    ("previous_response_id", "", "responses are not kept here: send the items before in `input`, and remove it"),
    ("conversation", "", "conversations are not kept here: send their items in `input`, and remove it"),
    ("prompt", "", "prompts are not kept here: send its text as `instructions` and `input`, and remove it"),
    ("background", "false", "responses are not kept here: use `\"stream\": true`, and remove it"),
];

/// Ignored parameters. `max_tool_calls` concerns tools that a server calls itself; this server calls none.
const IGNORED: [&str; 11] = [
    "client_metadata",
    "max_tool_calls",
    "metadata",
    "prompt_cache_key",
    "prompt_cache_options",
    "prompt_cache_retention",
    "reasoning",
    "safety_identifier",
    "service_tier",
    "store",
    "user",
];

/// Values of `include`, and whether each asks for probabilities. All others concern items that no response of this server has.
const INCLUDED: [(&str, bool); 8] = [
    ("message.output_text.logprobs", true),
    ("reasoning.encrypted_content", false),
    ("file_search_call.results", false),
    ("web_search_call.results", false),
    ("web_search_call.action.sources", false),
    ("message.input_image.image_url", false),
    ("computer_call_output.output.image_url", false),
    ("code_interpreter_call.outputs", false),
];

/// Reads a request for a response; `seed` is used if the request has none.
pub(crate) fn read_response(body: &[u8], place: Place<'_>, seed: u64) -> Result<(Plan, Echo), ApiError> {
    let mut body = Object::of_body(body)?;
    let echo = Echo::of(&body)?;
    let common = Common::of_response(&mut body, place, seed)?;
    let conversation = conversation(&mut body)?;
    end(body, &[])?;
    Ok((conversation.plan(common, place).map_err(ApiError::in_response)?, echo))
}

/// Takes the parameters beside the common ones.
fn conversation(body: &mut Object<'_>) -> Result<Conversation, ApiError> {
    refuse_stateful(body)?;
    let messages = messages(body)?;
    let answer =
        body.take("text").map(|field| text(&field)).transpose()?.unwrap_or_else(|| ResponseFormat::text("text.format"));
    let tools = Tools::read(body, Nesting::Flat)?;
    let probabilities = probabilities(body)?;
    if let Some(field) = body.take("truncation") {
        let is_whole = field.one_of(&[("disabled", true), ("auto", false)])?;
        if !is_whole {
            return Err(field.refused("an `input` that is too long is never truncated: shorten it, and use `disabled`"));
        }
    }
    Ok(Conversation { messages, answer, tools, probabilities })
}

fn refuse_stateful(body: &mut Object<'_>) -> Result<(), ApiError> {
    for (name, nothing, way_out) in STATEFUL {
        if let Some(field) = body.take(name).filter(|field| field.json() != nothing) {
            return Err(field.refused(way_out));
        }
    }
    Ok(())
}

/// Takes the messages, with the instructions first.
fn messages(body: &mut Object<'_>) -> Result<Vec<Message>, ApiError> {
    let instructions = body.take("instructions").map(|field| field.text()).transpose()?;
    let instructions = instructions.map(|text| Message::of(Role::System, text));
    let input = body.need("input", "a string, or an array of items")?;
    let messages = items::read_input(&input)?;
    Ok(instructions.into_iter().chain(messages).collect())
}

/// Reads `text`.
fn text(field: &Field<'_>) -> Result<ResponseFormat, ApiError> {
    let mut object = field.object()?;
    let format = object.take("format").map(|field| text_format(&field)).transpose()?;
    // `verbosity` asks for the length of answers, but a model here only sees the input.
    object.take("verbosity").map(|field| field.text()).transpose()?;
    object.end()?;
    Ok(format.unwrap_or_else(|| ResponseFormat::text("text.format")))
}

/// Takes the number of likeliest tokens to list; `None` if no probabilities are asked for.
fn probabilities(body: &mut Object<'_>) -> Result<Option<usize>, ApiError> {
    let most = body.take("top_logprobs").map(|field| listed(&field)).transpose()?;
    let included = body.take("include").map(|field| field.list()).transpose()?.unwrap_or_default();
    let included: Vec<bool> = included.iter().map(|one| one.one_of(&INCLUDED)).collect::<Result<_, _>>()?;
    match (included.contains(&true), most) {
        (true, most) => Ok(Some(most.unwrap_or(0))),
        (false, None | Some(0)) => Ok(None),
        (false, Some(_)) => {
            let message = "`top_logprobs` needs `\"include\": [\"message.output_text.logprobs\"]`";
            Err(ApiError::invalid(Some("top_logprobs"), message))
        }
    }
}

/// Finishes the body of a request; the parameters in `elsewhere` are read elsewhere.
fn end(mut body: Object<'_>, elsewhere: &[&'static str]) -> Result<(), ApiError> {
    for name in IGNORED.iter().chain(elsewhere) {
        body.take(name);
    }
    body.end()
}
