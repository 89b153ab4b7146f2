//! Drafts in the memory of the interpreter, beside the matchers of their texts: what the kernels say is compared with what these do.
#![allow(dead_code, unused_imports, unreachable_pub, reason = "each test takes what it needs")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod stage;
mod text;

pub use stage::{Drafted, Stage, Table};
pub use text::{Text, Whose};
