//! The language server of ogc: the only crate that knows the Language Server Protocol.
//!
//! # How a message goes
//!
//! 1. [`frame`] splits the client's bytes into messages; [`transport`] reads them one by one.
//! 2. Each message goes to tower-lsp-server's service, which finds the handler in [`backend`] and decodes its
//!    parameters. Handlers hold no logic: they put an [`event::Event`] into one queue and wait for the answer.
//!    `transport` starts each handler before it reads the next message, so that events keep the client's order.
//! 3. The thread of [`owner`] takes events out of the queue. Only this thread has the documents and the database. Edits
//!    are made immediately. A request becomes a job with a snapshot of the database, for the threads of [`pool`].
//! 4. An edit cancels the running jobs. Jobs about unchanged documents start again; the others are answered with
//!    `ContentModified`. So an answer is always about the text that the client had when it sent the request.
//! 5. [`outbox`] writes answers, notifications and requests to the client. Nothing in the server ever waits for a client.
//!
//! tower-lsp-server's own transport and client handle are not used: its transport stops at the first message that is
//! not JSON and starts handlers out of order, and its handle waits for a slow client.
//!
//! [`files`] converts URIs to file names, [`convert`] converts places to the protocol's form, and [`disk`] reads files.

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
mod library;
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

/// The reason why the server ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The client ended the session properly: `shutdown`, then `exit` or the end of its messages.
    Asked,
    /// The client went away without `shutdown`.
    Left,
}

/// Serves a client on standard input and output, until it sends `exit` or disconnects.
///
/// # Errors
/// The system cannot start threads.
pub fn run_stdio() -> io::Result<Ending> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let binary = std::env::current_exe().ok();
    let ending = runtime.block_on(serve(tokio::io::stdin(), tokio::io::stdout(), binary));
    // A thread may still wait for input that nobody needs.
    runtime.shutdown_background();
    ending
}

/// Serves a client on any two streams, until it sends `exit` or disconnects. `binary` is the program whose `build`
/// makes artifacts; without it, the command `ogc.build` is refused.
///
/// # Errors
/// The system cannot start threads.
pub async fn serve<R, W>(read: R, write: W, binary: Option<PathBuf>) -> io::Result<Ending>
where
    R: AsyncRead + Unpin + Send,
    W: AsyncWrite + Unpin + Send + 'static,
{
    transport::serve(read, write, binary).await
}
