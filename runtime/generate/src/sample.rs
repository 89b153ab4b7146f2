//! Chooses a token by the logits of a model, among those that a mask allows.
//!
//! # Steps
//!
//! 1. The tokens that the mask allows are collected with their logits, to which biases are added and in which tokens that were
//!    written before are penalised.
//! 2. At temperature 0 the first of those with the highest logit is chosen. Otherwise logits are divided by the temperature, the
//!    `top_k` most likely tokens are kept, of these the most likely ones that together have a share of `top_p`, and of these
//!    those that are at least `min_p` times as likely as the first.
//! 3. One of them is drawn by a number that depends on nothing but the seed, the request and the position ([`draw`]): not on
//!    what else is computed beside it.

mod draw;

use std::cmp::Ordering;

use ogc_runtime::vocabulary::TokenId;

/// How tokens are chosen.
///
/// ```
/// use ogc_generate::Sampling;
/// assert_eq!(Sampling::default().temperature, 0.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Sampling {
    /// How even the choice is: 0 takes the most likely token, 1 draws by the model's probabilities.
    pub temperature: f32,
    /// The number of most likely tokens to draw from; 0 is all.
    pub top_k: usize,
    /// The share of the most likely tokens to draw from; 1 is all.
    pub top_p: f32,
    /// The least probability of a token to draw, as a share of that of the most likely one; 0 is none.
    pub min_p: f32,
    /// The divisor of positive logits, and factor of negative ones, of tokens that were written before; 1 is none.
    pub repetition_penalty: f32,
    /// The number that is taken from the logits of tokens that were written before.
    pub presence_penalty: f32,
    /// The number that is taken from the logits of tokens for each time that they were written before.
    pub frequency_penalty: f32,
    /// Numbers that are added to the logits of tokens.
    pub bias: Vec<(TokenId, f32)>,
    /// The seed of the draws.
    pub seed: u64,
}

impl Default for Sampling {
    fn default() -> Self {
        Self {
            temperature: 0.0,
            top_k: 0,
            top_p: 1.0,
            min_p: 0.0,
            repetition_penalty: 1.0,
            presence_penalty: 0.0,
            frequency_penalty: 0.0,
            bias: Vec::new(),
            seed: 0,
        }
    }
}

/// A token that may be chosen, and its logit or weight.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Candidate {
    token: TokenId,
    weight: f32,
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
    /// Makes the sampler of a request; its number tells its draws from those of others with the same seed.
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

    /// Chooses the token at a position of the output; `None` if the mask allows none that has a logit.
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
        let mut candidates = std::mem::take(&mut self.candidates);
        collect(&mut candidates, logits, mask);
        self.adjust(&mut candidates, written);
        let chosen = if self.sampling.temperature > 0.0 {
            self.keep(&mut candidates);
            drawn(&candidates, draw::share(self.sampling.seed, self.request, position))
        } else {
            candidates.iter().copied().reduce(|best, next| if next.weight > best.weight { next } else { best })
        };
        self.candidates = candidates;
        chosen.map(|candidate| candidate.token)
    }

    /// Penalises tokens that were written, and adds the biases.
    fn adjust(&self, candidates: &mut [Candidate], written: &[TokenId]) {
        let Sampling { repetition_penalty, presence_penalty, frequency_penalty, .. } = self.sampling;
        let penalises = repetition_penalty != 1.0 || presence_penalty != 0.0 || frequency_penalty != 0.0;
        if penalises && !written.is_empty() {
            let mut written = written.to_vec();
            written.sort_unstable();
            for same in written.chunk_by(|one, two| one == two) {
                let Ok(at) = candidates.binary_search_by_key(&same[0], |candidate| candidate.token) else { continue };
                let weight = &mut candidates[at].weight;
                *weight *= if *weight > 0.0 { 1.0 / repetition_penalty } else { repetition_penalty };
                *weight -= presence_penalty + frequency_penalty * same.len() as f32;
            }
        }
        for &(token, bias) in &self.sampling.bias {
            if let Ok(at) = candidates.binary_search_by_key(&token, |candidate| candidate.token) {
                candidates[at].weight += bias;
            }
        }
    }

    /// Keeps the candidates to draw from, with weights in place of logits.
    fn keep(&self, candidates: &mut Vec<Candidate>) {
        let Sampling { temperature, top_k, top_p, min_p, .. } = self.sampling;
        let most = candidates.iter().map(|candidate| candidate.weight).fold(f32::NEG_INFINITY, f32::max);
        candidates.iter_mut().for_each(|candidate| candidate.weight = ((candidate.weight - most) / temperature).exp());
        if top_k > 0 && top_k < candidates.len() {
            candidates.select_nth_unstable_by(top_k, likelier);
            candidates.truncate(top_k);
        }
        if top_p < 1.0 {
            candidates.sort_unstable_by(likelier);
            let enough = f64::from(top_p) * sum(candidates);
            let mut before = 0.0;
            let kept = candidates.iter().take_while(|candidate| {
                let is_kept = before < enough;
                before += f64::from(candidate.weight);
                is_kept
            });
            let kept = kept.count().max(1);
            candidates.truncate(kept);
        }
        candidates.retain(|candidate| candidate.weight >= min_p);
        candidates.sort_unstable_by_key(|candidate| candidate.token);
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
            let logit = logits.get(token.index()).copied().filter(|logit| *logit > f32::NEG_INFINITY);
            candidates.extend(logit.map(|weight| Candidate { token, weight }));
        }
    }
}

/// Orders likelier candidates first, and of equal ones the lower id.
fn likelier(one: &Candidate, two: &Candidate) -> Ordering {
    two.weight.total_cmp(&one.weight).then(one.token.cmp(&two.token))
}

fn sum(candidates: &[Candidate]) -> f64 {
    candidates.iter().map(|candidate| f64::from(candidate.weight)).sum()
}

/// Returns the candidate at a share of the sum of all weights.
fn drawn(candidates: &[Candidate], share: f64) -> Option<Candidate> {
    let mut left = share * sum(candidates);
    let found = candidates.iter().find(|candidate| {
        left -= f64::from(candidate.weight);
        left < 0.0
    });
    found.or(candidates.last()).copied()
}

#[cfg(test)]
mod tests;
