//! Many concurrent clients, some of which disconnect or send nonsense: no request and no memory is lost.

use std::io::Read;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use ogc_kit::Random;
use serde_json::{Value, json};

use super::client::{Server, answered, folder};

/// Number of concurrent clients.
const CLIENTS: usize = 64;

/// Duration of the load in seconds, unless OGC_LOAD_SECONDS sets another.
const SECONDS: u64 = 8;

/// The next act of a client.
#[derive(Clone, Copy, Debug)]
enum Deed {
    Read,
    GoAway { after: usize },
    Nonsense,
}

fn deed(random: &mut Random) -> Deed {
    match random.below(16) {
        0..9 => Deed::Read,
        9..14 => Deed::GoAway { after: random.below(2_000) },
        _ => Deed::Nonsense,
    }
}

fn request(number: u64) -> Value {
    let text = format!("output A = {{ id: {number}, tags: (\"red\" | \"blue\")[1..4], note: string<1..20> }}");
    json!({
        "messages": [{ "role": "user", "content": format!("Number {number}") }],
        "response_format": { "type": "ogc", "ogc": { "text": text } },
        "stream": true,
        "max_tokens": 100,
    })
}

/// Checks that a streamed text matches the format.
#[track_caller]
fn check(events: &[Value], number: u64) {
    let text: String =
        events.iter().filter_map(|event| event["choices"][0]["delta"]["content"].as_str()).map(str::to_owned).collect();
    let value: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(value["id"], json!(number));
    assert!(value["tags"].as_array().is_some_and(|tags| (1..=4).contains(&tags.len())), "{value}");
}

/// Runs one client: it sends requests until the time is over.
fn client(server: &Server, number: u64, end: Instant, whole: &AtomicUsize) {
    let mut random = Random::new(number);
    while Instant::now() < end {
        let kind = deed(&mut random);
        let body = request(number % 16).to_string();
        match kind {
            Deed::Nonsense => {
                let cut = &body[..body.len() - 1 - random.below(40)];
                assert_eq!(server.post("/v1/chat/completions", cut).status, 400);
            }
            Deed::GoAway { after } => {
                let mut stream = server.send("POST", "/v1/chat/completions", &body);
                // The bytes that were read before do not matter.
                drop(stream.read_exact(&mut vec![0; after]));
            }
            Deed::Read => {
                let answer = answered(server.send("POST", "/v1/chat/completions", &body));
                assert_eq!(answer.status, 200, "{answer:?}");
                check(&answer.events(), number % 16);
                whole.fetch_add(1, Ordering::Relaxed);
            }
        }
    }
}

/// Waits until no text is being generated; returns the memory then.
fn settled(server: &Server) -> Option<u64> {
    let start = Instant::now();
    while server.metric("ogc_texts_running") + server.metric("ogc_texts_waiting") > 0 {
        assert!(start.elapsed() < Duration::from_secs(60), "texts of clients that went away end");
        std::thread::sleep(Duration::from_millis(20));
    }
    server.memory()
}

/// Runs all clients for a time; returns the number of complete texts.
fn rush(server: &Server, time: Duration) -> usize {
    let (end, whole) = (Instant::now() + time, AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for number in 0..CLIENTS as u64 {
            let whole = &whole;
            scope.spawn(move || client(server, number, end, whole));
        }
    });
    whole.into_inner()
}

#[test]
fn no_request_fails_and_no_memory_leaks_under_load() {
    let seconds = std::env::var("OGC_LOAD_SECONDS").ok().map(|seconds| seconds.parse().expect("a number"));
    let time = Duration::from_secs(seconds.unwrap_or(SECONDS));
    let server = Server::start(folder(), &["--slots", "16", "--queue", "200"]);
    // The first run fills caches and the pools of the allocator.
    let mut whole = rush(&server, time / 2);
    let before = settled(&server);
    whole += rush(&server, time / 2);
    let after = settled(&server);
    assert!(whole >= CLIENTS / 4, "{whole} texts were whole");
    assert_eq!(server.metric("ogc_requests_failed_total"), 0);
    if let (Some(before), Some(after)) = (before, after) {
        assert!(after < before + before / 4 + (32 << 20), "memory went from {before} to {after} bytes");
    }
    assert_eq!(server.get("/health").status, 200);
}
