//! Tests of failures of the server behind this one. The client gets 502 or 504 with a reason, but neither the server's
//! address nor its key.

use std::net::TcpListener;
use std::time::Duration;

use ogc_serve::ServeOptions;
use serde_json::json;

use crate::running::{Mock, Running};

/// Asks a server in front of another one for a text and for its models; both requests must fail with this status and
/// message.
#[track_caller]
fn check(url: &str, status: u16, message: &str) {
    let server = Running::before(url, None, ServeOptions::default());
    let chat = server.chat(&json!({}));
    let models = server.ask("GET /v1/models HTTP/1.1\nhost: localhost", "");
    for answered in [chat, models] {
        answered.refused(status, None, message);
        let address = url.trim_start_matches("https://").trim_start_matches("http://");
        assert!(!answered.body.contains(address) && !answered.body.contains("os error"), "{answered:?}");
    }
}

#[track_caller]
fn check_reply(reply: &str, status: u16, message: &str) {
    check(&Mock::start(Some(reply)).url, status, message);
}

#[test]
fn unreachable_upstream_servers_are_reported() {
    let closed = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address");
    check(&format!("http://{closed}"), 502, "it refused the connection");
    check("http://nowhere.invalid", 502, "could not be resolved");
    // It speaks HTTP without TLS.
    let plain = Mock::start(Some(&Mock::reply("400 No", "text/plain", "")));
    check(&plain.url.replace("http://", "https://"), 502, "TLS");
}

#[test]
fn upstream_servers_that_speak_another_protocol_are_reported() {
    check_reply("SSH-2.0-OpenSSH_9.6\r\n", 502, "its answer is no HTTP");
    check_reply("", 502, "it closed the connection");
    check_reply(&Mock::reply("200 OK", "text/html", "<html>Hello</html>"), 502, "no JSON");
    for status in ["301 Moved Permanently", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"] {
        let reply = Mock::reply(status, "text/html", "")
            .replace("\r\ncontent-type", "\r\nlocation: http://secret.example/\r\ncontent-type");
        check_reply(&reply, 502, "redirects are not followed");
    }
    for status in ["404 Not Found", "405 Method Not Allowed", "500 Internal Server Error", "503 Service Unavailable"] {
        check_reply(&Mock::reply(status, "text/html", "<html>secret</html>"), 502, &format!("it answered {status}"));
    }
    check_reply(
        &Mock::reply("500 Internal Server Error", "application/json", r#"{"error": {"message": "no memory"}}"#),
        502,
        "no memory",
    );
}

#[test]
fn upstream_refusals_caused_by_the_request_keep_their_status() {
    for (status, number) in [("400 Bad Request", 400), ("404 Not Found", 404), ("429 Too Many Requests", 429)] {
        check_reply(
            &Mock::reply(status, "application/json", r#"{"error": {"message": "too long"}}"#),
            number,
            "too long",
        );
    }
    // The key is the client's.
    let wrong_key =
        Mock::reply("401 Unauthorized", "application/json", r#"{"error": {"message": "the key sk-own is wrong"}}"#);
    check_reply(&wrong_key, 401, "is wrong");
    // The key is this server's.
    let mock = Mock::start(Some(&wrong_key));
    let server = Running::before(&mock.url, Some("sk-own"), ServeOptions::default());
    let answered = server.chat(&json!({}));
    answered.refused(502, None, "does not take the key of this server");
    assert!(!answered.body.contains("sk-own"), "{answered:?}");
    let mock = Mock::start(Some(&wrong_key.replace("401 Unauthorized", "400 Bad Request")));
    let server = Running::before(&mock.url, Some("sk-own"), ServeOptions::default());
    server.chat(&json!({})).refused(400, None, "the key (the key) is wrong");
}

#[test]
fn truncated_and_malformed_upstream_answers_are_reported() {
    let chat = |reply: &str| {
        let mock = Mock::start(Some(reply));
        Running::before(&mock.url, None, ServeOptions::default()).chat(&json!({}))
    };
    let stream = |body: &str| Mock::reply("200 OK", "text/event-stream", body);
    let part = "data: {\"choices\": [{\"index\": 0, \"delta\": {\"content\": \"a\"}}]}\n\n";
    chat(&stream(part)).refused(502, None, "broke off");
    chat(&stream("")).refused(502, None, "broke off");
    chat(&stream(part).replace("content-length: ", "content-length: 9")).refused(
        502,
        None,
        "before its answer was complete",
    );
    chat(&stream("data: {\n\n")).refused(502, None, "no JSON");
    for body in ["{\"choices\": 7}", "[]", "\"x\"", "7"] {
        chat(&stream(&format!("data: {body}\n\n"))).refused(502, None, "no part of an answer of this interface");
        chat(&Mock::reply("200 OK", "application/json", body)).refused(
            502,
            None,
            "no part of an answer of this interface",
        );
    }
    chat(&Mock::reply("200 OK", "application/json", "{}")).refused(502, None, "broke off");
}

#[test]
fn an_upstream_server_that_never_answers_times_out() {
    let mock = Mock::start(None);
    let options = ServeOptions { timeout: Duration::from_millis(300), ..ServeOptions::default() };
    let server = Running::before(&mock.url, None, options);
    for _ in 0..5 {
        let error = server.chat(&json!({})).refused(
            504,
            None,
            "the server behind this one did not write the text within 0.3 s",
        );
        assert_eq!(error["code"], "timeout");
    }
    server.ask("GET /v1/models HTTP/1.1\nhost: localhost", "").refused(504, None, "did not answer within 0.3 s");
    let stream = server.chat(&json!({ "stream": true }));
    assert!(stream.body.contains("did not write the text within"), "{stream:?}");
}
