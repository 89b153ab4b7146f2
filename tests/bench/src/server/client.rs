//! A small client of the Language Server Protocol over the pipes of a process, for measurements.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Timeout for an answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running server, and its messages that have not been read yet.
pub(super) struct Client {
    process: Child,
    input: ChildStdin,
    said: Receiver<Value>,
    kept: VecDeque<Value>,
    next: u64,
}

impl Client {
    /// Starts a server.
    pub(super) fn start(command: &[String]) -> Result<Self, String> {
        let (program, arguments) = command.split_first().ok_or("no command")?;
        let failed = |error: std::io::Error| format!("{program}: {error}");
        let mut process = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(failed)?;
        let (input, output) = (process.stdin.take().ok_or("no pipe")?, process.stdout.take().ok_or("no pipe")?);
        let (say, said) = channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = read(&mut output) {
                if say.send(message).is_err() {
                    break;
                }
            }
        });
        Ok(Self { process, input, said, kept: VecDeque::new(), next: 0 })
    }

    /// Returns the number of the process.
    pub(super) fn id(&self) -> u32 {
        self.process.id()
    }

    /// Sends a notification.
    pub(super) fn notify(&mut self, method: &str, params: Value) -> Result<(), String> {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
    }

    /// Sends a request and waits for its result.
    pub(super) fn request(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.next += 1;
        let id = self.next;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))?;
        let answer = self.wait(|message| message["id"] == id && message.get("method").is_none())?;
        match answer.get("error") {
            Some(error) => Err(format!("{method}: {error}")),
            None => Ok(answer["result"].clone()),
        }
    }

    /// Waits for a message, and keeps the others. Requests of the server are answered with `null`.
    pub(super) fn wait(&mut self, wanted: impl Fn(&Value) -> bool) -> Result<Value, String> {
        if let Some(at) = self.kept.iter().position(&wanted) {
            return self.kept.remove(at).ok_or_else(String::new);
        }
        let end = Instant::now() + PATIENCE;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let message = self.said.recv_timeout(left).map_err(|error| match error {
                RecvTimeoutError::Timeout => "the server does not answer".to_owned(),
                RecvTimeoutError::Disconnected => "the server has ended".to_owned(),
            })?;
            if let (Some(id), Some(method)) = (message.get("id"), message.get("method")) {
                let items = message["params"]["items"].as_array().map_or(0, Vec::len);
                let result =
                    if method == "workspace/configuration" { json!(vec![json!({}); items]) } else { Value::Null };
                let answer = json!({ "jsonrpc": "2.0", "id": id, "result": result });
                self.send(&answer)?;
                continue;
            }
            if wanted(&message) {
                return Ok(message);
            }
            self.kept.push_back(message);
        }
    }

    /// Forgets all messages so far.
    pub(super) fn forget(&mut self) {
        self.kept.clear();
    }

    /// Ends the server as an editor does.
    pub(super) fn stop(mut self) -> Result<(), String> {
        self.request("shutdown", Value::Null)?;
        self.notify("exit", Value::Null)?;
        self.process.wait().map(drop).map_err(|error| error.to_string())
    }

    fn send(&mut self, message: &Value) -> Result<(), String> {
        let body = message.to_string();
        let sent = write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len()).and_then(|()| self.input.flush());
        sent.map_err(|error| format!("the server does not read: {error}"))
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // The process has ended already, or ends now.
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

/// Reads one message; `None` at the end.
fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end() {
            "" => break,
            line => {
                if let Some(count) = line.strip_prefix("Content-Length: ") {
                    length = count.parse().ok()?;
                }
            }
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}
