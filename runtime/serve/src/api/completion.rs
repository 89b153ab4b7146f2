//! Requests for the continuation of a text.

use ogc_runtime::vocabulary::TokenId;

use super::fields::{Field, Object};
use super::format_reader::read_format;
use super::sampling::{Common, listed};
use super::{ApiError, Place, Plan, end};

/// Reads a request for the continuation of a text; `seed` is used if the request has none.
pub(crate) fn read_completion(body: &[u8], place: Place<'_>, seed: u64) -> Result<Plan, ApiError> {
    let mut body = Object::of_body(body)?;
    let common = Common::read(&mut body, place, seed)?;
    let answer = read_format(&mut body)?;
    let prompt = body.need("prompt", TAKES)?;
    // Prompts are counted before they are read: tokenising many prompts takes a while.
    let (given, limit) = (count(&prompt)?.saturating_mul(common.choices), place.options.max_choices);
    if given == 0 || given > limit {
        let message = format!("`prompt` times `n` is {given} texts; it must be from 1 to {limit}");
        return Err(ApiError::invalid(Some("prompt"), message));
    }
    let prompts = prompts(&prompt, place)?;
    let probabilities = body.take("logprobs").map(|most| listed(&most)).transpose()?;
    if body.take("echo").map_or(Ok(false), |echo| echo.flag())? {
        return Err(ApiError::invalid(Some("echo"), "`echo` is not supported: remove it"));
    }
    end(body)?;
    Ok(Plan { probabilities, ..common.plan(prompts, &answer) })
}

const TAKES: &str = "a string, an array of strings, or an array of the tokens of one prompt or of several";

/// Returns the number of prompts.
fn count(field: &Field<'_>) -> Result<usize, ApiError> {
    if field.is_text() {
        return Ok(1);
    }
    if !field.is_list() {
        return Err(field.wrong(TAKES));
    }
    let items = field.list()?;
    let are_prompts = items.first().is_none_or(|first| first.is_text() || first.is_list());
    Ok(if are_prompts { items.len() } else { 1 })
}

/// Reads one text or several, or the tokens of one prompt or of several.
fn prompts(field: &Field<'_>, place: Place<'_>) -> Result<Vec<Vec<TokenId>>, ApiError> {
    if field.is_text() {
        return Ok(vec![text(field, place)?]);
    }
    if !field.is_list() {
        return Err(field.wrong(TAKES));
    }
    let items = field.list()?;
    match items.first() {
        Some(first) if first.is_text() => items.iter().map(|item| text(item, place)).collect(),
        Some(first) if first.is_list() => items.iter().map(|item| tokens(&item.list()?, place)).collect(),
        Some(_) => Ok(vec![tokens(&items, place)?]),
        None => Ok(Vec::new()),
    }
}

fn text(field: &Field<'_>, place: Place<'_>) -> Result<Vec<TokenId>, ApiError> {
    place.tokenizer.raw_tokens(&field.text()?).map_err(|error| field.refused(&error.to_string()))
}

fn tokens(fields: &[Field<'_>], place: Place<'_>) -> Result<Vec<TokenId>, ApiError> {
    let last = i64::try_from(place.loaded.model.width()).unwrap_or(i64::MAX) - 1;
    let one = |field: &Field<'_>| {
        let token = field.whole(0, last).ok().and_then(|token| u32::try_from(token).ok());
        token.map(TokenId).ok_or_else(|| field.wrong(&format!("the id of a token, from 0 to {last}")))
    };
    fields.iter().map(one).collect()
}
