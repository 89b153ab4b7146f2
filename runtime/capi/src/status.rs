//! Status codes of calls, and the text of the last error of a thread.

use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use ogc_runtime::matcher::MatchError;

use crate::text::c_text;

/// The result of a call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ogc_status {
    /// The call succeeded.
    OK = 0,
    /// The format does not allow the token or the text; nothing has changed.
    NOT_ALLOWED = 1,
    /// The text has ended.
    ENDED = 2,
    /// No completion fits into the budget; nothing has changed.
    BUDGET = 3,
    /// Fewer tokens can be rolled back than asked for: fewer were accepted, or are remembered; nothing has changed.
    ROLLBACK = 4,
    /// The format is so ambiguous here that a step takes too much memory or time, or the system has no more of them.
    LIMIT = 5,
    /// An argument is null, or a size does not fit.
    ARGUMENT = 6,
    /// The bytes are no vocabulary, no artifact or no saved state, or the arguments do not fit together.
    DATA = 7,
    /// A defect of this library. After it, the objects of the call must only be freed.
    DEFECT = 8,
    /// A function of another library is missing.
    NO_LIBRARY = 9,
    /// The source text of a format has errors.
    SOURCE = 10,
    /// There is no device, or its driver refused a call.
    DEVICE = 11,
}

/// A status and the text that explains it.
#[derive(Debug)]
pub(crate) struct Failure {
    status: ogc_status,
    message: String,
}

impl Failure {
    pub(crate) fn status(&self) -> ogc_status {
        self.status
    }

    pub(crate) fn argument(message: &str) -> Self {
        Self { status: ogc_status::ARGUMENT, message: message.to_owned() }
    }

    pub(crate) fn library(message: &str) -> Self {
        Self { status: ogc_status::NO_LIBRARY, message: message.to_owned() }
    }

    #[cfg(feature = "compiler")]
    pub(crate) fn source(message: &str) -> Self {
        Self { status: ogc_status::SOURCE, message: message.to_owned() }
    }

    #[cfg(feature = "cuda")]
    pub(crate) fn device(error: &impl ToString) -> Self {
        Self { status: ogc_status::DEVICE, message: error.to_string() }
    }

    pub(crate) fn not_allowed(error: &impl ToString) -> Self {
        Self { status: ogc_status::NOT_ALLOWED, message: error.to_string() }
    }

    pub(crate) fn limit(message: &str) -> Self {
        Self { status: ogc_status::LIMIT, message: message.to_owned() }
    }

    pub(crate) fn data(error: &impl ToString) -> Self {
        Self { status: ogc_status::DATA, message: error.to_string() }
    }
}

impl From<MatchError> for Failure {
    fn from(error: MatchError) -> Self {
        let status = match error {
            MatchError::NotAllowed { .. } | MatchError::TokenNotAllowed { .. } | MatchError::NotCanonical { .. } => {
                ogc_status::NOT_ALLOWED
            }
            MatchError::Terminated => ogc_status::ENDED,
            MatchError::Limit { .. } => ogc_status::LIMIT,
            MatchError::Budget { .. } => ogc_status::BUDGET,
            MatchError::Rollback { .. } => ogc_status::ROLLBACK,
            MatchError::Rows { .. } | MatchError::StopToken { .. } | MatchError::OtherVocabulary => {
                ogc_status::ARGUMENT
            }
        };
        Self { status, message: error.to_string() }
    }
}

thread_local! {
    static LAST_ERROR: RefCell<CString> = RefCell::new(CString::default());
}

/// Runs a call; turns failures and panics into a status, and keeps the error text.
pub(crate) fn call(act: impl FnOnce() -> Result<(), Failure>) -> ogc_status {
    let done = catch_unwind(AssertUnwindSafe(act));
    let failure = match done {
        Ok(Ok(())) => return ogc_status::OK,
        Ok(Err(failure)) => failure,
        Err(_) => Failure { status: ogc_status::DEFECT, message: "a defect of ogc: please report it".to_owned() },
    };
    let text = c_text(&failure.message, "\\0");
    LAST_ERROR.with_borrow_mut(|last| *last = text);
    failure.status
}

/// Returns the error message of this thread's last call whose status was not `OGC_STATUS_OK`: zero-terminated UTF-8, empty if
/// there was none. It is valid until the next such call of the thread.
#[unsafe(no_mangle)]
pub extern "C" fn ogc_last_error() -> *const c_char {
    LAST_ERROR.with_borrow(|last| last.as_ptr())
}
