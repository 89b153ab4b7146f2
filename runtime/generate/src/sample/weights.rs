//! The arithmetic of sampling, in which a host and a device agree to the bit (`runtime/cuda/kernels/sample_weights.cuh` is the same).
//!
//! Sums of numbers in floating point depend on their order, and exponential functions on the library. So a token's
//! *weight* is a whole number: 2^31 times 2^y, cut off, where y = (logit - greatest logit) * log2(e) / temperature. All
//! operations are defined by IEEE 754, and none are fused. Sums of weights are the same in any order.
//!
//! A vocabulary is summed in *chunks* of [`CHUNK`] tokens by their ids, each with weights relative to its own greatest
//! logit, so that logits are read once and by many at a time. The total of a row is the sum of the weights of its
//! chunks relative to the greatest logit of all ([`weighed`]).
//!
//! A token that is less than 2^-31 times as likely as the likeliest of its chunk weighs nothing, and is never drawn.

mod softmax;

pub use softmax::Softmax;

/// The number of tokens in a chunk.
pub const CHUNK: usize = 1024;

/// The weight of the likeliest token.
pub const ONE: u32 = 1 << 31;

/// The binary logarithm of a share below which a token weighs nothing anyway.
const LEAST: f32 = -64.0;

/// 1.5 * 2^23, plus the exponent of [`ONE`]: adding so large a number rounds to whole numbers.
const ROUNDER: f32 = 12_582_912.0 + 31.0;

/// The coefficients of 2^f for f from -1/2 to 1/2, from the highest power on: at most 4.4 * 10^-7 off, relative to it.
const COEFFICIENTS: [f32; 6] = [0.001_112_550_7, 0.009_666_283, 0.055_574_004, 0.240_223_51, 0.693_142_83, 1.0];

/// The factor of differences of logits: log2(e) / temperature.
///
/// ```
/// use ogc_generate::weights::Scale;
/// assert_eq!(Scale::of(1.0).factor(), std::f32::consts::LOG2_E);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale(f32);

impl Scale {
    /// Returns the scale of a temperature above 0.
    ///
    /// ```
    /// use ogc_generate::weights::Scale;
    /// // It is a number that products are defined with, whatever the temperature.
    /// assert_eq!(Scale::of(f32::INFINITY).factor(), f32::MIN_POSITIVE);
    /// ```
    #[must_use]
    pub fn of(temperature: f32) -> Self {
        Self((std::f32::consts::LOG2_E / temperature).clamp(f32::MIN_POSITIVE, f32::MAX))
    }

    /// Returns the factor by which differences of logits are multiplied.
    ///
    /// ```
    /// assert!(ogc_generate::weights::Scale::of(0.5).factor() > 2.0);
    /// ```
    #[must_use]
    pub fn factor(self) -> f32 {
        self.0
    }

    /// Returns the weight of a token; `above` is its logit minus the greatest logit, 0 or less.
    ///
    /// ```
    /// use ogc_generate::weights::{ONE, Scale};
    /// assert_eq!(Scale::of(1.0).weight(0.0), ONE);
    /// let half = f64::from(Scale::of(1.0).weight(-std::f32::consts::LN_2));
    /// assert!((half / f64::from(ONE) - 0.5).abs() < 1e-6);
    /// ```
    #[must_use]
    #[inline]
    pub fn weight(self, above: f32) -> u32 {
        let logarithm = (above * self.0).max(LEAST);
        let rounded = logarithm + ROUNDER;
        let rest = logarithm - (rounded - ROUNDER);
        let [first, others @ ..] = COEFFICIENTS;
        let power = others.iter().fold(first, |sum, coefficient| sum * rest + coefficient);
        // The lowest bits of `rounded` are the whole number that was split off, plus 31: it is added to the exponent.
        f32::from_bits(power.to_bits().wrapping_add(rounded.to_bits() << 23)) as u32
    }
}

/// Returns a number that is greater for greater logits; both zeros have the same. The logit must not be NaN.
///
/// ```
/// use ogc_generate::weights::order;
/// assert!(order(-2.0) < order(-1.0) && order(-1.0) < order(0.5));
/// assert_eq!(order(-0.0), order(0.0));
/// ```
#[must_use]
pub fn order(logit: f32) -> u32 {
    let bits = (logit + 0.0).to_bits();
    bits ^ ((bits.cast_signed() >> 31).cast_unsigned() | 1 << 31)
}

