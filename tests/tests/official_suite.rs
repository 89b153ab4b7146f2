//! Tests of the official JSON Schema test suite: all required tests, including remote references. Every schema that
//! compiles gives the standard's verdict on every instance. Keys may come in any order, and `format` annotates, as the
//! standard says.

use ogc_compiler::frontend::json_schema::Draft;
use ogc_tests::corpus;
use ogc_tests::counts::{Counts, short};
use ogc_tests::engine::{Policy, Reading, accepts, schema};

#[test]
fn the_official_suite_of_draft_2020_12_passes() {
    suite("json-schema-test-suite-2020-12.jsonl.zst", Draft::Draft2020);
}

#[test]
fn the_official_suite_of_draft_7_passes() {
    suite("json-schema-test-suite-draft7.jsonl.zst", Draft::Draft7);
}

fn suite(pack: &str, draft: Draft) {
    let (Some(path), Some(remotes)) = (corpus::find(pack), corpus::find("json-schema-test-suite-remotes.jsonl.zst"))
    else {
        return;
    };
    let remotes = corpus::remotes(&remotes).expect("the remotes are readable");
    let reading = Reading { draft, remotes, ..Reading::default() };
    let policy = Policy { any_order: true, ..Policy::default() };
    let mut counts = Counts::default();
    for case in corpus::cases(&path).expect("the pack is readable") {
        let Some(automaton) = counts.compile(&case.id, || schema(&case.schema, &reading, policy)) else { continue };
        for test in &case.tests {
            let accepted = accepts(&automaton, test.text.as_bytes());
            let describe =
                || format!("{}: {} (valid: {}): {}", case.id, test.description, test.valid, short(&test.text));
            counts.verdict(accepted == test.valid, describe);
        }
    }
    counts.settle(pack);
}
