//! Tests that real schemas stay recognisable after a conversion to `.ogc` files: a share of their names, keywords and
//! words comes back, and the result has the same meaning. `OGC_SAMPLE` sets the size of the sample, `OGC_SEED` chooses
//! another sample.

use ogc_compiler::frontend::json_schema::Imported;
use ogc_export::ExportGraph;
use ogc_grammar::ogc;
use ogc_kit::{Random, setting};
use ogc_tests::corpus::{self, Case};
use ogc_tests::counts::{Counts, short};
use ogc_tests::engine::{self, Failure, Policy, Reading, accepts};
use ogc_tests::likeness::{Marks, kept, marks};

/// The minimum share that comes back, in percent.
const SHARE: usize = 80;

/// Converts the schema to an `.ogc` file, and back to a schema.
fn back(imported: &Imported) -> Result<String, Failure> {
    let (file, findings) = ogc_export::ogc::types(&ExportGraph::of(imported));
    if let Some(finding) = findings.first() {
        return Err(Failure { code: finding.code.name().to_owned(), message: finding.message.clone() });
    }
    engine::ogc_as_schema(&ogc::print(&file))
}

#[derive(Default)]
struct Shares {
    schemas: usize,
    total: usize,
    kept: usize,
    /// The lost marks, by keyword.
    lost: Marks,
}

impl Shares {
    fn add(&mut self, source: &str, back: &str) {
        let read = |text: &str| serde_json::from_str(text).ok().map(|value| marks(&value));
        let (Some(before), Some(after)) = (read(source), read(back)) else { return };
        let (total, kept, lost) = kept(&before, &after);
        self.schemas += 1;
        self.total += total;
        self.kept += kept;
        for (mark, count) in lost {
            let keyword = mark.split(' ').next().unwrap_or_default().to_owned();
            *self.lost.entry(keyword).or_default() += count;
        }
    }

    fn percent(&self) -> usize {
        self.kept * 100 / self.total.max(1)
    }
}

#[test]
#[allow(clippy::print_stdout, reason = "the shares are the report of the test")]
fn schemas_keep_most_keywords_through_ogc() {
    let Some(path) = corpus::find("maskbench-dev.jsonl.zst") else { return };
    let cases = corpus::cases(&path).expect("the pack is readable");
    let (mut counts, mut shares) = (Counts::default(), Shares::default());
    let seed = setting("OGC_SEED", 1);
    for index in Random::new(seed).sample(cases.len(), setting("OGC_SAMPLE", 300) as usize) {
        check(&cases[index], &mut counts, &mut shares);
    }
    let mut lost: Vec<(&String, &usize)> = shares.lost.iter().collect();
    lost.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    lost.truncate(12);
    println!("{} schemas, {}% come back; lost most: {lost:?}", shares.schemas, shares.percent());
    counts.settle(&format!("through ogc and JSON Schema, seed {seed}"));
    assert!(shares.percent() >= SHARE, "{}% of the schemas come back", shares.percent());
}

fn check(case: &Case, counts: &mut Counts, shares: &mut Shares) {
    let imported = engine::import(&case.schema, &Reading::asserting());
    if imported.has_errors() {
        return;
    }
    let Ok(first) = engine::graph(&imported.schemas, Policy::default()) else { return };
    let mut text = String::new();
    let again = || {
        text = back(&imported)?;
        let read = engine::import(&text, &Reading::asserting());
        match read.diagnostics.iter().find(|finding| finding.is_error()) {
            Some(error) => Err(Failure { code: format!("reading: {}", error.code), message: error.message.clone() }),
            None => engine::graph(&read.schemas, Policy::default()),
        }
    };
    let Some(second) = counts.compile(&case.id, again) else { return };
    shares.add(&case.schema, &text);
    for (index, test) in case.tests.iter().enumerate() {
        let text = test.text.as_bytes();
        let (before, after) = (accepts(&first, text), accepts(&second, text));
        counts.verdict(before == after, || {
            format!("{} test {index}: {before} became {after}: {}", case.id, short(&test.text))
        });
    }
}
