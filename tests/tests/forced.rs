//! Tests that forced tokens are the tokens that real tokenizers write: valid instances of real schemas, replayed.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "a tokenizer is a file; see clippy.toml")]

use std::sync::Arc;

use ogc_kit::{Random, setting};
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::{TokenId, Vocabulary};
use ogc_tests::corpus;
use ogc_tests::engine::schema;
use ogc_tests::forced::{Counts, policy, reading, replay};
use tokenizers::Tokenizer;

#[test]
fn forced_tokens_match_real_tokenizers() {
    let Some(pack) = corpus::find("maskbench-dev.jsonl.zst") else { return };
    let cases = corpus::cases(&pack).unwrap();
    let chosen = Random::new(setting("OGC_SEED", 5)).sample(cases.len(), setting("OGC_SAMPLE", 60) as usize);
    for name in ["llama-3.1", "gpt2", "gemma-4"] {
        let Some(path) = corpus::find(&format!("tokenizers/{name}/tokenizer.json")) else { return };
        let json = std::fs::read(path).unwrap();
        let tokenizer = Tokenizer::from_bytes(&json).unwrap();
        let store = MaskStore::new(Arc::new(Vocabulary::from_tokenizer_json(&json).unwrap()));
        let encode = |text: &[u8]| -> Vec<TokenId> {
            let encoding = std::str::from_utf8(text).ok().and_then(|text| tokenizer.encode_fast(text, false).ok());
            encoding.iter().flat_map(|encoding| encoding.get_ids()).copied().map(TokenId).collect()
        };
        let mut sum = Counts::default();
        for case in chosen.iter().map(|&at| &cases[at]) {
            let Ok(automaton) = schema(&case.schema, &reading(), policy()) else { continue };
            for instance in case.tests.iter().filter(|instance| instance.valid) {
                let matcher = Matcher::new(Arc::clone(&automaton), Arc::clone(&store));
                let counts = replay(matcher, &encode(instance.text.as_bytes()), encode).unwrap_or_default();
                assert_eq!(counts.different, 0, "{name}, {}: {}", case.id, instance.text);
                sum.add(counts);
            }
        }
        assert!(sum.tokens > 2000 && 10 * sum.forced > sum.tokens, "{name}: {sum:?}");
    }
}
