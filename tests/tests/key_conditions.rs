//! Tests of objects with conditions on the presence of keys, in addition to their masks (`oracle_schema.rs`): many
//! independent conditions at once, verdicts on open objects, budgets, saved states, forks, packs and artifacts.

use std::sync::Arc;

use ogc_kit::{Random, first_seed, rounds, setting};
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_tests::copies::{compare_copies, walk_under_budget, walk_under_budget_from};
use ogc_tests::corpus;
use ogc_tests::engine::{Policy, Reading, accepted_prefix, accepts, schema, vocabulary};
use ogc_tests::oracle::conditions::{conditioned, open_conditioned};
use serde_json::{Map, Value, json};

fn format(schema_text: &Value, any_order: bool) -> Arc<Automaton> {
    let policy = Policy { any_order, ..Policy::default() };
    let compiled = schema(&schema_text.to_string(), &Reading::asserting(), policy);
    compiled.unwrap_or_else(|failure| panic!("{schema_text}: {failure:?}"))
}

/// Pairs of keys, next to each other or all first keys before all second ones; each pair has a condition.
fn pairs(count: usize, apart: bool, condition: impl Fn(&str, &str) -> Value) -> Value {
    let name = |letter: &str, at: usize| format!("{letter}{at:03}");
    let names: Vec<String> = match apart {
        false => (0..count).flat_map(|at| [name("a", at), name("b", at)]).collect(),
        true => ["a", "b"].iter().flat_map(|letter| (0..count).map(move |at| name(letter, at))).collect(),
    };
    let properties: Map<String, Value> = names.into_iter().map(|name| (name, json!({"type": "boolean"}))).collect();
    let all: Vec<Value> = (0..count).map(|at| condition(&name("a", at), &name("b", at))).collect();
    json!({"type": "object", "properties": properties, "additionalProperties": false, "allOf": all})
}

/// A condition on two keys.
type Condition<'c> = &'c dyn Fn(&str, &str) -> Value;

