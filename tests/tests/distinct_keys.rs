//! Tests of objects in which no undeclared key may come twice, because unnamed keys must be exceptions to a condition
//! or are counted. Random schemas and texts are compared with a validator; keys are repeated in several escapes. Masks
//! are tested in `oracle_schema.rs`, budgets and copies in `distinct_items.rs`.

use std::collections::BTreeMap;

use ogc_kit::{Random, first_seed, rounds};
use ogc_tests::engine::{Policy, Reading, accepted_prefix, accepts, schema};
use serde_json::{Map, Value, json};

/// A member: its key as written, and its value.
type Member = (String, Text);

/// A JSON text whose objects may repeat keys.
#[derive(Clone, Debug)]
enum Text {
    Scalar(Value),
    Array(Vec<Text>),
    Object(Vec<Member>),
}

const KEYS: &[&str] = &["a", "b", "ab", "x1", "x2", "x-y", "\u{e9}", ""];
const PATTERNS: &[&str] = &["^a", "^x", "b$", "^x-", "[0-9]$", "^.$", "^[ab]$"];

fn scalar(random: &mut Random) -> Value {
    random.choose(&[json!(null), json!(true), json!(0), json!(7), json!("a"), json!("")]).cloned().unwrap_or_default()
}

fn key(random: &mut Random) -> String {
    (*random.choose(KEYS).expect("not empty")).to_owned()
}

/// Generates a schema of objects, arrays and scalars.
fn any(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth == 0 { 5 } else { 12 }) {
        0 => json!({"type": random.choose(&["integer", "boolean", "string", "null"])}),
        1 => json!({"const": scalar(random)}),
        2 => json!({"enum": [0, "a", true]}),
        3 => json!(true),
        4 => json!({"minimum": 1}),
        5 => json!({"not": any(random, depth - 1)}),
        6 => json!({"type": "array", "items": any(random, depth - 1)}),
        7 => json!({"oneOf": [object(random, depth - 1), object(random, depth - 1)]}),
        _ => object(random, depth - 1),
    }
}

fn object(random: &mut Random, depth: usize) -> Value {
    let mut made = Map::new();
    if random.one_in(2) {
        made.insert("type".to_owned(), json!("object"));
    }
    for _ in 0..1 + random.below(3) {
        let pattern = *random.choose(PATTERNS).expect("not empty");
        let (name, value) = match random.below(9) {
            0 => ("properties", json!({key(random): any(random, depth)})),
            1 | 2 => ("patternProperties", json!({pattern: any(random, depth)})),
            3 => ("additionalProperties", any(random, depth)),
            4 => ("propertyNames", json!({"pattern": pattern})),
            5 => ("minProperties", json!(random.below(4))),
            6 => ("maxProperties", json!(1 + random.below(3))),
            7 => ("required", json!([key(random)])),
            _ => ("not", object(random, depth)),
        };
        made.insert(name.to_owned(), value);
    }
    Value::Object(made)
}

/// Generates a text; sometimes a key comes twice.
fn text(random: &mut Random, depth: usize) -> Text {
    match random.below(if depth == 0 { 1 } else { 5 }) {
        0 => Text::Scalar(scalar(random)),
        1 => Text::Array((0..random.below(3)).map(|_| text(random, depth - 1)).collect()),
        _ => Text::Object((0..random.below(4)).map(|_| (key(random), text(random, depth - 1))).collect()),
    }
}

/// Writes the text; some characters of keys become escapes.
fn write(random: &mut Random, text: &Text, out: &mut String) {
    match text {
        Text::Scalar(value) => out.push_str(&value.to_string()),
        Text::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                write(random, item, out);
            }
            out.push(']');
        }
        Text::Object(members) => {
            out.push('{');
            for (at, (key, value)) in members.iter().enumerate() {
                out.push_str(if at > 0 { ", \"" } else { "\"" });
                for character in key.chars() {
                    match random.one_in(3) {
                        true => out.push_str(&format!("\\u{:04X}", u32::from(character))),
                        false => out.push(character),
                    }
                }
                out.push_str("\":");
                write(random, value, out);
            }
            out.push('}');
        }
    }
}

fn repeats(text: &Text) -> bool {
    match text {
        Text::Scalar(_) => false,
        Text::Array(items) => items.iter().any(repeats),
        Text::Object(members) => {
            let twice = |at: usize| members[..at].iter().any(|(key, _)| *key == members[at].0);
            (0..members.len()).any(twice) || members.iter().any(|(_, value)| repeats(value))
        }
    }
}

/// Returns the value; of two members with the same key, the last or the first.
fn value(text: &Text, takes_last: bool) -> Value {
    match text {
        Text::Scalar(value) => value.clone(),
        Text::Array(items) => items.iter().map(|item| value(item, takes_last)).collect(),
        Text::Object(members) => {
            let mut members: Vec<&Member> = members.iter().collect();
            if !takes_last {
                members.reverse();
            }
            members.into_iter().map(|(key, inner)| (key.clone(), value(inner, takes_last))).collect()
        }
    }
}

