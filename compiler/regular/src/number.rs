//! Exact sets of JSON numbers, and the regular languages of their spellings.
//!
//! A schema's numeric keywords become a [`NumberSet`]: closed under intersection, union and complement, with exact
//! emptiness. [`NumberSet::language`] then turns the set into an automaton over the texts of its numbers; see
//! [`Spelling`] for which texts of a number are accepted.

mod arm;
mod bounds;
mod build;
mod decimal;
mod exponent;
mod frame;
mod modulus;
mod natural;
mod scale;
mod set;
mod spell;
#[cfg(test)]
mod tests;

pub use arm::{Arm, Range};
pub use bounds::Bound;
pub use decimal::{Decimal, MAX_DIGITS, MAX_EXPONENT};
pub use set::{MAX_ARMS, NumberSet};
pub use spell::{Decimals, Spelling};

/// The reason why a number or a set of numbers cannot be handled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NumberError {
    /// The text is no JSON number.
    #[error("`{text}` is not a JSON number")]
    Syntax {
        /// The beginning of the text.
        text: String,
    },
    /// Too many significant digits.
    #[error("a number with {given} significant digits exceeds the limit of {limit}")]
    Digits {
        /// Digits of the number.
        given: usize,
        /// Digits allowed.
        limit: usize,
    },
    /// A digit too far from the decimal point.
    #[error("the exponent {given} exceeds the limit of {limit} in either direction")]
    Exponent {
        /// The power of ten.
        given: i64,
        /// The greatest power of ten, either way.
        limit: i32,
    },
    /// A divisor that is zero or negative.
    #[error("`multipleOf` must be greater than 0, and is {given}")]
    NotPositive {
        /// The divisor.
        given: Decimal,
    },
    /// The set falls into too many parts.
    #[error("a set of numbers in {given} parts exceeds the limit of {limit}")]
    Arms {
        /// Parts of the set.
        given: usize,
        /// Parts allowed.
        limit: usize,
    },
    /// The search for a member took too many steps.
    #[error("looking for a number in a set took {given} steps, which is the limit of {limit}")]
    Steps {
        /// Candidates tried.
        given: usize,
        /// Candidates allowed.
        limit: usize,
    },
    /// A divisor that needs too many remainders.
    #[error("`multipleOf` {divisor} needs {given} remainders, over the limit of {limit}")]
    Divisor {
        /// The divisor.
        divisor: Decimal,
        /// Remainders (times digit positions) to tell apart; `usize::MAX` for more than that.
        given: usize,
        /// Remainders allowed.
        limit: usize,
    },
    /// Too many different divisors at once.
    #[error("{given} different divisors in one set of numbers exceed the limit of {limit}")]
    Divisors {
        /// Different divisors.
        given: usize,
        /// Divisors allowed.
        limit: usize,
    },
    /// The automaton of the spellings grows too large.
    #[error("the spellings of a set of numbers need {given} states or more, over the limit of {limit}")]
    States {
        /// States built so far.
        given: usize,
        /// States allowed.
        limit: usize,
    },
}
