//! Chooses a token by the logits of a model, among those that a mask allows.
//!
//! # Steps
//!
//! 1. The tokens that the mask allows are collected with their logits. Biases are added to the logits, and tokens that
//!    were written before are penalised. NaN and minus infinity are left out; infinity is the greatest number.
//! 2. At temperature 0, the first token with the highest logit is chosen. Otherwise each token gets a whole number as
//!    its weight ([`weights`]), by the temperature.
//! 3. If all may be drawn, one of the chunks is drawn, and then one of its tokens ([`chunks`]). Otherwise tokens are
//!    cut off in three steps: only the `top_k` most likely tokens are kept, then the most likely ones that together
//!    have a share of `top_p`, then the ones at least `min_p` times as likely as the first. One of the rest is drawn in
//!    the order of likelihood; of equally likely tokens, the lower id comes first.
//! 4. A draw depends only on the seed, the request and the position ([`draw`]), not on other computations in the same
//!    pass. A device that has the same logits draws the same token (`runtime/cuda/kernels/sample.cu`).
//!
//! Where a draft model has drawn a token before, it is judged by the [`odds`] of both models instead.

mod chunks;
mod draw;
pub(crate) mod odds;
pub mod weights;

use std::cmp::Ordering;

use ogc_runtime::sampling::Sampling;
use ogc_runtime::vocabulary::TokenId;

use chunks::Chunks;
use draw::Draw;
use odds::Odds;
use weights::{Scale, Share, below, least_weight, order};

/// A token that may be chosen, and its logit: a finite number.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Candidate {
    token: TokenId,
    logit: f32,
    /// The weight, once it is computed.
    weight: u32,
}

/// Chooses the tokens of one request.
///
/// ```
/// use ogc_generate::{Sampler, Sampling};
/// use ogc_runtime::vocabulary::TokenId;
/// let mut sampler = Sampler::new(Sampling::default(), 0);
/// // Token 1 is the most likely one that the mask allows.
/// assert_eq!(sampler.choose(&[0.5, 0.25, 3.0, -1.0], &[0b1011], &[], 0), Some(TokenId(0)));
/// ```
#[derive(Clone, Debug)]
pub struct Sampler {
    sampling: Sampling,
    request: u64,
    /// Memory that is kept from one choice to the next.
    candidates: Vec<Candidate>,
}

impl Sampler {
    /// Makes the sampler of a request; the request's number makes its draws differ from those of others with the same seed.
    ///
    /// ```
    /// use ogc_generate::{Sampler, Sampling};
    /// let sampling = Sampling { temperature: 1.0, ..Sampling::default() };
    /// let drawn = |request| Sampler::new(sampling.clone(), request).choose(&[0.0; 32], &[u32::MAX], &[], 0);
    /// assert_eq!(drawn(1), drawn(1));
    /// assert_ne!(drawn(1), drawn(2));
    /// ```
    #[must_use]
    pub fn new(sampling: Sampling, request: u64) -> Self {
        Self { sampling, request, candidates: Vec::new() }
    }

    /// Returns the sampling parameters.
    pub(crate) fn sampling(&self) -> &Sampling {
        &self.sampling
    }

    /// Returns the number of the request, which makes its draws differ from those of others with the same seed.
    #[cfg_attr(not(feature = "cuda"), allow(dead_code, reason = "only devices choose elsewhere"))]
    pub(crate) fn request(&self) -> u64 {
        self.request
    }

    /// Returns whether logits of tokens that were written before are changed.
    pub(crate) fn penalises(&self) -> bool {
        let Sampling { repetition_penalty, presence_penalty, frequency_penalty, .. } = self.sampling;
        repetition_penalty != 1.0 || presence_penalty != 0.0 || frequency_penalty != 0.0
    }

