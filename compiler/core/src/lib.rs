//! From source text to artifact, incrementally. This crate knows no file system, no editor protocol and no terminal.
//! Nor does it know the crates that build on it: `ogc-lint` finds expensive and risky constructs, and `ogc-export`
//! writes other notations.
//!
//! # Steps
//!
//! Each module may use only the modules before it (checked by `tests/tests/tidy.rs`):
//!
//! 1. [`lower`] turns schema graphs into automata, by way of `ogc-schema`, and rule trees into the grammar [`ir`].
//! 2. [`pass`] turns the grammar IR into an automaton, in a visible order.
//! 3. [`frontend`] reads each input language from text into a schema graph, a rule tree or a pattern, with diagnostics.
//! 4. [`db`] holds the inputs of the incremental database: source files, their options, vocabularies. [`budget`] bounds what a
//!    query may use.
//! 5. [`foreign`]: queries that read files in other languages.
//! 6. [`hir`] finds the meaning of `.ogc` files: names, parameters, imports; a module of values and texts for each definition.
//! 7. [`pipeline`]: the steps as queries, each of which runs again only if what it read has changed.
//!
//! Diagnostics travel beside every stage as data; an automaton exists exactly if no diagnostic is an error.

pub mod budget;
mod contradiction;
pub mod db;
pub mod foreign;
pub mod frontend;
pub mod hir;
pub mod ir;
pub mod lower;
pub mod pass;
pub mod pipeline;
mod schema_fault;

pub use contradiction::Contradiction;
pub use schema_fault::{SchemaFault, SchemaFaultKind};
