//! `ogc/sample`: texts that a format accepts.

use std::hash::{BuildHasher, RandomState};

use ogc_ide::requests::{self, SampleOptions};
use serde::{Deserialize, Serialize};

use super::FormatParams;
use crate::failure::Failure;
use crate::view::View;

/// Default number of texts.
const COUNT: usize = 3;

/// Default length of texts, in bytes.
const LENGTH: u32 = 400;

/// Parameters of the request.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SampleParams {
    /// The format.
    #[serde(flatten)]
    pub(crate) format: FormatParams,
    count: Option<usize>,
    seed: Option<u64>,
    length: Option<u32>,
}

/// The sampled texts.
#[derive(Debug, Serialize)]
pub(crate) struct SampleResult {
    samples: Vec<String>,
    seed: u64,
}

/// Exclusive upper bound of seeds, which JavaScript's numbers can hold.
const SEEDS: u64 = 1 << 32;

/// Writes texts.
pub(crate) fn texts(view: &View, params: SampleParams) -> Result<SampleResult, Failure> {
    let format = params.format.decide(view)?;
    let seed = params.seed.unwrap_or_else(|| RandomState::new().hash_one(()) % SEEDS);
    let (count, length) = (params.count.unwrap_or(COUNT), params.length.unwrap_or(LENGTH));
    let found = requests::sample(&view.snapshot, &format, SampleOptions { count, seed, length })?;
    Ok(SampleResult { samples: found.samples, seed: found.seed })
}
