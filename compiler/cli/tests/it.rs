//! All integration tests of this crate: one program, so that one is linked.

mod cli;
mod hostile;
