//! Captures: named parts of a text.
//!
//! What is captured changes nothing about what is allowed, so the machine of the masks knows nothing of it. A format with
//! captures has a second machine, over the same bytes and [marks](mark): where a capture begins and ends, and which way the
//! text takes through what contains captures, is written between the bytes. A [`CaptureReader`] follows a text through that
//! machine and guesses the marks.
//!
//! # Which reading
//!
//! Where a text can be read in several ways, the first alternative and the most repetitions are taken, of parts in which
//! something is captured; captures begin as early as they can, those first that the format names first, and end as late as
//! they can. Said exactly: of all ways to put marks between the bytes, the one is taken that is least in the order of words in
//! a dictionary, where the letters are, in this order: beginnings (as the format names them), the digits 0 and 1 of choices,
//! bytes and the end of the text, ends of captures. Marks that lead back to where they began without a byte are left out.

pub(crate) mod mark;
mod marking;
mod reader;
mod readings;
mod trail;

use std::sync::Arc;

pub use mark::{END, begin, choice};
pub use reader::CaptureReader;

use crate::automaton::Automaton;

/// The greatest number of different names of captures.
pub const MAX_CAPTURES: usize = 1_024;

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
    /// Its first byte, in [`CaptureReader::text`].
    pub start: usize,
    /// The byte behind its last; `None` while it goes on.
    pub end: Option<usize>,
    /// The captures in it, in the order in which they begin.
    pub inner: Vec<Capture>,
}

/// The automaton that finds the captures of a format, and their names.
///
/// ```
#[doc = include_str!("captures/example.md")]
/// assert_eq!(captures.names, ["id"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Captures {
    /// The automaton of the format's texts with marks; without the marks, they are the texts of the format.
    pub automaton: Arc<Automaton>,
    /// The names, in the order in which they are preferred.
    pub names: Vec<String>,
}
