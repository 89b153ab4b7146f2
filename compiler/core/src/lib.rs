//! From source text to artifact, incrementally. This crate knows no file system, no editor protocol and no terminal.
//!
//! # Steps
//!
//! The modules stand in the order in which they may use each other (`tests/tests/tidy.rs` holds it):
//!
//! 1. [`lower`] turns schema graphs into automata, by way of `ogc-schema`, and rule trees into the grammar [`ir`].
//! 2. [`pass`] turns the grammar IR into an automaton, in a visible order.
//! 3. [`frontend`] reads each input language from text into a schema graph, a rule tree or a pattern, with diagnostics.
//! 4. [`db`] holds the inputs of the incremental database: source files, their options, vocabularies. `budget` bounds what a
//!    query may use.
//! 5. [`foreign`]: queries that read files in other languages.
//! 6. [`hir`] finds the meaning of `.ogc` files: names, parameters, imports; a module of values and texts for each definition.
//! 7. [`pipeline`]: the steps as queries, each of which runs again only if what it read has changed.
//! 8. [`lint`] finds what is legal but costs much or is a risk, with what it measurably costs.
//! 9. [`mod@export`] writes graphs and rule trees in other notations, meaning the same.
//! 10. [`findings`](mod@findings) gives the final list of what is said of a file.
//!
//! Diagnostics travel beside every stage as data; an automaton exists exactly if no diagnostic is an error.

mod budget;
pub mod db;
pub mod export;
pub mod findings;
pub mod foreign;
pub mod frontend;
pub mod hir;
pub mod ir;
pub mod lint;
pub mod lower;
pub mod pass;
pub mod pipeline;
mod schema_fault;

pub use schema_fault::{SchemaFault, SchemaFaultKind};
