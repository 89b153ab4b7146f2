//! The probabilities that a model gives its tokens, by sums of whole weights: a device has the same bits
//! (`runtime/cuda/kernels/sample_probability.cuh`).

use super::{CHUNK, Scale, weighed};

/// The natural logarithm of 2 in units of 2^-64.
const LN_2: u64 = 0xb172_17f7_d1cf_79ab;

/// The total weight of all logits of a model, from which the probability of each follows: at temperature 1, before biases, penalties and masks.
///
/// A logit that is NaN or minus infinity has no probability; infinity is the greatest number.
///
/// ```
/// use ogc_generate::weights::Softmax;
/// let even = Softmax::of(&[3.0; 4]);
/// assert!((even.logarithm(3.0).exp() - 0.25).abs() < 1e-6);
/// assert_eq!(even.logarithm(f32::NAN), f32::NEG_INFINITY);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Softmax {
    /// The greatest logit; minus infinity if there is none.
    greatest: f32,
    /// The natural logarithm of the total weight relative to the greatest logit, in units of 2^-32.
    logarithm: u64,
}

impl Softmax {
    /// Sums the weights of the logits of a row.
    ///
    /// ```
    /// use ogc_generate::weights::Softmax;
    /// assert_eq!(Softmax::of(&[7.0]).logarithm(7.0), 0.0);
    /// assert_eq!(Softmax::of(&[]).logarithm(7.0), f32::NEG_INFINITY);
    /// ```
    #[must_use]
    pub fn of(logits: &[f32]) -> Self {
        let greatest = greatest_of(logits);
        let total: u64 = logits.chunks(CHUNK).map(|chunk| chunk_weight(chunk, greatest)).sum();
        let logarithm = if total == 0 { 0 } else { natural(binary_logarithm(total) - (31 << 32)) };
        Self { greatest, logarithm }
    }

    /// Returns the natural logarithm of the probability of one of the logits.
    ///
    /// ```
    /// use ogc_generate::weights::Softmax;
    /// let softmax = Softmax::of(&[0.0, 1.0]);
    /// assert!((softmax.logarithm(1.0) + 0.313_261_7).abs() < 1e-6);
    /// ```
    #[must_use]
    pub fn logarithm(&self, logit: f32) -> f32 {
        match number(logit) {
            Some(logit) if self.greatest > f32::NEG_INFINITY => {
                (f64::from(logit - self.greatest) - self.logarithm as f64 * (1.0 / 4_294_967_296.0)) as f32
            }
            _ => f32::NEG_INFINITY,
        }
    }
}

/// Returns the finite number as which a logit counts; `None` if it has no probability.
fn number(logit: f32) -> Option<f32> {
    (logit > f32::NEG_INFINITY).then_some(logit.min(f32::MAX))
}

fn greatest_of(logits: &[f32]) -> f32 {
    logits.iter().filter_map(|logit| number(*logit)).fold(f32::NEG_INFINITY, f32::max)
}

/// Returns the weight of a chunk relative to the greatest logit of all.
fn chunk_weight(chunk: &[f32], greatest: f32) -> u64 {
    let (own, scale) = (greatest_of(chunk), Scale::of(1.0));
    let sum = chunk.iter().filter_map(|logit| number(*logit)).map(|logit| u64::from(scale.weight(logit - own))).sum();
    weighed(sum, scale.weight(own - greatest))
}

/// Returns the binary logarithm of a number that is not 0, in units of 2^-32, truncated.
fn binary_logarithm(number: u64) -> u64 {
    let zeros = number.leading_zeros();
    let (mut mantissa, mut logarithm) = (number << zeros, u64::from(63 - zeros));
    for _ in 0..32 {
        // The squared mantissa is at least 1/4 of the range; the next bit tells whether it is at least 1/2.
        let square = upper_product(mantissa, mantissa);
        let is_greater = square >> 63;
        logarithm = logarithm << 1 | is_greater;
        mantissa = square << (1 - is_greater);
    }
    logarithm
}

/// Returns the natural logarithm that belongs to a binary logarithm, in the same units.
fn natural(binary: u64) -> u64 {
    upper_product(binary, LN_2)
}

fn upper_product(one: u64, two: u64) -> u64 {
    ((u128::from(one) * u128::from(two)) >> 64) as u64
}

#[cfg(test)]
mod tests {
    use ogc_kit::Random;

    use super::*;

    #[test]
    fn integer_binary_logarithms_are_accurate() {
        for number in (0..64).flat_map(|bit| [1_u64 << bit, (1 << bit) + (1 << bit) / 3, u64::MAX >> bit]) {
            let found = binary_logarithm(number) as f64 / 4_294_967_296.0;
            assert!((found - (number as f64).log2()).abs() < 1e-9, "{number}: {found}");
        }
    }

    #[test]
    fn softmax_probabilities_are_close_to_the_definition() {
        let mut random = Random::new(7);
        for spread in [0.01, 1.0, 8.0, 40.0] {
            for width in [1, 900, 5000, 130_000] {
                let logits: Vec<f32> = (0..width).map(|_| random.unit() * spread).collect();
                let softmax = Softmax::of(&logits);
                let most = f64::from(greatest_of(&logits));
                let sum: f64 = logits.iter().map(|logit| (f64::from(*logit) - most).exp()).sum();
                for logit in logits.iter().step_by(97) {
                    let exact = f64::from(*logit) - most - sum.ln();
                    let found = f64::from(softmax.logarithm(*logit));
                    let bound = 1.5e-6 + exact.abs() * 1.2e-7;
                    assert!((found - exact).abs() <= bound, "{spread} {width}: {found}, not {exact}");
                }
            }
        }
    }

    #[test]
    fn nan_logits_have_zero_probability() {
        let softmax = Softmax::of(&[f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 3.0]);
        assert_eq!(softmax.logarithm(f32::INFINITY), 0.0);
        assert_eq!(softmax.logarithm(f32::NAN), f32::NEG_INFINITY);
        assert!(softmax.logarithm(3.0) < -1e38);
        assert_eq!(Softmax::of(&[f32::NAN, f32::NEG_INFINITY]).logarithm(f32::NEG_INFINITY), f32::NEG_INFINITY);
    }
}
