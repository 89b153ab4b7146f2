//! All integration tests of this crate: one program, so that one is linked.

mod checks;
mod compiled;
mod fresh;
mod instructions;
