//! Clients that demand too much, next to one that does not: the latter is served all the same.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::client::{Server, answered, folder};

/// Makes a request whose format takes a few kilobytes and half a minute to compile, and differs for each number: texts
/// that match exactly one of twelve patterns, six times.
fn dear(number: usize) -> Value {
    let text = |at: usize, key: usize| json!({ "type": "string", "pattern": format!("a{at}.*b{at}{key}") });
    let one_of = |key: usize| json!({ "oneOf": (0..12).map(|at| text(at, key)).collect::<Vec<_>>() });
    let properties: serde_json::Map<String, Value> = (0..6).map(|key| (format!("p{key}"), one_of(key))).collect();
    request(&json!({ "type": "object", "properties": properties, "title": number.to_string() }))
}

fn cheap(number: usize) -> Value {
    request(&json!({ "type": "integer", "minimum": number, "maximum": number + 5 }))
}

fn request(schema: &Value) -> Value {
    let format = json!({ "type": "json_schema", "json_schema": { "name": "x", "schema": schema } });
    json!({ "messages": [{ "role": "user", "content": "x" }], "response_format": format, "max_tokens": 20 })
}

/// Returns how long a client waits for a new and cheap format.
fn healthy(server: &Server, number: usize) -> Duration {
    let start = Instant::now();
    server.chat(&cheap(number)).good();
    start.elapsed()
}

#[test]
fn cheap_formats_do_not_wait_for_expensive_ones() {
    let server = Server::start(folder(), &["--slots", "2", "--queue", "2", "--compile-time", "60"]);
    healthy(&server, 0);
    let attack: Vec<TcpStream> =
        (0..20).map(|number| server.send("POST", "/v1/chat/completions", &dear(number).to_string())).collect();
    std::thread::sleep(Duration::from_millis(500));
    let beside: Vec<Duration> = (1..6).map(|number| healthy(&server, number)).collect();
    let known = healthy(&server, 0);
    assert!(known < Duration::from_secs(5), "{known:?}");
    assert!(beside.iter().all(|time| *time < Duration::from_secs(20)), "{beside:?}");
    // When all clients have disconnected, the compiler stops.
    drop(attack);
    let last = healthy(&server, 100);
    assert!(last < Duration::from_secs(10), "{last:?}");
}

#[test]
fn a_format_that_takes_too_long_to_compile_is_refused() {
    let server = Server::start(folder(), &["--compile-time", "1"]);
    let start = Instant::now();
    let error = server.chat(&dear(0)).refused(400, "seconds of one compilation: ");
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    assert_eq!(
        (&error["param"], &error["code"]),
        (&json!("response_format.json_schema.schema"), &json!("invalid_format"))
    );
    assert!(error["findings"][0]["line"].is_u64(), "{error}");
    healthy(&server, 0);
}

#[test]
fn a_format_that_takes_too_much_memory_is_refused() {
    let server = Server::start(folder(), &["--compile-memory", "100000"]);
    server.chat(&dear(0)).refused(400, "bytes of memory for one compilation");
    healthy(&server, 0);
}

#[test]
fn a_prompt_that_cannot_fit_is_refused_at_once() {
    let server = Server::start(folder(), &[]);
    let prompt = "word ".repeat(1_600_000);
    let start = Instant::now();
    let chat = json!({ "messages": [{ "role": "user", "content": prompt }] });
    server.chat(&chat).refused(400, "do not fit into the model's context, which holds");
    let completion = json!({ "prompt": prompt }).to_string();
    server.post("/v1/completions", &completion).refused(400, "do not fit into the model's context");
    assert!(start.elapsed() < Duration::from_secs(15), "{:?}", start.elapsed());
}

#[test]
fn connections_per_client_are_limited() {
    let server = Server::start(folder(), &["--connections", "9", "--client-connections", "2"]);
    let (first, second) = (server.connect(), server.connect());
    // A request is counted when it has been answered.
    for mut stream in [&first, &second] {
        stream.write_all(b"GET /health HTTP/1.1\r\nhost: x\r\n\r\n").expect("a connection");
        assert!(stream.read(&mut [0; 64]).expect("an answer") > 0);
    }
    let mut said = String::new();
    drop(server.connect().read_to_string(&mut said));
    assert!(said.starts_with("HTTP/1.1 429") && said.contains("2 connections"), "{said}");
    drop((first, second));
    // If the request is rejected, the connection may be reset before the response is read.
    let is_served = || {
        let (mut stream, mut said) = (server.connect(), [0; 12]);
        let asked = stream.write_all(b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n");
        asked.is_ok() && stream.read_exact(&mut said).is_ok() && said == *b"HTTP/1.1 200"
    };
    let start = Instant::now();
    while !is_served() {
        assert!(start.elapsed() < Duration::from_secs(20), "connections that end make room");
    }
}

/// Sends requests on one connection, without reading, until the server accepts no more.
fn fill(stream: &mut TcpStream) {
    stream.set_write_timeout(Some(Duration::from_millis(300))).expect("a connection");
    let requests = "GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n".repeat(1_000);
    // Some thousand responses fill the buffers of the connection: the server then stops reading, or has closed the
    // connection.
    let sent = (0..1_000).try_for_each(|_| stream.write_all(requests.as_bytes()));
    sent.expect_err("the server reads no more");
}

#[test]
fn connections_that_never_read_are_closed() {
    let server = Server::start(folder(), &["--patience", "1", "--connections", "3", "--client-connections", "3"]);
    let mut deaf: Vec<TcpStream> = (0..3).map(|_| server.connect()).collect();
    deaf.iter_mut().for_each(fill);
    let start = Instant::now();
    assert_eq!(answered(server.send("GET", "/health", "")).status, 200, "there is room again");
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}
