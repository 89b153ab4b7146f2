//! The reader of JSON (RFC 8259), which gives a tree with spans, in source order, with number literals exactly as
//! written.
//!
//! It reads schemas, where `1.0` and `1` are different literals of one number, `1e400` is a number, and the order of
//! properties is part of a format's meaning. A reader that produces floats and maps would lose all three.

mod number;
mod parse;
mod pointer;
mod repeated;
mod string;
mod value;

#[cfg(test)]
mod tests;

pub use parse::{Limits, parse, parse_with};
pub use pointer::pointer_token;
pub use value::{JsonKind, JsonValue, Member};
