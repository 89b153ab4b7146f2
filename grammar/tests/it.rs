//! All integration tests of this crate: one program, so that one is linked.

mod broken;
mod fixes;
mod layout;
#[path = "support/programs.rs"]
mod programs;
mod reference;
#[path = "support/snapshot.rs"]
mod snapshot;
