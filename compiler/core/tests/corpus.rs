//! Whole schemas with instances, from text to stepping: every verdict must equal that of the corpus.
//!
//! Run by hand: `OGC_CORPUS=cases.jsonl cargo test -p ogc-compiler --test corpus -- --ignored --nocapture`. A line is
//! an object with `id`, `schema` and `tests` (`valid`, `data`).
#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "a tool for people")]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ogc_compiler::frontend::json_schema::{ReadOptions, read};
use ogc_compiler::lower::json::{JsonPolicy, lower_with};
use ogc_grammar::json::{self, JsonValue};
use ogc_runtime::automaton::{Automaton, KeyOrder};
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::Vocabulary;
use ogc_schema::Limits;

#[derive(Default)]
struct Tally {
    compiled: usize,
    errors: BTreeMap<String, (usize, String)>,
    wrong: Vec<String>,
    times: Vec<(Duration, String)>,
    verdicts: usize,
}

fn main_policy() -> JsonPolicy {
    JsonPolicy { order: KeyOrder::Any, ..JsonPolicy::default() }
}

fn text<'t>(line: &'t str, value: &JsonValue) -> &'t str {
    &line[value.span.start as usize..value.span.end as usize]
}

fn compile(schema: &str, id: &str, tally: &mut Tally) -> Option<Automaton> {
    let options = ReadOptions::default();
    let imported = read(schema, &options);
    let error = |code: &str, message: String, tally: &mut Tally| {
        let entry = tally.errors.entry(code.to_owned()).or_default();
        entry.0 += 1;
        let list = std::env::var("OGC_LIST").is_ok_and(|list| code.starts_with(&list));
        if list || entry.0 <= 2 {
            entry.1.push_str(&format!("\n      {id}: {message}"));
        }
    };
    if let Some(found) = imported.diagnostics.iter().find(|diagnostic| diagnostic.is_error()) {
        error(&format!("read:{}", found.code), found.message.clone(), tally);
        return None;
    }
    let start = Instant::now();
    let policy = main_policy();
    let integers = imported.integers(policy.spelling);
    let lowered = lower_with(&imported.schemas, &policy, integers, &Limits::default());
    tally.times.push((start.elapsed(), id.to_owned()));
    match lowered {
        Ok(lowered) => Some(lowered.automaton),
        Err(errors) => {
            let span = imported.span(errors[0].origin);
            let near =
                schema.get(span.start as usize..(span.end as usize).min(span.start as usize + 100)).unwrap_or_default();
            error(errors[0].kind.code().name(), format!("{} [{near}]", errors[0]), tally);
            None
        }
    }
}

fn check(line: &str, store: &Arc<MaskStore>, tally: &mut Tally) {
    let (value, _) = json::parse(line);
    let value = value.expect("the corpus is JSON");
    let id = value.get("id").and_then(JsonValue::as_str).unwrap_or("?");
    let Some(schema) = value.get("schema") else { return };
    let Some(automaton) = compile(text(line, schema), id, tally) else { return };
    tally.compiled += 1;
    let automaton = Arc::new(automaton);
    for test in value.get("tests").and_then(JsonValue::as_array).unwrap_or_default() {
        let (Some(valid), Some(data)) = (test.get("valid").and_then(JsonValue::as_bool), test.get("data")) else {
            continue;
        };
        let mut matcher = Matcher::new(Arc::clone(&automaton), Arc::clone(store));
        let read = matcher.accept_bytes(text(line, data).as_bytes());
        let accepted = read.is_ok() && matcher.is_complete();
        tally.verdicts += 1;
        if accepted != valid {
            let data: String = text(line, data).chars().take(300).collect();
            tally.wrong.push(format!("{id}: valid={valid} {read:?} {data}"));
        }
    }
}

#[test]
#[ignore = "needs a corpus"]
fn verdicts_on_the_given_corpus_are_as_expected() {
    let Ok(path) = std::env::var("OGC_CORPUS") else { return };
    let only = std::env::var("OGC_ONLY").ok();
    let tokens: Vec<String> = (0..128u8).map(|byte| char::from(byte).to_string()).collect();
    let tokens: Vec<Option<&str>> = tokens.iter().map(|token| Some(token.as_str())).collect();
    let vocabulary = Vocabulary::from_tokens(&tokens, &[("</s>", 128)]).expect("a vocabulary");
    let store = MaskStore::new(Arc::new(vocabulary));
    let corpus = std::fs::read_to_string(path).expect("the corpus");
    let mut tally = Tally::default();
    let mut count = 0;
    for line in
        corpus.lines().filter(|line| only.as_ref().is_none_or(|only| line.contains(&format!("\"id\":\"{only}\""))))
    {
        count += 1;
        check(line, &store, &mut tally);
    }
    report(&mut tally, count);
}

fn report(tally: &mut Tally, count: usize) {
    println!("{count} schemas, {} compiled, {} verdicts, {} wrong", tally.compiled, tally.verdicts, tally.wrong.len());
    for (code, (count, example)) in &tally.errors {
        println!("  {count:5} {code}{example}");
    }
    tally.times.sort();
    let at = |part: usize| tally.times.get(tally.times.len() * part / 1000).map(|time| time.0);
    println!("lowering: p50 {:?} p90 {:?} p99 {:?}", at(500), at(900), at(990));
    for (time, id) in tally.times.iter().rev().take(12) {
        println!("  {time:?} {id}");
    }
    for wrong in tally.wrong.iter().take(80) {
        println!("WRONG {wrong}");
    }
}
