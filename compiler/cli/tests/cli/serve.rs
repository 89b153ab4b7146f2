//! `ogc serve`, with a small model with random weights: its output is nonsense, but matches the format.

mod access;
mod answers;
mod client;
mod custom_tools;
mod limits;
mod load;
mod mock;
mod slow_masks;
mod tool_styles;
mod unfair;
mod upstream;

use serde_json::json;

use client::{Server, folder};

#[test]
fn serve_reports_health_models_and_metrics_and_stops_on_request() {
    let mut server = Server::start(folder(), &[]);
    assert_eq!(server.get("/health").json(), json!({ "status": "ok" }));
    assert_eq!(server.get("/v1/models").json()["data"][0]["id"], "tiny");
    let metrics = server.get("/metrics").body;
    assert!(metrics.contains("\nogc_tokens_total 0\n"), "{metrics}");
    assert_eq!(server.get("/v1/models/tiny").json()["id"], "tiny");
    server.get("/v1/models/other").refused(404, "no model `other`");
    assert_eq!(server.get("/v1/nothing").status, 404);
    assert_eq!(server.get("/v1/completions").json()["error"]["code"], "method_not_allowed");
    server.chat(&json!({ "messages": [{ "role": "user", "content": "Hi" }], "max_tokens": 5 })).good();
    let metrics = server.get("/metrics").body;
    assert!(metrics.contains("\nogc_tokens_total 5\n") || metrics.contains("\nogc_texts_running 0\n"), "{metrics}");
    let (code, log) = server.end();
    assert_eq!(code, Some(0), "{log}");
    let lines: Vec<serde_json::Value> = log.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let chat = lines.iter().find(|line| line["path"] == "/v1/chat/completions").expect("a line of the log");
    assert_eq!(chat["status"], 200);
    assert!(chat["prompt_tokens"].as_u64() > Some(2), "{chat}");
}

#[test]
fn metrics_count_the_tokens_of_a_draft_model() {
    let folder = folder();
    std::fs::write(folder.path("draft.gguf"), ogc_kit::model::draft_gguf()).expect("a file");
    let ran = folder.run(&["serve", "--upstream", "http://127.0.0.1:1/v1", "--draft", "draft.gguf"]);
    assert!(ran.code == 2 && ran.err.contains("--draft"), "{ran:?}");
    let server = Server::start(folder, &["--draft", "draft.gguf", "--draft-tokens", "3", "--draft-sure", "0"]);
    let asked = json!({ "messages": [{ "role": "user", "content": "Hi" }], "max_tokens": 12, "temperature": 0 });
    server.chat(&asked).good();
    let metrics = server.get("/metrics").body;
    let count = |name: &str| metrics.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<u64>().ok());
    assert!(count("ogc_drafted_tokens_total ") > Some(0) && count("ogc_draft_passes_total ") > Some(0), "{metrics}");
}

#[test]
fn serve_refuses_busy_addresses_and_unusable_models() {
    let folder = folder();
    let busy = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = busy.local_addr().expect("an address").to_string();
    let ran = folder.run(&["serve", "--model", "tiny.gguf", "--listen", &address]);
    assert!(ran.code == 2 && ran.err.contains(&address), "{ran:?}");
    let ran = folder.run(&["serve", "--model", "none.gguf"]);
    assert!(ran.code == 3 && ran.err.contains("none.gguf"), "{ran:?}");
    let ran = folder.run(&["serve", "--model", "tiny.gguf", "--definition", "A"]);
    assert!(ran.code == 2 && ran.err.contains("names its format"), "{ran:?}");
}