    /// Chooses the token at a position of the output; `None` if no token that the mask allows has a logit.
    ///
    /// `mask` has a bit for each token, `written` the tokens that are penalised.
    ///
    /// ```
    /// use ogc_generate::{Sampler, Sampling};
    /// use ogc_runtime::vocabulary::TokenId;
    /// let sampling = Sampling { repetition_penalty: 4.0, ..Sampling::default() };
    /// let mut sampler = Sampler::new(sampling, 0);
    /// assert_eq!(sampler.choose(&[1.0, 2.0], &[0b11], &[TokenId(1)], 1), Some(TokenId(0)));
    /// assert_eq!(sampler.choose(&[1.0, 2.0], &[0], &[], 1), None);
    /// ```
    pub fn choose(&mut self, logits: &[f32], mask: &[u32], written: &[TokenId], position: u64) -> Option<TokenId> {
        let (mut candidates, likeliest) = self.candidates(logits, mask, written);
        let chosen = match likeliest {
            Some(likeliest) if self.sampling.temperature > 0.0 => self.draw(&mut candidates, likeliest.logit, position),
            _ => likeliest.map(|candidate| candidate.token),
        };
        self.candidates = candidates;
        chosen
    }

    /// Returns the probability with which [`Sampler::choose`] draws each token that it can draw; `None` if there are none.
    pub(crate) fn odds(&mut self, logits: &[f32], mask: &[u32], written: &[TokenId]) -> Option<Odds> {
        let (mut candidates, likeliest) = self.candidates(logits, mask, written);
        let odds = likeliest.map(|likeliest| match self.sampling.temperature > 0.0 {
            true => self.odds_of(&mut candidates, likeliest.logit),
            false => Odds::certain(likeliest.token),
        });
        self.candidates = candidates;
        odds
    }

    /// Returns the confidence of a model: the greatest probability of a token, taken at temperature 1 if the temperature is 0.
    pub(crate) fn confidence(&mut self, logits: &[f32], mask: &[u32], written: &[TokenId], odds: &Odds) -> f64 {
        if self.sampling.temperature > 0.0 {
            return odds.greatest();
        }
        let (candidates, likeliest) = self.candidates(logits, mask, written);
        let greatest = likeliest.map_or(0.0, |likeliest| likeliest.logit);
        let weights = candidates.iter().map(|candidate| u64::from(Scale::of(1.0).weight(candidate.logit - greatest)));
        let all: u64 = weights.sum();
        self.candidates = candidates;
        f64::from(weights::ONE) / all.max(1) as f64
    }

    /// Judges a token that a draft model has drawn with the odds `drafted` at a position of the output: returns it, or another in its
    /// place, so that the tokens written follow the odds `own`.
    pub(crate) fn judge(&self, token: TokenId, own: &Odds, drafted: &Odds, position: u64) -> TokenId {
        let draw = Draw::of(self.sampling.seed, self.request, position);
        own.judge(token, drafted, draw)
    }

    /// Collects the tokens that may be chosen, in the order of their ids, and the first of the likeliest tokens.
    fn candidates(&mut self, logits: &[f32], mask: &[u32], written: &[TokenId]) -> (Vec<Candidate>, Option<Candidate>) {
        let mut candidates = std::mem::take(&mut self.candidates);
        collect(&mut candidates, logits, mask);
        self.adjust(&mut candidates, written);
        candidates.retain(|candidate| candidate.logit > f32::NEG_INFINITY);
        candidates.iter_mut().for_each(|candidate| candidate.logit = candidate.logit.min(f32::MAX));
        let likeliest =
            candidates.iter().copied().reduce(|best, next| if next.logit > best.logit { next } else { best });
        (candidates, likeliest)
    }

    /// Penalises tokens that were written, and adds the biases.
    fn adjust(&self, candidates: &mut [Candidate], written: &[TokenId]) {
        let Sampling { repetition_penalty, presence_penalty, frequency_penalty, .. } = self.sampling;
        if self.penalises() && !written.is_empty() {
            let mut written = written.to_vec();
            written.sort_unstable();
            for same in written.chunk_by(|one, two| one == two) {
                let Ok(at) = candidates.binary_search_by_key(&same[0], |candidate| candidate.token) else { continue };
                let logit = &mut candidates[at].logit;
                *logit *= if *logit > 0.0 { 1.0 / repetition_penalty } else { repetition_penalty };
                *logit -= presence_penalty + frequency_penalty * same.len() as f32;
            }
        }
        for &(token, bias) in &self.sampling.bias {
            if let Ok(at) = candidates.binary_search_by_key(&token, |candidate| candidate.token) {
                candidates[at].logit += bias;
            }
        }
    }

