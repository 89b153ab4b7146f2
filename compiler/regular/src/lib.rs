//! Regular languages: the leaves of every format.
//!
//! Patterns, string formats, finite sets of strings and the spellings of numbers are all regular languages over bytes
//! (the UTF-8 of the *decoded* text; how JSON spells a character is the automaton's business, not ours). This crate
//! builds them, combines them exactly (intersection, union, complement) and minimises them.
//!
//! It knows no grammar, no schema, no salsa and no tokens.

pub mod budget;
mod charset;
mod construct;
pub mod dfa;
mod equivalence;
pub mod format;
mod graph;
pub mod kept;
pub mod length;
pub mod limits;
mod lists;
mod minimize;
pub mod number;
pub mod partition;
pub mod pattern;
pub mod product;
mod query;
mod refine;
mod sequence;
mod state;
mod substring;
mod trim;
mod utf8;

pub use dfa::Dfa;
pub use format::{StringFormat, format};
pub use limits::{LimitError, Limits};
pub use pattern::{PatternError, PatternErrorKind};
pub use product::{Labelled, LabelledState, combine, intersect_all, product_labels, union_all};
pub use sequence::concat_all;
pub use state::{DfaState, Edge, StateId};
pub use substring::substring;
