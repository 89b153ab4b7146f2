//! The examples of `REFERENCE.md` are what it says they are, and it names every code that the corpus gives.

#![allow(clippy::disallowed_methods, reason = "the reference and the corpus are files")]

use ogc_grammar::Diagnostic;
use ogc_grammar::ogc::parse;
use std::path::Path;

fn file(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).expect("a readable file")
}

/// The fenced blocks: what stands on the fence, and the text.
fn blocks(markdown: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in markdown.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(fence)) => open = Some((fence.to_owned(), String::new())),
            (Some(_), Some("")) => blocks.extend(open.take()),
            (Some((_, text)), _) => *text += &format!("{line}\n"),
            (None, None) => {}
        }
    }
    blocks
}

#[test]
fn examples_are_as_marked() {
    let blocks = blocks(&file("REFERENCE.md"));
    let mut seen = 0;
    for (fence, text) in blocks.iter().filter(|(fence, _)| fence.starts_with("ogc")) {
        let found = parse(text).diagnostics;
        match fence.strip_prefix("ogc,error ") {
            Some(code) => {
                // What is well-formed has an error of meaning, which is tested where meanings are known.
                let errors: Vec<&str> = found.iter().filter(|d| d.is_error()).map(|d| d.code.name()).collect();
                assert!(errors.is_empty() || errors == [code], "{errors:?} in {text}");
            }
            None => {
                assert_eq!(found, [], "{text}");
                assert_eq!(&ogc_grammar::ogc::format(text), text, "an example is not in the layout");
            }
        }
        seen += 1;
    }
    assert!(seen > 10, "only {seen} examples");
}

#[test]
fn every_code_is_named() {
    let reference = file("REFERENCE.md");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken");
    for entry in std::fs::read_dir(folder).expect("the corpus").flatten() {
        if entry.path().extension().is_none_or(|extension| extension != "ogc") {
            continue;
        }
        let text = std::fs::read_to_string(entry.path()).expect("a readable file");
        for Diagnostic { code, .. } in parse(&text).diagnostics {
            assert!(reference.contains(&format!("`{code}`")), "{code} has no line in REFERENCE.md");
        }
    }
}
