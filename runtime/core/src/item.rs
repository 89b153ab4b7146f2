//! Items of arrays as JSON values: read from text byte by byte, and compared with earlier items.
//!
//! Numbers are equal if their values are, with any number of digits; strings if their characters are, whatever their
//! escapes; objects in any order of their members. An [`ItemReader`] also knows, before an item is complete, which
//! values the item can still become.

mod container;
mod encoded;
mod exponent;
mod number;
mod reader;
mod text;

pub(crate) use reader::ItemReader;
