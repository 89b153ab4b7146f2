//! All integration tests of this crate: one program, so that one is linked.

mod device;
mod draft_model;
#[path = "../../cuda/tests/drafted/mod.rs"]
mod drafted;
mod drafts;
mod engine;
mod folder;
#[path = "../../core/tests/formats/mod.rs"]
mod formats;
mod forward;
mod fused;
#[path = "../../cuda/tests/interpreter/mod.rs"]
mod interpreter;
#[path = "../../cuda/tests/located/mod.rs"]
mod located;
#[path = "../../cuda/tests/mirror/mod.rs"]
mod mirror;
#[path = "../../cuda/tests/objects/mod.rs"]
mod objects;
mod prefixes;
#[path = "../../cuda/tests/random/mod.rs"]
mod random;
mod records;
#[path = "../../cuda/tests/rows/mod.rs"]
mod rows;
mod sampling;
mod stopped;
mod token_policies;

/// Drafts of at most `most` tokens, for any confidence of the draft model: models of random weights are never
/// confident.
fn drafts_of(most: usize) -> ogc_generate::DraftLength {
    ogc_generate::DraftLength { most, least_sure: 0.0 }
}
