//! What the algebra cannot decide exactly, and the budgets that stop it.

use ogc_regular::LimitError;
use ogc_regular::budget::Place;

use crate::source::Origin;

/// The kind of a [`SchemaError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// No value satisfies the schema.
    Empty,
    /// A `format` is not known.
    Format,
    /// A budget is exceeded.
    Limit,
    /// A set of numbers has no automaton.
    Number,
    /// A `pattern` is not compiled.
    Pattern,
    /// A value cannot be written without quotes.
    Raw,
    /// The schema refers to itself without content.
    Cycle,
    /// A complement is needed that the algebra cannot express.
    Complement,
}

/// A schema that is not compiled, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SchemaError {
    /// The kind of error.
    pub reason: Reason,
    /// The keyword or schema that causes it.
    pub origin: Origin,
    /// What is wrong.
    pub message: String,
    /// What the author can do about it.
    pub help: String,
}

impl SchemaError {
    /// An error with its way out.
    #[must_use]
    pub fn new(reason: Reason, origin: Origin, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { reason, origin, message: message.into(), help: help.into() }
    }

    /// A budget that is exceeded.
    #[must_use]
    pub fn limit(origin: Origin, what: &str, given: usize, limit: usize) -> Self {
        let message = format!("{what}: {given} is over the limit of {limit}");
        Self::new(Reason::Limit, origin, message, "simplify the schema here")
    }

    /// The budget of the compilation is exceeded; `place` used most of it.
    #[must_use]
    pub fn budget(place: Place, error: &LimitError) -> Self {
        let message = format!("{error}; this part uses most of them");
        Self::new(Reason::Limit, Origin(place.0), message, "make this part smaller, or split the format into several")
    }

    pub(crate) fn over(origin: Origin, error: &LimitError) -> Self {
        Self::limit(origin, error.what, error.given, error.limit)
    }
}

/// The budgets of one schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Distinct conjunctions of schemas. 100,000 are some tenths of a second.
    pub values: usize,
    /// Alternatives of one conjunction, per JSON type.
    pub arms: usize,
    /// Steps to write one conjunction as alternatives, per JSON type.
    pub work: usize,
    /// Steps to write all conjunctions of a schema as alternatives; some seconds. Real schemas take up to 200,000.
    pub steps: usize,
    /// Schemas within schemas that must be compared to tell the arms of a `oneOf` apart.
    pub depth: usize,
    /// For the regular languages of strings and keys.
    pub regular: ogc_regular::Limits,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            values: 100_000,
            arms: 1_024,
            work: 50_000,
            steps: 2_000_000,
            depth: 24,
            regular: ogc_regular::Limits::default(),
        }
    }
}
