//! All integration tests of this crate: one program, so that one is linked.

mod automata;
mod common;
mod corpus;
mod formats;
mod operations;
mod patterns;