    /// Draws one of the candidates, which are in the order of their ids.
    fn draw(&self, candidates: &mut Vec<Candidate>, greatest: f32, position: u64) -> Option<TokenId> {
        let draw = Draw::of(self.sampling.seed, self.request, position);
        match self.narrow(candidates, greatest) {
            Some(chunks) => chunks.drawn(candidates, self.scale(), draw),
            None => drawn(candidates, below(draw.first, sum(candidates))),
        }
    }

    /// Returns the odds of candidates that are in the order of their ids.
    fn odds_of(&self, candidates: &mut Vec<Candidate>, greatest: f32) -> Odds {
        match self.narrow(candidates, greatest) {
            Some(chunks) => chunks.odds(candidates, self.scale()).collect(),
            None => {
                let all = sum(candidates) as f64;
                let drawn = candidates.iter().filter(|candidate| candidate.weight > 0);
                drawn.map(|candidate| (candidate.token, f64::from(candidate.weight) / all)).collect()
            }
        }
    }

    fn scale(&self) -> Scale {
        Scale::of(self.sampling.temperature)
    }

    /// Returns the chunks of the candidates if all candidates may be drawn. Otherwise keeps those that may be drawn, with their weights,
    /// likeliest first.
    fn narrow(&self, candidates: &mut Vec<Candidate>, greatest: f32) -> Option<Chunks> {
        let Sampling { top_k, top_p, min_p, .. } = self.sampling;
        let (scale, share, least) = (self.scale(), Share::of(top_p), least_weight(min_p));
        let chunks = (top_k == 0).then(|| Chunks::of(candidates, greatest, scale));
        if share.is_none() && least == 0 && chunks.is_some() {
            return chunks;
        }
        candidates.iter_mut().for_each(|candidate| candidate.weight = scale.weight(candidate.logit - greatest));
        if top_k > 0 && top_k < candidates.len() {
            candidates.select_nth_unstable_by(top_k, likelier);
            candidates.truncate(top_k);
        }
        candidates.sort_unstable_by(likelier);
        if let Some(share) = share {
            let total = chunks.map_or_else(|| sum(candidates), |chunks| chunks.total());
            let mut before = 0;
            let goal = share.goal(total);
            let kept = candidates.iter().take_while(|candidate| {
                let is_kept = before < goal;
                before += u64::from(candidate.weight);
                is_kept
            });
            let kept = kept.count();
            candidates.truncate(kept);
        }
        candidates.retain(|candidate| candidate.weight >= least);
        None
    }
}

/// Collects the allowed tokens that have a logit, in the order of their ids.
fn collect(candidates: &mut Vec<Candidate>, logits: &[f32], mask: &[u32]) {
    candidates.clear();
    for (&word, at) in mask.iter().zip((0..).step_by(32)) {
        let mut rest = word;
        while rest != 0 {
            let token = TokenId(at + rest.trailing_zeros());
            rest &= rest - 1;
            candidates.extend(logits.get(token.index()).map(|&logit| Candidate { token, logit, weight: 0 }));
        }
    }
}

/// Orders likelier candidates first; of equally likely ones, the lower id comes first.
fn likelier(one: &Candidate, two: &Candidate) -> Ordering {
    order(two.logit).cmp(&order(one.logit)).then(one.token.cmp(&two.token))
}

fn sum(candidates: &[Candidate]) -> u64 {
    candidates.iter().map(|candidate| u64::from(candidate.weight)).sum()
}

/// Returns the first candidate at which the running sum of weights exceeds a number.
fn drawn(candidates: &[Candidate], number: u64) -> Option<TokenId> {
    let mut until = 0;
    let found = candidates.iter().find(|candidate| {
        until += u64::from(candidate.weight);
        until > number
    });
    found.map(|candidate| candidate.token)
}

#[cfg(test)]
mod tests;
