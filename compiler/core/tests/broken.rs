//! Programs that are well-formed and mean nothing, and what is said about each. `OGC_BLESS=1` writes the expectations anew.
//! What they import stands in `broken/files`.

#![allow(clippy::disallowed_methods, reason = "the programs are files")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use ogc_compiler::db::{Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile, Workspace};
use ogc_compiler::pipeline::diagnostics;
use ogc_grammar::{Diagnostic, Severity, Span};

#[test]
fn broken_programs_are_explained() {
    let bless = std::env::var_os("OGC_BLESS").is_some();
    let programs = programs(&folder());
    assert!(programs.len() >= 100, "{} programs", programs.len());
    let db = Compiler::default();
    let files = workspace(&db, &programs);
    let mut wrong = Vec::new();
    let mut codes = BTreeSet::new();
    for program in programs {
        let file = files[&name(&program)];
        let found = diagnostics(&db, file);
        codes.extend(found.iter().map(|found| found.code));
        let found = render(file.text(&db), found);
        let expected = program.with_extension("txt");
        if bless {
            std::fs::write(&expected, &found).expect("a writable expectation");
        } else if std::fs::read_to_string(&expected).unwrap_or_default() != found {
            wrong.push(format!("{}:\n{found}", name(&program)));
        }
        if found.is_empty() {
            wrong.push(format!("{} has no findings", name(&program)));
        }
    }
    assert!(wrong.is_empty(), "not as expected (OGC_BLESS=1 accepts):\n{}", wrong.join("\n"));
    assert!(codes.len() >= 40, "only {codes:?}");
    let reference = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../grammar/REFERENCE.md");
    let reference = std::fs::read_to_string(reference).expect("the reference");
    codes.retain(|code| !reference.contains(&format!("`{code}`")));
    assert!(codes.is_empty(), "REFERENCE.md does not name {codes:?}");
}

/// All programs and what they import, by their names in the folder.
fn workspace(db: &Compiler, programs: &[PathBuf]) -> BTreeMap<String, SourceFile> {
    let options = Options::new(db, JsonPolicy::default(), Formats::default(), Limits::default());
    let mut files = BTreeMap::new();
    for path in programs.iter().cloned().chain(entries(&folder().join("files"))) {
        let Ok(language) = Language::of_name(&name(&path)) else { continue };
        let text = std::fs::read_to_string(&path).expect("a readable program");
        files.insert(name(&path), SourceFile::new(db, name(&path), text, language, options));
    }
    Workspace::new(db, files.clone());
    files
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken")
}

/// The path in the folder, with `/`.
fn name(path: &Path) -> String {
    let inside = path.strip_prefix(folder()).expect("a program of the folder");
    inside.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder of programs").flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn programs(folder: &Path) -> Vec<PathBuf> {
    let is_program = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "ogc");
    entries(folder).into_iter().filter(is_program).collect()
}

fn render(text: &str, diagnostics: &[Diagnostic]) -> String {
    let mut out = String::new();
    for found in diagnostics {
        let severity = match found.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        writeln!(out, "{} {severity} {}: {}", place(text, found.span), found.code, found.message).expect("a string");
        for (span, label) in &found.labels {
            writeln!(out, "    {} {label}", place(text, *span)).expect("a string");
        }
        if let Some(help) = &found.help {
            writeln!(out, "    help: {help}").expect("a string");
        }
    }
    out
}

fn place(text: &str, span: Span) -> String {
    format!("{}-{}", position(text, span.start), position(text, span.end))
}

/// Line and column, both from 1, columns in characters.
fn position(text: &str, offset: u32) -> String {
    let before = &text[..offset as usize];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    format!("{line}:{column}")
}
