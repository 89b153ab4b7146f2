//! Tests of a seeded sample of real schemas with instances: no invalid instance is accepted, and a valid instance is
//! rejected only because of its order of keys. `OGC_SAMPLE` sets the size of the sample, `OGC_SEED` chooses another
//! sample.

use ogc_kit::{Random, setting};
use ogc_tests::corpus::{self, Case};
use ogc_tests::counts::Counts;
use ogc_tests::engine::Reading;
use ogc_tests::verdicts::check;

#[test]
fn a_sample_of_maskbench_gets_the_expected_verdicts() {
    of_pack("maskbench-dev", |_| true, 400);
}

/// Checks the schemas of SchemaStore that have arrays in which no two items may be equal.
#[test]
fn schemastore_schemas_with_distinct_items_get_the_expected_verdicts() {
    of_pack("schemastore-dev", |case| case.schema.contains("\"uniqueItems\""), 24);
}

fn of_pack(pack: &str, is_wanted: fn(&Case) -> bool, sample: u64) {
    let Some(path) = corpus::find(&format!("{pack}.jsonl.zst")) else { return };
    let mut cases = corpus::cases(&path).expect("the pack is readable");
    cases.retain(is_wanted);
    let mut counts = Counts::default();
    let seed = setting("OGC_SEED", 1);
    for index in Random::new(seed).sample(cases.len(), setting("OGC_SAMPLE", sample) as usize) {
        check(&cases[index], &Reading::asserting(), &mut counts);
    }
    counts.settle(&format!("{pack}, seed {seed}"));
}
