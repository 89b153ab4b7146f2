//! Tests that need the whole pipeline or a corpus, and what they share with the bench.
//!
//! The crate sees every other one and nothing depends on it but `ogc-bench`. [`corpus`] reads the packs of recorded
//! cases, [`python_text`] spells instances as the packs' users write them, [`random`] makes every random test
//! repeatable. The tests themselves are under `tests/`.

#![allow(clippy::disallowed_methods, reason = "corpora are files; see clippy.toml")]

pub mod corpus;
pub mod python_text;
pub mod random;
