//! Formatting of a document, of a range, and after a typed character.

mod document;
mod on_type;
mod range;

pub use document::{document, line_edits};
pub use on_type::{TRIGGERS, on_type};
pub use range::range;
