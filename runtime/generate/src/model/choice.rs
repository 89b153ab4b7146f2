//! The questions to a model after the tokens that it reads: for logits, or for the tokens that a sampler chooses by them.
//!
//! A model on a device chooses where its logits are, so that they need not come to the host.

use ogc_runtime::vocabulary::TokenId;

use super::{BatchPart, Cache};
use crate::sample::Sampler;

/// Cap on the tokens of a row that are penalised or have biases, if a model on a device is to choose.
pub(crate) const MOST_LISTED: usize = 1024;

/// A request to choose a token from a row of logits.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "cuda"), allow(dead_code, reason = "only devices choose"))]
pub(crate) struct TokenAsk {
    /// The allowed tokens.
    pub(crate) mask: AskedMask,
    /// The tokens that are penalised, ascending, each with the number of times that it was written.
    pub(crate) written: Vec<(u32, u32)>,
    /// The position of the token in the output.
    pub(crate) position: u64,
}

/// The allowed tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "cuda"), allow(dead_code, reason = "only devices choose"))]
pub(crate) enum AskedMask {
    /// The tokens whose bits are set.
    Bits(Vec<u32>),
    /// The tokens of the mask in the text's slot on the device. The slot must be in the state of the text's matcher.
    Slot,
}

/// The request for a row of logits.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "cuda"), allow(dead_code, reason = "only devices choose"))]
pub(crate) enum RowAsk {
    /// Nothing.
    Nothing,
    /// The logits.
    Logits,
    /// The next token.
    Token(TokenAsk),
}

/// The answer to a [`RowAsk`].
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(not(feature = "cuda"), allow(dead_code, reason = "only devices choose"))]
pub(crate) enum RowAnswer {
    /// Nothing was asked.
    Nothing,
    /// The logits.
    Logits(Vec<f32>),
    /// The token that was chosen.
    Token(TokenId),
    /// No allowed token has a logit.
    NoToken,
}

/// Tokens of one text that a model is to read, and the questions after the last of them.
#[derive(Debug)]
pub(crate) struct Asked<'a> {
    /// The positions that were read before.
    pub(crate) cache: &'a mut Cache,
    /// The tokens to read.
    pub(crate) tokens: &'a [TokenId],
    /// The question that is asked after each of the last tokens.
    pub(crate) rows: &'a [RowAsk],
    /// The sampler that chooses.
    #[cfg_attr(not(feature = "cuda"), allow(dead_code, reason = "only devices choose"))]
    pub(crate) sampler: &'a Sampler,
}

impl Asked<'_> {
    /// Returns the tokens to read as a part of a batch that wants the logits of all rows.
    pub(super) fn part(&mut self) -> BatchPart<'_> {
        BatchPart { cache: self.cache, tokens: self.tokens, rows: self.rows.len() }
    }
}

/// Divides logits into rows.
pub(super) fn rows(logits: Vec<f32>, width: usize) -> Vec<RowAnswer> {
    match logits.len() {
        0 => Vec::new(),
        len if len == width => vec![RowAnswer::Logits(logits)],
        _ => logits.chunks_exact(width).map(|row| RowAnswer::Logits(row.to_vec())).collect(),
    }
}
