//! The reasons why a schema is not compiled: keywords that the algebra cannot decide exactly, and budgets that stop it.

use std::fmt;

use ogc_regular::LimitError;
use ogc_regular::format::LeftOut;
use ogc_regular::number::NumberError;
use ogc_regular::pattern::PatternError;

use crate::source::Origin;

/// Reports a schema that is not compiled, at the keyword that causes it.
///
/// ```
/// use ogc_schema::source::Origin;
/// use ogc_schema::{SchemaError, SchemaErrorKind};
/// let error = SchemaError::new(Origin(7), SchemaErrorKind::Cycle);
/// assert_eq!(error.to_string(), "this schema refers to itself without content");
/// assert_eq!(error.origin, Origin(7));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct SchemaError {
    /// The keyword or schema that causes it.
    pub origin: Origin,
    /// The cause, which prints as the message.
    pub kind: SchemaErrorKind,
}

impl SchemaError {
    /// Places an error.
    #[must_use]
    pub fn new(origin: Origin, kind: impl Into<SchemaErrorKind>) -> Self {
        Self { origin, kind: kind.into() }
    }

    /// Makes the error of a number over its limit.
    pub(crate) fn limit(origin: Origin, what: &'static str, given: usize, limit: usize) -> Self {
        match Self::check(origin, what, given.max(limit + 1), limit) {
            Err(error) => error,
            Ok(()) => Self::new(origin, SchemaErrorKind::Empty),
        }
    }

    /// Returns an error if `given` is greater than `limit`.
    pub(crate) fn check(origin: Origin, what: &'static str, given: usize, limit: usize) -> Result<(), Self> {
        LimitError::check(what, given, limit).map_err(|error| Self::new(origin, error))
    }
}

/// The name of the counted things in messages about the limit on alternatives.
pub(crate) const ALTERNATIVES: &str = "alternatives of this schema";

/// Lists the causes of a [`SchemaError`]; each prints as a message in the words of JSON Schema.
///
/// ```
/// use ogc_schema::SchemaErrorKind;
/// let kind = SchemaErrorKind::UnknownFormat { name: "phone".into() };
/// assert_eq!(kind.to_string(), "the format `phone` is not known");
/// assert_eq!(kind.help(), "use a format of the standard, or a `pattern`");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SchemaErrorKind {
    /// A type that is written without quotes has no values.
    #[error("no value is in this type")]
    Empty,
    /// A `format` has an unknown name.
    #[error("the format `{name}` is not known")]
    UnknownFormat {
        /// The name.
        name: String,
    },
    /// A budget is exceeded.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// A number is out of range, or a set of numbers has no automaton.
    #[error(transparent)]
    Number(#[from] NumberError),
    /// A `pattern` is not regular, or too large.
    #[error("this pattern is not compiled: {0}")]
    Pattern(#[from] PatternError),
    /// Arrays or objects would have to be written without quotes, which only strings allow.
    #[error("`raw` takes strings, numbers, booleans and `null`; arrays and records are in this type")]
    RawBrackets,
    /// Strings without bounds would have to be written without quotes.
    #[error("any string is in this type, and without quotes nothing says where it ends")]
    RawWithoutEnd,
    /// The schema refers to itself with no property or item between.
    #[error("this schema refers to itself without content")]
    Cycle,
    /// A negated `uniqueItems` demands two equal items.
    #[error("equal items cannot be demanded")]
    EqualItems,
    /// A key without a name would have to break a condition on all keys, which rules of other notations cannot express.
    #[error("the complement of `{condition}` is needed here: some unnamed key would have to be an exception")]
    UnnamedKey {
        /// The keyword that is negated, so some key must break it.
        condition: KeyCondition,
    },
    /// A format is negated whose language is smaller than its standard, so the complement would be too large.
    #[error("the complement of the format `{name}` is needed here, which leaves out {}", .left_out.what)]
    FormatComplement {
        /// The name of the format.
        name: String,
        /// The strings of the standard that are missing.
        left_out: LeftOut,
    },
}

impl SchemaErrorKind {
    /// Returns advice for the author of a JSON Schema.
    #[must_use]
    pub fn help(&self) -> &'static str {
        match self {
            Self::Empty => "look for conditions that exclude each other",
            Self::UnknownFormat { .. } => "use a format of the standard, or a `pattern`",
            Self::Limit(LimitError { what: ALTERNATIVES, .. }) => {
                "tell the alternatives apart by a required key with a `const`, close their objects with \
                 `additionalProperties: false`, or let conditions speak of keys and their values alone"
            }
            Self::Limit(_) => "simplify the schema here",
            Self::Number(_) => "use simpler bounds or divisors here",
            Self::Pattern(error) if let Some(help) = error.kind.help() => help,
            Self::Pattern(_) => {
                "write the pattern in the regular part of ECMA-262 (no backreferences), or make it smaller"
            }
            Self::RawBrackets => {
                "write `json<T>` for values in their brackets, `raw<...>` of each scalar with text between them, or `raw<T, without = x>`, \
                 where `x` ends strings"
            }
            Self::RawWithoutEnd => {
                "write `text` for free text, or say which strings: `raw<string</[^,\\n]*/>>`, `raw<string<..80>>`, or what ends them: \
                 `raw<string, without = \",\">`"
            }
            Self::Cycle => "a reference must pass through a property or an item before it comes back",
            Self::EqualItems => "say what the items are instead of `not` with `uniqueItems`",
            Self::UnnamedKey { .. } => {
                "close the object with `additionalProperties: false`, or tell the alternatives apart by a required key"
            }
            Self::FormatComplement { .. } => "use a `pattern` instead",
        }
    }
}

/// A keyword of JSON Schema that constrains keys which no schema names.
///
/// ```
/// assert_eq!(ogc_schema::KeyCondition::PropertyNames.to_string(), "propertyNames");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyCondition {
    /// `additionalProperties`.
    AdditionalProperties,
    /// `patternProperties`.
    PatternProperties,
    /// `propertyNames`.
    PropertyNames,
}

impl fmt::Display for KeyCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AdditionalProperties => "additionalProperties",
            Self::PatternProperties => "patternProperties",
            Self::PropertyNames => "propertyNames",
        })
    }
}
