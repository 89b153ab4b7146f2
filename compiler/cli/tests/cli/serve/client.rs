//! Starts a server, and implements a client with just enough HTTP.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::Value;

use crate::cli::Folder;

/// Makes a folder with the model and a folder of formats.
pub(super) fn folder() -> Folder {
    let folder = Folder::with(&[
        ("formats/pet.ogc", "output Pet = { name: \"cat\" | \"dog\", age: 0..20 }\n"),
        ("formats/two.ogc", "output One = \"1\"\noutput Two = \"2\"\n"),
        ("secret.ogc", "output Secret = \"s\"\n"),
    ]);
    std::fs::write(folder.path("tiny.gguf"), ogc_kit::model::gguf()).expect("a file");
    folder
}

/// A running server.
pub(super) struct Server {
    child: Child,
    address: String,
    /// Reads the log, which would otherwise fill its pipe.
    log: Option<JoinHandle<String>>,
    pub(super) folder: Folder,
}

/// A response.
#[derive(Debug)]
pub(super) struct Answered {
    pub(super) status: u16,
    pub(super) body: String,
}

impl Answered {
    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    #[track_caller]
    pub(super) fn good(self) -> Value {
        assert_eq!(self.status, 200, "{}", self.body);
        self.json()
    }

    /// Returns the error of a response; checks its status and that its message contains a text.
    #[track_caller]
    pub(super) fn refused(self, status: u16, message: &str) -> Value {
        assert_eq!(self.status, status, "{}", self.body);
        let error = self.json()["error"].clone();
        assert!(error["message"].as_str().is_some_and(|said| said.contains(message)), "{error}");
        error
    }

    /// Returns the events of a stream, without the final one.
    #[track_caller]
    pub(super) fn events(self) -> Vec<Value> {
        assert_eq!(self.status, 200, "{}", self.body);
        let mut data: Vec<&str> = self.body.lines().filter_map(|line| line.strip_prefix("data: ")).collect();
        assert_eq!(data.pop(), Some("[DONE]"), "{}", self.body);
        data.iter().map(|data| serde_json::from_str(data).expect("JSON")).collect()
    }
}

impl Server {
    /// Starts a server for the folder's model, on any free port.
    pub(super) fn start(folder: Folder, flags: &[&str]) -> Self {
        Self::with(folder, &[&["--model", "tiny.gguf"], flags].concat(), &[])
    }

    /// Like [`Server::start`], with environment variables.
    pub(super) fn start_with(folder: Folder, flags: &[&str], variables: &[(&str, &str)]) -> Self {
        Self::with(folder, &[&["--model", "tiny.gguf"], flags].concat(), variables)
    }

    /// Starts a server in front of another one, on any free port.
    pub(super) fn before(folder: Folder, url: &str, flags: &[&str]) -> Self {
        Self::before_with(folder, url, flags, &[])
    }

    /// Like [`Server::before`], with environment variables.
    pub(super) fn before_with(folder: Folder, url: &str, flags: &[&str], variables: &[(&str, &str)]) -> Self {
        Self::with(folder, &[&["--upstream", url], flags].concat(), variables)
    }

    fn with(folder: Folder, flags: &[&str], variables: &[(&str, &str)]) -> Self {
        let fixed = ["serve", "--listen", "127.0.0.1:0", "--folder", "formats", "--message-format", "json"];
        let mut command = folder.command(&[&fixed[..], flags].concat());
        command.envs(variables.iter().copied());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program runs");
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().expect("its output")).read_line(&mut line).expect("a line");
        let said: Value = serde_json::from_str(&line).expect("JSON");
        let url = said["url"].as_str().expect("an address");
        let address = url.trim_start_matches("http://").trim_end_matches("/v1").to_owned();
        let mut log = child.stderr.take().expect("its log");
        let read = move || {
            let mut text = String::new();
            log.read_to_string(&mut text).expect("text");
            text
        };
        Self { child, address, log: Some(std::thread::spawn(read)), folder }
    }

    /// Returns the URL of the server.
    pub(super) fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Opens a connection.
    pub(super) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(120))).expect("a connection");
        stream
    }

    /// Opens a connection and sends a request.
    pub(super) fn send(&self, method: &str, path: &str, body: &str) -> TcpStream {
        self.send_with(method, path, "", body)
    }

    /// Like [`Server::send`], with headers, each ending with its line break.
    pub(super) fn send_with(&self, method: &str, path: &str, headers: &str, body: &str) -> TcpStream {
        let mut stream = self.connect();
        let length = body.len();
        // A server that rejects a body may close the connection before all of it is sent.
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nconnection: close\r\n\
             content-length: {length}\r\n{headers}\r\n"
        );
        drop(stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes())));
        stream
    }

    fn ask(&self, method: &str, path: &str, body: &str) -> Answered {
        answered(self.send(method, path, body))
    }

    pub(super) fn get(&self, path: &str) -> Answered {
        self.ask("GET", path, "")
    }

    pub(super) fn post(&self, path: &str, body: &str) -> Answered {
        self.ask("POST", path, body)
    }

    pub(super) fn chat(&self, body: &Value) -> Answered {
        self.post("/v1/chat/completions", &body.to_string())
    }

    /// Returns the value of a metric.
    pub(super) fn metric(&self, name: &str) -> u64 {
        let body = self.get("/metrics").body;
        let found = body.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok());
        found.unwrap_or_else(|| panic!("{name} in {body}"))
    }

    /// Returns the memory of the server in bytes, if the system reports it.
    pub(super) fn memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.trim().trim_end_matches(" kB").parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
    }

    /// Asks the server to shut down; returns its exit code and its log.
    pub(super) fn end(&mut self) -> (Option<i32>, String) {
        let killed = Command::new("kill").arg(self.child.id().to_string()).status().expect("`kill` runs");
        assert!(killed.success());
        let status = self.child.wait().expect("it ends");
        let log = self.log.take().expect("it ends once").join().expect("text");
        (status.code(), log)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The process may have ended already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Reads a response to its end.
pub(super) fn answered(stream: TcpStream) -> Answered {
    let mut reader = BufReader::new(stream);
    let (mut head, mut line) = (String::new(), String::new());
    while reader.read_line(&mut line).expect("a line") > 2 {
        head.push_str(&line.to_ascii_lowercase());
        line.clear();
    }
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    let mut body = Vec::new();
    if head.contains("transfer-encoding: chunked") {
        loop {
            let mut size = String::new();
            reader.read_line(&mut size).expect("a size");
            let size = usize::from_str_radix(size.trim(), 16).expect("a size");
            let start = body.len();
            body.resize(start + size, 0);
            reader.read_exact(&mut body[start..]).expect("a chunk");
            reader.read_line(&mut String::new()).expect("a line break");
            if size == 0 {
                break;
            }
        }
    } else {
        reader.read_to_end(&mut body).expect("a body");
    }
    Answered { status, body: String::from_utf8(body).expect("text") }
}
