//! The parameters that all requests share: the number of texts, their length, and how tokens are sampled.

use ogc_generate::{GivenSampling, Sampling, SamplingNumber};
use ogc_runtime::vocabulary::TokenId;

use super::fields::{Field, Object};
use super::response_format::ResponseFormat;
use super::tools::CallForm;
use super::{ApiError, Place, Plan};
use crate::options::ServeOptions;

/// Maximum number of stop strings, and maximum number of bytes of one stop string.
const MAX_STOPS: (usize, usize) = (16, 256);

/// Maximum number of likeliest tokens that are listed for a token.
const MAX_LISTED: i64 = 20;

/// The parameters that all requests share.
#[derive(Debug)]
pub(super) struct Common {
    pub(super) stream: StreamOptions,
    /// The number of texts for each prompt.
    pub(super) choices: usize,
    /// Maximum number of tokens of a text.
    pub(super) max_tokens: u32,
    pub(super) sampling: Sampling,
    pub(super) stop: Vec<String>,
}

/// Whether an answer is streamed, and the fields that its chunks have beside the text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StreamOptions {
    pub(super) is_on: bool,
    pub(super) usage: bool,
    /// Typed events of the text in each chunk, an addition to OpenAI's interface.
    pub(super) events: bool,
}

impl Common {
    /// Makes the plan of texts of a format that continue `prompts`, without tool calls and without probabilities.
    pub(super) fn plan(self, prompts: Vec<Vec<TokenId>>, answer: &ResponseFormat) -> Plan {
        Plan {
            prompts,
            format: answer.source(),
            format_fields: answer.fields(),
            is_free: answer.is_text(),
            calls: None,
            call_form: CallForm::default(),
            choices: self.choices,
            max_tokens: self.max_tokens,
            sampling: self.sampling,
            stop: self.stop,
            probabilities: None,
            stream: self.stream.is_on,
            stream_usage: self.stream.usage,
            stream_events: self.stream.events,
        }
    }

    /// Takes the parameters; a request without a seed gets `seed`.
    pub(super) fn read(body: &mut Object<'_>, place: Place<'_>, seed: u64) -> Result<Self, ApiError> {
        check_model(body, place)?;
        Ok(Self {
            stream: stream(body)?,
            choices: choices(body, place.options)?,
            max_tokens: max_tokens(body, place.options)?,
            sampling: sampling(body, place, seed)?,
            stop: body.take("stop").as_ref().map_or(Ok(Vec::new()), stops)?,
        })
    }

    /// Takes the parameters of a request for a response, which asks for one text without stop strings.
    pub(super) fn of_response(body: &mut Object<'_>, place: Place<'_>, seed: u64) -> Result<Self, ApiError> {
        check_model(body, place)?;
        let most = body.take("max_output_tokens").map(|given| tokens(&given, place.options)).transpose()?;
        Ok(Self {
            stream: response_stream(body)?,
            choices: 1,
            max_tokens: most.unwrap_or(place.options.max_tokens),
            sampling: sampling(body, place, seed)?,
            stop: Vec::new(),
        })
    }
}

/// Rejects a model that the server does not have.
fn check_model(body: &mut Object<'_>, place: Place<'_>) -> Result<(), ApiError> {
    let model = body.take("model").map(|model| model.text()).transpose()?.unwrap_or_default();
    if model.is_empty() || model == place.options.model {
        return Ok(());
    }
    Err(ApiError::no_model(&model, &place.options.model))
}

