//! Every code that the workspace's sources write has an explanation, and every explanation has its parts.

use std::collections::BTreeSet;
use std::path::Path;

use super::{ALL, text, title};

/// Where codes are written.
const SOURCES: [&str; 4] = ["grammar/src", "compiler/schema/src", "compiler/core/src", "compiler/cli/src"];

/// What stands before a code: the constructors of findings, and calls of the helpers that take a code.
const BEFORE: [&str; 17] = [
    "self.error(",
    "self.warning(",
    "Diagnostic::error(",
    "Diagnostic::warning(",
    "Diagnostic::note(",
    "SchemaError::new(",
    "Failure::new(",
    "Self::new(",
    "self.report(",
    "self.fail(",
    "self.refuse(",
    "return self.report(",
    "Some(c) if in_other_style(c) {",
    "let code = ",
    "const CODE: &str = ",
    "} => ",
    "_ => ",
];

fn sources(directory: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && name != "tests" {
            sources(&path, found);
        } else if name.ends_with(".rs") && name != "tests.rs" {
            found.push(std::fs::read_to_string(&path).unwrap());
        }
    }
}

/// The string literals that stand directly behind one of [`BEFORE`], white space aside.
fn codes(source: &str) -> BTreeSet<String> {
    codes_behind(source, &BEFORE)
}

fn codes_behind(source: &str, before: &[&str]) -> BTreeSet<String> {
    let source = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let calls = before.iter().flat_map(|before| source.match_indices(before).map(|(at, _)| at + before.len()));
    let literals = calls.filter_map(|at| source.get(at..)?.trim_start().strip_prefix('"')?.split('"').next());
    let is_code =
        |text: &&str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_lowercase() || b"-0123456789".contains(&b));
    literals.filter(is_code).map(str::to_owned).collect()
}

#[test]
fn every_code_is_explained() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut texts = Vec::new();
    SOURCES.iter().for_each(|source| sources(&root.join(source), &mut texts));
    let emitted: BTreeSet<String> = texts.iter().flat_map(|text| codes(text)).collect();
    assert!(emitted.len() > 50, "the search for codes finds too few: {emitted:?}");
    let missing: Vec<&String> = emitted.iter().filter(|code| text(code).is_none()).collect();
    assert!(missing.is_empty(), "no explanation of {missing:?}");
}

#[test]
fn explanations_are_sorted_and_whole() {
    assert!(ALL.is_sorted_by_key(|(code, _)| code));
    for (code, text) in ALL {
        assert!(text.starts_with(&format!("# {code}: ")), "{code}");
        assert!(text.contains("\n## Example\n") && text.contains("\n## Remedy\n"), "{code}");
        assert!(!title(text).is_empty() && !title(text).ends_with('.'), "{code}");
    }
}

#[test]
fn every_warning_and_note_can_have_a_level() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut texts = Vec::new();
    SOURCES.iter().for_each(|source| sources(&root.join(source), &mut texts));
    let before = ["Diagnostic::warning(", "Diagnostic::note(", "self.warning(", "const CODE: &str = "];
    let graded: BTreeSet<String> = texts.iter().flat_map(|text| codes_behind(text, &before)).collect();
    let missing: Vec<&String> = graded.iter().filter(|code| !ogc_compiler::lint::codes::is_known(code)).collect();
    assert!(graded.len() > 20 && missing.is_empty(), "no level for {missing:?}");
}
