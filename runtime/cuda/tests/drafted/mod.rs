//! Drafts in the memory of the interpreter, beside the matchers of their texts, with which the results of kernels are compared.
#![allow(dead_code, unused_imports, unreachable_pub, reason = "each test takes what it needs")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod stage;
mod text;

pub use stage::{Drafted, Stage, Table};
pub use text::{Text, Whose};
