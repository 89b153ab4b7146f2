//! What lowering and exports say of a schema: a finding whose place is still a handle into a source map.

use ogc_grammar::{Code, Diagnostic};
use ogc_regular::LimitError;
use ogc_regular::budget::Place;
use ogc_schema::Reason;
use ogc_schema::source::Origin;

/// A schema that is not compiled, or not written in another notation, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SchemaFault {
    /// The kind of error.
    pub code: Code,
    /// The keyword or schema that causes it.
    pub origin: Origin,
    /// What is wrong.
    pub message: String,
    /// What the author can do about it.
    pub help: String,
}

impl SchemaFault {
    /// An error with its way out.
    #[must_use]
    pub fn new(code: Code, origin: Origin, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { code, origin, message: message.into(), help: help.into() }
    }

    /// The finding at the place of the error's origin.
    #[must_use]
    pub fn at<P>(&self, place: P) -> Diagnostic<P> {
        Diagnostic::error(self.code, place, &self.message).help(&self.help)
    }

    /// The finding with its origin as the place.
    #[must_use]
    pub fn finding(&self) -> Diagnostic<Origin> {
        self.at(self.origin)
    }

    /// A budget that is exceeded.
    pub(crate) fn limit(origin: Origin, what: &str, given: usize, limit: usize) -> Self {
        ogc_schema::SchemaError::limit(origin, what, given, limit).into()
    }

    /// The budget of the compilation is exceeded; `place` used most of it.
    pub(crate) fn budget(place: Place, error: &LimitError) -> Self {
        ogc_schema::SchemaError::budget(place, error).into()
    }
}

impl From<ogc_schema::SchemaError> for SchemaFault {
    fn from(error: ogc_schema::SchemaError) -> Self {
        let ogc_schema::SchemaError { reason, origin, message, help } = error;
        Self { code: code(reason), origin, message, help }
    }
}

impl From<&ogc_schema::SchemaError> for SchemaFault {
    fn from(error: &ogc_schema::SchemaError) -> Self {
        error.clone().into()
    }
}

fn code(reason: Reason) -> Code {
    match reason {
        Reason::Empty => Code::EmptyFormat,
        Reason::Format => Code::Format,
        Reason::Limit => Code::Limit,
        Reason::Number => Code::Number,
        Reason::Pattern => Code::Pattern,
        Reason::Raw => Code::RawValue,
        Reason::Cycle => Code::ReferenceCycle,
        Reason::Complement => Code::UnsupportedComplement,
    }
}
