//! A client with a small JSON-RPC framing of its own. A test fails if the server sends something that the test does not
//! take.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use ogc_lsp::Ending;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, ReadHalf, WriteHalf};
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;

/// Maximum time that a test waits for the server.
const PATIENCE: Duration = Duration::from_secs(60);

/// Time that a test waits for something that must not come.
const SILENCE: Duration = Duration::from_millis(300);

/// A client of a server that runs beside it.
pub(crate) struct Client {
    runtime: Option<Runtime>,
    server: Option<JoinHandle<std::io::Result<Ending>>>,
    write: WriteHalf<DuplexStream>,
    incoming: Receiver<Value>,
    last_id: i64,
    responses: BTreeMap<i64, Value>,
    /// Notifications and requests that no test has taken yet.
    said: Vec<Value>,
    /// Whether requests of the server are answered immediately, with `null`.
    pub(crate) answers: bool,
    /// The versions of documents whose findings a test took: they may come again with lints.
    taken: Vec<(Value, Value)>,
    /// Methods whose messages nobody need take.
    ignored: Vec<&'static str>,
    has_ended: bool,
}

impl Client {
    /// Starts a server without sending anything to it.
    pub(crate) fn silent() -> Client {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let (read, write) = tokio::io::split(ours);
        let (their_read, their_write) = tokio::io::split(theirs);
        let server = runtime.spawn(ogc_lsp::serve(their_read, their_write, None));
        let (sender, incoming) = channel();
        runtime.spawn(async move {
            let mut read = read;
            while let Some(message) = message(&mut read).await {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Client {
            runtime: Some(runtime),
            server: Some(server),
            write,
            incoming,
            last_id: 0,
            responses: BTreeMap::new(),
            said: Vec::new(),
            answers: true,
            taken: Vec::new(),
            ignored: Vec::new(),
            has_ended: false,
        }
    }

    /// Starts a server and initializes it as a client with these abilities, in these folders.
    pub(crate) fn new(capabilities: Value, folders: &[&str]) -> Client {
        let mut client = Client::silent();
        client.initialize(capabilities, folders);
        client
    }

    /// Initializes the server; returns its description of itself.
    pub(crate) fn initialize(&mut self, capabilities: Value, folders: &[&str]) -> Value {
        self.initialize_with(capabilities, folders, Value::Null)
    }

    /// Initializes the server with settings.
    pub(crate) fn initialize_with(&mut self, capabilities: Value, folders: &[&str], settings: Value) -> Value {
        let folders: Vec<Value> = folders.iter().map(|folder| json!({ "uri": folder, "name": "w" })).collect();
        let params = json!({ "processId": null, "capabilities": capabilities, "workspaceFolders": folders,
            "initializationOptions": settings });
        let result = self.request("initialize", params).unwrap();
        self.notify("initialized", json!({}));
        result
    }

    /// Writes bytes as they are.
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        let runtime = self.runtime.as_ref().unwrap();
        runtime.block_on(self.write.write_all(bytes)).unwrap();
    }

    /// Writes a text as a message.
    pub(crate) fn raw(&mut self, content: impl AsRef<[u8]>) {
        let content = content.as_ref();
        let mut bytes = format!("Content-Length: {}\r\n\r\n", content.len()).into_bytes();
        bytes.extend(content);
        self.write(&bytes);
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.raw(json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string());
    }

    /// Sends a request; [`Client::answer`] waits for the answer.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> i64 {
        self.last_id += 1;
        let id = self.last_id;
        self.raw(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string());
        id
    }

    /// Waits for the answer to a request.
    pub(crate) fn answer(&mut self, id: i64) -> Result<Value, Value> {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(response) = self.responses.remove(&id) {
                return match response.get("error") {
                    Some(error) => Err(error.clone()),
                    None => Ok(response["result"].clone()),
                };
            }
            assert!(self.hear(until), "no answer to request {id}");
        }
    }

    pub(crate) fn request(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.ask(method, params);
        self.answer(id)
    }

    /// Waits for a notification or request of the server, and takes it.
    pub(crate) fn said(&mut self, method: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        let until = Instant::now() + PATIENCE;
        loop {
            let found = self.said.iter().position(|one| one["method"] == method && is_it(&one["params"]));
            if let Some(at) = found {
                return self.said.remove(at);
            }
            assert!(self.hear(until), "no {method}; heard {:?}", self.said);
        }
    }

    /// Waits for an error response without a request id.
    pub(crate) fn error_without_id(&mut self) -> Value {
        let until = Instant::now() + PATIENCE;
        loop {
            let found = self.said.iter().position(|one| one.get("method").is_none());
            if let Some(at) = found {
                return self.said.remove(at)["error"].clone();
            }
            assert!(self.hear(until), "no error without an id");
        }
    }

    /// Waits until the findings of a document's version suffice; returns them as `line:column code`, from 0.
    pub(crate) fn findings(
        &mut self,
        uri: &str,
        version: Option<i32>,
        suffices: impl Fn(&[String]) -> bool,
    ) -> Vec<String> {
        let version = json!(version);
        let suffices = |params: &Value| {
            params["uri"] == uri && params["version"] == version && suffices(&shown(&params["diagnostics"]))
        };
        let said = self.said("textDocument/publishDiagnostics", suffices);
        self.taken.push((json!(uri), version));
        shown(&said["params"]["diagnostics"])
    }

