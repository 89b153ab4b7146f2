//! SchemaStore's development pack: no invalid file is accepted, and a valid one is refused for its order of keys only. The schemas
//! refer to each other by the addresses that the pack's description names. `OGC_SAMPLE` sets the size of the sample, `OGC_SEED`
//! chooses another one.

use ogc_kit::{Random, setting};
use ogc_tests::corpus::{self, Case};
use ogc_tests::counts::{Counts, short};
use ogc_tests::engine::{Policy, Reading, accepted_prefix, accepts, schema};
use ogc_tests::siblings::Siblings;
use std::sync::Arc;

/// Schemas of draft 4 with `const` in `oneOf`, which that draft does not know; the repository's validator does.
const OTHERWISE: [&str; 2] = ["old:es6importsorterrc", "new:web-manifest"];

#[test]
fn sample() {
    let Some(path) = corpus::find("schemastore-dev.jsonl.zst") else { return };
    let cases = corpus::cases(&path).expect("the pack is readable");
    let reading = Reading { siblings: Some(Arc::new(Siblings::of(&cases))), ..Reading::asserting() };
    let mut counts = Counts::default();
    let seed = setting("OGC_SEED", 1);
    for index in Random::new(seed).sample(cases.len(), setting("OGC_SAMPLE", 100) as usize) {
        check(&cases[index], &reading, &mut counts);
    }
    counts.settle(&format!("schemastore-dev, seed {seed}"));
}

fn check(case: &Case, reading: &Reading, counts: &mut Counts) {
    if OTHERWISE.contains(&case.id.as_str()) {
        return;
    }
    let Some(declared) = counts.compile(&case.id, || schema(&case.schema, reading, Policy::default())) else { return };
    let mut any = None;
    for (index, test) in case.tests.iter().enumerate() {
        let text = test.text.as_bytes();
        let accepted = accepts(&declared, text);
        if accepted == test.valid {
            counts.right += 1;
            continue;
        }
        let any_order = Policy { any_order: true, ..Policy::default() };
        let any = any.get_or_insert_with(|| schema(&case.schema, reading, any_order).ok());
        // Where any order cannot be compiled, the order of keys may be the reason.
        if test.valid && any.as_ref().is_none_or(|any| accepts(any, text)) {
            counts.for_order += 1;
            continue;
        }
        let at = accepted_prefix(any.as_ref().unwrap_or(&declared), text);
        let around = String::from_utf8_lossy(&text[at.saturating_sub(60)..(at + 60).min(text.len())]).into_owned();
        let verdict = if test.valid { "valid refused" } else { "invalid accepted" };
        counts.wrong.push(format!("{} test {index}: {verdict} at byte {at}: {}", case.id, short(&around)));
    }
}
