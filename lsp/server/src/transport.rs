//! Reads messages and hands them to tower-lsp-server's service, in order; writes the messages of the outbox.
//!
//! A handler is started before the next message is read. It runs up to its first wait, and has put its event into the
//! queue by then. The rest of it runs as a task.

use std::future::{Future, poll_fn};
use std::io;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::mpsc::Sender;
use std::task::Poll;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tower_lsp_server::LspService;
use tower_lsp_server::jsonrpc::{Error, Id, Request, Response};
use tower_service::Service;

use crate::Ending;
use crate::backend::{self, Backend};
use crate::event::Event;
use crate::files;
use crate::frame::{self, Frame};
use crate::outbox::{Outbox, Outgoing};
use crate::owner;

/// Maximum time to write the last answers.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// Serves a client until it ends.
///
/// # Errors
/// The system cannot start threads.
pub(crate) async fn serve<R, W>(read: R, write: W, binary: Option<PathBuf>) -> io::Result<Ending>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin + Send + 'static,
{
    let (messages, outgoing) = unbounded_channel();
    let outbox = Outbox::new(messages);
    let events = owner::start(outbox.clone())?;
    let writer = tokio::spawn(write_all(outgoing, write));
    let service = backend::service(Backend::new(events.clone(), binary));
    let mut server = Server { service, outbox, events, phase: Phase::New };
    let ending = server.read_all(BufReader::new(read)).await;
    drop(server.events.send(Event::Stop));
    server.outbox.end();
    // A disconnected client does not read the last answers.
    drop(tokio::time::timeout(LAST_WORDS, writer).await);
    Ok(ending)
}

/// Writes messages until the end comes.
async fn write_all<W: AsyncWrite + Unpin>(mut messages: UnboundedReceiver<Outgoing>, mut write: W) {
    while let Some(Outgoing::Message(message)) = messages.recv().await {
        let written = write.write_all(&frame::written(&message)).await;
        let flushed = if messages.is_empty() { write.flush().await } else { Ok(()) };
        if written.is_err() || flushed.is_err() {
            return;
        }
    }
    drop(write.flush().await);
}

/// The phase of the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    New,
    Initialized,
    ShutDown,
}

struct Server {
    service: LspService<Backend>,
    outbox: Outbox,
    events: Sender<Event>,
    phase: Phase,
}

/// The answer to a request, when it comes; none for a notification.
type Answering = Pin<Box<dyn Future<Output = Option<Response>> + Send>>;

impl Server {
    async fn read_all<R: AsyncRead + Unpin>(&mut self, mut input: BufReader<R>) -> Ending {
        while let Ok(Some(frame)) = frame::read(&mut input).await {
            match frame {
                Frame::Unreadable(reason) => {
                    let error = Error { message: reason.into(), ..Error::parse_error() };
                    self.send(&Response::from_error(Id::Null, error));
                }
                Frame::Message(message) if message.get("method").is_some() => match request(message) {
                    Some(request) if is_exit(&request) => break,
                    Some(request) => self.request(request).await,
                    None => self.send(&Response::from_error(Id::Null, Error::invalid_request())),
                },
                Frame::Message(message) if is_response(&message) => {
                    if let Some((about, result)) = self.outbox.answered(&message) {
                        drop(self.events.send(Event::Answered { about, result }));
                    }
                }
                Frame::Message(_) => self.send(&Response::from_error(Id::Null, Error::invalid_request())),
            }
        }
        if self.phase == Phase::ShutDown { Ending::Asked } else { Ending::Left }
    }

    fn send(&self, response: &Response) {
        self.outbox.send(json!(response));
    }

    async fn request(&mut self, request: Request) {
        match (request.method(), self.phase) {
            ("initialize", Phase::New) => {
                // Nothing may be sent before this answer.
                let response = self.begin(request).await;
                if response.as_ref().is_some_and(Response::is_ok) {
                    self.phase = Phase::Initialized;
                }
                response.iter().for_each(|response| self.send(response));
            }
            ("shutdown", Phase::Initialized) if request.id().is_some() => {
                self.phase = Phase::ShutDown;
                let answering = self.begin(request);
                go_on(&self.outbox, answering).await;
            }
            _ => {
                let answering = self.begin(request);
                go_on(&self.outbox, answering).await;
            }
        }
    }

    fn begin(&mut self, request: Request) -> Answering {
        let answering = self.service.call(request);
        // The service only fails after `exit`, which does not reach it.
        Box::pin(async { answering.await.ok().flatten() })
    }
}

/// Runs a handler up to its first wait, and the rest of it as a task.
async fn go_on(outbox: &Outbox, mut answering: Answering) {
    let first = poll_fn(|context| Poll::Ready(answering.as_mut().poll(context))).await;
    match first {
        Poll::Ready(response) => response.iter().for_each(|response| outbox.send(json!(response))),
        Poll::Pending => {
            let outbox = outbox.clone();
            tokio::spawn(async move {
                if let Some(response) = answering.await {
                    outbox.send(json!(response));
                }
            });
        }
    }
}

/// Parses a request or a notification. `null` parameters count as absent, because some clients send them.
fn request(mut message: Value) -> Option<Request> {
    if message.get("params").is_some_and(Value::is_null) {
        message.as_object_mut()?.remove("params");
    }
    message.get_mut("params").into_iter().for_each(files::mend);
    serde_json::from_value(message).ok()
}

fn is_exit(request: &Request) -> bool {
    request.method() == "exit"
}

fn is_response(message: &Value) -> bool {
    message.get("id").is_some() && (message.get("result").is_some() || message.get("error").is_some())
}
