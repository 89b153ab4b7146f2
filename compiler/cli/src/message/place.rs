//! Places in source texts.

use serde::Serialize;

/// A place in a source text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Place {
    /// The offset of the first byte.
    pub(crate) start: u32,
    /// The offset after the last byte.
    pub(crate) end: u32,
    /// The line of the first byte, counted from one.
    pub(crate) line: usize,
    /// The column of the first byte, counted from one, in characters.
    pub(crate) column: usize,
}
