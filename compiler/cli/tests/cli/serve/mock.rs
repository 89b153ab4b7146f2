//! A server that sends prepared replies in turn, and records its requests.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

/// A reply of the mock server.
#[derive(Clone, Debug)]
pub(super) enum Reply {
    /// A text in pieces, with its finish reason; without a reason, the response breaks off.
    Text(Vec<String>, Option<&'static str>),
    /// Parts of a stream (each the `delta` of the choice), with the finish reason.
    Deltas(Vec<Value>, &'static str),
    /// A whole response: status and body.
    Whole(u16, String),
    /// Raw lines of a stream.
    Lines(String),
}

impl Reply {
    /// Makes a text reply in pieces of `piece` characters, which ends by itself.
    pub(super) fn text(text: &str, piece: usize) -> Self {
        Self::Text(pieces(text, piece), Some("stop"))
    }
}

fn pieces(text: &str, piece: usize) -> Vec<String> {
    text.chars().collect::<Vec<char>>().chunks(piece).map(|chunk| chunk.iter().collect()).collect()
}

/// A request that the mock received.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) path: String,
    pub(super) key: Option<String>,
    pub(super) body: Value,
    /// Number of parts of the reply that were sent before the connection closed.
    pub(super) sent: usize,
}

/// A running mock.
pub(super) struct Mock {
    pub(super) url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Mock {
    /// Starts a mock with its replies; the last is repeated.
    pub(super) fn start(replies: Vec<Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let asked: Arc<Mutex<Vec<Asked>>> = Arc::default();
        let shared = Arc::clone(&asked);
        // The thread ends with the test process.
        std::thread::spawn(move || {
            for (number, stream) in listener.incoming().enumerate() {
                let (reply, shared) = (replies[number.min(replies.len() - 1)].clone(), Arc::clone(&shared));
                std::thread::spawn(move || answer(stream.expect("a connection"), &reply, &shared));
            }
        });
        Self { url, asked }
    }

    /// Waits until the mock has received and answered `count` requests; returns all requests so far.
    pub(super) fn asked(&self, count: usize) -> Vec<Asked> {
        for _ in 0..1_000 {
            let asked = self.asked.lock().expect("no panic").clone();
            if asked.len() >= count {
                return asked;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("asked {} times, not {count}", self.asked.lock().expect("no panic").len());
    }
}

fn answer(mut stream: TcpStream, reply: &Reply, asked: &Mutex<Vec<Asked>>) {
    let mut reader = BufReader::new(stream.try_clone().expect("a connection"));
    let (mut line, mut length, mut key) = (String::new(), 0, None);
    reader.read_line(&mut line).expect("a line");
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    loop {
        line.clear();
        if reader.read_line(&mut line).expect("a line") <= 2 {
            break;
        }
        let (name, value) = line.trim().split_once(": ").unwrap_or_default();
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.parse().expect("a length"),
            "authorization" => key = Some(value.to_owned()),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("a body");
    let body = serde_json::from_slice(&body).unwrap_or_default();
    let is_chat = path.ends_with("/chat/completions");
    let sent = send(&mut stream, reply, is_chat);
    asked.lock().expect("no panic").push(Asked { path, key, body, sent });
}

/// Sends a reply; returns how many parts could be sent.
fn send(stream: &mut TcpStream, reply: &Reply, is_chat: bool) -> usize {
    let part = |delta: Value, finish: Option<&str>| {
        let choice = match (is_chat, &delta["content"]) {
            (true, _) => json!({ "index": 0, "delta": delta, "finish_reason": finish }),
            (false, text) => json!({ "index": 0, "text": text.as_str().unwrap_or_default(), "finish_reason": finish }),
        };
        format!("data: {}\n\n", json!({ "choices": [choice] }))
    };
    let usage =
        || format!("data: {}\n\n", json!({ "choices": [], "usage": { "prompt_tokens": 7, "completion_tokens": 9 } }));
    let done = || "data: [DONE]\n\n".to_owned();
    let mut parts: Vec<String> = match reply {
        Reply::Whole(status, body) => {
            let head = format!("HTTP/1.1 {status} X\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n");
            drop(stream.write_all([head.as_bytes(), body.as_bytes()].concat().as_slice()));
            return 1;
        }
        Reply::Text(pieces, _) => pieces.iter().map(|piece| part(json!({ "content": piece }), None)).collect(),
        Reply::Deltas(deltas, _) => deltas.iter().map(|delta| part(delta.clone(), None)).collect(),
        Reply::Lines(lines) => vec![lines.clone()],
    };
    if let Reply::Text(_, Some(finish)) | Reply::Deltas(_, finish) = reply {
        parts.extend([part(json!({}), Some(finish)), usage(), done()]);
    }
    drop(stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"));
    for (sent, part) in parts.iter().enumerate() {
        if stream.write_all(part.as_bytes()).and_then(|()| stream.flush()).is_err() {
            return sent;
        }
        // The client then reads parts one by one, and a closed connection is noticed.
        std::thread::sleep(Duration::from_millis(3));
    }
    parts.len()
}
