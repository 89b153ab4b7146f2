//! Vocabularies from files: the supported files, the tokens that end a text, and names of tokens.

use super::{Folder, Ran};
use ogc_kit::model;

/// A tokenizer with the letters `a` and `b`, and the special tokens `<u>` and `<x>`, whose names do not tell that they
/// end a text.
const TOKENIZER: &str = r#"{"added_tokens": [{"id": 2, "content": "<u>", "special": true}, {"id": 3, "content": "<x>", "special": true}],
    "model": {"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": []}, "decoder": {"type": "ByteLevel"}, "pre_tokenizer": {"type": "ByteLevel"}}"#;

const FORMAT: &str = "output O = \"a\"\n";

/// Asks whether a token may follow `a`, where the text may end.
fn at_the_end(folder: &Folder, vocabulary: &str, token: &str, more: &[&str]) -> Ran {
    let head = ["inspect", "f.ogc", "--at", "a", "--vocab", vocabulary, "--token", token];
    folder.run(&[&head[..], more].concat())
}

#[test]
fn the_model_folder_names_the_end_tokens() {
    let folder = Folder::with(&[("f.ogc", FORMAT), ("m/tokenizer.json", TOKENIZER)]);
    let refused = at_the_end(&folder, "m", "<u>", &[]);
    assert!(refused.out.contains("token 2 tok\"<u>\" is refused"), "{}{}", refused.out, refused.err);
    for config in ["{\"eos_token_id\": 2}", "{\"eos_token_id\": [3, 2]}"] {
        folder.write("m/generation_config.json", config);
        for vocabulary in ["m", "m/tokenizer.json"] {
            let ended = at_the_end(&folder, vocabulary, "<u>", &[]);
            assert!(ended.out.contains("token 2 tok\"<u>\" is allowed"), "{}{}", ended.out, ended.err);
        }
    }
    let other = at_the_end(&folder, "m", "<u>", &["--end", "#3"]);
    assert!(other.out.contains("is refused"), "{}{}", other.out, other.err);
}

#[test]
fn inspect_says_where_end_tokens_come_from() {
    let folder = Folder::with(&[("f.ogc", FORMAT), ("m/tokenizer.json", TOKENIZER)]);
    let ends = |more: &[&str]| at_the_end(&folder, "m", "a", more).out.lines().last().unwrap_or_default().to_owned();
    assert_eq!(ends(&[]), "no token of the vocabulary ends a text; `--end TOKEN` names one");
    folder.write("m/config.json", "{\"eos_token_id\": 2}");
    assert_eq!(ends(&[]), "a text ends with the token 2 `<u>` (config.json)");
    folder.write("m/generation_config.json", "{\"eos_token_id\": [3, 2]}");
    assert_eq!(
        ends(&[]),
        "a text ends with one of the tokens 2 `<u>` (generation_config.json), 3 `<x>` (generation_config.json)"
    );
    assert_eq!(ends(&["--end", "<x>"]), "a text ends with the token 3 `<x>` (named by `--end` or ogc.toml)");
    let built_in = folder.run(&["inspect", "f.ogc", "--at", "a"]).out;
    assert!(built_in.contains("`<|endoftext|>` (its name)"), "{built_in}");
    folder.write("m/config.json", "{\"eos_token_id\": \"<u>\"}");
    let wrong = at_the_end(&folder, "m", "a", &[]);
    assert!(wrong.code != 0 && wrong.err.contains("config.json"), "{}", wrong.err);
}

#[test]
fn build_refuses_a_vocabulary_without_end_tokens() {
    let folder = Folder::with(&[("f.ogc", FORMAT), ("tokenizer.json", TOKENIZER)]);
    let refused = folder.run(&["build", "f.ogc", "--vocab", "tokenizer.json"]);
    assert!(refused.code != 0 && refused.err.contains("--end TOKEN"), "{}", refused.err);
    assert_eq!(folder.run(&["build", "f.ogc", "--vocab", "tokenizer.json", "--end", "<x>"]).code, 0);
    let unknown = folder.run(&["build", "f.ogc", "--vocab", "tokenizer.json", "--end", "<y>"]);
    assert!(unknown.code != 0 && unknown.err.contains("no token `<y>`"), "{}", unknown.err);
}

#[test]
fn end_tokens_in_settings_apply_only_to_the_vocabulary_of_the_settings() {
    let files = [("f.ogc", FORMAT), ("m/tokenizer.json", TOKENIZER), ("other/tokenizer.json", TOKENIZER)];
    let folder = Folder::with(&files);
    folder.write("ogc.toml", "[build]\nvocab = \"m\"\nend = \"<u>, #3\"\n");
    let ask = |token: &str, more: &[&str]| {
        let head = ["inspect", "f.ogc", "--at", "a", "--token", token];
        folder.run(&[&head[..], more].concat()).out
    };
    for token in ["<u>", "<x>"] {
        assert!(ask(token, &[]).contains(" is allowed"), "{token}: {}", ask(token, &[]));
        // These settings do not apply if a flag names the ends or another vocabulary.
        assert!(ask(token, &["--end", "b"]).contains(" is refused"), "{token}");
        assert!(ask(token, &["--vocab", "other"]).contains(" is refused"), "{token}");
    }
    assert_eq!(folder.run(&["build", "f.ogc"]).code, 0);
    folder.write("ogc.toml", "[build]\nvocab = \"m\"\nend = \"<y>\"\n");
    let unknown = folder.run(&["build", "f.ogc"]);
    assert!(unknown.code == 3 || unknown.code == 2, "{}", unknown.code);
    assert!(unknown.err.contains("no token `<y>`"), "{}", unknown.err);
}

#[test]
fn gguf_and_sentencepiece_files_are_read_as_vocabularies() {
    // The pieces `a` and `</s>`, the latter a control piece.
    let pieces = b"\x0a\x03\x0a\x01a\x0a\x08\x0a\x04</s>\x18\x03";
    let folder = Folder::with(&[("f.ogc", FORMAT)]);
    for (name, bytes) in [("s/tokenizer.model", &pieces[..]), ("m/one.gguf", &model::gguf())] {
        folder.write(name, "");
        std::fs::write(folder.path(name), bytes).expect("a file");
    }
    for (vocabulary, end) in
        [("s", "</s>"), ("s/tokenizer.model", "</s>"), ("m", "<|im_end|>"), ("m/one.gguf", "<|im_end|>")]
    {
        let ended = at_the_end(&folder, vocabulary, end, &[]);
        assert!(ended.out.contains(" is allowed"), "{vocabulary}: {}{}", ended.out, ended.err);
        assert_eq!(folder.run(&["build", "f.ogc", "--vocab", vocabulary]).code, 0, "{vocabulary}");
    }
    let none = folder.run(&["cost", "f.ogc", "--vocab", "."]);
    assert!(none.code != 0 && none.err.contains("path of the right file"), "{}", none.err);
}
