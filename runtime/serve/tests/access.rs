//! Tests of access control: hosts, origins, content types and keys.

use ogc_serve::{AccessOptions, ServeOptions};

use crate::running::{Answered, Mock, Running};

const BODY: &str =
    r#"{"messages": [{"role": "user", "content": "x"}], "max_tokens": 4, "response_format": {"type": "json_object"}}"#;

/// The line of a request for a chat, with the headers that every request needs.
const CHAT: &str = "POST /v1/chat/completions HTTP/1.1\nhost: localhost\ncontent-type: application/json";

fn options(open: impl FnOnce(&mut AccessOptions)) -> ServeOptions {
    let mut options = ServeOptions::default();
    open(&mut options.access);
    options
}

fn chat(server: &Running, headers: &str) -> Answered {
    server.ask(&format!("{CHAT}\n{headers}"), BODY)
}

#[test]
fn requests_without_a_json_content_type_are_refused() {
    let server = Running::start(ServeOptions::default());
    let post =
        |path: &str, headers: &str| server.ask(&format!("POST {path} HTTP/1.1\nhost: localhost\n{headers}"), BODY);
    for kind in ["application/json", "application/json; charset=utf-8", "application/problem+json"] {
        post("/v1/chat/completions", &format!("content-type: {kind}")).good();
    }
    let others = [
        "",
        "content-type: text/plain",
        "content-type: application/x-www-form-urlencoded",
        "content-type: multipart/form-data",
    ];
    let twice = "content-type: text/plain\ncontent-type: application/json";
    for headers in others.into_iter().chain([twice]) {
        for path in ["/v1/chat/completions", "/v1/completions"] {
            post(path, headers).refused(415, None, "`Content-Type: application/json`");
        }
    }
    let compiled = server.sources.lock().expect("no panic").len();
    assert_eq!(compiled, 1, "no format of another request was looked at");
}

#[test]
fn hosts_that_are_not_the_server_s_are_refused() {
    let server = Running::start(ServeOptions::default());
    let port = server.address.port();
    let get = |head: &str| server.ask(head, "");
    for path in ["/health", "/v1/models", "/metrics", "/nowhere"] {
        let good = if path == "/nowhere" { 404 } else { 200 };
        for host in [format!("localhost:{port}"), format!("127.0.0.1:{port}"), "[::1]".to_owned()] {
            assert_eq!(get(&format!("GET {path} HTTP/1.1\nhost: {host}")).status, good, "{host}");
        }
        let refused = get(&format!("GET {path} HTTP/1.1\nhost: evil.example:{port}"));
        assert_eq!(refused.refused(421, None, "`evil.example")["code"], "host_not_allowed");
    }
    chat(&server, "host: evil.example").refused(400, None, "several `Host` headers");
    get("GET /health HTTP/1.1\nhost: ").refused(421, None, "--allow-host");
    get("GET /health HTTP/1.1").refused(400, None, "no `Host` header");
    // Clients of the old protocol need not name a host; no browser is such a client.
    get("GET /health HTTP/1.0").good();
    get("GET /health HTTP/1.0\nhost: evil.example").refused(421, None, "evil.example");
    // A host in the target decides, but the header must be right as well.
    get("GET http://localhost/health HTTP/1.1\nhost: localhost").good();
    get("GET http://evil.example/health HTTP/1.1\nhost: localhost").refused(421, None, "evil.example");
    get("GET http://localhost/health HTTP/1.1\nhost: evil.example").refused(421, None, "evil.example");
    get("GET http://localhost@evil.example/health HTTP/1.1\nhost: localhost").refused(421, None, "evil.example");
    assert!(server.sources.lock().expect("no panic").is_empty());
}

#[test]
fn hosts_listed_by_the_operator_are_allowed() {
    let listed = Running::start(options(|access| access.allow_host("models.example.org").expect("a host")));
    listed.ask("GET /health HTTP/1.1\nhost: Models.Example.org:443", "").good();
    listed.ask("GET /health HTTP/1.1\nhost: example.org", "").refused(421, None, "example.org");
    let any = Running::start(options(|access| access.allow_host("*").expect("a host")));
    any.ask("GET /health HTTP/1.1\nhost: anything.example", "").good();
}

