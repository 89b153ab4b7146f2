//! Tests of the JSON Schema front end: tables for each keyword and draft, references, `unevaluated`, and all corpora.

mod corpus;
mod definitions;
mod judge;
mod keywords;
mod references;

use super::{Imported, ReadOptions, read};
use ogc_grammar::Code;

/// Reads with a report, so that every test covers reports.
fn import(text: &str) -> Imported {
    read(text, &ReadOptions { report: true, ..ReadOptions::default() })
}

/// Returns the codes of the findings, in source order.
fn codes(imported: &Imported) -> Vec<Code> {
    imported.diagnostics.iter().map(|finding| finding.code).collect()
}
