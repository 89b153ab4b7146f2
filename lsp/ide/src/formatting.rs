//! Formatting of a document, of a range, and after a typed character.

mod on_type;
mod range;

pub use on_type::{TRIGGERS, on_type};
pub use range::range;