/// Checks that no invalid text is accepted, whichever of two equal keys a reader takes, and that no valid text without
/// equal keys is rejected.
#[test]
#[allow(clippy::print_stdout, reason = "the counts are the report of the test")]
fn verdicts_on_random_objects_match_a_validator() {
    let (first, rounds) = (first_seed(), rounds(250, 2_500));
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for seed in first..first + rounds {
        let mut random = Random::new(seed);
        let made = object(&mut random, 2);
        let validator = jsonschema::draft202012::new(&made).expect("a schema");
        let policy = Policy { any_order: true, ..Policy::default() };
        let automaton = match schema(&made.to_string(), &Reading::asserting(), policy) {
            Ok(automaton) => automaton,
            Err(failure) => {
                *counts.entry(failure.code).or_default() += 1;
                continue;
            }
        };
        if !automaton.has_distinct_items() {
            *counts.entry("without sets".to_owned()).or_default() += 1;
            continue;
        }
        for _ in 0..60 {
            let drawn = text(&mut random, 3);
            let mut written = String::new();
            write(&mut random, &drawn, &mut written);
            let is_valid = [true, false].map(|takes_last| validator.is_valid(&value(&drawn, takes_last)));
            let is_accepted = accepts(&automaton, written.as_bytes());
            let place = || format!("seed {seed}: {made}\n    {written}");
            match (repeats(&drawn), is_accepted) {
                (true, true) => assert!(is_valid.contains(&true), "accepted: {}", place()),
                (true, false) => {}
                (false, _) => assert_eq!(is_accepted, is_valid[0], "{}", place()),
            }
            let fate = ["refused", "accepted"][usize::from(is_accepted)];
            let fate = if repeats(&drawn) { format!("{fate} with a key twice") } else { fate.to_owned() };
            *counts.entry(fate).or_default() += 1;
        }
    }
    println!("{counts:?}");
    let of = |name: &str| counts.get(name).copied().unwrap_or(0);
    assert!(rounds < 250 || of("accepted") > rounds && of("refused") > rounds, "{counts:?}");
}

fn accepted(schema_text: &Value, text: &str) -> bool {
    let policy = Policy { any_order: true, ..Policy::default() };
    let automaton = schema(&schema_text.to_string(), &Reading::asserting(), policy);
    accepts(&automaton.unwrap_or_else(|failure| panic!("{schema_text}: {failure:?}")), text.as_bytes())
}

#[test]
fn required_exceptions_hold_for_readers_that_take_the_last_of_equal_keys() {
    let numbers = json!({"type": "object", "not": {"additionalProperties": {"type": "integer"}}});
    for (text, expected) in [
        (r#"{"x": "bad"}"#, true),
        (r#"{"x": 1, "y": "bad"}"#, true),
        (r#"{"x": 1}"#, false),
        ("{}", false),
        (r#"{"x": "bad", "x": 1}"#, false),
        (r#"{"x": "bad", "\u0078": 1}"#, false),
        (r#"{"x": "bad", "y": {"x": 1, "x": 2}}"#, true),
    ] {
        assert_eq!(accepted(&numbers, text), expected, "{text}");
    }
    let three = json!({"minProperties": 3, "properties": {"n": {}}, "required": ["n"], "type": "object"});
    for (text, expected) in [
        (r#"{"n": 1, "x": 1, "y": 1}"#, true),
        (r#"{"n": 1, "x": 1, "x": 1}"#, false),
        (r#"{"x": {}, "\ud83d\ude00": 1, "n": 2, "\u{1f600}": 3}"#, false),
        (r#"{"x": {}, "n": 2, "\u{1f600}": 3}"#, true),
    ] {
        assert_eq!(accepted(&three, &text.replace("\\u{1f600}", "\u{1f600}")), expected, "{text}");
    }
}

/// Checks that the demand on the last member is known before its value begins.
#[test]
fn room_is_left_for_required_exceptional_members() {
    let made = json!({
        "type": "object", "maxProperties": 2, "additionalProperties": {"type": ["integer", "null"]},
        "allOf": [
            {"not": {"patternProperties": {"^a": {"type": "integer"}}}},
            {"not": {"propertyNames": {"not": {"pattern": "b$"}}}},
        ],
    });
    let policy = Policy { any_order: true, ..Policy::default() };
    let automaton = schema(&made.to_string(), &Reading::asserting(), policy).expect("a format");
    for (text, read) in [
        (r#"{"x": 1, "ab": n"#, 16),
        (r#"{"x": 1, "ab": 1"#, 15),
        (r#"{"x": 1, "b"#, 10),
        (r#"{"c": 1, "ac"#, 12),
        (r#"{"c": 1, "ac""#, 12),
        (r#"{"a": null, "x"#, 14),
        (r#"{"a": null, "x""#, 14),
        (r#"{"a": null, "xb": 1}"#, 20),
        (r#"{"ab": null, "ab"#, 16),
        (r#"{"ab": null, "ab""#, 16),
        (r#"{"ab": null}"#, 12),
    ] {
        assert_eq!(accepted_prefix(&automaton, text.as_bytes()), read, "{text}");
    }
}
