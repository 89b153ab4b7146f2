//! Requests for what follows a text.

use ogc_generate::GivenSampling;
use ogc_runtime::vocabulary::TokenId;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use super::response_format::ResponseFormat;
use super::sampling::{Common, listed};
use super::{ApiError, Kept, Place, Plan, check_known, check_model, parse};

#[derive(Debug, Deserialize)]
struct CompletionRequest {
    prompt: Prompt,
    /// The format, as in chats: an addition to OpenAI's interface.
    #[serde(rename = "response_format")]
    _response_format: Option<IgnoredAny>,
    logprobs: Option<usize>,
    #[serde(flatten)]
    common: Common,
    #[serde(flatten)]
    numbers: GivenSampling,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// A text or several, or the tokens of one or of several.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Prompt {
    Text(String),
    Texts(Vec<String>),
    Tokens(Vec<u32>),
    SeveralTokens(Vec<Vec<u32>>),
}

/// Reads a request for what follows a text; `seed` is for one that names none.
pub(crate) fn read_completion(body: &[u8], place: Place<'_>, seed: u64) -> Result<Plan, ApiError> {
    let request: CompletionRequest = parse(body)?;
    let echoes = |value: &Value| *value != Value::Bool(false);
    let rest: Map<String, Value> =
        request.rest.into_iter().filter(|(name, value)| name != "echo" || echoes(value)).collect();
    check_known(&rest)?;
    let common = request.common;
    check_model(common.model.as_deref(), place)?;
    let kept: Kept = parse(body)?;
    let answer = ResponseFormat::read(kept.response_format.as_deref())?;
    let prompts = prompts(request.prompt, place)?;
    if prompts.is_empty() || prompts.len() * common.choices(place.options)? > place.options.max_choices {
        let limit = place.options.max_choices;
        let message = format!("the prompts times `n` must be from 1 to {limit}");
        return Err(ApiError::invalid(Some("prompt"), message));
    }
    Ok(Plan {
        prompts,
        format: answer.source()?,
        is_free: answer.is_text(),
        has_calls: false,
        choices: common.choices(place.options)?,
        max_tokens: common.most(place.options)?,
        sampling: common.sampling(request.numbers, place, seed)?,
        stop: common.stop()?,
        probabilities: request.logprobs.map(|most| listed("logprobs", most)).transpose()?,
        stream: common.streams(),
        stream_usage: common.streams_usage()?,
        stream_events: common.streams_events(),
    })
}

fn prompts(prompt: Prompt, place: Place<'_>) -> Result<Vec<Vec<TokenId>>, ApiError> {
    let of_text = |text: &String| {
        let tokens = place.loaded.tokenizer.raw_tokens(text);
        tokens.map_err(|error| ApiError::invalid(Some("prompt"), error.to_string()))
    };
    let width = place.loaded.model.width();
    let of_tokens = |tokens: &Vec<u32>| match tokens.iter().find(|token| **token as usize >= width) {
        Some(token) => Err(ApiError::invalid(Some("prompt"), format!("there is no token {token}"))),
        None => Ok(tokens.iter().copied().map(TokenId).collect()),
    };
    match &prompt {
        Prompt::Text(text) => Ok(vec![of_text(text)?]),
        Prompt::Texts(texts) => texts.iter().map(of_text).collect(),
        Prompt::Tokens(tokens) => Ok(vec![of_tokens(tokens)?]),
        Prompt::SeveralTokens(all) => all.iter().map(of_tokens).collect(),
    }
}
