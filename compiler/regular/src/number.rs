//! Exact sets of JSON numbers, and the regular languages of their spellings.
//!
//! A schema's numeric keywords become a [`NumberSet`]. Number sets are closed under intersection, union and complement,
//! and their emptiness is decided exactly. [`NumberSet::language`] then turns a set into an automaton over the texts of
//! its numbers; [`Spelling`] says which texts of a number are accepted.

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

/// Reasons why a number or a set of numbers cannot be handled.
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
        /// Remainders (times digit positions) that would have to be told apart; `usize::MAX` if there are more.
        given: usize,
        /// Remainders allowed.
        limit: usize,
    },
    /// Too many digits, arms, divisors or states, or too many steps in the search for a member.
    #[error(transparent)]
    Limit(#[from] LimitError),
}

/// Names states in messages by their purpose: the operation that made them means nothing to users.
const STATES: &str = "states for the spellings of a set of numbers";

/// Refuses an automaton of spellings with more than `limit` states.
fn check_states(given: usize, limit: usize) -> Result<(), NumberError> {
    Ok(LimitError::check(STATES, given, limit)?)
}

/// Renames the counted thing of a limit error to [`STATES`], as the states were for spellings.
fn too_many_states(error: LimitError) -> NumberError {
    NumberError::Limit(LimitError { what: STATES, ..error })
}
