//! Tests of grammars as `.ogc` rules: they are read without findings, compile if the grammar does, and give the
//! verdicts that other engines recorded for it.

use ogc_export::ogc::rules;
use ogc_grammar::{Code, Diagnostic, ogc};
use ogc_runtime::automaton::Automaton;
use ogc_tests::corpus;
use ogc_tests::counts::{Counts, short};
use ogc_tests::engine::{self, Failure, accepts};
use std::sync::Arc;

/// Compiles the grammar as rules.
fn back(grammar: &str) -> Result<Arc<Automaton>, Failure> {
    let (tree, _) = ogc_grammar::parse_gbnf(grammar);
    let (file, findings) = rules(&tree, Some("root"));
    let text = ogc::print(&file);
    let found = ogc::parse(&text).diagnostics;
    if let Some(finding) = findings.iter().chain(&found).find(|finding| Diagnostic::is_error(finding)) {
        return Err(Failure { code: finding.code.name().to_owned(), message: finding.message.clone() });
    }
    if ogc::format(&text) != text {
        return Err(Failure { code: "unstable layout".to_owned(), message: String::new() });
    }
    engine::ogc(&text)
}

#[test]
fn peer_grammars_survive_a_round_trip_with_their_verdicts() {
    let Some(path) = corpus::find("peer-cases-dev.jsonl.zst") else { return };
    let mut counts = Counts::default();
    for case in corpus::peer_cases(&path).expect("the pack is readable") {
        let Ok(grammar) = serde_json::from_str::<String>(&case.grammar) else { continue };
        if !matches!(case.kind.as_str(), "gbnf" | "xgrammar-ebnf") {
            continue;
        }
        let Ok(first) = engine::gbnf(&grammar) else { continue };
        let Some(second) = counts.compile(&case.id, || back(&grammar)) else { continue };
        for input in case.tests.iter().filter_map(|test| test.input.as_ref()) {
            let (before, after) = (accepts(&first, input.as_bytes()), accepts(&second, input.as_bytes()));
            counts.verdict(before == after, || format!("{}: {before} became {after}: {}", case.id, short(input)));
        }
    }
    counts.settle("grammars through ogc");
}

#[test]
#[allow(clippy::print_stdout, reason = "the counts are the report of the test")]
fn public_grammars_survive_a_round_trip() {
    let mut counts = Counts::default();
    for kind in ["gbnf", "ebnf"] {
        let Some(folder) = corpus::find(&format!("grammars/{kind}")) else { return };
        let entries = std::fs::read_dir(&folder).expect("the folder is readable");
        let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.sort();
        for path in paths.iter().filter(|path| path.is_file()) {
            let Ok(text) = corpus::text(path) else { continue };
            if engine::gbnf(&text).is_ok() {
                counts.compile(&path.display().to_string(), || back(&text));
            }
        }
    }
    println!("{}", counts.summary("public grammars through ogc"));
    assert!(counts.refused.keys().all(|code| code == Code::GrammarLimit.name()), "{:?}", counts.refused);
}
