//! Captures and other parts of a text: JSON values in it, and calls of tools.
//!
//! Captures do not change what is allowed, so that the automaton of the masks has none. A format with [parts](CapturePart) has a second
//! automaton, over the same bytes and [marks](mark). Marks between the bytes say where a part begins and ends, and which way the text takes
//! through expressions that contain parts. A [`CaptureReader`] follows a text through that automaton and guesses the marks; so does an
//! [`EventReader`](crate::events::EventReader).
//!
//! # Which reading
//!
//! Where a text can be read in several ways, expressions that contain parts take the first alternative and the most repetitions. Parts
//! begin as early as they can (captures first, as the format names them, then calls, then values), and end as late as they can. Exactly: of
//! all ways to put marks between the bytes, the one is taken that is least in lexicographic order. The letters are, in this order:
//! beginnings (in the order of [`Captures::parts`]), the digits 0 and 1 of choices, bytes and the end of the text, ends of parts. Marks
//! that lead back to where they began without a byte are left out.

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

/// The greatest number of different parts of a format's texts.
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
    /// A call of a tool, by the tool's name.
    Call(String),
    /// A JSON value that stands in text.
    Value,
}

/// The content of a format's texts, as far as a reader of [events](crate::events) must know it.
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

    /// Returns the bytes of memory that it takes, beside those of the format.
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
    /// Its name.
    pub name: String,
    /// The index of its first byte, in [`CaptureReader::text`].
    pub start: usize,
    /// The index after its last byte; `None` while it goes on.
    pub end: Option<usize>,
    /// The captures in it, in the order in which they begin.
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
    /// The automaton of the format's texts with marks; without the marks, they are the texts of the format.
    pub automaton: Arc<Automaton>,
    /// The parts, each once, in the order in which they are preferred.
    pub parts: Vec<CapturePart>,
}

impl Captures {
    /// Returns the bytes of memory that they take.
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
