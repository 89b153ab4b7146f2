//! Compiles all patterns and formats of a corpus of real schemas: how many compile, how fast, and whether verdicts
//! agree with a judge.
#![allow(clippy::print_stderr, reason = "tests report what they counted")]
#![allow(clippy::disallowed_methods, reason = "tests read their data")]

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use ogc_kit::Random;
use ogc_regular::Limits;
use ogc_regular::format::format;
use ogc_regular::pattern::compile;
use serde_json::Value;

/// Returns the lines of the corpus; if it is absent, the test counts as skipped.
fn corpus() -> Option<Vec<Value>> {
    let packed = std::fs::read(ogc_kit::corpora::find("maskbench-dev.jsonl.zst")?).expect("the corpus is readable");
    let text = String::from_utf8(ogc_kit::corpora::unpack(&packed).expect("zstd")).expect("UTF-8");
    Some(text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect())
}

/// Calls `visit` with every key and value, at any depth.
fn walk(value: &Value, visit: &mut impl FnMut(&str, &Value)) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| walk(item, visit)),
        Value::Object(map) => map.iter().for_each(|(key, value)| {
            visit(key, value);
            walk(value, visit);
        }),
        _ => {}
    }
}

fn patterns(lines: &[Value]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for line in lines {
        walk(line, &mut |key, value| match (key, value) {
            ("pattern", Value::String(pattern)) => drop(found.insert(pattern.clone())),
            ("patternProperties", Value::Object(map)) => found.extend(map.keys().cloned()),
            _ => {}
        });
    }
    found
}

#[test]
fn patterns_of_real_schemas_compile_and_agree_with_the_judge() {
    let Some(lines) = corpus() else { return };
    let patterns = patterns(&lines);
    let mut times: Vec<(Duration, usize, &str)> = Vec::new();
    let mut failures: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    let mut disagreements = 0;
    for pattern in &patterns {
        let start = Instant::now();
        match compile(pattern, &Limits::default()) {
            Ok(dfa) => {
                times.push((start.elapsed(), dfa.len(), pattern));
                disagreements += verdicts(pattern, &dfa);
            }
            Err(error) => failures.entry(error.to_string()).or_default().push(pattern),
        }
    }
    times.sort();
    let at = |share: usize| times[(times.len() - 1) * share / 100].0;
    let failed = patterns.len() - times.len();
    eprintln!("{} patterns, {failed} refused; p50 {:?} p95 {:?} p99 {:?}", patterns.len(), at(50), at(95), at(99));
    for (time, states, pattern) in times.iter().rev().take(8) {
        eprintln!("  {time:?} {states} states {:.80}", pattern.escape_debug().to_string());
    }
    for (reason, patterns) in &failures {
        eprintln!("  refused {}: {reason}: {:?}", patterns.len(), patterns.iter().take(6).collect::<Vec<_>>());
    }
    eprintln!("  {disagreements} disagreements with the judge");
    assert!(failed * 20 < patterns.len(), "more than 5% are refused");
    assert_eq!(disagreements, 0);
}

/// Compares verdicts with the judge on samples and their mutations, where both read the pattern alike.
fn verdicts(pattern: &str, dfa: &ogc_regular::Dfa) -> usize {
    let Ok(translated) = jsonschema_judge(pattern) else { return 0 };
    let mut rng = Random::new(0x1234_5678_9ABC_DEF1);
    let mut wrong = 0;
    for turn in 0..30 {
        let mut text: Vec<char> = match dfa.sample(&mut || rng.next()).map(String::from_utf8) {
            Some(Ok(text)) => text.chars().collect(),
            _ => vec!['a', '1'],
        };
        for _ in 0..turn % 3 {
            let at = rng.below(text.len() + 1);
            text.insert(at, ['a', 'Z', '0', ' ', '-', '.', '/', '_', '@', ':'][rng.below(10)]);
        }
        let text: String = text.into_iter().collect();
        // The judge departs from ECMA-262 at line ends: its `.` and `$` know only the line feed.
        if text.contains(['\n', '\r', '\u{2028}', '\u{2029}']) {
            continue;
        }
        // With lookarounds, the judge uses Unicode's `\w`, `\d` and `\s`.
        if !text.is_ascii() && ["(?=", "(?!", "(?<"].iter().any(|look| pattern.contains(look)) {
            continue;
        }
        let ours = dfa.contains(text.as_bytes());
        if translated(&text) != ours {
            eprintln!("  {pattern:?} on {text:?}: ours {ours}");
            wrong += 1;
        }
    }
    wrong
}

fn jsonschema_judge(pattern: &str) -> Result<impl Fn(&str) -> bool + use<>, ()> {
    let schema = serde_json::json!({"pattern": pattern});
    let validator = jsonschema::validator_for(&schema).map_err(drop)?;
    Ok(move |text: &str| validator.is_valid(&Value::from(text)))
}

#[test]
fn strings_of_real_schemas_get_the_verdicts_of_the_judge() {
    let Some(lines) = corpus() else { return };
    let mut strings: BTreeSet<String> = BTreeSet::new();
    let mut used: BTreeMap<String, usize> = BTreeMap::new();
    for line in &lines {
        walk(line, &mut |key, value| {
            if let Value::String(text) = value {
                strings.insert(text.clone());
                if key == "format" {
                    *used.entry(text.clone()).or_default() += 1;
                }
            }
        });
    }
    let mut unknown = 0;
    for (name, count) in &used {
        let Some(language) = format(name).filter(|_| !name.starts_with("idn") && name != "ip-address") else {
            unknown += count;
            continue;
        };
        let schema = serde_json::json!({"format": name});
        let judge = jsonschema::options().should_validate_formats(true).build(&schema).unwrap();
        let (mut both, mut theirs) = (0, Vec::new());
        for text in &strings {
            match (language.contains(text), judge.is_valid(&Value::from(text.as_str()))) {
                (true, true) => both += 1,
                (true, false) => panic!("{name}: only we take {text:?}"),
                (false, true) => theirs.push(text),
                _ => {}
            }
        }
        eprintln!(
            "{name}: used {count}, {both} strings, {} only the judge's: {:?}",
            theirs.len(),
            theirs.iter().take(3).collect::<Vec<_>>()
        );
    }
    eprintln!("uses of unknown formats: {unknown}");
}
