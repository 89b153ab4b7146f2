//! From source text to artifact, incrementally. This crate knows no file system, no editor protocol and no terminal.

pub mod frontend;
pub mod ir;
pub mod lower;
pub mod pass;
