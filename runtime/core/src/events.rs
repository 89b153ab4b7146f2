//! Typed events while a text grows: what begins, what is complete, where tools are called. Consumers stream without parsing
//! partial JSON.
//!
//! An [`EventReader`] reads what a matcher has accepted, in tokens or in any pieces, and tells each event as soon as nothing that may
//! follow can change it. All events together rebuild the text's values; how the text came in pieces changes nothing but where
//! growing strings and texts are cut.
//!
//! # Where events come from
//!
//! * Inside a JSON value JSON itself shows the structure. [`json`] follows it with a stack of open objects and arrays, a step a
//!   byte, whatever the format is; the grammar is not read again.
//! * Where values, calls and captures lie in other texts is never guessed from a brace: the format has an automaton that finds its
//!   [parts](crate::captures). [`marked`] follows it, and tells the marks that all readings of the text have in common.
//!
//! A reader keeps the open objects and arrays with their keys, the number or word that it is in, and the end of the text that is not
//! decided yet. Clone it to go back, as a matcher is forked.

mod characters;
mod error;
mod json;
mod marked;
mod path;
mod reader;
mod record;
mod string;
#[cfg(test)]
mod tests;
mod text;

pub use error::EventError;
pub use path::{Path, Step};
pub use reader::EventReader;
pub use record::{EventKind, EventRecord};

/// The most objects and arrays that may be open at once in a value.
pub const MAX_DEPTH: usize = 1_024;

/// Something that became certain of a text. Places count the bytes of the text, named tokens by their
/// [markers](crate::vocabulary::marker()).
///
/// ```
/// use ogc_runtime::captures::Content;
/// use ogc_runtime::events::{Complete, Event, EventReader};
/// let mut reader = EventReader::new(&Content::Value);
/// let events = reader.read_bytes(br#"{"age":4"#)?;
/// assert_eq!(events.len(), 3, "an object begins, a field, a number");
/// // Only the next byte shows that the number is complete.
/// let events = reader.read_bytes(b"2}")?;
/// let Event::ValueComplete { path, value, start, end } = &events[0] else { panic!("{events:?}") };
/// assert_eq!((path.to_string().as_str(), value, *start, *end), ("/age", &Complete::Number("42".into()), 7, 9));
/// # Ok::<(), ogc_runtime::events::EventError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// More text that stands outside of values.
    TextGrows {
        /// The characters that were added.
        text: String,
    },
    /// A token that the format asks for by name, outside of values.
    Token {
        /// The token's name.
        name: String,
    },
    /// A capture begins.
    CaptureBegins {
        /// Its name.
        name: String,
        /// Its first byte.
        at: usize,
    },
    /// The capture ends that began last.
    CaptureEnds {
        /// Its name.
        name: String,
        /// Its first byte.
        start: usize,
        /// The byte behind its last.
        end: usize,
    },
    /// A call of a tool begins.
    CallBegins {
        /// The tool's name.
        tool: String,
        /// The first byte of the call.
        at: usize,
    },
    /// The call ends that began last.
    CallEnds {
        /// The tool's name.
        tool: String,
        /// The first byte of the call.
        start: usize,
        /// The byte behind its last.
        end: usize,
    },
    /// A JSON value begins, one by itself or one inside of another.
    ValueBegins {
        /// Its place in the outermost value around it.
        path: Path,
        /// What it is.
        kind: ValueKind,
        /// Its first byte.
        at: usize,
    },
    /// The key of a member is known; its value follows.
    FieldBegins {
        /// The place of the member's value.
        path: Path,
        /// The first byte of the key, its quote.
        at: usize,
    },
    /// A string that is a value grows.
    StringGrows {
        /// The place of the string.
        path: Path,
        /// The characters that were added, without escapes.
        text: String,
    },
    /// A JSON value is complete.
    ValueComplete {
        /// Its place.
        path: Path,
        /// What it is, and the value of what does not grow.
        value: Complete,
        /// Its first byte.
        start: usize,
        /// The byte behind its last.
        end: usize,
    },
    /// The text is complete and has ended.
    Ended {
        /// The length of the text.
        at: usize,
    },
}

/// What a JSON value is; its first byte shows it.
///
/// ```
/// use ogc_runtime::events::{Complete, ValueKind};
/// assert_eq!(Complete::Bool(true).kind(), ValueKind::Bool);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// An object.
    Object,
    /// An array.
    Array,
    /// A string.
    String,
    /// A number.
    Number,
    /// `true` or `false`.
    Bool,
    /// `null`.
    Null,
}

/// A complete JSON value: of objects, arrays and strings earlier events have told what is in them.
///
/// ```
/// use ogc_runtime::events::Complete;
/// assert_ne!(Complete::Number("1".into()), Complete::Number("1.0".into()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Complete {
    /// An object.
    Object,
    /// An array.
    Array,
    /// A string.
    String,
    /// A number, as it is written.
    Number(String),
    /// `true` or `false`.
    Bool(bool),
    /// `null`.
    Null,
}

impl Complete {
    /// Returns what it is.
    ///
    /// ```
    /// use ogc_runtime::events::{Complete, ValueKind};
    /// assert_eq!(Complete::Null.kind(), ValueKind::Null);
    /// ```
    #[must_use]
    pub fn kind(&self) -> ValueKind {
        match self {
            Self::Object => ValueKind::Object,
            Self::Array => ValueKind::Array,
            Self::String => ValueKind::String,
            Self::Number(_) => ValueKind::Number,
            Self::Bool(_) => ValueKind::Bool,
            Self::Null => ValueKind::Null,
        }
    }
}
