//! The common code of the tests of several crates: [`corpora`] finds downloaded files, [`Random`] makes numbers from a
//! seed, [`setting`] reads the seed, [`model`] makes small models, [`gguf`], [`safetensors`] and [`blocks`] write the
//! files that hold models, and [`documents`] finds the pages of the documentation and their fenced blocks.
//!
//! The test harness cannot count a test as skipped while it runs, so a test that returns early calls [`skip()`], or
//! [`corpora::find`] does: one line for each test goes to standard error, even if the harness captures output, and to
//! the end of the file that `OGC_SKIPPED` names. `.ci/run` counts these lines.
//!
//! Every crate tests with this one, so it depends on none.

pub mod blocks;
pub mod corpora;
pub mod documents;
pub mod gguf;
pub mod model;
mod random;
pub mod safetensors;
mod skip;

pub use random::{Random, first_seed, rounds, setting};
pub use skip::skip;
