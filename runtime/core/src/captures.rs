//! Captures and other parts of a text: JSON values in it, and tool calls.
//!
//! Captures do not change what is allowed, so that the automaton of the masks has none. A format with [parts](CapturePart) has a second
//! automaton, over the same bytes and [marks](mark). A mark between bytes says where a part begins or ends, or which alternative the text
//! takes in expressions that contain parts. A [`CaptureReader`] runs a text through that automaton and searches for the marks; so does an
//! [`EventReader`](crate::events::EventReader).
//!
//! # Which reading
//!
//! Where a text can be read in several ways, expressions that contain parts take the first alternative and the most repetitions. Parts
//! begin as early as possible (captures first, in the order of the format's names; then tool calls, then values), and end as late as
//! possible. More exactly: of all ways to put marks between the bytes, the least in lexicographic order is taken. The letters are, in this
//! order: beginnings (in the order of [`Captures::parts`]), the digits 0 and 1 of choices, bytes and the end of the text, and ends of
//! parts. Marks that form a cycle without a byte are left out.

mod machine;
pub(crate) mod mark;
mod marking;
mod reader;
pub(crate) mod readings;
pub(crate) mod trail;

use std::sync::Arc;

pub use mark::{END, begin, choice};
pub use reader::CaptureReader;

use crate::automaton::Automaton;

/// Cap on the different parts of a format's texts.
pub const MAX_PARTS: usize = 1_024;

/// The kind of a part of a text.
///
/// ```
/// use ogc_runtime::captures::CapturePart;
/// assert_ne!(CapturePart::Capture("id".into()), CapturePart::Call("id".into()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CapturePart {
    /// A capture, by its name.
    Capture(String),
    /// A tool call, by the tool's name.
    Call(String),
    /// A JSON value inside text.
    Value,
}

/// The kind of a format's texts, as far as a reader of [events](crate::events) must know it.
///
/// ```
/// use ogc_runtime::captures::Content;
/// assert_eq!(Content::default().parts(), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Content {
    /// Texts without parts.
    #[default]
    Text,
    /// Each text is one JSON value.
    Value,
    /// Texts with parts.
    Parts(Arc<Captures>),
}

impl Content {
    /// Returns the automaton that finds the parts of the texts, if they have any.
    ///
    /// ```
    #[doc = include_str!("captures/example.md")]
    /// assert_eq!(Content::Parts(Arc::clone(&captures)).parts(), Some(&captures));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn parts(&self) -> Option<&Arc<Captures>> {
        match self {
            Self::Parts(parts) => Some(parts),
            Self::Text | Self::Value => None,
        }
    }

    /// Returns the memory of the parts in bytes, not counting the format's automaton.
    ///
    /// ```
    /// assert_eq!(ogc_runtime::captures::Content::Value.bytes(), 0);
    /// ```
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.parts().map_or(0, |captures| captures.bytes())
    }
}

/// A named part of a text.
///
/// ```
#[doc = include_str!("captures/example.md")]
/// let mut reader = CaptureReader::new(captures);
/// reader.accept_bytes(b"id: ")?;
/// assert_eq!(reader.captures(), [Capture { name: "id".into(), start: 4, end: None, inner: Vec::new() }]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capture {
    /// The capture's name.
    pub name: String,
    /// The offset of its first byte in [`CaptureReader::text`].
    pub start: usize,
    /// The offset after its last byte; `None` while the capture is open.
    pub end: Option<usize>,
    /// The captures inside it, in the order of their beginnings.
    pub inner: Vec<Capture>,
}

/// The automaton that finds the parts of a format's texts, and the list of these parts.
///
/// ```
#[doc = include_str!("captures/example.md")]
/// assert_eq!(captures.parts, [CapturePart::Capture("id".into())]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Captures {
    /// The automaton of the format's texts with marks. Without the marks, its texts are the texts of the format.
    pub automaton: Arc<Automaton>,
    /// The parts, each once, most preferred first.
    pub parts: Vec<CapturePart>,
}

impl Captures {
    /// Returns the memory of the captures in bytes.
    fn bytes(&self) -> usize {
        let name = |part: &CapturePart| match part {
            CapturePart::Capture(name) | CapturePart::Call(name) => name.capacity(),
            CapturePart::Value => 0,
        };
        let names: usize = self.parts.iter().map(name).sum();
        size_of::<Self>() + self.automaton.bytes() + self.parts.capacity() * size_of::<CapturePart>() + names
    }

    /// Returns whether some part is a capture, not only calls and values.
    ///
    /// ```
    #[doc = include_str!("captures/example.md")]
    /// assert!(captures.has_captures());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn has_captures(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, CapturePart::Capture(_)))
    }
}
