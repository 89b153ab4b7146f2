//! Tests of a server's figures about prompts that begin alike.

use ogc_serve::ServeOptions;
use serde_json::{Value, json};

use crate::running::Running;

/// Asks for texts with some choices; returns the number of tokens of the prompt, the number of cached ones, and the
/// texts.
fn asked(server: &Running, content: &str, choices: usize) -> (u64, u64, Vec<Value>) {
    let messages = json!([{ "role": "user", "content": content }]);
    let answered = server.chat(&json!({ "messages": messages, "n": choices, "seed": 1, "temperature": 1.0 }));
    answered.good();
    let body: Value = serde_json::from_str(&answered.body).expect("JSON");
    let usage = &body["usage"];
    let cached = usage["prompt_tokens_details"]["cached_tokens"].as_u64().expect("a number");
    let texts = body["choices"].as_array().expect("choices").iter().map(|choice| choice["message"]["content"].clone());
    (usage["prompt_tokens"].as_u64().expect("a number"), cached, texts.collect())
}

#[test]
fn usage_counts_cached_prompt_tokens() {
    let server = Running::start(ServeOptions::default());
    let long = "one two three ".repeat(20);
    let (tokens, cached, first) = asked(&server, &long, 2);
    // The second choice shares the prompt with the first; that does not count as cached.
    assert_eq!(cached, 0);
    let (_, cached, second) = asked(&server, &long, 2);
    assert_eq!(cached, (tokens - 1) / 16 * 16, "all pages before the last token");
    assert_eq!(first, second, "the texts are the same");
    let (_, cached, _) = asked(&server, &format!("{long}four five six seven"), 1);
    assert!(cached >= 200 && cached < tokens, "{cached} of {tokens}");
    let metrics = server.ask("GET /metrics HTTP/1.1\nhost: localhost", "").body;
    let reused = metrics.lines().find_map(|line| line.strip_prefix("ogc_reused_tokens_total ")).expect("a metric");
    assert!(reused.parse::<u64>().expect("a number") > tokens, "{metrics}");
}

#[test]
fn a_prefix_cache_of_size_zero_keeps_nothing() {
    let server = Running::start(ServeOptions { prefix_cache: 0, ..ServeOptions::default() });
    let long = "one two three ".repeat(20);
    let (_, _, first) = asked(&server, &long, 2);
    let (_, cached, second) = asked(&server, &long, 2);
    assert_eq!((cached, first), (0, second));
}
