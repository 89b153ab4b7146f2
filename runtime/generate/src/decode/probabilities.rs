//! The probabilities that the model gave the tokens that were written.

use ogc_runtime::vocabulary::TokenId;

use crate::sample::weights::Softmax;

/// A token and the logarithm of the probability that the model gave it, before biases, penalties and masks.
///
/// ```
/// use ogc_generate::Probable;
/// use ogc_runtime::vocabulary::TokenId;
/// let sure = Probable { token: TokenId(1), logarithm: 0.0 };
/// assert_eq!(sure.logarithm.exp(), 1.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probable {
    /// The token.
    pub token: TokenId,
    /// The natural logarithm of its probability; negative infinity if it has no logit.
    pub logarithm: f32,
}

/// The probability of a token that was written, and of the likeliest tokens at its place.
///
/// ```
/// use ogc_generate::{Probabilities, Probable};
/// use ogc_runtime::vocabulary::TokenId;
/// let written = Probable { token: TokenId(1), logarithm: -0.5 };
/// assert!(Probabilities { written, likeliest: Vec::new() }.likeliest.is_empty());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Probabilities {
    /// The token that was written.
    pub written: Probable,
    /// The tokens that the model found likeliest, in that order, whether the format allows them or not.
    pub likeliest: Vec<Probable>,
}

/// Returns the probability of a token, and those of the `most` likeliest ones.
pub(super) fn probabilities(logits: &[f32], token: TokenId, most: usize) -> Probabilities {
    let softmax = Softmax::of(logits);
    let probable =
        |(token, &logit): (u32, &f32)| Probable { token: TokenId(token), logarithm: softmax.logarithm(logit) };
    let mut likeliest: Vec<Probable> = (0..).zip(logits).map(probable).collect();
    let order =
        |one: &Probable, two: &Probable| two.logarithm.total_cmp(&one.logarithm).then(one.token.cmp(&two.token));
    if most < likeliest.len() {
        likeliest.select_nth_unstable_by(most, order);
        likeliest.truncate(most);
    }
    likeliest.sort_unstable_by(order);
    let written = logits.get(token.index()).map_or(f32::NEG_INFINITY, |&logit| softmax.logarithm(logit));
    Probabilities { written: Probable { token, logarithm: written }, likeliest }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_are_those_of_the_softmax() {
        // Weights 1, 2, 1 and 4 of 8.
        let logits = [1.0_f32, 2.0, 1.0, 4.0].map(f32::ln);
        let found = probabilities(&logits, TokenId(1), 3);
        let of = |probable: &Probable| (probable.token.0, (probable.logarithm.exp() * 8.0).round());
        assert_eq!(of(&found.written), (1, 2.0));
        assert_eq!(found.likeliest.iter().map(of).collect::<Vec<_>>(), [(3, 4.0), (1, 2.0), (0, 1.0)]);
        assert!(probabilities(&logits, TokenId(9), 0).likeliest.is_empty());
        assert_eq!(probabilities(&logits, TokenId(9), 9).written.logarithm, f32::NEG_INFINITY);
    }
}
