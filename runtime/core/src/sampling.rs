//! The sampling parameters in one table, with their ranges, their defaults in requests and on the command line, and their descriptions.
//!
//! A new parameter is one line in this table. The host's sampler reads it from [`Sampling`], and so do devices and the
//! C interface, which copy it into their own records.

use serde::Deserialize;

use crate::vocabulary::TokenId;

/// The description of a numeric parameter of [`Sampling`].
///
/// ```
/// use ogc_runtime::sampling::SamplingNumber;
/// let names: Vec<&str> = SamplingNumber::ALL.iter().map(|number| number.name).collect();
/// assert_eq!(names[..3], ["temperature", "top_k", "top_p"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SamplingNumber {
    /// The name of the parameter's field, in [`Sampling`] and in requests.
    pub name: &'static str,
    /// The name of the parameter's command-line argument.
    pub argument: &'static str,
    /// The least allowed value.
    pub least: f64,
    /// The greatest allowed value.
    pub most: f64,
    /// The default value.
    pub default: f64,
    /// Whether the value must be a whole number.
    pub is_whole: bool,
    /// A sentence about the parameter, without a full stop.
    pub doc: &'static str,
}

/// The value of a parameter of [`Sampling`] is out of range.
///
/// ```
/// use ogc_runtime::sampling::{GivenSampling, Sampling};
/// let given = GivenSampling { top_p: Some(1.5), ..GivenSampling::default() };
/// let error = given.apply(&mut Sampling::default()).unwrap_err();
/// assert_eq!(error.to_string(), "`top_p` is 1.5; it must be from 0 to 1");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("`{name}` is {given}; it must be {}from {least} to {most}", if *is_whole { "a whole number " } else { "" })]
pub struct SamplingRangeError {
    /// The name of the parameter.
    pub name: &'static str,
    /// The value that was given.
    pub given: f64,
    /// The least allowed value.
    pub least: f64,
    /// The greatest allowed value.
    pub most: f64,
    /// Whether the value must be a whole number.
    pub is_whole: bool,
}

impl SamplingNumber {
    /// Returns the value if it is in the parameter's range.
    ///
    /// # Errors
    ///
    /// The value is out of range, or must be a whole number and is not.
    pub fn check(&self, given: f64) -> Result<f64, SamplingRangeError> {
        let SamplingNumber { name, least, most, is_whole, .. } = *self;
        let fits = (least..=most).contains(&given) && !(is_whole && given.fract() != 0.0);
        fits.then_some(given).ok_or(SamplingRangeError { name, given, least, most, is_whole })
    }
}

macro_rules! numbers {
    ($($field:ident $argument:literal: $type:ident, $default:literal in $least:literal to $most:expr, $doc:literal;)*) => {
        /// The parameters of sampling.
        ///
        /// ```
        /// use ogc_runtime::sampling::Sampling;
        /// assert_eq!(Sampling::default().temperature, 0.0);
        /// ```
        #[derive(Clone, Debug, PartialEq)]
        pub struct Sampling {
            $(
                #[doc = concat!($doc, ".")]
                pub $field: $type,
            )*
            /// Tokens, each with a number that is added to its logit.
            pub bias: Vec<(TokenId, f32)>,
            /// The seed of the random numbers.
            pub seed: u64,
        }

        impl Default for Sampling {
            fn default() -> Self {
                Self { $($field: $default as $type,)* bias: Vec::new(), seed: 0 }
            }
        }

        /// The parameters of [`Sampling`] that a request gives; `None` for the rest.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
        pub struct GivenSampling {
            $(
                #[doc = concat!($doc, ".")]
                pub $field: Option<f64>,
            )*
        }

        impl SamplingNumber {
            /// All parameters.
            pub const ALL: &'static [SamplingNumber] = &[$(SamplingNumber {
                name: stringify!($field),
                argument: $argument,
                least: $least,
                most: $most,
                default: $default,
                is_whole: numbers!(@is_whole $type),
                doc: $doc,
            }),*];
        }

        impl GivenSampling {
            /// Collects the parameters from a function that maps a name to its value.
            ///
            /// ```
            /// use ogc_runtime::sampling::GivenSampling;
            /// let given = GivenSampling::of(|name| (name == "top_k").then_some(40.0));
            /// assert_eq!(given, GivenSampling { top_k: Some(40.0), ..GivenSampling::default() });
            /// ```
            #[must_use]
            pub fn of(given: impl Fn(&'static str) -> Option<f64>) -> Self {
                Self { $($field: given(stringify!($field)),)* }
            }

            /// Fills in missing parameters from `below`.
            #[must_use]
            pub fn over(self, below: Self) -> Self {
                Self { $($field: self.$field.or(below.$field),)* }
            }

            /// Writes the given parameters into `sampling`.
            ///
            /// # Errors
            ///
            /// A parameter is out of range; `sampling` may then be partly changed.
            pub fn apply(&self, sampling: &mut Sampling) -> Result<(), SamplingRangeError> {
                let mut numbers = SamplingNumber::ALL.iter();
                $(
                    if let (Some(number), Some(given)) = (numbers.next(), self.$field) {
                        sampling.$field = number.check(given)? as $type;
                    }
                )*
                Ok(())
            }
        }
    };
    (@is_whole usize) => { true };
    (@is_whole f32) => { false };
}

