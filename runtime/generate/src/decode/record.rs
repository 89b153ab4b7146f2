//! Records of each token of a text, for studies of the effect of a format on a model. They are kept only if a request
//! asks for them, and are the same wherever the model runs: for a record, the logits come to the host, which chooses.

use std::collections::VecDeque;

use ogc_runtime::vocabulary::TokenId;

use super::probabilities::Probable;
use crate::sample::weights::Softmax;

/// The extent of the record of a text.
///
/// ```
/// use ogc_generate::Recording;
/// assert_eq!(Recording::default().likeliest(), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Recording {
    /// Nothing is recorded.
    #[default]
    Off,
    /// The odds that the passes for the text give without further work. Forced tokens after the last pass have none.
    Passes {
        /// The number of likeliest tokens that are kept at each place: this many that the mask allows, and this many that it refuses.
        likeliest: usize,
    },
    /// The odds at every position: each token takes a pass, also a forced token and a forced end of sequence.
    EveryPlace {
        /// As in [`Recording::Passes`].
        likeliest: usize,
    },
}

impl Recording {
    /// Returns the number of likeliest tokens that are kept at each place, if something is recorded.
    ///
    /// ```
    /// assert_eq!(ogc_generate::Recording::EveryPlace { likeliest: 3 }.likeliest(), Some(3));
    /// ```
    #[must_use]
    pub fn likeliest(self) -> Option<usize> {
        match self {
            Self::Off => None,
            Self::Passes { likeliest } | Self::EveryPlace { likeliest } => Some(likeliest),
        }
    }
}

/// The reason why a token was written.
///
/// ```
/// use ogc_generate::TokenSource;
/// assert_ne!(TokenSource::Sampled, TokenSource::Only);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenSource {
    /// The sampler chose it.
    Sampled,
    /// The format allows no other, so that no pass was made for it.
    Only,
    /// It belongs to a run that the format forces, and the sampler chose it too: it shares a pass.
    Run,
    /// It was guessed from what came before, and the sampler chose it too: it shares a pass.
    Guess,
    /// A draft model drew it, and the sampler keeps it: it shares a pass.
    Draft,
}

/// The record of one token.
///
/// ```
/// use ogc_generate::{TokenRecord, TokenSource};
/// use ogc_runtime::vocabulary::TokenId;
/// let first = TokenRecord { token: TokenId(1), source: TokenSource::Only, pass: 0, odds: None };
/// assert!(first.odds.is_none());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TokenRecord {
    /// The token that was written, or the end of sequence after the last token, if the model chose it.
    pub token: TokenId,
    /// The reason why it was written.
    pub source: TokenSource,
    /// The number of passes after the prompt that were made before it was written.
    pub pass: usize,
    /// The probabilities at its place, if the model computed them.
    pub odds: Option<MaskedOdds>,
}

/// The probabilities that a model gives the tokens of a place, with and without the mask: at temperature 1, before biases and penalties.
///
/// ```
/// use ogc_generate::MaskedOdds;
/// // Weights 1, 2 and 5 of 8; the mask allows the first two, of which the second was written.
/// let logits = [1.0_f32, 2.0, 5.0].map(f32::ln);
/// let odds = MaskedOdds::of(&logits, &[0b011], 1, 8);
/// assert!((odds.refused - 5.0 / 8.0).abs() < 1e-5 && odds.allowed_tokens == 2);
/// assert!((odds.written_masked() - 2.0 / 3.0).abs() < 1e-5);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MaskedOdds {
    /// The probability of the token that was written.
    pub written: f32,
    /// The total probability of the tokens that the mask allows.
    pub allowed: f32,
    /// The total probability of the tokens that the mask refuses.
    pub refused: f32,
    /// The number of tokens that the mask allows.
    pub allowed_tokens: usize,
    /// The likeliest tokens that the mask allows, likeliest first.
    pub likeliest_allowed: Vec<Probable>,
    /// The likeliest tokens that the mask refuses, likeliest first.
    pub likeliest_refused: Vec<Probable>,
}

