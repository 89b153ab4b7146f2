//! Requests for the next message of a chat.

use super::fields::Object;
use super::format_reader::read_format;
use super::messages::{Message, read_messages};
use super::prompt::{prompt, tool_style};
use super::response_format::ResponseFormat;
use super::sampling::{Common, listed};
use super::tool::Nesting;
use super::tools::Tools;
use super::{ApiError, Place, Plan, end};

/// Reads a request for the next message of a chat; `seed` is used if the request has none.
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

/// The parts of a chat request beside the common parameters, shared by all ways to write such a request.
#[derive(Debug)]
pub(super) struct Conversation {
    pub(super) messages: Vec<Message>,
    pub(super) answer: ResponseFormat,
    pub(super) tools: Option<Tools>,
    /// Number of likeliest tokens that are listed for each token; `None` if no probabilities are asked for.
    pub(super) probabilities: Option<usize>,
}

impl Conversation {
    /// Makes the plan of the request.
    pub(super) fn plan(self, common: Common, place: Place<'_>) -> Result<Plan, ApiError> {
        let Self { messages, answer, tools, probabilities } = self;
        let with_calls = |tools: &Tools| {
            let style = tool_style(place)?;
            Ok((tools.source(&answer, style)?, tools.called(&answer, style)))
        };
        let with_calls = tools.as_ref().map(with_calls).transpose()?;
        let prompts = vec![prompt(&messages, tools.as_ref(), place)?];
        let plan = Plan { probabilities, ..common.plan(prompts, &answer) };
        let Some((tools, ((format, format_fields), calls))) = tools.zip(with_calls) else { return Ok(plan) };
        let (calls, call_form) = (Some(calls), tools.form());
        Ok(Plan { format, format_fields, is_free: false, calls, call_form, ..plan })
    }
}

/// Takes the number of likeliest tokens to list; `None` if no probabilities are asked for.
fn probabilities(body: &mut Object<'_>) -> Result<Option<usize>, ApiError> {
    let is_on = body.take("logprobs").map_or(Ok(false), |field| field.flag())?;
    let most = body.take("top_logprobs").map(|field| listed(&field)).transpose()?;
    match (is_on, most) {
        (true, most) => Ok(Some(most.unwrap_or(0))),
        (false, None | Some(0)) => Ok(None),
        (false, Some(_)) => Err(ApiError::invalid(Some("top_logprobs"), "`top_logprobs` needs `\"logprobs\": true`")),
    }
}
