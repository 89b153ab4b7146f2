//! A server that runs in a thread, a mock of another server, and a client that sends bytes exactly as a test writes
//! them.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use ogc_generate::LoadedModel;
use ogc_runtime::automaton::{Automaton, AutomatonBuilder, Escapes, OpId, StateKind};
use ogc_serve::{
    Cancel, Compile, CompiledFormat, Dialect, FormatSource, Record, Refused, ServeOptions, Server, UpstreamOptions,
};
use serde_json::{Value, json};
use tokio::sync::oneshot;

/// The address that tests send requests from.
const LOCAL: Ipv4Addr = Ipv4Addr::LOCALHOST;

/// Compiles any source to one format, and remembers the sources.
struct Fixed {
    automaton: Arc<Automaton>,
    sources: Arc<Mutex<Vec<FormatSource>>>,
}

impl Compile for Fixed {
    fn compile(&self, source: &FormatSource, _: &Cancel) -> Result<CompiledFormat, Refused> {
        self.sources.lock().expect("no panic").push(source.clone());
        let automaton = Arc::clone(&self.automaton);
        Ok(CompiledFormat { automaton, bytes: 1_000, content: Default::default() })
    }
}

/// Makes the format of texts that have a byte of each of some ranges.
pub(crate) fn bytes_of(ranges: &[(u8, u8)]) -> Arc<Automaton> {
    let mut builder = AutomatonBuilder::new();
    let rule = builder.rule("text", 0);
    let states: Vec<_> = (0..=ranges.len()).map(|_| builder.state(rule, StateKind::Bytes)).collect();
    builder.start(rule, states[0]);
    for (at, (first, last)) in ranges.iter().enumerate() {
        builder.edge(states[at], *first, *last, OpId::NONE, states[at + 1]);
    }
    builder.accept(states[ranges.len()]);
    Arc::new(builder.finish((rule, 0, 0), false, Escapes::Any).expect("an automaton"))
}

fn ab() -> Arc<Automaton> {
    bytes_of(&[(b'a', b'a'), (b'b', b'b')])
}

/// A server that runs until this is dropped.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) records: Arc<Mutex<Vec<Record>>>,
    pub(crate) sources: Arc<Mutex<Vec<FormatSource>>>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    /// Starts a server of a small model that writes the text `ab` for every format.
    pub(crate) fn start(options: ServeOptions) -> Self {
        Self::writing(ab(), options)
    }

    /// Starts a server of a small model that writes texts of a format.
    pub(crate) fn writing(format: Arc<Automaton>, options: ServeOptions) -> Self {
        let load = |file| LoadedModel::from_gguf(std::io::Cursor::new(file)).expect("a model");
        let mut loaded = load(ogc_kit::model::gguf());
        if options.draft.is_some() {
            loaded = loaded.with_draft(load(ogc_kit::model::draft_gguf())).expect("the same tokens");
        }
        Self::with(format, |compile, log| Server::new(Arc::new(loaded), compile, options, log))
    }

    /// Starts a server in front of another one; all formats are the text `ab`.
    pub(crate) fn before(url: &str, key: Option<&str>, options: ServeOptions) -> Self {
        Self::before_writing(ab(), url, key, options)
    }

    /// Starts a server in front of another one; all formats are `format`.
    pub(crate) fn before_writing(format: Arc<Automaton>, url: &str, key: Option<&str>, options: ServeOptions) -> Self {
        let mut upstream = UpstreamOptions::new(url, Dialect::OpenAi).expect("an address");
        upstream.key = key.map(str::to_owned);
        Self::with(format, |compile, log| Server::before(upstream, compile, options, log).expect("a server"))
    }

    fn with(
        automaton: Arc<Automaton>,
        make: impl FnOnce(Arc<dyn Compile>, Box<dyn Fn(&Record) + Send + Sync>) -> Server,
    ) -> Self {
        let (records, sources) = (Arc::<Mutex<Vec<Record>>>::default(), Arc::<Mutex<Vec<FormatSource>>>::default());
        let compile = Fixed { automaton, sources: Arc::clone(&sources) };
        let told = Arc::clone(&records);
        let log = Box::new(move |record: &Record| told.lock().expect("no panic").push(*record));
        let server = make(Arc::new(compile), log);
        let (stop, stopped) = oneshot::channel::<()>();
        let (tell, listening) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
                tell.send(listener.local_addr().expect("an address")).expect("a test");
                server.run(listener, async { drop(stopped.await) }).await;
            });
        });
        let address = listening.recv().expect("a server");
        Self { address, records, sources, stop: Some(stop), thread: Some(thread) }
    }

    /// Sends a head, whose lines end with line breaks, and a body; returns the answer.
    pub(crate) fn ask(&self, head: &str, body: &str) -> Answered {
        let mut stream = self.send(LOCAL, head, body);
        let mut said = Vec::new();
        drop(stream.read_to_end(&mut said));
        Answered::read(&String::from_utf8(said).expect("text"))
    }

    /// Sends a head and a body from an address of this machine; returns the connection before anything was read from
    /// it.
    pub(crate) fn send(&self, from: Ipv4Addr, head: &str, body: &str) -> TcpStream {
        let mut stream = connect(from, self.address);
        let head = head.trim().replace('\n', "\r\n");
        let length = if body.is_empty() { String::new() } else { format!("content-length: {}\r\n", body.len()) };
        // A server that rejects a body may close the connection before all of it is sent.
        drop(stream.write_all(format!("{head}\r\nconnection: close\r\n{length}\r\n{body}").as_bytes()));
        stream
    }

    /// Posts JSON.
    pub(crate) fn post(&self, path: &str, body: &str) -> Answered {
        self.ask(&post(path), body)
    }

    /// Posts a request for a chat of one message, with more parameters.
    pub(crate) fn chat(&self, more: &Value) -> Answered {
        let mut body = json!({ "messages": [{ "role": "user", "content": "x" }], "max_tokens": 4 });
        more.as_object().expect("an object").iter().for_each(|(name, value)| body[name] = value.clone());
        self.post("/v1/chat/completions", &body.to_string())
    }

    /// Returns the sources that were compiled since the previous call.
    pub(crate) fn compiled(&self) -> Vec<FormatSource> {
        std::mem::take(&mut self.sources.lock().expect("no panic"))
    }
}

