//! The errors of reading events.

use crate::matcher::MatchError;

/// The event reader cannot continue.
///
/// ```
/// use ogc_runtime::captures::Content;
/// use ogc_runtime::events::{EventError, EventReader};
/// let mut reader = EventReader::new(&Content::Value);
/// assert_eq!(reader.read_bytes(b"[1,]"), Err(EventError::NotJson { at: 3 }));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EventError {
    /// The format does not allow the text, or is too ambiguous for its parts to be found.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// The text is not JSON where a value is expected.
    #[error("byte {at} of the text is not JSON")]
    NotJson {
        /// The offset of the byte in the text.
        at: usize,
    },
    /// The text is not UTF-8.
    #[error("byte {at} of the text is not UTF-8")]
    NotText {
        /// The offset of the byte in the text.
        at: usize,
    },
    /// More objects and arrays are open than the limit.
    #[error("{given} objects and arrays are open, the limit is {limit}")]
    Depth {
        /// The number that would be open.
        given: usize,
        /// The limit.
        limit: usize,
    },
    /// The text ended before it was complete.
    #[error("the text ends at byte {at}, where it is not complete")]
    Incomplete {
        /// The length of the text, in bytes.
        at: usize,
    },
}
