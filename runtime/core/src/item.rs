//! Items of arrays as JSON values: read from text byte by byte, and compared with earlier items.
//!
//! Numbers are equal if their values are, with any number of digits; strings if their characters are, however escaped; objects whatever the
//! order of their members. Before an item is complete, an [`ItemReader`] also knows the values that the item can still become.

mod container;
mod encoded;
mod exponent;
mod number;
mod reader;
mod text;

pub(crate) use reader::ItemReader;
