//! Tests the server from a client's view: in the test's process, over a byte pipe.
//!
//! [`client`] is the client; its end fails if the server sent something that the test did not take.

#![allow(clippy::unwrap_used, reason = "a test fails where nothing can be unwrapped")]
#![allow(clippy::disallowed_methods, reason = "tests write files into folders of their own; see clippy.toml")]

mod client;
mod diagnostics;
mod features;
mod hostile;
mod life;
mod random;
mod sync;
mod workspace;
mod writing;
