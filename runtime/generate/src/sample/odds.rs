//! The odds of the tokens at a position, and the decision on a token that a draft model drew there.
//!
//! # The rule
//!
//! A draft model drew the token `x` with the probability `q(x)`; the model itself draws it with `p(x)`. It is kept with
//! the probability min(1, p(x) / q(x)); otherwise another token is drawn in its place, with probabilities in proportion
//! to max(0, p - q). The token written is then distributed as `p`, whatever `q` is, and no rule that keeps `p` keeps
//! more drafts (Leviathan, Kalman and Matias, "Fast inference from transformers via speculative decoding", 2023,
//! theorem 3.5 and corollary 3.6; Chen and others, "Accelerating large language model decoding with speculative
//! sampling", 2023). Both `p` and `q` are probabilities under the mask, after all steps of a sampler: temperature,
//! penalties, biases, cuts.
//!
//! # Which numbers decide
//!
//! The draft model draws with the same random number as the model would at this position, so that a draft model that
//! agrees changes nothing. Separate random numbers decide whether its token is kept, and draw the token in its place: a
//! number that is used again after a decision would bias the odds.

use ogc_runtime::vocabulary::TokenId;

use super::draw::Draw;

/// The probabilities of the tokens that can be drawn at a position, in the order of their ids; they sum to 1 except for rounding.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Odds(Vec<(TokenId, f64)>);

impl FromIterator<(TokenId, f64)> for Odds {
    fn from_iter<I: IntoIterator<Item = (TokenId, f64)>>(odds: I) -> Self {
        let mut odds: Vec<(TokenId, f64)> = odds.into_iter().collect();
        odds.sort_unstable_by_key(|(token, _)| *token);
        Self(odds)
    }
}

impl Odds {
    /// Makes the odds of a token that is drawn for sure.
    pub(super) fn certain(token: TokenId) -> Self {
        Self(vec![(token, 1.0)])
    }

    /// Returns the probability of a token.
    pub(super) fn of(&self, token: TokenId) -> f64 {
        self.0.binary_search_by_key(&token, |(token, _)| *token).map_or(0.0, |at| self.0[at].1)
    }

    /// Returns the greatest probability of a token.
    pub(crate) fn greatest(&self) -> f64 {
        self.0.iter().fold(0.0, |most, (_, odds)| odds.max(most))
    }

    /// Judges a token that was drawn with the odds `drafted`: returns it, or another in its place.
    pub(super) fn judge(&self, token: TokenId, drafted: &Self, draw: Draw) -> TokenId {
        if draw.acceptance() < self.of(token) / drafted.of(token) {
            return token;
        }
        // If no token is likelier here than in the draft, only rounding is the cause.
        self.beyond(drafted).drawn(draw.replacement()).or_else(|| self.drawn(draw.replacement())).unwrap_or(token)
    }

    /// Returns, for each token, the difference by which it is likelier than with other odds; not normalised.
    fn beyond(&self, other: &Self) -> Self {
        let mut others = other.0.iter().peekable();
        let beyond = self.0.iter().filter_map(|&(token, own)| {
            while others.next_if(|(other, _)| *other < token).is_some() {}
            let of_other = others.next_if(|(other, _)| *other == token).map_or(0.0, |(_, odds)| *odds);
            (own > of_other).then_some((token, own - of_other))
        });
        Self(beyond.collect())
    }

    /// Returns the token that a number from 0 to below 1 draws; `None` if there are no tokens.
    fn drawn(&self, number: f64) -> Option<TokenId> {
        let goal = number * self.0.iter().map(|(_, odds)| odds).sum::<f64>();
        let mut until = 0.0;
        let found = self.0.iter().find(|(_, odds)| {
            until += odds;
            until > goal
        });
        found.or(self.0.last()).map(|(token, _)| *token)
    }
}

#[cfg(test)]
mod tests;