/// Returns the weight of a chunk: `sum` is the weight of its tokens relative to its greatest logit, and `weight` the weight of that logit.
///
/// ```
/// use ogc_generate::weights::{ONE, weighed};
/// assert_eq!(weighed(1000, ONE), 1000);
/// assert_eq!(weighed(1000, ONE / 4), 250);
/// ```
#[must_use]
pub fn weighed(sum: u64, weight: u32) -> u64 {
    ((u128::from(sum) * u128::from(weight)) >> 31) as u64
}

/// Returns a number below a limit, evenly distributed for random `bits`.
///
/// ```
/// use ogc_generate::weights::below;
/// assert_eq!((below(0, 10), below(1 << 63, 10), below(u64::MAX, 10)), (0, 5, 9));
/// ```
#[must_use]
pub fn below(bits: u64, limit: u64) -> u64 {
    ((u128::from(bits) * u128::from(limit)) >> 64) as u64
}

/// A share of a total, in units of 2^-32; less than all of it.
///
/// ```
/// use ogc_generate::weights::Share;
/// assert_eq!(Share::of(0.5).map(|half| half.goal(7)), Some(4));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share(u32);

impl Share {
    /// Returns the share for a number from 0 to below 1; `None`, which means all, for greater numbers.
    ///
    /// ```
    /// use ogc_generate::weights::Share;
    /// assert_eq!(Share::of(1.0), None);
    /// assert_eq!(Share::of(0.25).map(Share::units), Some(1 << 30));
    /// ```
    #[must_use]
    pub fn of(share: f32) -> Option<Self> {
        (share < 1.0).then_some(Self((f64::from(share) * 4_294_967_296.0) as u32))
    }

    /// Returns the share in units of 2^-32.
    ///
    /// ```
    /// assert!(ogc_generate::weights::Share::of(-1.0).is_some_and(|share| share.units() == 0));
    /// ```
    #[must_use]
    pub fn units(self) -> u32 {
        self.0
    }

    /// Returns the least sum that is this share of a total, and at least 1.
    ///
    /// ```
    /// use ogc_generate::weights::Share;
    /// assert_eq!(Share::of(0.0).map(|none| none.goal(100)), Some(1));
    /// ```
    #[must_use]
    pub fn goal(self, total: u64) -> u64 {
        let product = u128::from(total) * u128::from(self.0);
        (product.div_ceil(1 << 32) as u64).max(1)
    }
}

/// Returns the min-p threshold as a weight: that of tokens at least `share` times as likely as the likeliest.
///
/// ```
/// use ogc_generate::weights::{ONE, least_weight};
/// assert_eq!((least_weight(0.0), least_weight(0.5), least_weight(2.0)), (0, ONE / 2, ONE));
/// ```
#[must_use]
pub fn least_weight(share: f32) -> u32 {
    ((f64::from(share) * f64::from(ONE)).ceil() as u32).min(ONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_weights_approximate_powers_of_two() {
        let scale = Scale::of(1.0);
        for step in 0..3_000_000_u32 {
            let above = -(step as f32) * 1e-5;
            let exact = (f64::from(above * scale.factor())).exp2() * f64::from(ONE);
            let found = f64::from(scale.weight(above));
            assert!((found - exact).abs() < exact * 7e-7 + 1.0, "{above}: {found}, not {exact}");
        }
    }

    #[test]
    fn logits_far_below_the_highest_have_zero_weight() {
        for temperature in [f32::MIN_POSITIVE, 1e-20, 0.5, 1.0, 1e20, f32::MAX] {
            let scale = Scale::of(temperature);
            assert_eq!(scale.weight(f32::NEG_INFINITY), 0, "{temperature}");
            assert_eq!(scale.weight(0.0), ONE, "{temperature}");
            assert!(scale.weight(-f32::MIN_POSITIVE) <= ONE, "{temperature}");
        }
    }

    #[test]
    fn logit_order_keys_sort_like_the_numbers() {
        let logits = [f32::MIN, -1.5, -f32::MIN_POSITIVE, 0.0, 1e-40, 2.0, f32::MAX];
        assert!(logits.is_sorted_by_key(|logit| order(*logit)));
    }
}
