//! Tests of cases recorded from other engines' own tests. If this compiler reads the notation, too, everything that
//! compiles gives the recorded verdict. Counts are printed by origin and kind.

use ogc_runtime::automaton::Automaton;
use ogc_tests::corpus::{self, PeerCase, PeerTest};
use ogc_tests::counts::{Counts, short};
use ogc_tests::engine::{self, Failure, Policy, Reading, accepted_prefix, accepts};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Tests of the other engine's own dialect: the case, a part of the input, and the reason.
const DIALECT: &[(&str, &str, &str)] = &[
    ("llguidance-01726", "\\u00A0", "characters may be escaped in JSON"),
    ("llguidance-01728", "\\u00e9", "characters may be escaped in JSON"),
    ("xgrammar-01414", "1.0", "whole numbers may have a fraction of zero"),
    ("llguidance-01928", "-02-29", "29 February of any year is no date of RFC 3339"),
    ("xgrammar-01338", "Σ", "that engine ignores the case of ASCII letters only; Lark's patterns that of all"),
    ("xgrammar-01338", "ς", "that engine ignores the case of ASCII letters only; Lark's patterns that of all"),
    ("xgrammar-01338", "\u{212a}", "that engine ignores the case of ASCII letters only; Lark's patterns that of all"),
    ("xgrammar-01339", "à", "that engine ignores the case of ASCII letters only; Lark's patterns that of all"),
    ("xgrammar-01339", "ö", "that engine ignores the case of ASCII letters only; Lark's patterns that of all"),
    ("xgrammar-01410", "_ab", "Lark ignores text before the first terminal too"),
    ("xgrammar-01598", "type=\"integer\"", "that engine takes any type for a key that is not declared"),
    ("xgrammar-01706", "\"c\": true, \"c\"", "in any order, that engine lets a key repeat"),
    ("xgrammar-01507", "plain", "that engine lets the marker of a rule over any text be missing, but of no other rule"),
    ("xgrammar-01508", "plain", "that engine lets the marker of a rule over any text be missing, but of no other rule"),
    ("xgrammar-01509", "plain", "that engine lets the marker of a rule over any text be missing, but of no other rule"),
];

#[test]
#[allow(clippy::print_stdout, reason = "counts are the report of the test")]
fn verdicts_on_peer_cases_are_as_recorded() {
    let Some(path) = corpus::find("peer-cases-dev.jsonl.zst") else { return };
    let mut all: BTreeMap<(String, String), Counts> = BTreeMap::new();
    for case in corpus::peer_cases(&path).expect("the pack is readable") {
        if let Some(compile) = reader(&case) {
            let counts = all.entry((case.origin.clone(), case.kind.clone())).or_default();
            check(&case, compile, counts);
        }
    }
    let wrong: Vec<String> = all.values().flat_map(|counts| counts.wrong.clone()).collect();
    all.iter().for_each(|((origin, kind), counts)| println!("{}", counts.summary(&format!("{origin} {kind}"))));
    assert!(wrong.is_empty(), "{} wrong verdicts:\n{}", wrong.len(), wrong.join("\n"));
}

type Compile = fn(&str) -> Result<Arc<Automaton>, Failure>;

/// Returns the front end of a case, if its dialect is read here.
fn reader(case: &PeerCase) -> Option<Compile> {
    let plain = matches!(case.options.as_str(), "" | "{}" | "null");
    match case.kind.as_str() {
        "json-schema" => Some(any_order),
        "gbnf" | "xgrammar-ebnf" if plain => Some(engine::gbnf),
        "lark" if plain => Some(engine::lark),
        "regex" if plain => Some(engine::regex),
        "structural-tag" if plain => Some(structural_tag),
        _ => None,
    }
}

/// The tag is the argument of the call that was recorded.
fn structural_tag(call: &str) -> Result<Arc<Automaton>, Failure> {
    let call: serde_json::Value = serde_json::from_str(call).expect("a recorded call is JSON");
    engine::structural_tag(&call["args"][0].to_string())
}

fn any_order(text: &str) -> Result<Arc<Automaton>, Failure> {
    engine::schema(text, &Reading::asserting(), Policy { any_order: true, ..Policy::default() })
}

fn check(case: &PeerCase, compile: Compile, counts: &mut Counts) {
    let judged: Vec<(&PeerTest, &str, bool)> = case.tests.iter().filter_map(|test| judged(case, test)).collect();
    if judged.is_empty() {
        return;
    }
    let text: String = serde_json::from_str(&case.grammar).unwrap_or_else(|_| case.grammar.clone());
    let Some(automaton) = counts.compile(&case.id, || compile(&text)) else { return };
    for (test, input, expected) in judged {
        let accepted = if test.prefix_only {
            accepted_prefix(&automaton, input.as_bytes()) == input.len()
        } else {
            accepts(&automaton, input.as_bytes())
        };
        let describe =
            || format!("{} (accepted there: {expected}): {:?} under {}", case.id, short(input), short(&text));
        counts.verdict(accepted == expected, describe);
    }
}

/// Returns the input and the verdict of a test whose verdict is not a matter of dialect.
fn judged<'t>(case: &PeerCase, test: &'t PeerTest) -> Option<(&'t PeerTest, &'t str, bool)> {
    let (input, accepted) = (test.input.as_deref()?, test.accepted?);
    if DIALECT.iter().any(|(id, part, _)| *id == case.id && input.contains(part)) {
        return None;
    }
    let agreed = case.kind != "json-schema" || test.spec_valid == Some(accepted);
    agreed.then_some((test, input, accepted))
}
