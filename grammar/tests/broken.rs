//! Broken programs and what is said about each. `OGC_BLESS=1` writes the expectations anew.

#![allow(clippy::disallowed_methods, reason = "the programs are files")]

use crate::programs;
use crate::snapshot;

use ogc_grammar::ogc::parse;
use std::path::Path;

#[test]
fn broken_programs_are_explained() {
    let programs = programs::programs(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken"));
    assert!(programs.len() >= 70, "{} programs", programs.len());
    let mut wrong = Vec::new();
    for program in programs {
        let text = std::fs::read_to_string(&program).expect("a readable program");
        wrong.extend(snapshot::compare(&program, &text, &parse(&text).diagnostics).err());
    }
    assert!(wrong.is_empty(), "not as expected:\n{}", wrong.join("\n"));
}
