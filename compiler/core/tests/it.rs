//! All integration tests of this crate: one program, so that one is linked.

mod adjustments;
mod broken;
mod budget;
mod cancel;
mod contradictions;
mod corpus;
mod each;
mod grammar;
mod imports;
mod incremental;
mod incremental_ogc;
mod limits;
mod links;
mod openapi;
#[path = "../../../grammar/tests/support/programs.rs"]
mod programs;
mod quoted;
mod random;
mod random_support;
mod schema_policies;
mod slips;
#[path = "../../../grammar/tests/support/snapshot.rs"]
mod snapshot;
mod structural_tag;
mod token_policy;
mod tools;
mod traps;
