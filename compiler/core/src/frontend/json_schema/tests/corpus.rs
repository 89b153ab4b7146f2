//! Tests on all corpora: nothing panics, and verdicts of the official suites hold; prints a table of the codes that
//! occur.

use super::super::{Draft, Formats, Imported, ReadOptions, read};
use super::judge;
use ogc_kit::Random;
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// Returns the lines of a compressed corpus; where it is absent, the test is counted as skipped.
#[allow(clippy::disallowed_methods, reason = "the corpus is a file; see clippy.toml")]
fn lines(name: &str) -> Option<Vec<Json>> {
    let packed = std::fs::read(ogc_kit::corpora::find(name)?).unwrap();
    let text = String::from_utf8(ogc_kit::corpora::unpack(&packed).unwrap()).unwrap();
    Some(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

#[allow(clippy::print_stderr, reason = "the tables are for people who run the tests")]
fn say(text: &str) {
    eprintln!("{text}");
}

fn remotes() -> Vec<(String, String)> {
    let pair = |line: &Json| (line["uri"].as_str().unwrap_or("").to_owned(), line["schema"].to_string());
    lines("json-schema-test-suite-remotes.jsonl.zst").unwrap_or_default().iter().map(pair).collect()
}

type Table = BTreeMap<String, usize>;

fn count(table: &mut Table, imported: &Imported) {
    let mut codes: Vec<_> = imported.diagnostics.iter().map(|f| format!("{:?} {}", f.severity, f.code)).collect();
    codes.sort();
    codes.dedup();
    codes.into_iter().for_each(|code| *table.entry(code).or_default() += 1);
    *table.entry(if imported.has_errors() { "refused" } else { "read" }.to_owned()).or_default() += 1;
}

fn print(title: &str, table: &Table) {
    say(&format!("-- {title}: schemas with each code"));
    table.iter().for_each(|(code, count)| say(&format!("{count:6} {code}")));
}

fn suite(name: &str, draft: Draft) {
    let Some(cases) = lines(name) else { return };
    let resources = remotes();
    let options = ReadOptions {
        default_draft: draft,
        resources,
        report: true,
        formats: Formats::Annotate,
        ..ReadOptions::default()
    };
    let (mut table, mut verdicts, mut wrong) = (Table::new(), Table::new(), Vec::new());
    for case in &cases {
        let imported = read(&case["schema"].to_string(), &options);
        count(&mut table, &imported);
        if imported.has_errors() {
            say(&format!("refused {} {}: {:?}", case["id"], case["part"], imported.diagnostics.first()));
            continue;
        }
        for test in case["tests"].as_array().unwrap() {
            let verdict = judge::accepts(&imported.schemas, &test["data"]);
            let agrees = verdict.map(|verdict| Some(verdict) == test["valid"].as_bool());
            *verdicts.entry(format!("{agrees:?}")).or_default() += 1;
            if agrees == Some(false) && case["part"] == "required" {
                wrong.push(format!("{} {}", case["id"], test["description"]));
            }
        }
    }
    print(name, &table);
    say(&format!("verdicts agree: {verdicts:?}"));
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn official_suite_of_draft_2020_12() {
    suite("json-schema-test-suite-2020-12.jsonl.zst", Draft::Draft2020);
}

#[test]
fn official_suite_of_draft_7() {
    suite("json-schema-test-suite-draft7.jsonl.zst", Draft::Draft7);
}

#[test]
fn verdicts_on_real_schemas_are_as_expected() {
    let Some(cases) = lines("maskbench-dev.jsonl.zst") else { return };
    let (mut table, mut wrong, mut unknown, mut agreed) = (Table::new(), Vec::new(), 0, 0);
    for case in &cases {
        // The expected verdicts assert the formats of all drafts.
        let options = ReadOptions { formats: Formats::All, ..ReadOptions::default() };
        let imported = read(&case["schema"].to_string(), &options);
        count(&mut table, &imported);
        if imported.has_errors() {
            say(&format!("refused {}: {:?}", case["id"], imported.diagnostics.iter().find(|f| f.is_error())));
            continue;
        }
        for test in case["tests"].as_array().unwrap() {
            match judge::accepts(&imported.schemas, &test["data"]) {
                None => unknown += 1,
                Some(verdict) if Some(verdict) == test["valid"].as_bool() => agreed += 1,
                Some(_) => wrong.push(format!("{} {} {}", case["id"], test["valid"], test["description"])),
            }
        }
    }
    print("maskbench", &table);
    say(&format!("agreed {agreed}, unknown {unknown}, wrong {}", wrong.len()));
    wrong.iter().take(40).for_each(|line| say(line));
    // One expected verdict relies on `123.0` not being an integer in draft 4, which only `plain_integers` tells.
    assert!(wrong.len() <= 1, "{wrong:?}");
}

/// Swaps, cuts or repeats pieces of a text between quotes and brackets.
fn mutate(text: &str, random: &mut Random) -> String {
    let pieces: Vec<&str> = text.split_inclusive([',', ':', '{', '[', '"']).collect();
    let mut pieces: Vec<&str> = pieces.into_iter().take(4000).collect();
    for _ in 0..=random.below(3) {
        if pieces.is_empty() {
            break;
        }
        let (a, b) = (random.below(pieces.len()), random.below(pieces.len()));
        match random.below(4) {
            0 => pieces.swap(a, b),
            1 => pieces[a] = pieces[b],
            2 => {
                pieces[a] = ["null", "[]", "{}", "-1", "\"$ref\":\"#\",", "true", "1e999", "\"#/a~1\""][random.below(8)]
            }
            _ => drop(pieces.remove(a)),
        }
    }
    pieces.concat()
}

/// Replaces one value of a tree by another value of the same tree, so that the text stays JSON.
fn graft(root: &Json, random: &mut Random) -> Json {
    fn walk<'j>(value: &'j Json, path: String, out: &mut Vec<(String, &'j Json)>) {
        match value {
            Json::Array(items) => items.iter().enumerate().for_each(|(i, v)| walk(v, format!("{path}/{i}"), out)),
            Json::Object(map) => map.iter().for_each(|(k, v)| {
                walk(v, format!("{path}/{}", k.replace('~', "~0").replace('/', "~1")), out);
            }),
            _ => {}
        }
        out.push((path, value));
    }
    let mut places = Vec::new();
    walk(root, String::new(), &mut places);
    let (target, _) = &places[random.below(places.len())];
    let (_, donor) = places[random.below(places.len())];
    let (mut grafted, donor) = (root.clone(), donor.clone());
    if let Some(place) = grafted.pointer_mut(target) {
        *place = donor;
    }
    grafted
}

#[test]
fn mutated_schemas_never_panic() {
    let mut texts: Vec<Json> = Vec::new();
    for name in ["json-schema-test-suite-2020-12.jsonl.zst", "json-schema-test-suite-draft7.jsonl.zst"] {
        texts.extend(lines(name).unwrap_or_default().into_iter().map(|case| case["schema"].clone()));
    }
    let real = lines("maskbench-dev.jsonl.zst").unwrap_or_default();
    texts.extend(real.into_iter().step_by(5).map(|case| case["schema"].clone()));
    let options = ReadOptions { resources: remotes(), report: true, ..ReadOptions::default() };
    let (mut random, mut table) = (Random::new(1), Table::new());
    for schema in texts.iter().filter(|schema| schema.to_string().len() < 20_000) {
        let text = schema.to_string();
        for _ in 0..3 {
            check(&mutate(&text, &mut random), &options, &mut table);
            check(&graft(schema, &mut random).to_string(), &options, &mut table);
        }
    }
    print("mutated", &table);
}

fn check(text: &str, options: &ReadOptions, table: &mut Table) {
    let imported = read(text, options);
    count(table, &imported);
    let end = u32::try_from(text.len()).unwrap();
    assert!(imported.diagnostics.iter().all(|f| f.span.end <= end), "{text}");
    assert!(imported.origins.iter().all(|span| span.end <= end), "{text}");
}

/// Run alone, in release: `cargo test --release -p ogc-compiler --lib print_read_times -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn print_read_times_of_schemas() {
    let Some(cases) = lines("maskbench-dev.jsonl.zst") else { return };
    let texts: Vec<String> = cases.iter().map(|case| case["schema"].to_string()).collect();
    let options = ReadOptions::default();
    let small: Vec<&String> = texts.iter().filter(|text| (650..850).contains(&text.len())).collect();
    for (title, texts) in [("650 to 850 bytes", small), ("all", texts.iter().collect())] {
        let start = std::time::Instant::now();
        let nodes: usize = (0..5).flat_map(|_| &texts).map(|text| read(text, &options).schemas.nodes.len()).sum();
        let (each, bytes) =
            (start.elapsed() / (5 * texts.len().max(1)) as u32, texts.iter().map(|t| t.len()).sum::<usize>());
        say(&format!("{title}: {} schemas, {bytes} bytes, {nodes} nodes, {each:?} each", texts.len()));
    }
}
