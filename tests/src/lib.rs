//! Helpers of the tests that need the whole pipeline or a corpus, shared with the bench.
//!
//! The crate sees every other crate, and only `ogc-bench` depends on it. [`engine`] calls the compiler and the runtime,
//! [`events`] rebuilds the content of events, [`corpus`] reads the packs of recorded cases and [`counts`] counts
//! verdicts, [`python_text`] spells instances as the packs' users write them, [`copies`] compares a matcher with its
//! copies, [`likeness`] counts the common parts of two schemas, [`oracle`] is the slow, obvious judge of masks,
//! [`device`] compares the kernels of devices with the matcher. The tests themselves are under `tests/`.

#![allow(clippy::disallowed_methods, reason = "corpora are files; see clippy.toml")]

pub mod ambiguous;
pub mod copies;
pub mod corpus;
pub mod counts;
pub mod device;
pub mod engine;
pub mod events;
pub mod forced;
#[path = "../../runtime/core/tests/formats/mod.rs"]
mod formats;
pub mod likeness;
pub mod lockstep;
pub mod oracle;
pub mod python_text;
#[path = "../../runtime/cuda/tests/objects/mod.rs"]
mod random_objects;
#[path = "../../runtime/cuda/tests/random/mod.rs"]
mod random_rules;
pub mod siblings;
pub mod verdicts;
