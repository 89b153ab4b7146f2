//! Typed events while a text grows: beginnings and ends of values, captures and tool calls. Consumers can stream without parsing partial
//! JSON.
//!
//! An [`EventReader`] reads the text that a matcher has accepted, in tokens or in any pieces, and reports each event as soon as no
//! continuation can change it. All events together rebuild the text's values. How the text is cut into pieces affects only how growing
//! strings and texts are cut.
//!
//! # Where events come from
//!
//! * Inside a JSON value, JSON itself shows the structure. [`json`] follows it with a stack of open objects and arrays, one step a byte,
//!   whatever the format is; the format's automaton is not used.
//! * Values, calls and captures inside other text are never guessed from a brace: the format has an automaton that finds its
//!   [parts](crate::captures). [`marked`] runs it, and reports the marks that all readings of the text have in common.
//!
//! A reader keeps the open objects and arrays with their keys, the number or word that is being read, and the end of the text that is not
//! decided yet. To support rollback, keep a clone, as when forking a matcher.

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

/// Cap on the objects and arrays that are open at once in a value.
pub const MAX_DEPTH: usize = 1_024;

/// A fact about a text that no continuation can change. Offsets count bytes of the text, with named tokens as their
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
    /// More text outside of values.
    TextGrows {
        /// The characters that were added.
        text: String,
    },
    /// A token outside of values that the format asks for by name.
    Token {
        /// The token's name.
        name: String,
    },
    /// A capture begins.
    CaptureBegins {
        /// The capture's name.
        name: String,
        /// The offset of its first byte.
        at: usize,
    },
    /// The innermost open capture ends.
    CaptureEnds {
        /// The capture's name.
        name: String,
        /// The offset of its first byte.
        start: usize,
        /// The offset after its last byte.
        end: usize,
    },
    /// A tool call begins.
    CallBegins {
        /// The tool's name.
        tool: String,
        /// The offset of the call's first byte.
        at: usize,
    },
    /// The innermost open tool call ends.
    CallEnds {
        /// The tool's name.
        tool: String,
        /// The offset of the call's first byte.
        start: usize,
        /// The offset after the call's last byte.
        end: usize,
    },
    /// A JSON value begins, at top level or inside another value.
    ValueBegins {
        /// Its path in the outermost value.
        path: Path,
        /// The kind of the value.
        kind: ValueKind,
        /// The offset of its first byte.
        at: usize,
    },
    /// The key of a member is known; its value follows.
    FieldBegins {
        /// The path of the member's value.
        path: Path,
        /// The offset of the key's first byte, its quote.
        at: usize,
    },
    /// A string value grows.
    StringGrows {
        /// The path of the string.
        path: Path,
        /// The added characters, with escapes decoded.
        text: String,
    },
    /// A JSON value is complete.
    ValueComplete {
        /// Its path in the outermost value.
        path: Path,
        /// The kind of the value; for a number, boolean or null also the value itself.
        value: Complete,
        /// The offset of its first byte.
        start: usize,
        /// The offset after its last byte.
        end: usize,
    },
    /// The text is complete and has ended.
    Ended {
        /// The length of the text in bytes.
        at: usize,
    },
}

/// The kind of a JSON value, as its first byte shows it.
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

/// A complete JSON value. The contents of objects, arrays and strings were reported in earlier events.
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
    /// A number, as it was written.
    Number(String),
    /// `true` or `false`.
    Bool(bool),
    /// `null`.
    Null,
}

impl Complete {
    /// Returns the kind of the value.
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
