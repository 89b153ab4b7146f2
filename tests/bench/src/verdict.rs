//! A case whose instances are judged, and the verdict of an engine about one of them.

use ogc_tests::corpus::Case;

/// A case and the tokens of each of its instances.
pub(crate) struct Prepared {
    /// The case.
    pub(crate) case: Case,
    /// The tokens of each instance.
    pub(crate) tokens: Vec<Vec<u32>>,
}

/// The verdict of an engine about an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// All tokens were allowed, and so was the end.
    Accepted,
    /// The token with this index (or the end, after the last) was not allowed.
    Refused {
        /// The index.
        at: usize,
        /// The engine's message, if there is one.
        message: String,
    },
}

impl Verdict {
    /// Returns the verdict in one line that begins with `what`.
    pub(crate) fn sentence(&self, what: &str) -> String {
        match self {
            Self::Accepted => what.to_owned(),
            Self::Refused { at, message } if message.is_empty() => format!("{what} at token {at}"),
            Self::Refused { at, message } => format!("{what} at token {at}: {message}"),
        }
    }
}
