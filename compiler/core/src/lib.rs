//! From source text to artifact, incrementally. This crate knows no file system, no editor protocol and no terminal.
//!
//! # Steps
//!
//! 1. [`db`]: the inputs (a source file, its options, a vocabulary) of the incremental database.
//! 2. [`frontend`]: each input language, from text to a schema graph, a rule tree or a pattern, with diagnostics.
//! 3. [`lower`]: schema graphs to automata, by way of `ogc-schema`; rule trees to the grammar [`ir`].
//! 4. [`pass`]: from the grammar IR to the automaton, in a visible order.
//! 5. [`export`]: from formats back to the notations of other tools, by way of the rule tree.
//! 6. [`pipeline`]: the steps as queries, each of which runs again only if what it read has changed.
//!
//! Diagnostics travel beside every stage as data; an automaton exists exactly if no diagnostic is an error.

pub mod db;
pub mod export;
pub mod frontend;
pub mod ir;
pub mod lower;
pub mod pass;
pub mod pipeline;
