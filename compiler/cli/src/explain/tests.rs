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

/// Where findings are recorded.
const SNAPSHOTS: [&str; 2] = ["grammar/tests/broken", "compiler/core/tests/broken"];

/// The codes behind the severities of a snapshot: `1:1:14-1:15 error pattern: message`.
fn recorded(snapshot: &str) -> impl Iterator<Item = &str> {
    snapshot.lines().filter_map(|line| {
        let mut words = line.split(' ');
        let place = words.next().filter(|place| place.starts_with(|c: char| c.is_ascii_digit()));
        let graded = ["error", "warning", "note"].contains(&words.next().unwrap_or_default());
        place.filter(|_| graded).and_then(|_| words.next()?.strip_suffix(':'))
    })
}

#[test]
fn every_code_of_snapshots_and_of_the_reference_is_explained() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut codes = BTreeSet::new();
    for folder in SNAPSHOTS {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "txt") {
                codes.extend(recorded(&std::fs::read_to_string(&path).unwrap()).map(str::to_owned));
            }
        }
    }
    let reference = std::fs::read_to_string(root.join("grammar/REFERENCE.md")).unwrap();
    let expected = reference.split("```ogc,error ").skip(1).filter_map(|block| block.lines().next());
    codes.extend(expected.map(|line| line.trim().to_owned()));
    for table in reference.split("| code | |\n|---|---|\n").skip(1) {
        let rows = table.lines().take_while(|line| line.starts_with('|'));
        let cells = rows.filter_map(|row| row.split('|').nth(1));
        codes.extend(cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).map(str::to_owned));
    }
    assert!(codes.len() > 80, "the search for codes finds too few: {codes:?}");
    let missing: Vec<&String> = codes.iter().filter(|code| text(code).is_none()).collect();
    assert!(missing.is_empty(), "no explanation of {missing:?}");
}

#[test]
fn codes_that_are_nearly_right_are_found() {
    for (written, meant) in [
        ("Unknown-Name", Some("unknown-name")),
        ("unknown_name", Some("unknown-name")),
        ("unkown-name", Some("unknown-name")),
        ("no-such-thing-at-all", None),
    ] {
        assert_eq!(super::near(written), meant, "{written}");
    }
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
