//! Judges masks by slow oracles: languages as plain sets of texts, which share neither code nor ideas with the
//! compiler.
//!
//! * [`texts`]: a set of texts that answers "does any of you begin with this?".
//! * [`schema`]: random JSON Schemas whose values can all be listed; [`spelling`] lists the ways to write a value.
//! * [`conditions`]: random objects with many conditions on the presence of keys.
//! * [`grammar`]: random grammars with recursion, and all beginnings of their texts up to a length.
//! * [`ogc`]: the meaning of `.ogc` programs by recursion on their trees, and random programs.
//! * [`captures`]: formats with captures, and all ways to read a text with them.
//! * [`check`]: compares every bit of every mask along random walks with such a set.

pub mod captures;
pub mod check;
pub mod conditions;
pub mod grammar;
pub mod ogc;
pub mod schema;
pub mod spelling;
pub mod texts;
