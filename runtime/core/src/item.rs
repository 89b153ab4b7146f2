//! Items of arrays as JSON values: read from their text byte by byte, and compared with values that were read before.
//!
//! Numbers are equal by value, with any number of digits; strings by their characters, whatever their escapes; objects whatever the
//! order of their members. An [`ItemReader`] also knows, before an item is complete, which values it can still become.

mod encoded;
mod exponent;
mod number;
mod reader;
mod text;

pub(crate) use reader::ItemReader;