/// Returns the head of a request that posts JSON.
pub(crate) fn post(path: &str) -> String {
    format!("POST {path} HTTP/1.1\nhost: localhost\ncontent-type: application/json")
}

/// Connects from an address of this machine.
fn connect(from: Ipv4Addr, to: SocketAddr) -> TcpStream {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let stream = runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4().expect("a socket");
        socket.bind((from, 0).into()).expect("an address of this machine");
        socket.connect(to).await.expect("a connection").into_std().expect("a connection")
    });
    stream.set_nonblocking(false).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a connection");
    stream
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            // The server may have ended already.
            let _ = stop.send(());
        }
        drop(self.thread.take().map(JoinHandle::join));
    }
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answered {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: String,
}

impl Answered {
    pub(crate) fn read(said: &str) -> Self {
        let (head, body) = said.split_once("\r\n\r\n").unwrap_or((said, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Self { status, head: head.to_owned(), body: body.to_owned() }
    }

    /// Returns the values of a header, with commas between them.
    pub(crate) fn header(&self, name: &str) -> Option<String> {
        let lines = self.head.lines().skip(1).filter_map(|line| line.split_once(": "));
        let values: Vec<&str> =
            lines.filter(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value).collect();
        (!values.is_empty()).then(|| values.join(", "))
    }

    /// Returns the error; it must have this status, name this parameter, and contain this message.
    #[track_caller]
    pub(crate) fn refused(&self, status: u16, param: Option<&str>, message: &str) -> Value {
        assert_eq!(self.status, status, "{self:?}");
        let error =
            serde_json::from_str::<Value>(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))["error"]
                .clone();
        assert_eq!(error["param"].as_str(), param, "{error}");
        assert!(error["message"].as_str().is_some_and(|said| said.contains(message)), "{message}: {error}");
        error
    }

    #[track_caller]
    pub(crate) fn good(&self) {
        assert_eq!(self.status, 200, "{self:?}");
    }
}

/// A server that answers each request with the same bytes, or never, and remembers the requests.
pub(crate) struct Mock {
    pub(crate) url: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Mock {
    /// Starts a mock; without a reply, it keeps connections open and sends nothing.
    pub(crate) fn start(reply: Option<&str>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let asked: Arc<Mutex<Vec<String>>> = Arc::default();
        let (shared, reply) = (Arc::clone(&asked), reply.map(str::to_owned));
        // The thread ends with the test's process.
        std::thread::spawn(move || {
            let mut silent = Vec::new();
            for stream in listener.incoming() {
                let mut stream = stream.expect("a connection");
                let mut head = vec![0; 65_536];
                let len = stream.read(&mut head).unwrap_or(0);
                shared.lock().expect("no panic").push(String::from_utf8_lossy(&head[..len]).into_owned());
                match &reply {
                    Some(reply) => drop(stream.write_all(reply.as_bytes())),
                    None => silent.push(stream),
                }
            }
        });
        Self { url, asked }
    }

    /// Makes a reply of a status and a content type.
    pub(crate) fn reply(status: &str, kind: &str, body: &str) -> String {
        let len = body.len();
        format!("HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {len}\r\nconnection: close\r\n\r\n{body}")
    }

    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("no panic").clone()
    }
}