    /// Listens for a while; the test must then take everything that the server sends.
    pub(crate) fn listen(&mut self) {
        while self.hear(Instant::now() + SILENCE) {}
    }

    /// Drops all messages with a method.
    pub(crate) fn forget(&mut self, method: &str) {
        self.said.retain(|one| one["method"] != method);
    }

    /// Drops all messages with a method, also those that come until the end.
    pub(crate) fn ignore(&mut self, method: &'static str) {
        self.ignored.push(method);
    }

    pub(crate) fn open(&mut self, uri: &str, language: &str, version: i32, text: &str) {
        let document = json!({ "uri": uri, "languageId": language, "version": version, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Replaces the whole text of a document.
    pub(crate) fn change(&mut self, uri: &str, version: i32, text: &str) {
        self.change_with(uri, version, json!([{ "text": text }]));
    }

    pub(crate) fn change_with(&mut self, uri: &str, version: i32, changes: Value) {
        let params = json!({ "textDocument": { "uri": uri, "version": version }, "contentChanges": changes });
        self.notify("textDocument/didChange", params);
    }

    pub(crate) fn close(&mut self, uri: &str) {
        self.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    }

    pub(crate) fn format(&mut self, uri: &str) -> Result<Value, Value> {
        self.request("textDocument/formatting", formatting(uri))
    }

    /// Ends the server as the protocol says.
    pub(crate) fn end(mut self) {
        assert_eq!(self.request("shutdown", Value::Null), Ok(Value::Null));
        assert_eq!(self.exit(), Ending::Asked);
    }

    /// Sends `exit` and waits for the end.
    pub(crate) fn exit(&mut self) -> Ending {
        self.raw(r#"{"jsonrpc":"2.0","method":"exit"}"#);
        self.wait_for_end()
    }

    /// Closes the pipe and waits for the end.
    pub(crate) fn leave(&mut self) -> Ending {
        let runtime = self.runtime.as_ref().unwrap();
        runtime.block_on(self.write.shutdown()).unwrap();
        self.wait_for_end()
    }

    fn wait_for_end(&mut self) -> Ending {
        self.has_ended = true;
        let server = self.server.take().unwrap();
        let runtime = self.runtime.as_ref().unwrap();
        let ended = runtime.block_on(async { tokio::time::timeout(PATIENCE, server).await });
        ended.expect("the server ends").expect("it does not fail").unwrap()
    }

    /// Waits for one message; returns whether one came.
    fn hear(&mut self, until: Instant) -> bool {
        let message = match self.incoming.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(message) => message,
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return false,
        };
        match (message.get("method"), message.get("id").and_then(Value::as_i64)) {
            (None, Some(id)) => {
                assert!(self.responses.insert(id, message).is_none(), "two answers to request {id}");
            }
            (None, None) => self.said.push(message),
            (Some(_), _) => {
                if let Some(id) = message.get("id").filter(|_| self.answers).cloned() {
                    self.raw(json!({ "jsonrpc": "2.0", "id": id, "result": null }).to_string());
                }
                self.said.push(message);
            }
        }
        true
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            while self.incoming.try_recv().map(|message| self.said.push(message)).is_ok() {}
            let taken = &self.taken;
            let is_taken = |params: &Value| taken.contains(&(params["uri"].clone(), params["version"].clone()));
            let ignored = &self.ignored;
            self.said
                .retain(|one| !is_taken(&one["params"]) && !ignored.iter().any(|method| one["method"] == **method));
            assert!(
                self.said.is_empty() && self.responses.is_empty(),
                "nobody took {:?} {:?}",
                self.said,
                self.responses
            );
            assert!(self.has_ended, "the test did not end the server");
        }
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// The parameters of a request for the layout of a document.
pub(crate) fn formatting(uri: &str) -> Value {
    json!({ "textDocument": { "uri": uri }, "options": { "tabSize": 2, "insertSpaces": true } })
}

/// Shows findings as `line:column code`, from 0.
pub(crate) fn shown(findings: &Value) -> Vec<String> {
    let findings = findings.as_array().unwrap().iter();
    let shown = findings.map(|one| {
        let start = &one["range"]["start"];
        format!("{}:{} {}", start["line"], start["character"], one["code"].as_str().unwrap())
    });
    shown.collect()
}

async fn message(read: &mut ReadHalf<DuplexStream>) -> Option<Value> {
    let mut header = Vec::new();
    while !header.ends_with(b"\r\n\r\n") {
        header.push(read.read_u8().await.ok()?);
    }
    let header = String::from_utf8(header).unwrap();
    let length = header.trim().strip_prefix("Content-Length: ").unwrap().parse().unwrap();
    let mut content = vec![0; length];
    read.read_exact(&mut content).await.ok()?;
    Some(serde_json::from_slice(&content).unwrap())
}
