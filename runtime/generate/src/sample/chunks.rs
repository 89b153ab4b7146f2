//! The candidates by chunks of the vocabulary: the weight of each chunk, and a draw from all of them.

use ogc_runtime::vocabulary::TokenId;

use super::Candidate;
use super::draw::Draw;
use super::weights::{CHUNK, Scale, below, weighed};

/// A chunk in which there is a candidate.
#[derive(Clone, Copy, Debug)]
struct Chunk {
    /// The indexes at which its candidates begin and end.
    candidates: (usize, usize),
    greatest: f32,
    /// The sum of their weights relative to their greatest logit.
    sum: u64,
    /// The sum of their weights relative to the greatest logit of all candidates.
    weight: u64,
}

/// All chunks, in the order of ids.
#[derive(Clone, Debug)]
pub(super) struct Chunks(Vec<Chunk>);

impl Chunks {
    /// Groups candidates into chunks. They must be in the order of their ids, and `greatest` is their greatest logit.
    pub(super) fn of(candidates: &[Candidate], greatest: f32, scale: Scale) -> Self {
        let mut end = 0;
        let alike = candidates.chunk_by(|one, two| one.token.index() / CHUNK == two.token.index() / CHUNK);
        Self(
            alike
                .map(|chunk| {
                    let begin = end;
                    end += chunk.len();
                    let own = chunk.iter().fold(f32::NEG_INFINITY, |most, candidate| most.max(candidate.logit));
                    let sum = weights(chunk, own, scale).sum();
                    let weight = weighed(sum, scale.weight(own - greatest));
                    Chunk { candidates: (begin, end), greatest: own, sum, weight }
                })
                .collect(),
        )
    }

    /// Returns the total weight of all chunks.
    pub(super) fn total(&self) -> u64 {
        self.0.iter().map(|chunk| chunk.weight).sum()
    }

    /// Draws a chunk, and then one of its candidates.
    pub(super) fn drawn(&self, candidates: &[Candidate], scale: Scale, draw: Draw) -> Option<TokenId> {
        let at = place(self.0.iter().map(|chunk| chunk.weight), below(draw.first, self.total()))?;
        let chunk = self.0[at];
        let candidates = &candidates[chunk.candidates.0..chunk.candidates.1];
        let at = place(weights(candidates, chunk.greatest, scale), below(draw.second, chunk.sum))?;
        Some(candidates[at].token)
    }

    /// Returns the probability of each candidate that can be drawn.
    pub(super) fn odds<'a>(
        &'a self,
        candidates: &'a [Candidate],
        scale: Scale,
    ) -> impl Iterator<Item = (TokenId, f64)> + 'a {
        let total = self.total() as f64;
        self.0.iter().filter(|chunk| chunk.weight > 0).flat_map(move |chunk| {
            let candidates = &candidates[chunk.candidates.0..chunk.candidates.1];
            let share = chunk.weight as f64 / total / chunk.sum as f64;
            candidates.iter().filter_map(move |candidate| {
                let weight = scale.weight(candidate.logit - chunk.greatest);
                (weight > 0).then(|| (candidate.token, f64::from(weight) * share))
            })
        })
    }
}

fn weights(candidates: &[Candidate], greatest: f32, scale: Scale) -> impl Iterator<Item = u64> {
    candidates.iter().map(move |candidate| u64::from(scale.weight(candidate.logit - greatest)))
}

/// Returns the index of the first number at which the running sum exceeds `number`.
fn place(numbers: impl Iterator<Item = u64>, number: u64) -> Option<usize> {
    let mut until = 0;
    numbers.into_iter().position(|weight| {
        until += weight;
        until > number
    })
}
