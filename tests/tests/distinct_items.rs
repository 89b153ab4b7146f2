//! Tests of arrays in which no two items may be equal, in addition to their masks (`oracle_schema.rs`): texts against a
//! slow judge, budgets, saved states, forks, packs and artifacts.

use std::sync::Arc;

use ogc_kit::{Random, first_seed, rounds};
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_tests::copies::{compare_copies, walk_under_budget};
use ogc_tests::engine::{Policy, Reading, accepted_prefix, accepts, schema, vocabulary};
use ogc_tests::oracle::schema::{Made, distinct, excepted};
use serde_json::{Value, json};

fn format(schema_text: &Value) -> Arc<Automaton> {
    let compiled = schema(&schema_text.to_string(), &Reading::asserting(), Policy::default());
    compiled.unwrap_or_else(|failure| panic!("{schema_text}: {failure:?}"))
}

#[test]
fn distinct_items_are_compared_by_value() {
    let free = format(&json!({"type": "array", "uniqueItems": true}));
    let equal = [
        ["1", "1.0"],
        ["100", "1e2"],
        ["0", "-0.0e7"],
        [r#""a\u00e9""#, "\"a\u{e9}\""],
        [r#""\ud83d\ude00""#, "\"\u{1f600}\""],
        [r#"{"a":1,"b":[2]}"#, r#"{ "b" : [2.0], "\u0061": 1 }"#],
        ["[[],{}]", "[ [ ] , { } ]"],
        ["null", "null"],
        ["12345678901234567890123456789", "1234567890123456789012345678.90e1"],
    ];
    for pair in equal {
        let text = format!("[{}, true, {}]", pair[0], pair[1]);
        assert!(!accepts(&free, text.as_bytes()), "{text}");
        // The bracket is rejected: the item could have gone on, or another could have followed after a change.
        let read = accepted_prefix(&free, text.as_bytes());
        assert!(read < text.len(), "{text}");
        let single = format!("[{}, [{}]]", pair[0], pair[1]);
        assert!(accepts(&free, single.as_bytes()), "{single}");
    }
    for text in [
        "[1, 10, \"1\", [1], {\"1\": 1}, null, \"null\", true, 1.5, 12345678901234567890123456788, 12345678901234567890123456789]",
        "[]",
        "[ ]",
    ] {
        assert!(accepts(&free, text.as_bytes()), "{text}");
    }
    assert!(!accepts(&free, br#"[{"a": 1, "a": 2}]"#), "a key comes twice in an item");
    assert!(accepts(&free, br#"[{"a": 1, "b": {"a": 1}}, {"a": 1}]"#));
}

/// Checks that an item that `contains` waits for is always new.
#[test]
fn items_counted_by_contains_are_distinct() {
    let some = format(&json!({
        "type": "array", "items": {"type": ["integer", "string"]}, "uniqueItems": true, "maxItems": 3,
        "contains": {"type": "integer", "minimum": 5}, "maxContains": 2,
    }));
    for (text, expected) in [
        ("[5]", true),
        ("[1, 5]", true),
        ("[1, 2, 5]", true),
        ("[\"a\", 5, 6]", true),
        ("[]", false),
        ("[1]", false),
        ("[1, 1, 5]", false),
        ("[5, 5.0]", false),
        ("[5, 6, 7]", false),
        ("[5, 1, 6]", true),
    ] {
        assert_eq!(accepts(&some, text.as_bytes()), expected, "{text}");
    }
    assert_eq!(accepted_prefix(&some, b"[1, 2, \""), 7, "the last item must be one that is waited for");
    let store = MaskStore::new(Arc::new(vocabulary(&[b",5".to_vec(), b"1,".to_vec()]).expect("a vocabulary")));
    for seed in 0..20 {
        walk_under_budget(&some, &store, &mut Random::new(seed), "items that are counted");
    }
}

#[test]
fn used_up_values_cannot_be_continued() {
    let flags = format(&json!({"type": "array", "items": {"type": ["boolean", "null"]}, "uniqueItems": true}));
    for text in ["[true", "[true,false", "[true,false,null"] {
        assert_eq!(accepted_prefix(&flags, text.as_bytes()), text.len(), "{text}");
    }
    for (text, read) in [("[true,t", 6), ("[true,false,null,", 16), ("[null,true,f", 12), ("[null,n", 6)] {
        assert_eq!(accepted_prefix(&flags, text.as_bytes()), read, "{text}");
    }
    let pairs = format(&json!({
        "type": "array", "uniqueItems": true,
        "items": {"type": "array", "items": {"type": "boolean"}, "uniqueItems": true},
    }));
    let all = "[[],[true],[false],[true,false],[false,true]";
    assert_eq!(accepted_prefix(&pairs, all.as_bytes()), all.len());
    assert_eq!(accepted_prefix(&pairs, format!("{all},").as_bytes()), all.len());
    assert_eq!(accepted_prefix(&pairs, b"[[],[true],[true]"), 16);
    assert_eq!(accepted_prefix(&pairs, b"[[],[true],[true,false],[true,"), 24 + 1);
    let records = format(&json!({
        "type": "array", "uniqueItems": true,
        "items": {
            "type": "object", "additionalProperties": false, "required": ["id", "on"],
            "properties": {"id": {"type": "integer"}, "on": {"type": "boolean"}},
        },
    }));
    let text = br#"[{"id": 7, "on": true}, {"id": 7.0, "on": false}, {"id": 7, "#;
    assert_eq!(accepted_prefix(&records, text), text.len() - 2, "7 is used up with both flags, 70 is not");
}

/// Checks verdicts on random texts of free items against a slow judge.
#[test]
fn verdicts_on_random_arrays_match_a_slow_judge() {
    let free = format(&json!({"type": "array", "items": {}, "uniqueItems": true}));
    let (first, rounds) = (first_seed(), rounds(300, 3000));
    let mut valid = 0;
    for seed in first..first + rounds {
        let mut random = Random::new(seed);
        let items: Vec<String> = (0..1 + random.below(4)).map(|_| item(&mut random, 2)).collect();
        let text = format!("[{}]", items.join(","));
        let values: Vec<Value> = serde_json::from_str(&text).expect("a JSON text");
        let values: Vec<Value> = values.iter().map(plain).collect();
        let is_distinct = values.iter().enumerate().all(|(at, value)| !values[..at].contains(value));
        valid += u64::from(is_distinct);
        assert_eq!(accepts(&free, text.as_bytes()), is_distinct, "seed {seed}: {text}");
    }
    assert!(valid > rounds / 5 && valid < rounds - rounds / 25, "{valid} of {rounds} texts are valid");
}

fn item(random: &mut Random, depth: usize) -> String {
    let choice = if depth == 0 { random.below(3) } else { random.below(5) };
    let pick = |random: &mut Random, list: &[&str]| (*random.choose(list).expect("not empty")).to_owned();
    match choice {
        0 => pick(random, &["1", "1.0", "10e-1", "0.1e1", "2", "20e-1", "-1", "1e300", "10e299"]),
        1 => pick(random, &[r#""a""#, r#""\u0061""#, r#""A""#, r#""""#, r#""\n""#, r#""\u000A""#]),
        2 => pick(random, &["true", "false", "null"]),
        3 => {
            let items: Vec<String> = (0..random.below(3)).map(|_| item(random, depth - 1)).collect();
            format!("[{}]", items.join(" , "))
        }
        _ => {
            let mut keys = [r#""k""#, r#""l""#];
            if random.one_in(2) {
                keys.reverse();
            }
            let members: Vec<String> =
                keys.iter().take(random.below(3)).map(|key| format!("{key}: {}", item(random, depth - 1))).collect();
            format!("{{{}}}", members.join(","))
        }
    }
}

/// Returns the value with numbers as texts; equal numbers become equal texts.
fn plain(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64().expect("a double").to_string()),
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Object(members) => members.iter().map(|(key, value)| (key.clone(), plain(value))).collect(),
        other => other.clone(),
    }
}

/// Checks random formats: under any budget, every text ends in time, and saved states, forks, packs and artifacts have
/// the same masks.
#[test]
fn budgets_forks_and_artifacts_agree_on_distinct_items() {
    let words: [&[u8]; 10] = [b"\",\"", b"[[", b"],[", b"true,", b", ", b"\":", b"],", b"]]", b"\"a\",\"a\"", b"1,1"];
    check_copies(distinct, &words);
}

/// Checks the same for objects in which no undeclared key may come twice.
#[test]
fn budgets_forks_and_artifacts_agree_on_distinct_keys() {
    let words: [&[u8]; 10] =
        [b"\",\"", b"{\"", b"\":0", b"true,", b", ", b"\":", b"0,\"ab", b"\"}", b"{\"ab\":0,\"ab\"", b"a\":true,\"a"];
    check_copies(excepted, &words);
}

#[allow(clippy::print_stdout, reason = "the count is the report of the test")]
fn check_copies(make: fn(&mut Random, usize) -> Made, words: &[&[u8]]) {
    let (first, rounds) = (first_seed(), rounds(30, 400));
    let (mut checked, mut drawn) = (0, 0);
    // Not all random schemas have such arrays; more schemas are drawn until there are enough.
    while drawn < rounds || checked < rounds / 4 {
        assert!(drawn < 20 * rounds, "only {checked} of {drawn} formats have such arrays");
        let seed = first + drawn;
        drawn += 1;
        let mut random = Random::new(seed);
        let made = make(&mut random, 3);
        let policy = Policy { any_order: made.mixed || random.one_in(2), ..Policy::default() };
        let Ok(automaton) = schema(&made.schema.to_string(), &Reading::asserting(), policy) else { continue };
        if !automaton.has_distinct_items() {
            continue;
        }
        checked += 1;
        let words: Vec<Vec<u8>> = words.iter().map(|word| word.to_vec()).collect();
        let store = MaskStore::new(Arc::new(vocabulary(&words).expect("a vocabulary")));
        let name = format!("seed {seed}, {policy:?}: {}", made.schema);
        walk_under_budget(&automaton, &store, &mut random, &name);
        compare_copies(&automaton, &store, &mut random, &name);
    }
    println!("{checked} of {drawn} formats checked");
}
