//! Tests that a client which takes as much as it can does not keep others from being served.

use std::io::Read;
use std::net::{Ipv4Addr, TcpStream};
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use ogc_serve::ServeOptions;
use serde_json::{Value, json};

use crate::running::{Answered, Mock, Running, bytes_of, post};

/// The address of the greedy client.
const GREEDY: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);

const CHAT: &str = "/v1/chat/completions";

fn request(more: &Value) -> String {
    let mut body = json!({ "messages": [{ "role": "user", "content": "x" }], "max_tokens": 1_500 });
    more.as_object().expect("an object").iter().for_each(|(name, value)| body[name] = value.clone());
    body.to_string()
}

/// Sends a request from the greedy client's address, and reads nothing.
fn unread(server: &Running, more: &Value) -> TcpStream {
    server.send(GREEDY, &post(CHAT), &request(more))
}

fn answered(mut stream: TcpStream) -> Answered {
    let mut said = String::new();
    stream.read_to_string(&mut said).expect("an answer");
    Answered::read(&said)
}

#[track_caller]
fn wait_for(what: &str, mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(60);
    while !holds() {
        assert!(Instant::now() < end, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Options for one text at a time, and two that wait.
fn few() -> ServeOptions {
    ServeOptions { slots: NonZeroUsize::MIN, queue: 2, ..ServeOptions::default() }
}

#[test]
fn unread_streams_of_one_client_leave_places_and_slots_to_others() {
    // On a busy machine, the texts of the first client may have ended before the other client asks.
    wait_for("the other client has its turn before the last text of the first", other_client_ends_before_the_last);
}

/// Has one client take all its places, then has another client ask. Returns whether the other client's text ended
/// before the last text of the first.
fn other_client_ends_before_the_last() -> bool {
    // Each text has 1,400 letters.
    let server = Running::writing(bytes_of(&[(b'a', b'z'); 1_400]), few());
    let _streams: Vec<TcpStream> = (0..3).map(|_| unread(&server, &json!({ "stream": true }))).collect();
    let one_more = answered(unread(&server, &json!({})));
    if one_more.status == 200 {
        return false;
    }
    one_more.refused(429, None, "4 texts of this client would be written or wait; its limit is now 3");
    let longer = json!([{ "role": "user", "content": "another" }]);
    server.chat(&json!({ "messages": longer, "max_tokens": 1_500, "stream": true })).good();
    let written = || {
        let records = server.records.lock().expect("no panic");
        records.iter().filter(|record| record.tokens > 0).map(|record| record.prompt_tokens).collect::<Vec<_>>()
    };
    wait_for("all texts end", || written().len() == 4);
    let prompts = written();
    // All texts have one length. The other client's text came last, but does not end last, because it gets its turns.
    prompts[..3].contains(prompts.iter().max().expect("four texts"))
}

#[test]
fn a_lone_client_has_all_places() {
    let server = Running::writing(bytes_of(&[(b'a', b'z'); 200]), few());
    let streams: Vec<TcpStream> = (0..3).map(|_| unread(&server, &json!({}))).collect();
    streams.into_iter().for_each(|stream| answered(stream).good());
    // Places are given back one by one, and the places of several texts of a request together.
    answered(unread(&server, &json!({ "n": 3 }))).good();
    answered(unread(&server, &json!({ "n": 4 }))).refused(
        429,
        None,
        "texts of this client would be written or wait; its limit is now 3",
    );
}

/// A mock that answers with a text in parts.
fn writer(part: &str, count: usize) -> Mock {
    let one = format!("data: {}\n\n", json!({ "choices": [{ "index": 0, "delta": { "content": part } }] }));
    let end = format!("data: {}\n\n", json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "stop" }] }));
    let body = [one.repeat(count), end, "data: [DONE]\n\n".to_owned()].concat();
    Mock::start(Some(&Mock::reply("200 OK", "text/event-stream", &body)))
}

#[test]
fn an_unread_upstream_stream_frees_its_place_at_the_read_limit() {
    // More than the buffers of connections hold.
    let mock = writer(&"a".repeat(10_000), 4_000);
    let options = ServeOptions { queue: 0, patience: Duration::from_secs(1), ..few() };
    let server = Running::before(&mock.url, None, options);
    let _stream = unread(&server, &json!({ "stream": true }));
    wait_for("the other server is asked", || !mock.asked().is_empty());
    answered(unread(&server, &json!({ "stream": true }))).refused(429, None, "its limit is now 1");
    wait_for("the place is free", || {
        let mut said = [0; 12];
        unread(&server, &json!({ "stream": true })).read_exact(&mut said).expect("an answer");
        said == *b"HTTP/1.1 200"
    });
}

#[test]
fn upstream_texts_are_followed_within_the_mask_time_limit() {
    let mock = writer(&"a".repeat(100_000), 20);
    let options = || ServeOptions { queue: 0, ..few() };
    let format = json!({ "response_format": { "type": "json_object" } });
    let long = bytes_of(&[(b'a', b'a'); 2_000_000]);
    let before = |options| Running::before_writing(std::sync::Arc::clone(&long), &mock.url, None, options);
    before(options()).chat(&format).good();
    let server = before(ServeOptions { mask_time: Duration::from_millis(1), ..options() });
    server.chat(&format).refused(400, Some("response_format"), "the limit is 0.001 s: make the format less ambiguous");
}
