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
mod moduli;
mod modulus;
mod natural;
mod scale;
mod set;
mod spell;
mod spelling;
#[cfg(test)]
mod tests;

pub use arm::{Arm, Range};
pub use bounds::Bound;
pub use decimal::{Decimal, MAX_DIGITS, MAX_EXPONENT};
pub use set::{MAX_ARMS, NumberSet};
pub use spelling::{Decimals, Spelling};

use crate::limits::LimitError;

/// The reason why a number or a set of numbers cannot be handled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NumberError {
    /// The text is no JSON number.
    #[error("`{text}` is not a JSON number")]
    Syntax {
        /// The beginning of the text.
        text: String,
    },
    /// A digit too far from the decimal point.
    #[error("the exponent is {given}; the limit is {limit} in either direction")]
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
    /// A divisor that needs too many remainders.
    #[error("`multipleOf` {divisor} needs {given} remainders; the limit is {limit}")]
    Divisor {
        /// The divisor.
        divisor: Decimal,
        /// Remainders (times digit positions) to tell apart; `usize::MAX` for more than that.
        given: usize,
        /// Remainders allowed.
        limit: usize,
    },
    /// There are too many digits, parts, divisors or states, or too many steps to find a member.
    #[error(transparent)]
    Limit(#[from] LimitError),
}

/// Counts states in messages: the operation that made them means nothing to people.
const STATES: &str = "states for the spellings of a set of numbers";

/// Refuses an automaton of spellings with more than `limit` states.
fn check_states(given: usize, limit: usize) -> Result<(), NumberError> {
    Ok(LimitError::check(STATES, given, limit)?)
}

/// Says of an operation on automata of spellings that grew too large what its states were for.
fn too_many_states(error: LimitError) -> NumberError {
    NumberError::Limit(LimitError { what: STATES, ..error })
}
