//! Looks up names of tokens of other models in all tokenizers of the corpora: a suggestion for a beginning token begins
//! something, and a suggestion for an end token ends something.

#![allow(clippy::disallowed_methods, reason = "the tokenizers are files")]

use std::sync::Arc;

use ogc_compiler::db::{Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile, VocabularyInput};
use ogc_compiler::pipeline::Format;
use ogc_grammar::Code;
use ogc_lint::lints;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::vocabulary::Vocabulary;

/// Pairs of names: one begins a part, the other ends it.
const PAIRS: [(&str, &str); 9] = [
    ("<think>", "</think>"),
    ("<tool_call>", "</tool_call>"),
    ("<|tool_call>", "<tool_call|>"),
    ("<tool_response>", "</tool_response>"),
    ("<|im_start|>", "<|im_end|>"),
    ("<|start_header_id|>", "<|end_header_id|>"),
    ("<|begin_of_text|>", "<|end_of_text|>"),
    ("[INST]", "[/INST]"),
    ("<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>"),
];

/// Suggestions for names that a tokenizer lacks: (tokenizer, name, suggestion).
const SUGGESTED: [(&str, &str, &str); 6] = [
    ("gemma-4", "<tool_call>", "<|tool_call>"),
    ("gemma-4", "</tool_call>", "<tool_call|>"),
    ("gemma-4", "<tool_response>", "<|tool_response>"),
    ("qwen3", "<|tool_call>", "<tool_call>"),
    ("qwen3", "<tool_call|>", "</tool_call>"),
    ("deepseek-v3", "<tool_call>", "<｜tool▁call▁begin｜>"),
];

fn tokenizers() -> Vec<(String, VocabularyInput, Compiler)> {
    let Some(folder) = ogc_kit::corpora::find("tokenizers") else { return Vec::new() };
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder is readable").flatten() {
        let Ok(json) = std::fs::read(entry.path().join("tokenizer.json")) else { continue };
        let Ok(vocabulary) = Vocabulary::from_tokenizer_json(&json) else { continue };
        let db = Compiler::default();
        let input = VocabularyInput::of(&db, MaskStore::new(Arc::new(vocabulary)));
        all.push((entry.file_name().to_string_lossy().into_owned(), input, db));
    }
    all
}

/// Returns the suggested token for a name that the vocabulary lacks.
fn suggested(db: &Compiler, vocabulary: VocabularyInput, name: &str) -> Option<String> {
    let options = Options::new(db, JsonPolicy::default(), Formats::default(), Limits::default());
    let text = format!("output Out = tok{name:?}\n");
    let file = SourceFile::new(db, "a.ogc".to_owned(), text, Language::Ogc, options);
    let format = Format { file, name: Some("Out".into()) };
    let found = lints(db, &format, Some(vocabulary)).into_iter().find(|found| found.code == Code::MissingToken)?;
    let help = found.help?;
    Some(help.strip_prefix("did you mean `tok\"")?.split('"').next()?.to_owned())
}

/// Returns whether a name certainly ends something.
fn ends(name: &str) -> bool {
    let bare = name.trim_matches(['<', '>', '[', ']']);
    let bars = |c: char| c == '|' || c == '｜';
    bare.starts_with('/') || bare.contains("end") || bare.ends_with(bars) && !bare.starts_with(bars)
}

/// Returns whether a name certainly begins something.
fn begins(name: &str) -> bool {
    let bare = name.trim_matches(['<', '>', '[', ']']);
    let bars = |c: char| c == '|' || c == '｜';
    bare.contains("begin") || bare.contains("start") || bare.starts_with(bars) && !bare.ends_with(bars)
}

#[test]
fn suggested_tokens_of_real_vocabularies_have_the_same_role() {
    for (tokenizer, vocabulary, db) in tokenizers() {
        for (begin, end) in PAIRS {
            let first = suggested(&db, vocabulary, begin);
            assert!(first.as_deref().is_none_or(|name| !ends(name)), "{tokenizer}: {begin} is not {first:?}");
            let last = suggested(&db, vocabulary, end);
            assert!(last.as_deref().is_none_or(|name| !begins(name)), "{tokenizer}: {end} is not {last:?}");
            assert!(first.is_none() || first != last, "{tokenizer}: {begin} and {end} are both {first:?}");
        }
        for (_, name, expected) in SUGGESTED.iter().filter(|(of, ..)| *of == tokenizer) {
            assert_eq!(suggested(&db, vocabulary, name).as_deref(), Some(*expected), "{tokenizer}: {name}");
        }
    }
}
