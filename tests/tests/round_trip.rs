//! Tests of real schemas in other notations and back: as JSON Schema and as `.ogc`, both accept exactly the instances
//! that the schema accepts, in the same order of keys. `OGC_SAMPLE` sets the size of the sample, `OGC_SEED` chooses
//! another sample.

use ogc_compiler::frontend::json_schema::Imported;
use ogc_export::{ExportGraph, json_schema};
use ogc_grammar::ogc;
use ogc_kit::{Random, setting};
use ogc_runtime::automaton::Automaton;
use ogc_tests::corpus::{self, Case};
use ogc_tests::counts::{Counts, short};
use ogc_tests::engine::{self, Failure, Policy, Reading, accepts};
use std::sync::Arc;

#[test]
fn schemas_survive_a_round_trip_through_json_schema() {
    sample("through JSON Schema", 200, back_from_json_schema);
}

#[test]
fn schemas_survive_a_round_trip_through_ogc() {
    sample("through ogc", 200, back_from_ogc);
}

/// Checks `oneOf` over schemas that require a key which another one declares, as the export writes them.
#[test]
fn one_of_over_schemas_that_require_a_declared_key_compiles() {
    let names: Vec<String> = (0..20).map(|at| format!("Arm{at}")).collect();
    let arm = |at: usize| {
        let others: Vec<&str> = (0..20).filter(|&other| other != at).map(|other| names[other].as_str()).collect();
        format!("{} - {}", names[at], others.join(" - "))
    };
    let arms: Vec<String> = (0..20).map(arm).collect();
    let mut text = format!("type All = {{ kind: string, via?: string, ... }} & ({})\n", arms.join(" | "));
    for (at, name) in names.iter().enumerate() {
        let record = format!("{{ kind?: \"k{at}\", a?: string, b?: int, ... }} - {{ via?: any - any, ... }}");
        text.push_str(&format!("type {name} = {record}\n"));
    }
    let format = engine::ogc(&format!("{text}output Out = All\n")).expect("it compiles");
    assert!(accepts(&format, br#"{"kind":"k7","via":"x","b":1}"#));
    assert!(!accepts(&format, br#"{"kind":"k7","b":1}"#), "`via` is required");
    assert!(!accepts(&format, br#"{"kind":"k20","via":"x"}"#), "no arm has this kind");
}

fn back_from_json_schema(imported: &Imported) -> Result<Arc<Automaton>, Failure> {
    let text = json_schema::print(&ExportGraph::of(imported));
    let again = engine::import(&text, &Reading::asserting());
    if let Some(error) = again.diagnostics.iter().find(|finding| finding.is_error()) {
        return Err(Failure { code: format!("reading: {}", error.code), message: error.message.clone() });
    }
    engine::graph(&again.schemas, Policy::default())
}

fn back_from_ogc(imported: &Imported) -> Result<Arc<Automaton>, Failure> {
    let (file, findings) = ogc_export::ogc::types(&ExportGraph::of(imported));
    let text = ogc::print(&file);
    let found = ogc::parse(&text).diagnostics;
    if let Some(finding) = found.first() {
        return Err(Failure { code: format!("parsing: {}", finding.code), message: finding.message.clone() });
    }
    if ogc::format(&text) != text {
        return Err(Failure { code: "unstable layout".to_owned(), message: String::new() });
    }
    if let Some(finding) = findings.first() {
        return Err(Failure { code: finding.code.name().to_owned(), message: finding.message.clone() });
    }
    engine::ogc(&format!("policy space = \"any\", numbers = \"printed\"\n{text}"))
}

fn sample(name: &str, size: u64, back: fn(&Imported) -> Result<Arc<Automaton>, Failure>) {
    let Some(path) = corpus::find("maskbench-dev.jsonl.zst") else { return };
    let cases = corpus::cases(&path).expect("the pack is readable");
    let mut counts = Counts::default();
    let seed = setting("OGC_SEED", 1);
    for index in Random::new(seed).sample(cases.len(), setting("OGC_SAMPLE", size) as usize) {
        check(&cases[index], back, &mut counts);
    }
    counts.settle(&format!("{name}, seed {seed}"));
}

/// Checks one case. A schema that does not compile is passed over, because nothing is known of its instances.
fn check(case: &Case, back: fn(&Imported) -> Result<Arc<Automaton>, Failure>, counts: &mut Counts) {
    let imported = engine::import(&case.schema, &Reading::asserting());
    if imported.has_errors() {
        return;
    }
    let Ok(first) = engine::graph(&imported.schemas, Policy::default()) else { return };
    let Some(second) = counts.compile(&case.id, || back(&imported)) else { return };
    for (index, test) in case.tests.iter().enumerate() {
        let text = test.text.as_bytes();
        let (before, after) = (accepts(&first, text), accepts(&second, text));
        counts.verdict(before == after, || {
            format!("{} test {index}: {before} became {after}: {}", case.id, short(&test.text))
        });
    }
}
