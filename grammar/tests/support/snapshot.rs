//! Compares the findings about a program with the text file next to it. `OGC_BLESS=1` rewrites these files. Tests of
//! other crates use it too.

#![allow(clippy::disallowed_methods, reason = "snapshots are files; see clippy.toml")]

use ogc_grammar::{Diagnostic, LineIndex, Severity, Span};
use std::fmt::Write;
use std::path::Path;

/// Compares the findings in the program at `path` with the expectation next to it, or rewrites the expectation. The
/// error describes the difference.
pub(crate) fn compare(path: &Path, text: &str, diagnostics: &[Diagnostic]) -> Result<(), String> {
    let found = render(text, diagnostics);
    let expected = path.with_extension("txt");
    if found.is_empty() {
        return Err(format!("{} has no findings", path.display()));
    }
    if std::env::var_os("OGC_BLESS").is_some() {
        std::fs::write(&expected, &found).expect("a writable expectation");
    }
    let same = std::fs::read_to_string(&expected).is_ok_and(|expected| expected == found);
    if same { Ok(()) } else { Err(format!("{} (OGC_BLESS=1 accepts):\n{found}", path.display())) }
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
    let lines = LineIndex::new(text);
    format!("{}-{}", lines.place(span.start), lines.place(span.end))
}
