//! From source text to artifact, incrementally. This crate knows no file system, no editor protocol and no terminal.
//!
//! # Steps
//!
//! 1. [`db`]: the inputs (a source file, its options, a vocabulary) of the incremental database.
//! 2. [`frontend`]: each input language, from text to a schema graph, a rule tree or a pattern, with diagnostics.
//! 3. [`hir`]: the meaning of `.ogc` files: names, parameters, imports; a module of values and texts for each definition.
//! 4. [`lower`]: schema graphs to automata, by way of `ogc-schema`; rule trees to the grammar [`ir`].
//! 5. [`pass`]: from the grammar IR to the automaton, in a visible order.
//! 6. [`mod@export`]: graphs and rule trees in other notations, meaning the same.
//! 7. [`pipeline`]: the steps as queries, each of which runs again only if what it read has changed.
//! 8. [`lint`]: what is legal but costs much or is a risk, with what it measurably costs.
//!
//! Diagnostics travel beside every stage as data; an automaton exists exactly if no diagnostic is an error.

pub mod db;
pub mod export;
pub mod findings;
pub mod frontend;
pub mod hir;
pub mod ir;
pub mod lint;
pub mod lower;
pub mod pass;
pub mod pipeline;
mod schema_fault;

pub use schema_fault::SchemaFault;
