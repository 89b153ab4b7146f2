//! An unmodified program with llama.cpp, node-llama-cpp, generates with the engine of ogc if this library is preloaded. Skipped without
//! node or the packages and the model that `tests/models/fetch` installs.

// A program without AddressSanitizer cannot load a library with it.
#![cfg(all(target_os = "linux", target_arch = "x86_64", not(ogc_sanitized)))]

use std::path::{Path, PathBuf};
use std::process::Command;

// Cargo builds the shared library together with the one that this test is linked with, in the same folder.
use ogc_preload as _;
use serde_json::Value;

fn library() -> PathBuf {
    let test = std::env::current_exe().expect("a path");
    test.parent().expect("a folder").join("libogc_preload.so")
}

/// A run of the program.
struct Run {
    /// The text of each grammar; null if it was refused.
    texts: Vec<Value>,
    /// Its standard error.
    said: String,
}

/// Lets the program write a text of each grammar; `None` if something is not installed.
fn write(grammars: &[&str], preload: bool) -> Option<Run> {
    write_with(grammars, preload, None)
}

/// As [`write`], with a token policy.
fn write_with(grammars: &[&str], preload: bool, tokens: Option<&str>) -> Option<Run> {
    let program = ogc_kit::corpora::find_model("node-llama-cpp-3.22.1")?;
    let model = ogc_kit::corpora::find_model("SmolLM2-135M-Instruct.Q4_1.gguf")?;
    let mut command = Command::new("node");
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/write.mjs")).arg(program).arg(model);
    command.arg(serde_json::to_string(grammars).expect("JSON"));
    command.envs(tokens.map(|tokens| ("OGC_TOKENS", tokens)));
    if preload {
        command.env("LD_PRELOAD", library()).env("OGC_VERBOSE", "1");
    }
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => {
            ogc_kit::skip(&format!("a test of the preloaded library: node: {error}"));
            return None;
        }
    };
    let [printed, said] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let last = printed.lines().last().unwrap_or_default();
    let texts = serde_json::from_str(last).unwrap_or_else(|error| panic!("{error}: {printed}\n{said}"));
    Some(Run { texts, said })
}

const PERSON: &str = r#"root ::= "{\"name\": \"" [a-zA-Z ]{1,20} "\", \"age\": " age "}"
age ::= [1-9] [0-9]?
"#;
const LIST: &str = "root ::= (\"- \" [a-z]+ \"\\n\"){3}";

fn is_person(text: &Value) -> bool {
    let person = text.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok()).unwrap_or_default();
    person["name"].is_string() && person["age"].as_u64().is_some_and(|age| (1..100).contains(&age))
}

fn is_list(text: &Value) -> bool {
    let is_item =
        |line: &str| line.strip_prefix("- ").is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_lowercase()));
    text.as_str().is_some_and(|text| text.lines().count() == 3 && text.lines().all(is_item))
}

/// Counts the lines of standard error with these words.
fn count(run: &Run, words: &str) -> usize {
    run.said.lines().filter(|line| line.contains(words)).count()
}

#[test]
fn an_unmodified_program_uses_the_masks_of_ogc() {
    let Some(run) = write(&[PERSON, LIST, PERSON], true) else { return };
    let texts = &run.texts;
    assert!(is_person(&texts[0]) && is_list(&texts[1]) && is_person(&texts[2]), "{texts:?}\n{}", run.said);
    assert_eq!((count(&run, "grammar is ogc's"), count(&run, "left to llama.cpp")), (3, 0), "{}", run.said);
}

/// A text that the model would not write by itself: with any tokens allowed, it takes more tokens than the program requests.
#[test]
fn constants_are_written_in_canonical_tokens() {
    let text = r#"{"current_weather_reporter_identification": "xylophonist_of_the_observatory_in_reykjavik", "kind": "garden"}"#;
    let grammar = format!("root ::= {text:?}");
    let Some(run) = write(&[&grammar, &grammar], true) else { return };
    assert_eq!(run.texts, [text, text], "{}", run.said);
    let Some(any) = write_with(&[&grammar], true, Some("any")) else { return };
    let cut = any.texts[0].as_str().unwrap_or_default();
    assert!(text.starts_with(cut) && cut.len() < text.len(), "{cut}");
    let Some(odd) = write_with(&[&grammar], true, Some("odd")) else { return };
    assert_eq!((odd.texts[0].as_str(), count(&odd, "OGC_TOKENS is neither")), (Some(text), 1), "{}", odd.said);
}

#[test]
fn a_grammar_that_ogc_refuses_is_left_to_llama_cpp() {
    let by_number = "root ::= \"yes\" | <[9]> \"no\"";
    let Some(run) = write(&[by_number, LIST], true) else { return };
    assert!(run.texts[0].is_string() && is_list(&run.texts[1]), "{:?}\n{}", run.texts, run.said);
    assert_eq!(count(&run, "left to llama.cpp: grammar:1:"), 1, "{}", run.said);
    assert_eq!(count(&run, "grammar is ogc's"), 1, "{}", run.said);
}

#[test]
fn without_preloading_the_program_does_not_use_ogc() {
    let Some(run) = write(&[LIST], false) else { return };
    assert!(is_list(&run.texts[0]) && count(&run, "ogc") == 0, "{:?}\n{}", run.texts, run.said);
}