numbers! {
    temperature "temperature": f32, 0.0 in 0.0 to 2.0,
        "Randomness of the choice of tokens: 0 always takes the most likely one, 1 follows the model's probabilities";
    top_k "top-k": usize, 0.0 in 0.0 to u32::MAX as f64, "Choose among this many of the most likely tokens; 0 is all";
    top_p "top-p": f32, 1.0 in 0.0 to 1.0, "Choose among the most likely tokens whose probabilities add up to this";
    min_p "min-p": f32, 0.0 in 0.0 to 1.0,
        "Choose among tokens whose probability is at least this fraction of the most likely token's";
    repetition_penalty "repetition-penalty": f32, 1.0 in 0.1 to 10.0,
        "Make tokens that were written before less likely: divide their logits by this; 1 changes nothing";
    presence_penalty "presence-penalty": f32, 0.0 in -2.0 to 2.0, "Subtract this from the logits of tokens that were written before";
    frequency_penalty "frequency-penalty": f32, 0.0 in -2.0 to 2.0,
        "Subtract this from the logit of a token for each time that it was written before";
}

#[cfg(test)]
mod tests {
    use super::{GivenSampling, Sampling, SamplingNumber};

    #[test]
    fn each_sampling_parameter_sets_its_field() {
        let mut sampling = Sampling::default();
        let given =
            GivenSampling::of(|name| SamplingNumber::ALL.iter().find(|one| one.name == name).map(|one| one.most));
        given.apply(&mut sampling).expect("numbers in their ranges");
        let shown = format!("{sampling:?}");
        for number in SamplingNumber::ALL {
            let (whole, broken) =
                (format!("{}: {},", number.name, number.most), format!("{}: {:?},", number.name, number.most));
            assert!(shown.contains(&whole) || shown.contains(&broken), "{number:?}: {shown}");
        }
    }

    #[test]
    fn missing_sampling_parameters_keep_the_default() {
        let mut sampling = Sampling::default();
        let given =
            GivenSampling::of(|name| SamplingNumber::ALL.iter().find(|one| one.name == name).map(|one| one.default));
        given.apply(&mut sampling).expect("numbers in their ranges");
        assert_eq!(sampling, Sampling::default());
    }

    #[test]
    fn numbers_outside_of_their_ranges_are_refused() {
        for number in SamplingNumber::ALL {
            let wrong = [number.least - 1.0, number.most * 2.0 + 1.0, f64::NAN, f64::INFINITY];
            for given in wrong.into_iter().chain(number.is_whole.then_some(0.5)) {
                let given = GivenSampling::of(|name| (name == number.name).then_some(given));
                let error = given.apply(&mut Sampling::default()).expect_err("a number outside of its range");
                assert_eq!(error.name, number.name);
            }
        }
    }
}
