//! The language server of ogc: the only crate that knows the Language Server Protocol.
//!
//! # How a message goes
//!
//! 1. [`frame`] cuts what the client writes into messages; [`transport`] reads them one by one.
//! 2. Each goes to tower-lsp-server's service, which finds the handler in [`backend`] and its parameters. Handlers hold no
//!    logic: they put an [`event::Event`] into one queue and wait for the answer. `transport` begins each handler before it
//!    reads the next message, so that events stand in the order in which the client wrote.
//! 3. The thread of [`owner`] takes events out of the queue. It alone has the documents and the database. Edits are made at
//!    once. A request becomes a job with a snapshot of the database, for the threads of [`pool`].
//! 4. An edit cancels the jobs that still run. Those about documents that did not change begin again; the others are answered
//!    with `ContentModified`. So an answer is always about the text that the client had when it asked.
//! 5. [`outbox`] writes answers, notifications and requests to the client. Nothing in the server ever waits for a client.
//!
//! tower-lsp-server's own transport and client handle are not used: that transport stops at the first message that is no
//! JSON and begins handlers out of order; that handle waits for a slow client.
//!
//! [`files`] turns URIs into names of files, [`convert`] places into the protocol's, [`disk`] reads files.

#![allow(clippy::disallowed_methods, reason = "the language server reads files that are not open; see clippy.toml")]

mod backend;
mod capabilities;
mod client;
mod convert;
mod disk;
mod documents;
mod event;
mod failure;
mod files;
mod frame;
mod imports;
mod job;
mod last_tokens;
mod outbox;
mod owner;
mod pool;
mod progress;
mod requests;
mod schema_mark;
mod settings;
mod task_id;
mod transport;
mod view;

use std::io;
use std::path::PathBuf;

use tokio::io::{AsyncRead, AsyncWrite};

/// How the server ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The client asked for the end: `shutdown`, then `exit` or the end of its messages.
    Asked,
    /// The client went away without `shutdown`.
    Left,
}

/// Serves a client on standard input and output, until it says `exit` or goes away.
///
/// # Errors
/// The system gives no threads.
pub fn run_stdio() -> io::Result<Ending> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let binary = std::env::current_exe().ok();
    let ending = runtime.block_on(serve(tokio::io::stdin(), tokio::io::stdout(), binary));
    // A thread may still wait for more input, which nobody needs.
    runtime.shutdown_background();
    ending
}

/// Serves a client on any two streams, until it says `exit` or goes away. `binary` is the program whose `build` makes
/// artifacts; without it the command `ogc.build` is refused.
///
/// # Errors
/// The system gives no threads.
pub async fn serve<R, W>(read: R, write: W, binary: Option<PathBuf>) -> io::Result<Ending>
where
    R: AsyncRead + Unpin + Send,
    W: AsyncWrite + Unpin + Send + 'static,
{
    transport::serve(read, write, binary).await
}
