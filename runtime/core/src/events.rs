//! Typed events while a text grows: the beginnings and ends of values, captures and calls of tools. Consumers stream without parsing partial JSON.
//!
//! An [`EventReader`] reads what a matcher has accepted, in tokens or in any pieces, and reports each event as soon as nothing that may
//! follow can change it. All events together rebuild the text's values. The pieces in which the text comes change only where growing
//! strings and texts are cut.
//!
//! # Where events come from
//!
//! * Inside a JSON value, JSON itself shows the structure. [`json`] follows it with a stack of open objects and arrays, one step a byte,
//!   whatever the format is; the grammar is not read again.
//! * Where values, calls and captures lie in other texts is never guessed from a brace: the format has an automaton that finds its
//!   [parts](crate::captures). [`marked`] follows it, and reports the marks that all readings of the text have in common.
//!
//! A reader keeps the open objects and arrays with their keys, the number or word that is being read, and the end of the text that is not
//! decided yet. To roll back, keep a clone, as a matcher is forked.

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

/// Something about a text that has become certain. Offsets count the bytes of the text, with named tokens as their
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
        /// The offset of its first byte.
        at: usize,
    },
    /// The capture that began last ends.
    CaptureEnds {
        /// Its name.
        name: String,
        /// The offset of its first byte.
        start: usize,
        /// The offset after its last byte.
        end: usize,
    },
    /// A call of a tool begins.
    CallBegins {
        /// The tool's name.
        tool: String,
        /// The offset of the call's first byte.
        at: usize,
    },
    /// The call that began last ends.
    CallEnds {
        /// The tool's name.
        tool: String,
        /// The offset of the call's first byte.
        start: usize,
        /// The offset after the call's last byte.
        end: usize,
    },
    /// A JSON value begins, by itself or inside of another.
    ValueBegins {
        /// Its place in the outermost value around it.
        path: Path,
        /// The kind of the value.
        kind: ValueKind,
        /// The offset of its first byte.
        at: usize,
    },
    /// The key of a member is known; its value follows.
    FieldBegins {
        /// The place of the member's value.
        path: Path,
        /// The offset of the key's first byte, its quote.
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
        /// The kind of the value; for a number, boolean or null also the value itself.
        value: Complete,
        /// The offset of its first byte.
        start: usize,
        /// The offset after its last byte.
        end: usize,
    },
    /// The text is complete and has ended.
    Ended {
        /// The length of the text.
        at: usize,
    },
}

/// The kind of a JSON value; its first byte shows it.
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

/// A complete JSON value. The contents of objects, arrays and strings were reported by earlier events.
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