impl MaskedOdds {
    /// Computes the odds of a place from its logits and the bits of its mask, and keeps the `likeliest` tokens of both sides.
    ///
    /// ```
    /// let odds = ogc_generate::MaskedOdds::of(&[0.0, 0.0], &[0b10], 1, 8);
    /// assert_eq!((odds.likeliest_allowed.len(), odds.likeliest_refused[0].token.0), (1, 0));
    /// ```
    #[must_use]
    pub fn of(logits: &[f32], mask: &[u32], written: u32, likeliest: usize) -> Self {
        let softmax = Softmax::of(logits);
        let is_allowed = |token: u32| mask.get(token as usize / 32).is_some_and(|word| word >> (token % 32) & 1 == 1);
        let of = |(token, &logit)| Probable { token: TokenId(token), logarithm: softmax.logarithm(logit) };
        let (allowed, refused): (Vec<Probable>, Vec<Probable>) =
            (0..).zip(logits).map(of).partition(|probable| is_allowed(probable.token.0));
        Self {
            written: logits.get(written as usize).map_or(0.0, |&logit| softmax.logarithm(logit).exp()),
            allowed: together(&allowed),
            refused: together(&refused),
            allowed_tokens: mask.iter().map(|word| word.count_ones() as usize).sum(),
            likeliest_allowed: first(allowed, likeliest),
            likeliest_refused: first(refused, likeliest),
        }
    }

    /// Returns the probability of the token that was written among those that the mask allows.
    ///
    /// ```
    /// assert_eq!(ogc_generate::MaskedOdds::of(&[0.0; 4], &[0b1], 0, 0).written_masked(), 1.0);
    /// ```
    #[must_use]
    pub fn written_masked(&self) -> f32 {
        if self.allowed > 0.0 { (self.written / self.allowed).min(1.0) } else { 0.0 }
    }

    /// Returns the likeliest token that the mask refuses, if it is likelier than all tokens that the mask allows.
    ///
    /// ```
    /// let odds = ogc_generate::MaskedOdds::of(&[0.0, 1.0], &[0b01], 0, 1);
    /// assert_eq!(odds.refused_first().map(|first| first.token.0), Some(1));
    /// ```
    #[must_use]
    pub fn refused_first(&self) -> Option<Probable> {
        let refused = self.likeliest_refused.first().copied()?;
        let is_first = self.likeliest_allowed.first().is_none_or(|allowed| allowed.logarithm < refused.logarithm);
        is_first.then_some(refused)
    }
}

fn together(tokens: &[Probable]) -> f32 {
    tokens.iter().map(|probable| f64::from(probable.logarithm.exp())).sum::<f64>().min(1.0) as f32
}

/// Returns the likeliest tokens in their order; of equal ones the lower number comes first.
fn first(mut tokens: Vec<Probable>, most: usize) -> Vec<Probable> {
    let order =
        |one: &Probable, two: &Probable| two.logarithm.total_cmp(&one.logarithm).then(one.token.cmp(&two.token));
    if most < tokens.len() {
        tokens.select_nth_unstable_by(most, order);
        tokens.truncate(most);
    }
    tokens.retain(|probable| probable.logarithm > f32::NEG_INFINITY);
    tokens.sort_unstable_by(order);
    tokens
}

/// Keeps the record of a text that is being written.
#[derive(Debug)]
pub(super) struct Recorder {
    likeliest: usize,
    tokens: Vec<TokenRecord>,
    /// The indexes of records whose odds the next pass gives: it reads the tokens before them.
    waiting: VecDeque<usize>,
}

impl Recorder {
    pub(super) fn new(recording: Recording) -> Option<Self> {
        let likeliest = recording.likeliest()?;
        Some(Self { likeliest, tokens: Vec::new(), waiting: VecDeque::new() })
    }