fn stream(body: &mut Object<'_>) -> Result<StreamOptions, ApiError> {
    let is_on = body.take("stream").map_or(Ok(false), |stream| stream.flag())?;
    let Some(field) = body.take("stream_options") else {
        return Ok(StreamOptions { is_on, ..StreamOptions::default() });
    };
    let mut options = field.object()?;
    if !is_on {
        return Err(field.refused("it needs `\"stream\": true`: add that, or remove it"));
    }
    let mut flag = |name| options.take(name).map_or(Ok(false), |flag: Field<'_>| flag.flag());
    let (usage, events) = (flag("include_usage")?, flag("include_events")?);
    no_padding(&mut options)?;
    options.end()?;
    Ok(StreamOptions { is_on, usage, events })
}

/// Takes the choice whether a response is streamed. Its last event has the usage in any case.
pub(super) fn response_stream(body: &mut Object<'_>) -> Result<StreamOptions, ApiError> {
    let is_on = body.take("stream").map_or(Ok(false), |stream| stream.flag())?;
    if let Some(field) = body.take("stream_options") {
        let mut options = field.object()?;
        if !is_on {
            return Err(field.refused("it needs `\"stream\": true`: add that, or remove it"));
        }
        no_padding(&mut options)?;
        options.end()?;
    }
    Ok(StreamOptions { is_on, ..StreamOptions::default() })
}

/// Rejects chunks that are padded to hide their length.
fn no_padding(options: &mut Object<'_>) -> Result<(), ApiError> {
    match options.take("include_obfuscation") {
        Some(field) if field.flag()? => Err(field.refused("it is not supported: remove it, or say `false`")),
        _ => Ok(()),
    }
}

/// Takes the number of texts.
pub(super) fn choices(body: &mut Object<'_>, options: &ServeOptions) -> Result<usize, ApiError> {
    let most = i64::try_from(options.max_choices).unwrap_or(i64::MAX);
    let given = body.take("n").map(|given| given.whole(1, most)).transpose()?;
    Ok(given.and_then(|given| usize::try_from(given).ok()).unwrap_or(1))
}

/// Takes the maximum number of tokens of a text.
fn max_tokens(body: &mut Object<'_>, options: &ServeOptions) -> Result<u32, ApiError> {
    let mut take = |name| body.take(name).map(|given| tokens(&given, options)).transpose();
    let (new, old) = (take("max_completion_tokens")?, take("max_tokens")?);
    if new.is_some() && old.is_some() && new != old {
        let message = "`max_tokens` and `max_completion_tokens` are two names of one number, and differ: remove one";
        return Err(ApiError::invalid(Some("max_tokens"), message));
    }
    Ok(new.or(old).unwrap_or(options.max_tokens))
}

/// Reads a number of tokens, up to the server's limit.
fn tokens(field: &Field<'_>, options: &ServeOptions) -> Result<u32, ApiError> {
    let given = field.whole(1, i64::from(options.max_tokens))?;
    Ok(u32::try_from(given).unwrap_or(options.max_tokens))
}

/// Takes the sampling parameters, all of which are optional.
fn sampling(body: &mut Object<'_>, place: Place<'_>, seed: u64) -> Result<Sampling, ApiError> {
    let mut given = Vec::new();
    for number in SamplingNumber::ALL {
        if let Some(field) = body.take(number.name) {
            given.push((number.name, field.number()?));
        }
    }
    let mut numbers =
        GivenSampling::of(|name| given.iter().find(|(found, _)| *found == name).map(|(_, number)| *number));
    // Some clients send -1 for no limit.
    if numbers.top_k == Some(-1.0) {
        numbers.top_k = Some(0.0);
    }
    let own = body.take("seed").map(|seed| seed.whole(i64::MIN, i64::MAX)).transpose()?;
    let seed = own.map_or(seed, i64::cast_unsigned);
    // OpenAI's interface samples by the model's probabilities by default.
    let mut sampling = Sampling { temperature: 1.0, bias: bias(body, place)?, seed, ..Sampling::default() };
    numbers.apply(&mut sampling).map_err(|error| ApiError::invalid(Some(error.name), error.to_string()))?;
    Ok(sampling)
}

fn bias(body: &mut Object<'_>, place: Place<'_>) -> Result<Vec<(TokenId, f32)>, ApiError> {
    let Some(field) = body.take("logit_bias") else { return Ok(Vec::new()) };
    let width = place.loaded.model.width();
    let read = |(token, bias): (String, Field<'_>)| {
        let token = token.parse().ok().filter(|token| (*token as usize) < width);
        let token = token
            .ok_or_else(|| bias.refused(&format!("keys of `logit_bias` are ids of tokens, from 0 to {}", width - 1)))?;
        let number = bias.number().ok().filter(|bias| (-100.0..=100.0).contains(bias));
        Ok((TokenId(token), number.ok_or_else(|| bias.wrong("a number from -100 to 100"))? as f32))
    };
    field.object()?.members().into_iter().map(read).collect()
}

/// Reads one stop string or several.
pub(super) fn stops(field: &Field<'_>) -> Result<Vec<String>, ApiError> {
    let (count, len) = MAX_STOPS;
    let several = match field.is_list() {
        true => field.list()?,
        false => vec![field.clone()],
    };
    if several.len() > count {
        return Err(field.refused(&format!("it has {} strings; {count} are the most", several.len())));
    }
    let takes = format!("a string of 1 to {len} bytes, or an array of them");
    let read = |stop: &Field<'_>| {
        let text = stop.text().ok().filter(|text| (1..=len).contains(&text.len()));
        text.ok_or_else(|| stop.wrong(&takes))
    };
    several.iter().map(read).collect()
}

/// Reads the number of likeliest tokens to list.
pub(super) fn listed(field: &Field<'_>) -> Result<usize, ApiError> {
    field.whole(0, MAX_LISTED).map(|given| usize::try_from(given).unwrap_or_default())
}
