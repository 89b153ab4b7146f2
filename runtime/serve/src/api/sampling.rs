//! The parameters that all requests share: how many texts, how long, how tokens are chosen.

use ogc_generate::{GivenSampling, Sampling};
use ogc_runtime::vocabulary::TokenId;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{ApiError, Place};
use crate::options::ServeOptions;

/// The most stop strings, and the most bytes of one.
const MAX_STOPS: (usize, usize) = (16, 256);

/// The most likeliest tokens that are listed.
const MAX_LISTED: usize = 20;

/// The parameters that all requests share.
#[derive(Debug, Deserialize)]
pub(super) struct Common {
    pub(super) model: Option<String>,
    #[serde(default)]
    pub(super) stream: Option<bool>,
    stream_options: Option<StreamOptions>,
    n: Option<usize>,
    max_tokens: Option<u32>,
    max_completion_tokens: Option<u32>,
    logit_bias: Option<Map<String, Value>>,
    seed: Option<i64>,
    stop: Option<Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct StreamOptions {
    #[serde(default)]
    include_usage: bool,
    /// Typed events of the text beside it, an addition to OpenAI's interface.
    #[serde(default)]
    include_events: bool,
    /// Padding against guesses by length, which this server does not add.
    #[serde(default)]
    include_obfuscation: bool,
}

impl Common {
    pub(super) fn streams(&self) -> bool {
        self.stream.unwrap_or(false)
    }

    pub(super) fn streams_usage(&self) -> Result<bool, ApiError> {
        match &self.stream_options {
            None => Ok(false),
            Some(StreamOptions { include_obfuscation: true, .. }) => {
                Err(ApiError::invalid(Some("stream_options"), "`include_obfuscation` is not supported: remove it"))
            }
            Some(_) if !self.streams() => {
                Err(ApiError::invalid(Some("stream_options"), "`stream_options` is for `stream` alone: remove it"))
            }
            Some(options) => Ok(options.include_usage),
        }
    }

    /// Returns whether parts have the events of the text beside them.
    pub(super) fn streams_events(&self) -> bool {
        self.stream_options.as_ref().is_some_and(|options| options.include_events)
    }

    pub(super) fn choices(&self, options: &ServeOptions) -> Result<usize, ApiError> {
        let (given, limit) = (self.n.unwrap_or(1), options.max_choices);
        in_range("n", given, 1, limit)
    }

    /// Returns the most tokens of a text.
    pub(super) fn most(&self, options: &ServeOptions) -> Result<u32, ApiError> {
        let limit = options.max_tokens;
        let given = self.max_completion_tokens.or(self.max_tokens);
        in_range("max_tokens", given.unwrap_or(limit), 1, limit)
    }

    pub(super) fn stop(&self) -> Result<Vec<String>, ApiError> {
        self.stop.as_ref().map_or(Ok(Vec::new()), read_stops)
    }

    /// Returns how tokens are chosen; a request without a seed gets `seed`.
    pub(super) fn sampling(
        &self,
        mut numbers: GivenSampling,
        place: Place<'_>,
        seed: u64,
    ) -> Result<Sampling, ApiError> {
        // Some clients say -1 for all.
        if numbers.top_k == Some(-1.0) {
            numbers.top_k = Some(0.0);
        }
        let seed = self.seed.map_or(seed, i64::cast_unsigned);
        // OpenAI's interface draws by the model's probabilities unless asked otherwise.
        let mut sampling = Sampling { temperature: 1.0, bias: self.bias(place)?, seed, ..Sampling::default() };
        numbers.apply(&mut sampling).map_err(|error| ApiError::invalid(Some(error.name), error.to_string()))?;
        Ok(sampling)
    }

    fn bias(&self, place: Place<'_>) -> Result<Vec<(TokenId, f32)>, ApiError> {
        let wrong = || {
            let message = "`logit_bias` has ids of tokens as keys, and numbers from -100 to 100";
            ApiError::invalid(Some("logit_bias"), message)
        };
        let read = |(token, bias): (&String, &Value)| {
            let token = token.parse().ok().filter(|token| (*token as usize) < place.loaded.model.width());
            let bias = bias.as_f64().filter(|bias| (-100.0..=100.0).contains(bias));
            Ok((TokenId(token.ok_or_else(wrong)?), bias.ok_or_else(wrong)? as f32))
        };
        self.logit_bias.iter().flatten().map(read).collect()
    }
}

/// Reads one stop string or several.
pub(super) fn read_stops(stop: &Value) -> Result<Vec<String>, ApiError> {
    let (count, len) = MAX_STOPS;
    let several = match stop {
        Value::Null => &[],
        Value::Array(stops) => &stops[..],
        one => std::slice::from_ref(one),
    };
    let stops: Option<Vec<String>> = several.iter().map(|stop| stop.as_str().map(str::to_owned)).collect();
    let is_right =
        |stops: &Vec<String>| stops.len() <= count && stops.iter().all(|stop| (1..=len).contains(&stop.len()));
    stops.filter(is_right).ok_or_else(|| {
        ApiError::invalid(Some("stop"), format!("`stop` has at most {count} strings of 1 to {len} bytes"))
    })
}

/// Checks the number of likeliest tokens that are listed.
pub(super) fn listed(name: &str, given: usize) -> Result<usize, ApiError> {
    in_range(name, given, 0, MAX_LISTED)
}

pub(super) fn in_range<N: PartialOrd + std::fmt::Display>(
    name: &str,
    given: N,
    least: N,
    most: N,
) -> Result<N, ApiError> {
    if given >= least && given <= most {
        return Ok(given);
    }
    Err(ApiError::invalid(Some(name), format!("`{name}` is {given}; it must be from {least} to {most}")))
}
