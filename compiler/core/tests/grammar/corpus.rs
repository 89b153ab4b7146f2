//! Real grammars, and the verdicts of other engines on texts.

use std::fs;

use ogc_compiler::frontend::grammar::{Dialect, compile_grammar};
use ogc_compiler::frontend::regex::compile_regex;
use ogc_compiler::pass::Limits;
use ogc_grammar::{Code, Diagnostic};
use ogc_runtime::automaton::Automaton;
use serde_json::Value;

use crate::grammar::simulator::Simulator;

#[test]
fn every_grammar_of_the_corpus_compiles() {
    let mut failed = Vec::new();
    for (folder, dialect) in [("grammars/gbnf", Dialect::Gbnf), ("grammars/ebnf", Dialect::Ebnf)] {
        let Some(folder) = ogc_kit::corpora::find(folder) else { return };
        for file in fs::read_dir(folder).unwrap().flatten() {
            let text = fs::read_to_string(file.path()).unwrap();
            let name = file.file_name();
            // The public `.ebnf` files are in fact GBNF.
            let (automaton, found) = compile_grammar(&text, dialect, &Limits::default());
            let (as_gbnf, _) = compile_grammar(&text, Dialect::Gbnf, &Limits::default());
            match automaton {
                Some(automaton) if Some(&automaton) == as_gbnf.as_ref() && found.is_empty() => {
                    eprintln!("{name:?}: {} rules, {} states", automaton.rules.len(), automaton.states.len())
                }
                _ => failed.push(format!("{name:?}: {found:?}")),
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

fn compile(case: &Value) -> Option<(Option<Automaton>, Vec<Diagnostic>)> {
    let text = case["grammar"].as_str()?;
    match case["kind"].as_str()? {
        "gbnf" | "xgrammar-ebnf" => Some(compile_grammar(text, Dialect::Gbnf, &Limits::default())),
        "regex" => Some(compile_regex(text, &Limits::default())),
        _ => None,
    }
}

/// Returns whether the automaton's verdict is the expected one; of a prefix, only whether it can be continued.
fn agrees(automaton: &Automaton, test: &Value) -> bool {
    let (Some(input), Some(accepted)) = (test["input"].as_str(), test["accepted"].as_bool()) else { return true };
    let mut simulator = Simulator::new(automaton);
    let alive = input.bytes().all(|byte| simulator.step(byte));
    let prefix = test["prefix_only"].as_bool().unwrap_or(false);
    (alive && (prefix || simulator.complete())) == accepted
}

/// Reasons why a case is not compiled: another dialect's notation, or a documented limitation.
const REFUSED: [Code; 7] = [
    Code::GbnfMacro,
    Code::GbnfRuleAttribute,
    Code::GbnfLookahead,
    Code::EmptyTextOnly,
    Code::MissingRoot,
    Code::TokenTerminal,
    Code::Regex,
];
/// A case whose tests begin with a rule other than `root`, which it does not state.
const OTHER_ROOT: &str = "xgrammar-00151";

/// Checks that text that other engines call EBNF is read as GBNF under that name too, or rejected.
fn same_as_ebnf(text: &str, as_gbnf: Option<&Automaton>) {
    let (automaton, found) = compile_grammar(text, Dialect::Ebnf, &Limits::default());
    let is_same = automaton.is_none() || automaton.as_ref() == as_gbnf;
    assert!(is_same || as_gbnf.is_none(), "another language as EBNF: {text} {found:?}");
}

#[test]
fn verdicts_on_peer_cases_are_as_recorded() {
    let Some(path) = ogc_kit::corpora::find("peer-cases-dev.jsonl.zst") else { return };
    let packed = fs::read(path).unwrap();
    let lines = String::from_utf8(ogc_kit::corpora::unpack(&packed).unwrap()).unwrap();
    let (mut checked, mut refused, mut wrong) = (0, 0, Vec::new());
    for line in lines.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let Some((automaton, found)) = compile(&case) else { continue };
        if case["kind"] == "xgrammar-ebnf" {
            same_as_ebnf(case["grammar"].as_str().unwrap_or_default(), automaton.as_ref());
        }
        if case["id"] == OTHER_ROOT {
            continue;
        }
        let Some(automaton) = automaton else {
            let known = found.iter().any(|d| d.is_error() && REFUSED.contains(&d.code));
            assert!(known, "{} {} {found:?}", case["id"], case["grammar"]);
            eprintln!("{} {} {found:?}", case["id"], case["grammar"]);
            refused += 1;
            continue;
        };
        for test in case["tests"].as_array().into_iter().flatten() {
            checked += 1;
            if !agrees(&automaton, test) {
                wrong.push(format!("{} {} {test}", case["id"], case["grammar"]));
            }
        }
    }
    eprintln!("{checked} verdicts checked, {refused} cases refused with a reason");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
