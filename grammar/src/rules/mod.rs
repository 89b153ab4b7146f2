//! The one tree that GBNF and both EBNF dialects are read into: rules of characters, names and operators, with spans.
//!
//! The tree is notation, not meaning: names are not resolved (see [`check()`]), nothing is simplified beyond groups
//! that group nothing.

mod check;
mod nearest;
mod print;
#[cfg(test)]
mod tests;
mod tree;

pub use check::{Start, check};
pub(crate) use nearest::nearest;
pub(crate) use print::is_gbnf_name_char;
pub use print::{PrintError, print};
#[cfg(test)]
pub(crate) use tests::shape;
pub use tree::{Expr, ExprKind, Grammar, Rule};