/// Checks each kind of condition, with the keys that pairs may have, and with two ways of which at least one is wrong.
#[test]
fn states_of_independent_key_conditions_add_up() {
    let requires = |a: &str, b: &str| json!({"dependentRequired": {a: [b]}});
    let flag = |a: &str, b: &str| {
        json!({
            "if": {"properties": {a: {"const": true}}, "required": [a]}, "then": {"required": [b]},
        })
    };
    let excludes = |a: &str, b: &str| json!({"not": {"required": [a, b]}});
    let one = |a: &str, b: &str| json!({"oneOf": [{"required": [a]}, {"required": [b]}]});
    let some = |a: &str, b: &str| json!({"anyOf": [{"required": [a]}, {"required": [b]}]});
    let all: [(Condition<'_>, [&str; 2], [&str; 2]); 5] = [
        (&requires, ["", "ab"], ["a", "b"]),
        (&flag, ["", "ab"], ["a", "b"]),
        (&excludes, ["", "a"], ["ab", "b"]),
        (&one, ["a", "b"], ["ab", ""]),
        (&some, ["a", "ab"], ["", "b"]),
    ];
    for count in [10, 40, 200] {
        for (condition, valid, mixed) in &all {
            for (apart, any_order) in [(false, false), (true, false), (true, true)] {
                let format = format(&pairs(count, apart, condition), any_order);
                let shapes: usize = format.objects.len();
                assert!(shapes <= 1, "one object, not {shapes}");
                let text = |last: &str| {
                    let of = |letter: char| -> Vec<String> {
                        let has = |at: usize| {
                            if at + 1 == count { last.contains(letter) } else { valid[at % 2].contains(letter) }
                        };
                        (0..count).filter(|&at| has(at)).map(|at| format!("\"{letter}{at:03}\": true")).collect()
                    };
                    let mut members = [of('a'), of('b')].concat();
                    if !apart {
                        members.sort_by_key(|member| member[2..5].to_owned() + &member[1..2]);
                    }
                    format!("{{{}}}", members.join(", "))
                };
                let good = text(valid[0]);
                assert!(accepts(&format, good.as_bytes()), "{count}, {apart}, {any_order}: {good}");
                let wrong = mixed.iter().filter(|last| !accepts(&format, text(last).as_bytes())).count();
                assert!(wrong >= 1, "{count}, {apart}, {any_order}: all is accepted");
            }
        }
    }
}

/// Checks counts of members, and conditions that name keys by patterns, together with pairs: by the number of right
/// texts among the texts with some pairs.
#[test]
fn member_counts_and_key_patterns_are_enforced_beside_key_conditions() {
    let requires = |a: &str, b: &str| json!({"dependentRequired": {a: [b]}});
    let text = |names: &[&str]| {
        let members: Vec<String> = names.iter().map(|name| format!("\"{name}\": true")).collect();
        format!("{{{}}}", members.join(", "))
    };
    let right: [&[&str]; 7] = [
        &[],
        &["b000"],
        &["a000", "b000"],
        &["b000", "b007", "b011"],
        &["a000", "b000", "b001"],
        &["a000", "b000", "a001", "b001"],
        &["a009", "b009", "b010", "b011"],
    ];
    let has = |names: &[&str], start: &str| names.iter().any(|name| name.starts_with(start));
    type Holds<'h> = &'h dyn Fn(&[&str]) -> bool;
    let all: [(Value, Holds<'_>); 8] = [
        (json!({"maxProperties": 3}), &|names| names.len() <= 3),
        (json!({"minProperties": 2, "maxProperties": 3}), &|names| (2..=3).contains(&names.len())),
        (json!({"oneOf": [{"minProperties": 4}, {"required": ["b000"]}]}), &|names| {
            (names.len() >= 4) != names.contains(&"b000")
        }),
        (json!({"not": {"minProperties": 1, "maxProperties": 2}}), &|names| names.is_empty() || names.len() > 2),
        (json!({"if": {"required": ["a000"]}, "then": {"patternProperties": {"^b001$|^a": {"const": true}}}}), &|_| {
            true
        }),
        (json!({"if": {"required": ["a000"]}, "then": {"propertyNames": {"pattern": "^a|^b000"}}}), &|names| {
            !names.contains(&"a000") || names.iter().all(|name| name.starts_with('a') || *name == "b000")
        }),
        (json!({"anyOf": [{"patternProperties": {"^a": false}}, {"required": ["b009"]}]}), &|names| {
            !has(names, "a") || names.contains(&"b009")
        }),
        (
            json!({"if": {"required": ["b007"]}, "then": {"patternProperties": {"^b0": true}, "additionalProperties": {"const": false}}}),
            &|names| !names.contains(&"b007") || !has(names, "a"),
        ),
    ];
    for count in [12, 40] {
        for (condition, holds) in &all {
            for any_order in [false, true] {
                let mut schema = pairs(count, false, requires);
                let all = schema["allOf"].as_array_mut().expect("a list");
                all.push(condition.clone());
                // These conditions always hold, and would be 4,096 alternatives.
                let many = (0..12).map(|at| {
                    json!({"anyOf": [{"maxProperties": 90 + at}, {"patternProperties": {format!("^b{at:03}"): false}}]})
                });
                all.extend(many);
                let format = format(&schema, any_order);
                assert!(format.objects.len() <= 1, "one object, not {}: {condition}", format.objects.len());
                for names in right {
                    let mut ordered = names.to_vec();
                    ordered.sort_by_key(|name| (name[1..].to_owned(), name[..1].to_owned()));
                    let found = accepts(&format, text(&ordered).as_bytes());
                    assert_eq!(found, holds(names), "{count}, {any_order}, {condition}: {names:?}");
                }
            }
        }
    }
}

#[test]
fn keys_whose_condition_cannot_be_met_are_not_begun() {
    let fields = |names: &[&str]| -> Value {
        names.iter().map(|name| ((*name).to_owned(), json!({"type": "boolean"}))).collect::<Map<_, _>>().into()
    };
    // Six pairs have more alternatives than are written out.
    let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n"];
    let dependent: Map<String, Value> = names.chunks(2).map(|pair| (pair[0].to_owned(), json!([pair[1]]))).collect();
    let closed = json!({
        "type": "object", "properties": fields(&names), "additionalProperties": false, "dependentRequired": dependent,
    });
    let declared = format(&closed, false);
    assert_eq!(accepted_prefix(&declared, br#"{"a":true,"c"#), 11, "b must come first");
    assert_eq!(accepted_prefix(&declared, br#"{"a":true}"#), 9);
    assert!(accepts(&declared, br#"{"a":true,"b":true,"d":true,"n":true}"#));
    let any = format(&closed, true);
    assert!(accepts(&any, br#"{"d":true,"c":true,"a":true,"b":true}"#));
    assert_eq!(accepted_prefix(&any, br#"{"d":true,"a":true,"c":true}"#), 27);
    assert_eq!(accepted_prefix(&any, br#"{"d":true,"d"#), 11, "no key comes twice");
}

#[test]
fn unions_of_open_objects_compile_to_one_object() {
    for (count, width) in [(2, 40), (3, 12), (4, 5), (8, 5), (8, 40)] {
        let arm = |arm: usize| {
            let names: Vec<String> = (0..width).map(|at| format!("k{arm}_{at}")).collect();
            let properties: Map<String, Value> =
                names.iter().map(|name| (name.clone(), json!({"type": "string"}))).collect();
            json!({"type": "object", "properties": properties, "required": names})
        };
        let arms: Vec<Value> = (0..count).map(arm).collect();
        let format = format(&json!({"oneOf": arms}), true);
        let value = |arms: &[usize], without: Option<usize>| {
            let keys = arms.iter().flat_map(|arm| (0..width).map(move |at| (*arm, at)));
            let kept = keys.filter(|(arm, at)| *arm != arms[arms.len() - 1] || Some(*at) != without);
            let members: Vec<String> = kept.map(|(arm, at)| format!("\"k{arm}_{at}\":\"x\"")).collect();
            format!("{{\"other\":1,{}}}", members.join(","))
        };
        assert!(accepts(&format, value(&[1], None).as_bytes()));
        assert!(accepts(&format, value(&[0, 1], Some(3)).as_bytes()), "the second lacks a key");
        assert!(!accepts(&format, value(&[0, 1], None).as_bytes()), "both are whole");
        assert!(!accepts(&format, value(&[0], Some(3)).as_bytes()));
    }
}

/// Checks that real schemas whose objects have few alternatives compile to the same formats as with all alternatives
/// written out.
#[test]
#[allow(clippy::print_stdout, reason = "the counts are the report of the test")]
fn key_conditions_equal_written_out_alternatives_on_real_schemas() {
    let Some(path) = corpus::find("maskbench-dev.jsonl.zst") else { return };
    let cases = corpus::cases(&path).expect("the pack is readable");
    let (mut same, mut kept, mut only) = (0, Vec::new(), Vec::new());
    for index in Random::new(first_seed()).sample(cases.len(), setting("OGC_SAMPLE", 60) as usize) {
        let case = &cases[index];
        let written = Reading { written: Some(usize::MAX), ..Reading::asserting() };
        let made = |reading| schema(&case.schema, reading, Policy::default());
        match (made(&Reading::asserting()), made(&written)) {
            (Ok(by_default), Ok(by_alternatives)) if by_default == by_alternatives => same += 1,
            (Ok(by_default), other) => {
                let conditions = by_default.objects.iter().filter(|shape| !shape.conditions.is_empty()).count();
                assert!(conditions > 0, "{}: without conditions, and not the same", case.id);
                if other.is_ok() { kept.push(&case.id) } else { only.push(&case.id) }
            }
            (Err(one), other) => {
                let other = other.expect_err(&case.id);
                assert!(other == one || other.code == "limit", "{}: {one:?}, {other:?}", case.id);
            }
        }
    }
    println!("{same} the same, smaller with conditions: {kept:?}, only with conditions: {only:?}");
}

/// Checks verdicts on values of random open objects against another validator.
#[test]
#[allow(clippy::print_stdout, reason = "the counts are the report of the test")]
fn verdicts_on_open_objects_with_key_conditions_match_a_validator() {
    let (first, rounds) = (first_seed(), rounds(60, 600));
    let (mut right, mut valid) = (0, 0);
    for seed in first..first + rounds {
        let mut random = Random::new(seed);
        let (made, candidates) = open_conditioned(&mut random);
        let validator = jsonschema::draft202012::new(&made).expect("a schema");
        let reading = Reading { written: Some(0), ..Reading::asserting() };
        let policy = Policy { any_order: random.one_in(2), ..Policy::default() };
        let Ok(automaton) = schema(&made.to_string(), &reading, policy) else { continue };
        for candidate in candidates {
            let text = candidate.to_string();
            let expected = validator.is_valid(&candidate);
            valid += usize::from(expected);
            right += 1;
            assert_eq!(accepts(&automaton, text.as_bytes()), expected, "seed {seed}, {policy:?}: {text}\n    {made}");
        }
    }
    println!("{right} verdicts, {valid} valid");
    assert!(rounds < 60 || valid > right / 20, "{valid} of {right} values are valid");
}

/// Checks random formats: under any budget, every text ends in time, and saved states, forks, packs and artifacts have
/// the same masks.
#[test]
#[allow(clippy::print_stdout, reason = "the count is the report of the test")]
fn budgets_forks_and_artifacts_agree_on_key_conditions() {
    let (first, rounds) = (first_seed(), rounds(60, 400));
    let (mut checked, mut drawn) = (0, 0);
    // Few random schemas have conditions; more schemas are drawn until there are enough.
    while drawn < rounds || checked < rounds / 12 {
        assert!(drawn < 20 * rounds, "only {checked} of {drawn} formats have conditions");
        let seed = first + drawn;
        drawn += 1;
        let mut random = Random::new(seed);
        let made = if random.one_in(3) { open_conditioned(&mut random).0 } else { conditioned(&mut random, 5).schema };
        let policy = Policy { any_order: random.one_in(2), ..Policy::default() };
        let reading = Reading { written: Some(0), ..Reading::asserting() };
        let Ok(automaton) = schema(&made.to_string(), &reading, policy) else { continue };
        if automaton.objects.iter().all(|shape| shape.conditions.is_empty()) {
            continue;
        }
        checked += 1;
        let words: [&[u8]; 8] = [b"\",\"", b"true", b"false,\"", b"{\"a", b"\":", b"1}", b"b\"", b",\"ab\":1"];
        let words: Vec<Vec<u8>> = words.into_iter().map(<[u8]>::to_vec).collect();
        let store = MaskStore::new(Arc::new(vocabulary(&words).expect("a vocabulary")));
        let name = format!("seed {seed}, {policy:?}: {made}");
        walk_under_budget(&automaton, &store, &mut random, &name);
        compare_copies(&automaton, &store, &mut random, &name);
    }
    println!("{checked} of {drawn} formats checked");
}

/// Checks that hundreds of alternatives, each with a constant of its own, are not compared with each other.
/// Inside an open value, a text has several readings over joined stacks.
#[test]
fn every_allowed_token_is_accepted_near_the_end_of_a_budget() {
    let branch = |kind: &str, key: &str| {
        let properties = json!({"type": {"enum": [kind]}, key: {"type": "string"}});
        json!({"type": "object", "properties": properties, "required": ["type", key]})
    };
    let any_kind = json!({"type": "object", "properties": {"type": {"enum": ["c"]}}, "required": ["type"]});
    let automaton = format(&json!({"anyOf": [branch("s", "token"), branch("d", "r"), any_kind]}), true);
    let words = [
        "\"\"}\n", "\"\"},\n", "},\n", "}\n", "\":", "\":\"", ",\"", "\"}", "}}", "},\"", "[]", "{}", ",\n", "{\"",
        "]}\n", "\"type",
    ];
    let words: Vec<Vec<u8>> = words.iter().map(|word| word.as_bytes().to_vec()).collect();
    let store = MaskStore::new(Arc::new(vocabulary(&words).expect("a vocabulary")));
    let mut random = Random::new(first_seed());
    for _ in 0..rounds(40, 400) {
        walk_under_budget_from(b"{\"q\":{\"z\":", &automaton, &store, &mut random, "open objects with conditions");
    }
}

#[test]
fn hundreds_of_alternatives_told_apart_by_a_constant_compile() {
    let record = |at: usize, tag: &str| json!({"type": "object", "required": [tag], "properties": {tag: {"const": format!("t{at}")}, "size": {"minimum": at}}});
    let tuple = |at: usize| json!({"type": "array", "minItems": 2, "prefixItems": [{"enum": [at, format!("t{at}")]}, {"minimum": at}]});
    let union = |arms: Vec<Value>| json!({"oneOf": arms});
    let records = union((0..600).map(|at| record(at, "type")).collect());
    let tuples = union((0..600).map(tuple).collect());
    // All but the last come twice, so they exclude each other.
    let overlapping = union((0..41).map(|at| record(at / 2, "type")).collect());
    let both = json!({"allOf": [
        union((0..60).map(|at| record(at, "type")).collect()),
        union((0..60).map(|at| record(at, "kind")).collect()),
    ]});
    let cases: [(&Value, &[(&str, bool)]); 4] = [
        (
            &records,
            &[
                (r#"{"type": "t599", "size": 599}"#, true),
                (r#"{"type": "t599", "size": 598}"#, false),
                (r#"{"size": 700, "type": "t7"}"#, true),
                (r#"{"type": "t600"}"#, false),
            ],
        ),
        (&tuples, &[(r#"["t599", 599]"#, true), ("[599, 598]", false), ("[3.0, 3]", true)]),
        (&overlapping, &[(r#"{"type": "t3", "size": 3}"#, false), (r#"{"type": "t20"}"#, true)]),
        (
            &both,
            &[
                (r#"{"type": "t59", "kind": "t3", "size": 59}"#, true),
                (r#"{"type": "t59", "kind": "t3", "size": 58}"#, false),
                (r#"{"kind": "t60", "type": "t3"}"#, false),
            ],
        ),
    ];
    for (schema_text, texts) in cases {
        let automaton = format(schema_text, true);
        for (text, expected) in texts {
            assert_eq!(accepts(&automaton, text.as_bytes()), *expected, "{text}");
        }
    }
}
