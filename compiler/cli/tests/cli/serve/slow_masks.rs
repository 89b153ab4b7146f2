//! Texts with slow masks, next to texts with fast masks.

use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::client::{Server, answered, folder};

/// A grammar of palindromes within and next to palindromes of sixteen kinds: the continuation of a long text is
/// extremely ambiguous.
fn palindromes() -> String {
    let one = |at: usize| {
        format!(
            "x{at} ::= \"a\" x{} \"a\" | \"b\" x{} \"b\" | \"a\" | \"b\" | \"a\" p \"b\"\n",
            (at * 7 + 1) % 16,
            (at + 3) % 16
        )
    };
    let all: String = (0..16).map(one).collect();
    format!("root ::= p\np ::= x0 | [a-z ]+ | p p | p p p\n{all}")
}

/// Makes a request for a long text whose masks become slower and slower, and which does not end by itself.
fn slow(seed: usize) -> Value {
    let ends = json!({ "264": -100, "265": -100, "266": -100 });
    json!({ "prompt": "x", "grammar": palindromes(), "max_tokens": 1_500, "seed": seed, "temperature": 1.0, "stream": true, "logit_bias": ends })
}

fn quick(seed: usize) -> Value {
    json!({ "prompt": "x", "regex": "[a-z]{8}", "max_tokens": 8, "seed": seed, "temperature": 1.0 })
}

/// Waits until a condition holds.
#[track_caller]
fn wait_for(what: &str, mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(120);
    while !holds() {
        assert!(Instant::now() < end, "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn slow_masks_of_one_text_do_not_block_other_texts() {
    let server = Server::start(folder(), &["--mask-time", "600", "--slots", "2"]);
    let alone = server.post("/v1/completions", &quick(1).to_string()).good()["choices"][0]["text"].clone();
    let attack: Vec<TcpStream> =
        (0..2).map(|seed| server.send("POST", "/v1/completions", &slow(seed).to_string())).collect();
    wait_for("masks are computed beside the passes", || server.metric("ogc_slow_masks_total") > 20);
    wait_for("both texts are away", || server.metric("ogc_texts_masking") == 2);
    // All slots are taken by texts that wait for masks. Other texts are not delayed, and are the same.
    for _ in 0..5 {
        assert_eq!(server.post("/v1/completions", &quick(1).to_string()).good()["choices"][0]["text"], alone);
    }
    // When the clients disconnect, the computation of their masks stops.
    drop(attack);
    wait_for("the masks end", || server.metric("ogc_texts_masking") == 0);
}

#[test]
fn a_text_over_its_mask_time_is_refused() {
    let server = Server::start(folder(), &["--mask-time", "1"]);
    let said = answered(server.send("POST", "/v1/completions", &slow(0).to_string())).body;
    assert!(said.contains("the limit is 1 s: make the format less ambiguous"), "{said}");
    assert!(said.contains("\"param\":\"grammar\""), "{said}");
    server.post("/v1/completions", &quick(1).to_string()).good();
}
