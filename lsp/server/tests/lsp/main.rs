//! The server as a client sees it: in one process with the test, over a pipe of bytes.
//!
//! [`client`] is the client, whose end fails if the server said something that no test looked at.

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
