//! Broken programs and what is said about each. `OGC_BLESS=1` writes the expectations anew.

#![allow(clippy::disallowed_methods, reason = "the programs are files")]

use ogc_grammar::ogc::parse;
use ogc_grammar::{Diagnostic, Severity, Span};
use std::fmt::Write;
use std::path::{Path, PathBuf};

#[test]
fn broken_programs_are_explained() {
    let bless = std::env::var_os("OGC_BLESS").is_some();
    let programs = programs();
    assert!(programs.len() >= 70, "{} programs", programs.len());
    let mut wrong = Vec::new();
    for program in programs {
        let text = std::fs::read_to_string(&program).expect("a readable program");
        let found = render(&text, &parse(&text).diagnostics);
        let expected = program.with_extension("txt");
        if bless {
            std::fs::write(&expected, &found).expect("a writable expectation");
        } else if std::fs::read_to_string(&expected).unwrap_or_default() != found {
            wrong.push(format!("{}:\n{found}", program.display()));
        }
        if found.is_empty() {
            wrong.push(format!("{} has no findings", program.display()));
        }
    }
    assert!(wrong.is_empty(), "not as expected (OGC_BLESS=1 accepts):\n{}", wrong.join("\n"));
}

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken");
    let entries = std::fs::read_dir(folder).expect("the folder of broken programs").flatten();
    let mut programs: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    programs.retain(|path| path.extension().is_some_and(|extension| extension == "ogc"));
    programs.sort();
    programs
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
