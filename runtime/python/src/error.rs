//! The exceptions of the package. `ogc._errors` defines them in Python, because Python's own tools handle such exceptions best.

use ogc_runtime::matcher::MatchError;
use pyo3::call::PyCallArgs;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;

/// Makes an exception of `ogc._errors`.
pub(crate) fn exception<'py>(py: Python<'py>, name: &str, arguments: impl PyCallArgs<'py>) -> PyErr {
    let made =
        py.import("ogc._errors").and_then(|module| module.getattr(name)).and_then(|class| class.call1(arguments));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// Makes the exception for a matcher's error, with `more` after the message.
pub(crate) fn refused(py: Python<'_>, error: &MatchError, more: &str) -> PyErr {
    let message = if more.is_empty() { error.to_string() } else { format!("{error}: {more}") };
    match error {
        MatchError::NotAllowed { .. }
        | MatchError::TokenNotAllowed { .. }
        | MatchError::NotCanonical { .. }
        | MatchError::Terminated => exception(py, "NotAllowedError", (message,)),
        MatchError::Budget { .. } => exception(py, "BudgetError", (message,)),
        MatchError::Rollback { .. } | MatchError::Rows { .. } => PyIndexError::new_err(message),
        MatchError::StopToken { .. } | MatchError::OtherVocabulary => value(&message),
        MatchError::Limit { .. } => exception(py, "LimitError", (message,)),
    }
}

/// Makes a `ValueError`.
pub(crate) fn value(error: &impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}
