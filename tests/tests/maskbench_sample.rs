//! A seeded sample of real schemas with instances: no invalid instance is accepted, and a valid one is refused for its
//! order of keys only. `OGC_SAMPLE` sets the size of the sample, `OGC_SEED` chooses another one.

use ogc_kit::{Random, setting};
use ogc_tests::corpus::{self, Case};
use ogc_tests::counts::{Counts, short};
use ogc_tests::engine::{Policy, Reading, accepted_prefix, accepts, schema};

#[test]
fn sample() {
    of_pack("maskbench-dev", |_| true, 400);
}

/// Of the schemas that people keep in files, those with arrays in which no two items may be equal.
#[test]
fn schemas_with_distinct_items() {
    of_pack("schemastore-dev", |case| case.schema.contains("\"uniqueItems\""), 24);
}

fn of_pack(pack: &str, is_wanted: fn(&Case) -> bool, sample: u64) {
    let Some(path) = corpus::find(&format!("{pack}.jsonl.zst")) else { return };
    let mut cases = corpus::cases(&path).expect("the pack is readable");
    cases.retain(is_wanted);
    let mut counts = Counts::default();
    let seed = setting("OGC_SEED", 1);
    for index in Random::new(seed).sample(cases.len(), setting("OGC_SAMPLE", sample) as usize) {
        check(&cases[index], &mut counts);
    }
    counts.settle(&format!("{pack}, seed {seed}"));
}

fn check(case: &Case, counts: &mut Counts) {
    let reading = Reading::asserting();
    let Some(declared) = counts.compile(&case.id, || schema(&case.schema, &reading, Policy::default())) else { return };
    let mut any = None;
    for (index, test) in case.tests.iter().enumerate() {
        let text = test.text.as_bytes();
        let accepted = accepts(&declared, text);
        if accepted == test.valid {
            counts.right += 1;
            continue;
        }
        let any_order = Policy { any_order: true, ..Policy::default() };
        let any = any.get_or_insert_with(|| schema(&case.schema, &reading, any_order).ok());
        if test.valid && any.as_ref().is_some_and(|any| accepts(any, text)) {
            counts.for_order += 1;
            continue;
        }
        let at = accepted_prefix(any.as_ref().unwrap_or(&declared), text);
        let around = String::from_utf8_lossy(&text[at.saturating_sub(60)..(at + 60).min(text.len())]).into_owned();
        let verdict = if test.valid { "valid refused" } else { "invalid accepted" };
        counts.wrong.push(format!("{} test {index}: {verdict} at byte {at}: {}", case.id, short(&around)));
    }
}
