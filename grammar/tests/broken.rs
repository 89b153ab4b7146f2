//! Broken programs and grammars, with the expected findings. `OGC_BLESS=1` rewrites the expectations.

#![allow(clippy::disallowed_methods, reason = "the programs are files")]

use crate::programs;
use crate::snapshot;

use ogc_grammar::ogc::parse;
use ogc_grammar::{Diagnostic, parse_abnf, parse_ebnf, parse_gbnf, parse_lark};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken")
}

#[test]
fn broken_programs_are_explained() {
    let programs = programs::programs(&folder());
    assert!(programs.len() >= 70, "{} programs", programs.len());
    let mut wrong = Vec::new();
    for program in programs {
        let text = std::fs::read_to_string(&program).expect("a readable program");
        wrong.extend(snapshot::compare(&program, &text, &parse(&text).diagnostics).err());
    }
    assert!(wrong.is_empty(), "not as expected:\n{}", wrong.join("\n"));
}

/// Reads a grammar in the notation of its file name; `None` for other files.
fn read(path: &Path, text: &str) -> Option<Vec<Diagnostic>> {
    Some(match path.extension()?.to_str()? {
        "abnf" => parse_abnf(text).1,
        "ebnf" => parse_ebnf(text).1,
        "gbnf" => parse_gbnf(text).1,
        "lark" => parse_lark(text).1,
        _ => return None,
    })
}

/// Each file has one mistake, typical of authors used to another notation, and so exactly one finding.
#[test]
fn broken_grammars_are_explained() {
    let (mut grammars, mut wrong) = (0, Vec::new());
    for path in programs::entries(&folder()) {
        let text = std::fs::read_to_string(&path).expect("a readable grammar");
        let Some(mut found) = read(&path, &text) else { continue };
        grammars += 1;
        found.sort_by_key(|one| one.span);
        if found.len() != 1 || found[0].help.is_none() {
            wrong.push(format!("{} has {} findings", path.display(), found.len()));
        }
        wrong.extend(snapshot::compare(&path, &text, &found).err());
    }
    assert!(grammars >= 70, "{grammars} grammars");
    assert!(wrong.is_empty(), "not as expected:\n{}", wrong.join("\n"));
}