#[test]
fn pages_of_other_origins_are_refused() {
    let server = Running::start(ServeOptions::default());
    let port = server.address.port();
    for origin in [
        "https://evil.example",
        "null",
        "http://localhost:1",
        "http://evil.example:80",
        "http://localhost.evil.example",
    ] {
        let refused = chat(&server, &format!("origin: {origin}"));
        assert_eq!(refused.refused(403, None, origin)["code"], "origin_not_allowed");
        assert_eq!(refused.header("access-control-allow-origin"), None);
    }
    chat(&server, "origin: http://localhost\norigin: http://localhost").refused(400, None, "several `Origin`");
    // A page of the same host and port, as a proxy serves it.
    chat(&server, "origin: http://localhost").good();
    let head = format!("POST /v1/chat/completions HTTP/1.1\nhost: 127.0.0.1:{port}\ncontent-type: application/json");
    server.ask(&format!("{head}\norigin: http://127.0.0.1:{port}"), BODY).good();
    let asked = "OPTIONS /v1/chat/completions HTTP/1.1\nhost: localhost\norigin: https://evil.example\naccess-control-request-method: POST";
    let refused = server.ask(asked, "");
    refused.refused(403, None, "--allow-origin");
    assert_eq!(refused.header("access-control-allow-methods"), None);
    assert_eq!(server.sources.lock().expect("no panic").len(), 1);
}

#[test]
fn pages_of_allowed_origins_read_answers() {
    let server = Running::start(options(|access| {
        access.allow_origin("https://example.org").expect("an origin");
        access.add_key("open").expect("a key");
    }));
    let allowed = |answer: &Answered| {
        assert_eq!(answer.header("access-control-allow-origin").as_deref(), Some("https://example.org"), "{answer:?}");
        assert!(answer.header("vary").is_some_and(|vary| vary.contains("Origin")), "{answer:?}");
    };
    let preflight = "OPTIONS /v1/chat/completions HTTP/1.1\nhost: localhost\norigin: https://example.org\n\
                     access-control-request-method: POST\naccess-control-request-headers: authorization,content-type,x-stainless-os";
    let answer = server.ask(preflight, "");
    assert_eq!(answer.status, 204, "{answer:?}");
    allowed(&answer);
    assert_eq!(answer.header("access-control-allow-methods").as_deref(), Some("GET, POST"));
    assert_eq!(
        answer.header("access-control-allow-headers").as_deref(),
        Some("authorization,content-type,x-stainless-os")
    );
    assert_eq!(answer.header("access-control-max-age").as_deref(), Some("600"));
    let page = "origin: https://example.org";
    let good = chat(&server, &format!("{page}\nauthorization: Bearer open"));
    good.good();
    allowed(&good);
    let without_key = chat(&server, page);
    without_key.refused(401, None, "there is no key");
    allowed(&without_key);
    let head = format!("{CHAT}\n{page}\nauthorization: Bearer open");
    let wrong = server.ask(&head, "{}");
    assert_eq!(wrong.status, 400);
    allowed(&wrong);
    let stream = server.ask(&head, &BODY.replace("\"max_tokens\"", "\"stream\": true, \"max_tokens\""));
    stream.good();
    allowed(&stream);
    assert!(stream.body.contains("[DONE]"), "{stream:?}");
    // Caches must not give the page an answer without these headers.
    let plain = chat(&server, "authorization: Bearer open");
    plain.good();
    assert_eq!((plain.header("access-control-allow-origin"), plain.header("vary").as_deref()), (None, Some("Origin")));
    let other = chat(&server, "origin: https://a.example.org\nauthorization: Bearer open");
    other.refused(403, None, "a.example.org");
    assert_eq!(other.header("access-control-allow-origin"), None);
    // Without the headers of a preflight, `OPTIONS` is a method like others.
    server
        .ask(&format!("OPTIONS /v1/models HTTP/1.1\nhost: localhost\nauthorization: Bearer open\n{page}"), "")
        .refused(405, None, "method");
}

