//! From the input languages' trees to what the automaton is built from.

pub mod grammar;
pub mod json;
