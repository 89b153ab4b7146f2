//! Rejected requests: broken, unknown or oversized ones, too many at once, and too slow ones.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::{Value, json};

use super::client::{Server, answered, folder};

/// A request that takes a while.
fn long() -> Value {
    let format = json!({ "type": "grammar", "grammar": { "syntax": "regex", "text": "[a-z]{1200}" } });
    json!({ "messages": [{ "role": "user", "content": "x" }], "response_format": format, "temperature": 1.0, "stream": true,
            "max_tokens": 1300 })
}

#[test]
fn wrong_requests_say_what_is_wrong() {
    let server = Server::start(folder(), &["--max-tokens", "100", "--max-body", "5000"]);
    let post = |body: &str| server.post("/v1/chat/completions", body);
    post("").refused(400, "the body is no JSON");
    post("{\"messages\": [").refused(400, "EOF");
    post("[1]").refused(400, "it takes an object");
    post(&"[".repeat(4_000)).refused(400, "the body is no JSON");
    post(&" ".repeat(6_000)).refused(413, "5000 bytes");
    let chat = |parameters: Value| {
        let mut body = json!({ "messages": [{ "role": "user", "content": "x" }] });
        parameters.as_object().expect("an object").iter().for_each(|(name, value)| body[name] = value.clone());
        server.chat(&body)
    };
    let wrong = [
        (json!({ "frobnicate": 1 }), "`frobnicate` is not supported"),
        (json!({ "model": "gpt-4o" }), "no model `gpt-4o`"),
        (json!({ "temperature": 3 }), "from 0 to 2"),
        (json!({ "top_p": -1 }), "from 0 to 1"),
        (json!({ "max_tokens": 0 }), "from 1 to 100"),
        (json!({ "max_tokens": 101 }), "from 1 to 100"),
        (json!({ "n": 9 }), "from 1 to 8"),
        (json!({ "stop": ["a".repeat(300)] }), "1 to 256 bytes"),
        (json!({ "logit_bias": { "x": 1 } }), "ids of tokens"),
        (json!({ "logit_bias": { "99999": 1 } }), "ids of tokens"),
        (json!({ "top_logprobs": 2 }), "needs"),
        (json!({ "stream_options": { "include_usage": true } }), "it needs `\"stream\": true`"),
        (json!({ "messages": [] }), "no messages"),
        (json!({ "messages": [{ "role": "user" }] }), "no `content`"),
        (json!({ "messages": [{ "role": "robot", "content": "x" }] }), "`messages[0].role` is \"robot\""),
        (json!({ "messages": [{ "role": "user", "content": "word ".repeat(800) }] }), "context"),
        (json!({ "tools": [{ "type": "function", "function": { "name": "a b" } }] }), "letters, digits"),
        (json!({ "tools": [{ "type": "search" }] }), "`tools[0].type` is \"search\""),
        (json!({ "tool_choice": "required" }), "there are no tools"),
        (
            json!({ "tool_choice": { "type": "function", "function": { "name": "b" } },
                 "tools": [{ "type": "function", "function": { "name": "a" } }] }),
            "which is no tool",
        ),
        (
            json!({ "tools": [{ "type": "function", "function": { "name": "a", "parameters": { "type": "objekt" } } }],
                 "tool_choice": "required" }),
            "no type of JSON",
        ),
    ];
    for (parameters, message) in wrong {
        let status = if parameters.get("model").is_some() { 404 } else { 400 };
        chat(parameters).refused(status, message);
    }
    // Parameters that clients routinely send are no error.
    chat(json!({ "user": "me", "store": false, "metadata": {}, "seed": null, "max_tokens": 2 })).good();
    let complete = |body: Value| server.post("/v1/completions", &body.to_string());
    complete(json!({ "prompt": "" })).refused(400, "no tokens");
    complete(json!({ "prompt": [[1, 99_999]] })).refused(400, "`prompt[0][1]` is 99999");
    complete(json!({ "prompt": "x", "echo": true })).refused(400, "`echo` is not supported");
    complete(json!({ "prompt": ["x", "y", "z"], "n": 3 })).refused(400, "from 1 to 8");
}

#[test]
fn a_full_queue_refuses_requests_and_a_disconnect_frees_its_place() {
    let server = Server::start(folder(), &["--slots", "1", "--queue", "1"]);
    let body = long().to_string();
    let (first, second) =
        (server.send("POST", "/v1/chat/completions", &body), server.send("POST", "/v1/chat/completions", &body));
    let start = std::time::Instant::now();
    while server.metric("ogc_texts_running") + server.metric("ogc_texts_waiting") < 2 {
        assert!(start.elapsed().as_secs() < 60, "both texts are there");
    }
    server
        .chat(&json!({ "messages": [{ "role": "user", "content": "x" }], "max_tokens": 2 }))
        .refused(429, "try again later");
    drop(first);
    let whole = answered(second);
    let text: String = whole
        .events()
        .iter()
        .filter_map(|event| event["choices"][0]["delta"]["content"].as_str().map(str::to_owned))
        .collect();
    assert_eq!(text.len(), 1_200, "the other text is whole");
    server.chat(&json!({ "messages": [{ "role": "user", "content": "x" }], "max_tokens": 2 })).good();
}

/// Reads from a server until it closes the connection.
fn until_closed(stream: &mut TcpStream) -> String {
    let mut said = Vec::new();
    // A reset connection counts as closed.
    drop(stream.read_to_end(&mut said));
    String::from_utf8(said).expect("text")
}

#[test]
fn slow_and_silent_clients_time_out() {
    let server = Server::start(folder(), &["--patience", "1", "--connections", "3", "--client-connections", "3"]);
    // Three connections: one sends nothing, one stops within a head, and one within a body.
    let mut silent = server.connect();
    let mut head = server.connect();
    head.write_all(b"POST /v1/chat/completions HTTP/1.1\r\nhost:").expect("a connection");
    let mut body = server.connect();
    body.write_all(b"POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{\"mess")
        .expect("a connection");
    // A fourth connection gets no place until these time out.
    assert_eq!(server.get("/health").status, 200);
    let said = until_closed(&mut body);
    assert!(said.starts_with("HTTP/1.1 408") && said.contains("did not arrive within 1 s"), "{said}");
    assert_eq!(until_closed(&mut silent), "");
    let said = until_closed(&mut head);
    assert!(said.is_empty() || said.starts_with("HTTP/1.1 4"), "{said}");
    server.chat(&json!({ "messages": [{ "role": "user", "content": "x" }], "max_tokens": 2 })).good();
}

#[test]
fn chunked_bodies_are_read_up_to_the_limit() {
    let server = Server::start(folder(), &["--max-body", "1000"]);
    let chunked = |body: &str| {
        let mut stream = server.connect();
        let head = "POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n";
        let chunk = format!("{head}{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
        drop(stream.write_all(chunk.as_bytes()));
        answered(stream)
    };
    chunked(&json!({ "messages": [{ "role": "user", "content": "x" }], "max_tokens": 2 }).to_string()).good();
    chunked(&" ".repeat(1_001)).refused(413, "1000 bytes");
}

#[test]
fn a_request_that_takes_too_long_ends() {
    // Texts one after another, each as long as the model's context allows.
    let server = Server::start(folder(), &["--timeout", "1", "--slots", "1"]);
    let mut body = long();
    body["stream"] = json!(false);
    body["response_format"]["grammar"]["text"] = json!("[a-z]{2000}");
    (body["n"], body["max_tokens"]) = (json!(8), json!(2_000));
    server.chat(&body).refused(504, "longer than the time limit of a request");
    assert_eq!(server.get("/health").status, 200);
}