#[test]
fn pages_of_allowed_origins_reach_a_private_address() {
    let server = Running::start(options(|access| access.allow_origin("https://example.org").expect("an origin")));
    let ask = |origin: &str, question: &str| {
        let head = format!(
            "OPTIONS /v1/responses HTTP/1.1\nhost: localhost\norigin: {origin}\naccess-control-request-method: POST\n{question}"
        );
        server.ask(&head, "")
    };
    for network in ["private", "local"] {
        let (question, allowed) =
            (format!("access-control-request-{network}-network"), format!("access-control-allow-{network}-network"));
        let answer = ask("https://example.org", &format!("{question}: true"));
        assert_eq!((answer.status, answer.header(&allowed).as_deref()), (204, Some("true")), "{answer:?}");
        assert!(answer.header("vary").is_some_and(|vary| vary.contains(&question)), "{answer:?}");
        let others = ["private", "local"].iter().filter(|other| **other != network);
        for other in others {
            assert_eq!(answer.header(&format!("access-control-allow-{other}-network")), None);
        }
        for not_asked in ["x-y: z".to_owned(), format!("{question}: false")] {
            assert_eq!(ask("https://example.org", &not_asked).header(&allowed), None);
        }
        let refused = ask("https://evil.example", &format!("{question}: true"));
        refused.refused(403, None, "evil.example");
        assert_eq!(refused.header(&allowed), None);
    }
}

#[test]
fn any_origin_and_null_are_allowed_only_where_they_are_listed() {
    let any = Running::start(options(|access| access.allow_origin("*").expect("an origin")));
    for origin in ["https://anything.example", "null", "http://localhost:1"] {
        assert_eq!(
            chat(&any, &format!("origin: {origin}")).header("access-control-allow-origin").as_deref(),
            Some(origin)
        );
    }
    let null = Running::start(options(|access| access.allow_origin("null").expect("an origin")));
    chat(&null, "origin: null").good();
    chat(&null, "origin: https://anything.example").refused(403, None, "anything.example");
}

#[test]
fn a_key_is_needed_where_there_is_one() {
    let server = Running::start(options(|access| {
        access.add_key("first-key").expect("a key");
        access.add_key("second-key").expect("a key");
    }));
    for key in ["Bearer first-key", "bearer second-key", "BEARER   first-key"] {
        chat(&server, &format!("authorization: {key}")).good();
    }
    let wrong =
        ["Bearer wrong", "Bearer", "Bearer ", "first-key", "Basic first-key", "Bearer first-key x", "Bearer first-ke"];
    for key in wrong {
        let refused = chat(&server, &format!("authorization: {key}"));
        assert_eq!(refused.refused(401, None, "the key is wrong")["code"], "invalid_api_key");
        assert!(refused.header("www-authenticate").is_some_and(|header| header.starts_with("Bearer")));
        assert!(!refused.body.contains("first-ke"), "{refused:?}");
    }
    chat(&server, "authorization: Bearer first-key\nauthorization: Bearer first-key").refused(401, None, "wrong");
    let get = |path: &str, headers: &str| server.ask(&format!("GET {path} HTTP/1.1\nhost: localhost\n{headers}"), "");
    for path in ["/v1/models", "/v1/models/model", "/metrics", "/nowhere", "/health/", "//health", "/%68ealth"] {
        get(path, "").refused(401, None, "there is no key");
    }
    get("/health", "").good();
    get("/health?x=1", "").good();
    get("/metrics", "authorization: Bearer first-key").good();
    let told = format!("{:?}", server.records.lock().expect("no panic"));
    assert!(told.contains("invalid_api_key") && !told.contains("first") && !told.contains("nowhere"), "{told}");
    let metrics = get("/metrics", "authorization: Bearer second-key").body;
    assert!(metrics.contains("ogc_requests_refused_total 15"), "{metrics}");
}

#[test]
fn api_keys_of_clients_are_not_sent_upstream() {
    let part = r#"data: {"choices": [{"index": 0, "delta": {"content": "ab"}, "finish_reason": "stop"}]}"#;
    let mock = Mock::start(Some(&Mock::reply("200 OK", "text/event-stream", &format!("{part}\n\ndata: [DONE]\n\n"))));
    let asked = |key: Option<&str>, own: Option<&str>| {
        let server = Running::before(
            &mock.url,
            own,
            options(|access| key.iter().for_each(|key| access.add_key(key).expect("a key"))),
        );
        chat(&server, "authorization: Bearer of-client").good();
        mock.asked().pop().expect("a request").to_ascii_lowercase()
    };
    let sent = asked(None, None);
    assert!(
        sent.contains("authorization: bearer of-client"),
        "without keys of its own the server passes on what it gets: {sent}"
    );
    let sent = asked(Some("of-client"), None);
    assert!(!sent.contains("authorization") && !sent.contains("of-client"), "{sent}");
    let sent = asked(Some("of-client"), Some("of-server"));
    assert!(sent.contains("authorization: bearer of-server") && !sent.contains("of-client"), "{sent}");
}
