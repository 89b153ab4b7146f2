//! Tests of small and broken `tokenizer.json` files.

use super::super::{TokenId, TokenKind, Vocabulary};
use super::read;

/// Writes a file with a BPE model of these entries, and the given other members.
fn bpe(members: &str, vocab: &str, model: &str) -> String {
    format!(r#"{{{members} "model": {{"type": "BPE", {model} "vocab": {{{vocab}}}, "merges": ["a b"]}}}}"#)
}

#[track_caller]
fn load(json: &str) -> Vocabulary {
    read(json.as_bytes()).unwrap()
}

#[track_caller]
fn check_text(vocabulary: &Vocabulary, id: u32, expected: &str) {
    assert_eq!(vocabulary.text(TokenId(id)), Some(expected.as_bytes()), "{id}");
}

#[track_caller]
fn check_error(json: &str, expected: &str) {
    let error = read(json.as_bytes()).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
}

const LLAMA: &str = r#""decoder": {"type": "Sequence", "decoders": [
    {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, {"type": "ByteFallback"}, {"type": "Fuse"},
    {"type": "Strip", "content": " ", "start": 1, "stop": 0}]},"#;

#[test]
fn metaspace_and_byte_fallback_are_decoded() {
    let vocabulary =
        load(&bpe(LLAMA, r#""▁a": 0, "<0x0A>": 1, "<0x+A>": 2, "\"\u00e9": 3"#, r#""byte_fallback": true,"#));
    check_text(&vocabulary, 0, " a");
    check_text(&vocabulary, 1, "\n");
    check_text(&vocabulary, 2, "<0x+A>");
    check_text(&vocabulary, 3, "\"é");
    assert!(vocabulary.strips_leading_space());
}

#[test]
fn metaspace_decoders_with_every_prepend_scheme_are_read() {
    for (scheme, strips) in
        [("", true), (r#", "prepend_scheme": "never""#, false), (r#", "add_prefix_space": false"#, false)]
    {
        let decoder = format!(r#""decoder": {{"type": "Metaspace", "replacement": "_"{scheme}}},"#);
        let vocabulary = load(&bpe(&decoder, r#""_a_": 0, "<0x41>": 1"#, r#""byte_fallback": true,"#));
        check_text(&vocabulary, 0, " a ");
        check_text(&vocabulary, 1, "A");
        assert_eq!(vocabulary.strips_leading_space(), strips);
    }
}

#[test]
fn without_a_decoder_the_normalizer_is_inverted() {
    let byte_level = r#""pre_tokenizer": {"type": "Sequence", "pretokenizers": [
        {"type": "Split", "pattern": {"Regex": "x"}, "behavior": "Isolated"}, {"type": "ByteLevel"}]},"#;
    check_text(&load(&bpe(byte_level, r#""Ġa": 0"#, "")), 0, " a");
    let replaced = r#""decoder": null, "normalizer": {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},"#;
    check_text(&load(&bpe(replaced, r#""▁a": 0"#, "")), 0, " a");
    check_text(&load(&bpe("", r#""▁a": 0"#, "")), 0, "▁a");
    let dropped = r#""pre_tokenizer": {"type": "Whitespace"},"#;
    check_error(&bpe(dropped, r#""a": 0"#, ""), "pre_tokenizer Whitespace is not supported: it drops spaces");
}

#[test]
fn unigram_entries_get_ids_and_the_unknown_token_has_no_text() {
    let json = r#"{"decoder": {"type": "Metaspace"},
        "model": {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0.0], ["▁a", -1.5], ["b", -2]]}}"#;
    let vocabulary = load(json);
    assert_eq!(vocabulary.kind(TokenId(0)), TokenKind::Special);
    check_text(&vocabulary, 1, " a");
    check_text(&vocabulary, 2, "b");
}

#[test]
fn added_tokens_are_special_or_text() {
    let added = r#""added_tokens": [{"id": 1, "content": "</s>", "special": true}, {"id": 5, "content": "<think>"},
        {"id": 6, "content": "▁▁", "special": false}],"#;
    let vocabulary =
        load(&bpe(&format!("{added}{LLAMA}"), r#""a": 0, "</s>": 1, "<unk>": 2"#, r#""unk_token": "<unk>","#));
    assert_eq!(vocabulary.eos(), [TokenId(1)]);
    assert_eq!(vocabulary.text(TokenId(1)), None);
    assert_eq!(vocabulary.special("<unk>"), Some(TokenId(2)));
    assert_eq!(vocabulary.kind(TokenId(3)), TokenKind::Gap);
    check_text(&vocabulary, 5, "<think>");
    check_text(&vocabulary, 6, "  ");
    assert_eq!((vocabulary.named("<think>"), vocabulary.special("<think>")), (Some(TokenId(5)), None));
}

#[test]
fn a_special_token_has_no_text_under_any_of_its_ids() {
    let added = r#""added_tokens": [{"id": 5, "content": "<s>", "special": true}],"#;
    let vocabulary = load(&bpe(added, r#""<s>": 0, "a": 1"#, ""));
    assert_eq!(vocabulary.kind(TokenId(0)), TokenKind::Special);
    assert_eq!(vocabulary.special("<s>"), Some(TokenId(5)));
}

#[test]
fn contradicting_token_definitions_are_errors() {
    let added = |id: u32| format!(r#""added_tokens": [{{"id": {id}, "content": "x", "special": true}}],"#);
    check_error(&bpe(&added(0), r#""a": 0"#, ""), r#"token 0 is "a" in the model and "x" among the added tokens"#);
    check_error(&bpe("", r#""a": 0, "b": 0"#, ""), "token 0 is defined twice");
    check_error(&bpe("", "", ""), "no tokens");
}

#[test]
fn hostile_numbers_and_types_are_errors() {
    check_error(&bpe("", r#""a": 4000000000"#, ""), "4000000001 ids; the limit is 4194304");
    check_error(&bpe("", r#""a": 18446744073709551615"#, ""), "the limit is 4194304");
    check_error(&bpe("", r#""a": -1"#, ""), "invalid value");
    check_error(&bpe("", r#""a": 1.5"#, ""), "invalid type");
    check_error(&bpe("", r#""a": "b""#, ""), "invalid type");
    check_error(&bpe(r#""added_tokens": {},"#, "", ""), "invalid type");
    check_error(r#"{"model": {"type": "BPE", "vocab": 7}}"#, "an object of texts and ids");
    check_error(r#"{"model": {"type": "Unigram", "vocab": [["a"]]}}"#, "a text and a score");
    check_error(r#"{"model": {"type": "Unigram", "vocab": [["a", 1, 2]]}}"#, "a text and a score");
    check_error(r#"{"model": {}}"#, "missing field");
    check_error("", "EOF");
    check_error(&format!(r#"{{"decoder": {}"#, "[".repeat(100_000)), "recursion limit");
    let long = format!(r#""{}": 0"#, "a".repeat(65_536));
    check_error(&bpe("", &long, ""), "token 0 has 65536 bytes; the limit is 65535");
}

#[test]
fn unsupported_tokenizers_are_refused_with_a_reason() {
    check_error(r#"{"model": {"type": "WordPiece", "vocab": {}}}"#, "its tokens do not say where spaces are");
    check_error(&bpe("", "", r#""end_of_word_suffix": "</w>","#), "end_of_word_suffix </w> is not supported");
    check_error(&bpe(r#""decoder": {"type": "CTC"},"#, "", ""), "decoder CTC is not supported");
    check_error(&bpe(r#""decoder": {},"#, "", ""), "decoder without a type is not supported");
    check_error(&bpe(r#""decoder": {"type": "Sequence"},"#, "", ""), "it has no parts");
    let regex = r#""decoder": {"type": "Replace", "pattern": {"Regex": "a*"}, "content": ""},"#;
    check_error(&bpe(regex, "", ""), "only a pattern that is a String");
}

#[test]
fn every_truncation_is_an_error() {
    let json = bpe(LLAMA, r#""▁a": 0, "b": 1"#, r#""byte_fallback": true,"#);
    for end in 0..json.len() {
        assert!(read(&json.as_bytes()[..end]).is_err(), "{end}");
    }
}

#[test]
fn replacements_cannot_make_tokens_grow_without_bound() {
    let replace = r#"{"type": "Replace", "pattern": {"String": "a"}, "content": "aaaaaaaaaaaaaaaa"}"#;
    let decoder = |count: usize| {
        let steps = vec![replace; count].join(",");
        format!(r#""decoder": {{"type": "Sequence", "decoders": [{steps}]}},"#)
    };
    check_error(&bpe(&decoder(17), "", ""), "it has more than 16 steps");
    check_error(&bpe(&decoder(16), r#""a": 0"#, ""), "the limit is 65535");
    check_text(&load(&bpe(&decoder(1), r#""ab": 0"#, "")), 0, "aaaaaaaaaaaaaaaab");
    let long = r#""decoder": {"type": "Replace", "pattern": {"String": "a"}, "content": "aaaaaaaaaaaaaaaaa"},"#;
    check_error(&bpe(long, "", ""), "longer than 16 bytes");
}

#[test]
fn no_altered_file_panics() {
    let added = r#""added_tokens": [{"id": 3, "content": "</s>", "special": true}],"#;
    let json = bpe(&format!("{added}{LLAMA}"), r#""▁a": 0, "b": 1"#, r#""byte_fallback": true,"#).into_bytes();
    for at in 0..json.len() {
        for byte in [0, b'"', b'9', b'-', b'{', b']', b'\\', 0xff] {
            let mut altered = json.clone();
            altered[at] = byte;
            let _ = read(&altered);
        }
    }
}