    /// Returns the records so far.
    pub(super) fn tokens(&self) -> &[TokenRecord] {
        &self.tokens
    }

    /// Returns the records, and consumes the recorder.
    pub(super) fn into_tokens(self) -> Vec<TokenRecord> {
        self.tokens
    }

    /// Returns the number of rows that only the record needs; they come first in the next pass.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Records a token that was written without the model.
    pub(super) fn write_only(&mut self, token: TokenId, pass: usize) {
        self.waiting.push_back(self.tokens.len());
        self.tokens.push(TokenRecord { token, source: TokenSource::Only, pass, odds: None });
    }

    /// Records a token that was chosen by logits under a mask.
    pub(super) fn write_chosen(&mut self, chosen: (TokenId, TokenSource), pass: usize, logits: &[f32], mask: &[u32]) {
        let (token, source) = chosen;
        let odds = Some(MaskedOdds::of(logits, mask, token.0, self.likeliest));
        self.tokens.push(TokenRecord { token, source, pass, odds });
    }

    /// Adds the odds to the first record that waits for them. Its token was forced, so its mask allowed no other token.
    pub(super) fn answer(&mut self, logits: &[f32]) {
        let Some(record) = self.waiting.pop_front().and_then(|at| self.tokens.get_mut(at)) else { return };
        let token = record.token.0;
        let mut mask = vec![0; token as usize / 32 + 1];
        mask[token as usize / 32] = 1 << (token % 32);
        record.odds = Some(MaskedOdds::of(logits, &mask, token, self.likeliest));
    }
}

#[cfg(test)]
mod tests {
    use ogc_kit::Random;

    use super::*;

    /// Sums over all tokens in double precision, one after the other.
    #[test]
    fn masked_odds_match_their_definition() {
        let mut random = Random::new(11);
        for width in [1_usize, 5, 64, 700] {
            let logits: Vec<f32> = (0..width).map(|_| random.unit() * 9.0).collect();
            let mask: Vec<u32> = (0..width.div_ceil(32)).map(|_| (random.unit() * 4e9) as u32).collect();
            let is_allowed = |token: usize| mask[token / 32] >> (token % 32) & 1 == 1;
            let total: f64 = logits.iter().map(|logit| f64::from(*logit).exp()).sum();
            let exact = |token: usize| f64::from(logits[token]).exp() / total;
            let odds = MaskedOdds::of(&logits, &mask, 0, 3);
            let sum = |allowed: bool| (0..width).filter(|token| is_allowed(*token) == allowed).map(exact).sum::<f64>();
            assert!((f64::from(odds.allowed) - sum(true)).abs() < 1e-4, "{width}: {odds:?}");
            assert!((f64::from(odds.refused) - sum(false)).abs() < 1e-4, "{width}: {odds:?}");
            assert!((f64::from(odds.written) - exact(0)).abs() < 1e-4, "{width}: {odds:?}");
            for (allowed, kept) in [(true, &odds.likeliest_allowed), (false, &odds.likeliest_refused)] {
                let mut all: Vec<usize> = (0..width).filter(|token| is_allowed(*token) == allowed).collect();
                all.sort_by(|one, two| exact(*two).total_cmp(&exact(*one)));
                all.truncate(3);
                assert_eq!(kept.iter().map(|probable| probable.token.index()).collect::<Vec<_>>(), all, "{width}");
            }
        }
    }

    #[test]
    fn tokens_without_probability_are_never_listed_as_likely() {
        let odds = MaskedOdds::of(&[f32::NEG_INFINITY, f32::NAN, 1.0], &[0b100], 2, 3);
        assert_eq!((odds.refused, odds.likeliest_refused.len(), odds.written_masked()), (0.0, 0, 1.0));
        assert_eq!(MaskedOdds::of(&[], &[], 7, 3).written_masked(), 0.0);
    }
}
