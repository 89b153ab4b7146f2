//! Tests of SchemaStore's development pack: no invalid file is accepted, and a valid file is rejected only because of
//! its order of keys. The schemas refer to each other by the addresses in the pack's description. `OGC_SAMPLE` sets the
//! size of the sample, `OGC_SEED` chooses another sample.

use ogc_kit::{Random, setting};
use ogc_tests::corpus::{self, Case};
use ogc_tests::counts::Counts;
use ogc_tests::engine::Reading;
use ogc_tests::siblings::Siblings;
use ogc_tests::verdicts::check;
use std::sync::Arc;

/// Returns whether a schema has `const` in draft 4, which does not define it. The repository's validator supports it,
/// and its labels depend on that.
fn has_early_const(case: &Case) -> bool {
    case.schema.contains("json-schema.org/draft-04/") && case.schema.contains("\"const\"")
}

#[test]
fn a_sample_of_schemastore_gets_the_expected_verdicts() {
    let Some(path) = corpus::find("schemastore-dev.jsonl.zst") else { return };
    let mut cases = corpus::cases(&path).expect("the pack is readable");
    let reading = Reading { siblings: Some(Arc::new(Siblings::of(&cases))), ..Reading::asserting() };
    cases.retain(|case| !has_early_const(case));
    let mut counts = Counts::default();
    let seed = setting("OGC_SEED", 1);
    for index in Random::new(seed).sample(cases.len(), setting("OGC_SAMPLE", 100) as usize) {
        check(&cases[index], &reading, &mut counts);
    }
    counts.settle(&format!("schemastore-dev, seed {seed}"));
}
