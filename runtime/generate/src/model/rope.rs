//! Rotary position embeddings (RoPE): the angles by which heads are rotated, and their scaling for contexts longer than those of training.

use std::f64::consts::{PI, TAU};

use crate::error::GenerateError;

/// A scaling of angles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Scaling {
    /// As in training.
    None,
    /// All frequencies are divided by a factor.
    Linear { factor: f64 },
    /// The method of Llama 3.1: frequencies with wavelengths that are long compared with the training context are divided by a factor,
    /// those with short wavelengths are kept, and those between are divided in part.
    Llama3 { factor: f64, low: f64, high: f64, trained: f64 },
    /// YaRN (Peng et al., 2023): like Llama 3.1, but by the number of turns in the context of training; heads are
    /// scaled, too.
    Yarn { factor: f64, fast: f64, slow: f64, trained: f64, length: Option<f64> },
}

/// The rotations of heads.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Rope {
    /// The angle of each pair from one position to the next.
    pub(crate) frequencies: Vec<f64>,
    /// The factor by which heads are scaled.
    pub(crate) length: f64,
}

impl Rope {
    /// Computes the rotations of heads of `head` numbers.
    pub(crate) fn new(head: usize, base: f64, scaling: Scaling) -> Self {
        let frequency = |pair: usize| base.powf(-2.0 * pair as f64 / head as f64);
        let stretched = |pair| match scaling {
            Scaling::None => frequency(pair),
            Scaling::Linear { factor } => frequency(pair) / factor,
            Scaling::Llama3 { factor, low, high, trained } => {
                let turns = trained * frequency(pair) / TAU;
                let kept = ((turns - low) / (high - low)).clamp(0.0, 1.0);
                mix(frequency(pair), factor, kept)
            }
            Scaling::Yarn { factor, fast, slow, trained, .. } => {
                // The pair, as a fraction, that takes so many turns in the context of training.
                let pair_of = |turns: f64| head as f64 * (trained / (turns * TAU)).ln() / (2.0 * base.ln());
                let last = head as f64 - 1.0;
                let (first, end) = (pair_of(fast).floor().max(0.0), pair_of(slow).ceil().min(last));
                let kept = 1.0 - ((pair as f64 - first) / (end - first).max(0.001)).clamp(0.0, 1.0);
                mix(frequency(pair), factor, kept)
            }
        };
        let length = match scaling {
            Scaling::Yarn { factor, length, .. } => length.unwrap_or(0.1 * factor.max(1.0).ln() + 1.0),
            Scaling::None | Scaling::Linear { .. } | Scaling::Llama3 { .. } => 1.0,
        };
        Self { frequencies: (0..head / 2).map(stretched).collect(), length }
    }

    /// Divides the frequency of each pair.
    pub(crate) fn slow_down(&mut self, divisors: &[f32]) {
        self.frequencies.iter_mut().zip(divisors).for_each(|(frequency, divisor)| *frequency /= f64::from(*divisor));
    }
}

/// Mixes a frequency and the same frequency divided by a factor; the undivided one has the share `kept`.
fn mix(frequency: f64, factor: f64, kept: f64) -> f64 {
    frequency * kept + frequency / factor * (1.0 - kept)
}

impl Scaling {
    /// Rejects numbers that are not positive, or not in order.
    pub(crate) fn check(self) -> Result<Self, GenerateError> {
        let above = |number: f64, least: f64| number.is_finite() && number > least;
        let is_right = match self {
            Scaling::None => true,
            Scaling::Linear { factor } => above(factor, 0.0),
            Scaling::Llama3 { factor, low, high, trained } => {
                above(factor, 0.0) && above(low, 0.0) && above(high, low) && above(trained, 0.0)
            }
            Scaling::Yarn { factor, fast, slow, trained, length } => {
                above(factor, 0.0)
                    && above(slow, 0.0)
                    && above(fast, slow)
                    && above(trained, PI)
                    && length.is_none_or(|length| above(length, 0.0))
            }
        };
        if is_right {
            return Ok(self);
        }
        let (given, expected) = (format!("{self:?}"), "its numbers must be positive and in order".to_owned());
        Err(GenerateError::Shape { what: "RoPE scaling".to_owned(), given, expected })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frequencies(scaling: Scaling) -> Vec<f64> {
        Rope::new(8, 10_000.0, scaling).frequencies
    }

    #[track_caller]
    fn check(scaling: Scaling, expected: [f64; 4]) {
        let found = frequencies(scaling);
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{found} is not {expected}");
        }
    }

    #[test]
    fn rope_frequencies_fall_geometrically() {
        check(Scaling::None, [1.0, 0.1, 0.01, 0.001]);
        check(Scaling::Linear { factor: 4.0 }, [0.25, 0.025, 0.0025, 0.00025]);
    }

    #[test]
    fn llama_3_keeps_short_waves() {
        // Turns in 2,000 pi positions: 1,000, 100, 10, 1.
        let scaling = Scaling::Llama3 { factor: 8.0, low: 1.0, high: 19.0, trained: 1_000.0 * TAU };
        check(scaling, [1.0, 0.1, 0.01 * 0.5 + 0.01 / 8.0 * 0.5, 0.001 / 8.0]);
    }

    #[test]
    fn yarn_keeps_pairs_that_turn_often() {
        // Pairs 1 and 3 take 100 turns and 1.
        let scaling = Scaling::Yarn { factor: 4.0, fast: 99.0, slow: 1.1, trained: 1_000.0 * TAU, length: None };
        check(scaling, [1.0, 0.1, 0.01 * 0.5 + 0.01 / 4.0 * 0.5, 0.001 / 4.0]);
        let length = Rope::new(8, 10_000.0, scaling).length;
        assert!((length - (0.1 * 4_f64.ln() + 1.0)).abs() < 1e-12);
    }

    #[test]
    fn invalid_rope_scaling_factors_are_refused() {
        assert!(Scaling::Linear { factor: 0.0 }.check().is_err());
        assert!(Scaling::Linear { factor: f64::NAN }.check().is_err());
        assert!(Scaling::Llama3 { factor: 8.0, low: 4.0, high: 4.0, trained: 8192.0 }.check().is_err());
        assert!(Scaling::Yarn { factor: 4.0, fast: 32.0, slow: 1.0, trained: 4096.0, length: None }.check().is_ok());
    }
}
