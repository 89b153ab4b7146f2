//! Tests of a server whose model has a draft model: the texts are the same, and metrics count the drafts.

use ogc_generate::DraftLength;
use ogc_serve::ServeOptions;
use serde_json::{Value, json};

use crate::running::{Running, bytes_of};

fn server(draft: usize, speculate: usize) -> Running {
    let draft = (draft > 0).then_some(DraftLength { most: draft, least_sure: 0.0 });
    Running::writing(bytes_of(&[(b'a', b'z'); 24]), ServeOptions { draft, speculate, ..ServeOptions::default() })
}

/// Asks for three texts behind a prompt of `words` words.
fn texts(server: &Running, words: usize, temperature: f64) -> Vec<Value> {
    let messages = json!([{ "role": "user", "content": "one two ".repeat(words) }]);
    let format = json!({ "type": "json_schema", "json_schema": { "name": "any", "schema": {} } });
    let answered = server.chat(&json!({
        "messages": messages, "n": 3, "seed": 5, "max_tokens": 40, "temperature": temperature, "response_format": format,
    }));
    answered.good();
    let body: Value = serde_json::from_str(&answered.body).expect("JSON");
    body["choices"].as_array().expect("choices").iter().map(|choice| choice["message"]["content"].clone()).collect()
}

/// Asks for the texts of several prompts at the same time.
fn at_once(server: &Running, words: &[usize], temperature: f64) -> Vec<Vec<Value>> {
    std::thread::scope(|scope| {
        let asked: Vec<_> = words.iter().map(|&words| scope.spawn(move || texts(server, words, temperature))).collect();
        asked.into_iter().map(|asked| asked.join().expect("no panic")).collect()
    })
}

fn metric(server: &Running, name: &str) -> u64 {
    let metrics = server.ask("GET /metrics HTTP/1.1\nhost: localhost", "").body;
    let found = metrics.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')).expect("a metric");
    found.parse().expect("a number")
}

#[test]
fn greedy_texts_are_the_same_with_drafts_and_metrics_count_them() {
    let plain = server(0, 0);
    for speculate in [0, 4] {
        let drafting = server(4, speculate);
        // Texts of several requests share passes; one has a prompt of many parts.
        let found = at_once(&drafting, &[1, 90, 3], 0.0);
        for (found, words) in found.into_iter().zip([1, 90, 3]) {
            assert_eq!(found, texts(&plain, words, 0.0), "{words} words");
        }
        let counted = ["drafted_tokens", "accepted_tokens", "draft_passes"]
            .map(|name| metric(&drafting, &format!("ogc_{name}_total")));
        let [drafted, accepted, passes] = counted;
        assert!(accepted > 0 && drafted > accepted && passes > 0, "{counted:?}");
    }
    assert_eq!(metric(&plain, "ogc_drafted_tokens_total") + metric(&plain, "ogc_draft_passes_total"), 0);
}

#[test]
fn sampled_texts_are_the_same_alone_and_beside_others() {
    let drafting = server(3, 0);
    let alone = [1, 90].map(|words| texts(&drafting, words, 1.0));
    assert_ne!(alone[0][0], alone[0][1], "choices are drawn apart");
    assert_eq!(at_once(&drafting, &[1, 90, 1, 90], 1.0), [alone.clone(), alone].concat());
}
