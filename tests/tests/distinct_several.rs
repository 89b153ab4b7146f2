//! Tests of arrays in which no two items may be equal and several are required (`minItems`, `minContains`, prefixes):
//! random schemas and texts against a validator, and texts that a model ends under random budgets set at random places.

use std::collections::BTreeMap;
use std::sync::Arc;

use ogc_kit::{Random, first_seed, rounds};
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::TokenId;
use ogc_tests::copies::{compare_copies, walk_under_budget};
use ogc_tests::engine::{Policy, Reading, Space, accepted_prefix, accepts, schema, vocabulary};
use serde_json::{Map, Value, json};

/// A schema of items, with values of it and close to it.
struct Items {
    schema: Value,
    values: Vec<Value>,
}

fn items(random: &mut Random, depth: usize) -> Items {
    let small: Vec<Value> = (0..12).map(|number| json!(number)).collect();
    let words: Vec<Value> = ["", "a", "b", "aa", "ab", "ba", "c"].map(Value::from).to_vec();
    match random.below(if depth == 0 { 8 } else { 11 }) {
        0 => Items { schema: json!({"type": "integer"}), values: small },
        1 => Items { schema: json!({"type": "string"}), values: words },
        2 => {
            let most = random.below(6);
            Items { schema: json!({"type": "integer", "minimum": 0, "maximum": most}), values: small }
        }
        3 => {
            Items { schema: json!({"type": ["boolean", "null"]}), values: vec![json!(true), json!(false), json!(null)] }
        }
        4 => {
            let mut values =
                vec![json!("a"), json!(1), json!("a rather long word"), json!([1]), json!(null), json!("b\n")];
            let schema = json!({"enum": values[..2 + random.below(4)]});
            values.truncate(5);
            Items { schema, values }
        }
        5 => Items { schema: json!({"type": "string", "pattern": "^[ab]{0,2}$"}), values: words },
        6 => Items { schema: json!({"type": ["string", "integer"]}), values: [words, small].concat() },
        7 => Items { schema: json!({"const": 1}), values: small[..3].to_vec() },
        8 => {
            let inner = array(random, depth - 1);
            let values = (0..6).map(|_| inner.value(random)).collect();
            Items { schema: inner.schema, values }
        }
        9 => {
            let inner = items(random, depth - 1);
            let record = |value: &Value, on: bool| json!({"id": value, "on": on});
            let values = inner.values.iter().flat_map(|value| [record(value, true), record(value, false)]).collect();
            let properties = json!({"id": inner.schema, "on": {"type": "boolean"}});
            let schema = json!({
                "type": "object", "properties": properties, "required": ["id", "on"], "additionalProperties": false,
            });
            Items { schema, values }
        }
        _ => {
            let inner = items(random, depth - 1);
            let values = inner.values.iter().map(|value| json!([value])).chain([json!([])]).collect();
            Items { schema: json!({"type": "array", "items": inner.schema, "maxItems": 2}), values }
        }
    }
}

/// An array, and the values of its positions.
struct Arrays {
    schema: Value,
    positions: Vec<Vec<Value>>,
}

impl Arrays {
    fn value(&self, random: &mut Random) -> Value {
        let len = random.below(self.positions.len() + 2);
        let last = self.positions.len() - 1;
        (0..len).filter_map(|at| random.choose(&self.positions[at.min(last)]).cloned()).collect()
    }
}

fn array(random: &mut Random, depth: usize) -> Arrays {
    let rest = items(random, depth);
    let mut schema = Map::from_iter([
        ("type".to_owned(), json!("array")),
        ("uniqueItems".to_owned(), json!(true)),
        ("items".to_owned(), rest.schema),
    ]);
    let mut positions = Vec::new();
    if random.one_in(3) {
        let first: Vec<Items> = (0..1 + random.below(2)).map(|_| items(random, depth)).collect();
        schema.insert("prefixItems".to_owned(), first.iter().map(|items| items.schema.clone()).collect());
        positions.extend(first.into_iter().map(|items| items.values));
    }
    positions.extend(std::iter::repeat_n(rest.values, 2));
    if random.one_in(3) {
        let wanted = items(random, 0);
        schema.insert("contains".to_owned(), wanted.schema);
        if random.one_in(2) {
            schema.insert("minContains".to_owned(), json!(1 + random.below(3)));
        }
        if random.one_in(4) {
            schema.insert("maxContains".to_owned(), json!(2 + random.below(2)));
        }
    }
    let least = random.below(5);
    if least > 0 {
        schema.insert("minItems".to_owned(), json!(least));
    }
    if random.one_in(3) {
        schema.insert("maxItems".to_owned(), json!(least + random.below(3)));
    }
    Arrays { schema: Value::Object(schema), positions }
}

fn compiled(made: &Value, random: &mut Random) -> Result<Arc<Automaton>, String> {
    let space =
        *random.choose(&[Space::Compact, Space::Compact, Space::Run(1), Space::Spaced, Space::Pretty(2)]).expect("one");
    let policy = Policy { any_order: true, space, plain_numbers: true, ..Policy::default() };
    schema(&made.to_string(), &Reading::asserting(), policy).map_err(|failure| failure.code)
}

#[test]
#[allow(clippy::print_stdout, reason = "the counts are the report of the test")]
fn verdicts_on_random_arrays_match_a_validator() {
    let (first, rounds) = (first_seed(), rounds(120, 3_000));
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for seed in first..first + rounds {
        let mut random = Random::new(seed);
        let made = array(&mut random, 2);
        let validator = jsonschema::draft202012::new(&made.schema).expect("a schema");
        let policy = Policy { any_order: true, space: Space::Compact, ..Policy::default() };
        let automaton = match schema(&made.schema.to_string(), &Reading::asserting(), policy) {
            Ok(automaton) => automaton,
            Err(failure) => {
                *counts.entry(failure.code.clone()).or_default() += 1;
                for _ in 0..30 {
                    let value = made.value(&mut random);
                    let is_called_empty = failure.code == "empty-format" && validator.is_valid(&value);
                    assert!(!is_called_empty, "seed {seed}: {} holds {value}", made.schema);
                }
                continue;
            }
        };
        for _ in 0..30 {
            let value = made.value(&mut random);
            let (expected, text) = (validator.is_valid(&value), value.to_string());
            let place = || format!("seed {seed}: {}\n    {text}", made.schema);
            assert_eq!(accepts(&automaton, text.as_bytes()), expected, "{}", place());
            // Every beginning of a valid text is read.
            if expected {
                assert_eq!(accepted_prefix(&automaton, text.as_bytes()), text.len(), "{}", place());
            }
            *counts.entry(["refused", "accepted"][usize::from(expected)].to_owned()).or_default() += 1;
        }
    }
    println!("{counts:?}");
    let of = |name: &str| counts.get(name).copied().unwrap_or(0);
    assert!(rounds < 120 || of("accepted") > rounds && of("refused") > rounds, "{counts:?}");
}

/// Checks that texts that are read without a budget can be continued to valid texts within every budget that is
/// reported as enough.
#[test]
#[allow(clippy::print_stdout, reason = "the count is the report of the test")]
fn texts_end_validly_within_every_sufficient_budget() {
    let (first, rounds) = (first_seed(), rounds(120, 1_200));
    let (mut checked, mut several, mut drawn) = (0, 0, 0);
    // Not all random schemas need several items; more schemas are drawn until there are enough.
    while drawn < rounds || several < rounds / 4 {
        assert!(drawn < 20 * rounds, "only {several} of {drawn} formats need several items");
        let seed = first + drawn;
        drawn += 1;
        let mut random = Random::new(seed);
        let made = array(&mut random, 2);
        let Ok(automaton) = compiled(&made.schema, &mut random) else { continue };
        let validator = jsonschema::draft202012::new(&made.schema).expect("a schema");
        checked += 1;
        several += u64::from(automaton.rules.iter().any(|rule| rule.item_choices > 0));
        let words: [&[u8]; 12] =
            [b"\",\"", b"[[", b"],[", b"true,", b", ", b"\":", b"],", b"]]", b"\"a\",\"a\"", b"1,1", b"1,2", b"0,"];
        let words: Vec<Vec<u8>> = words.iter().map(|word| word.to_vec()).collect();
        let store = MaskStore::new(Arc::new(vocabulary(&words).expect("a vocabulary")));
        let name = format!("seed {seed}: {}", made.schema);
        for _ in 0..3 {
            let text = walk(&automaton, &store, &mut random, &name);
            let value: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}: {text}"));
            assert!(validator.is_valid(&value), "{name}: {text}");
        }
        walk_under_budget(&automaton, &store, &mut random, &name);
        compare_copies(&automaton, &store, &mut random, &name);
    }
    println!("{checked} of {drawn} formats checked, {several} with items to choose from");
}

/// Takes random tokens without a budget, then under a budget that is just enough or greater, until the text ends;
/// returns the text.
fn walk(automaton: &Arc<Automaton>, store: &Arc<MaskStore>, random: &mut Random, name: &str) -> String {
    let mut matcher = Matcher::new(Arc::clone(automaton), Arc::clone(store));
    let end = store.vocabulary().eos()[0];
    let mut text: Vec<u8> = Vec::new();
    let free = random.below(16);
    let mut left = None;
    for at in 0.. {
        let shown = String::from_utf8_lossy(&text).into_owned();
        if at == free {
            let least =
                matcher.least_budget().unwrap_or_else(|| panic!("{name}: no completion is known after {shown}"));
            let budget = least + random.below(12) as u32;
            matcher.set_budget(Some(budget)).unwrap_or_else(|error| panic!("{name}: {error} after {shown}"));
            left = Some(budget);
        }
        let mask = matcher.mask().unwrap_or_else(|error| panic!("{name}: {error} after {shown}, {left:?} left"));
        let tokens: Vec<TokenId> = mask.tokens().into_iter().filter(|token| *token != end).collect();
        if tokens.is_empty() || left == Some(0) || mask.allows_end() && random.one_in(8) {
            assert!(mask.allows_end(), "{name}: cut off after {shown}");
            return shown;
        }
        let token = *random.choose(&tokens).expect("not empty");
        matcher.accept_token(token).unwrap_or_else(|error| panic!("{name}: {error}: {token:?} after {shown}"));
        text.extend_from_slice(store.vocabulary().text(token).expect("a text"));
        left = left.map(|left| left - 1);
    }
    String::new()
}

#[test]
fn required_items_are_distinct() {
    let policy = Policy { space: Space::Compact, ..Policy::default() };
    let read = |made: Value| schema(&made.to_string(), &Reading::asserting(), policy);
    let check = |made: Value, texts: &[(&str, bool)]| {
        let automaton = read(made.clone()).unwrap_or_else(|failure| panic!("{made}: {failure:?}"));
        for &(text, expected) in texts {
            assert_eq!(accepts(&automaton, text.as_bytes()), expected, "{made}: {text}");
        }
    };
    let array = json!({"type": "array", "uniqueItems": true});
    let with = |more: Value| {
        let mut made = array.clone();
        more.as_object().into_iter().flatten().for_each(|(key, value)| made[key] = value.clone());
        made
    };
    check(
        with(json!({"minItems": 3})),
        &[("[1,2,3]", true), ("[1,2]", false), ("[1,2,2.0]", false), ("[1,2,2.0,3]", false)],
    );
    check(
        with(json!({"items": {"type": "integer"}, "contains": {"minimum": 5}, "minContains": 2})),
        &[("[5,6]", true), ("[5]", false), ("[5,5]", false), ("[1,5,2,7]", true), ("[1,1,5,7]", false)],
    );
    check(
        with(
            json!({"prefixItems": [{"const": "point"}, {"type": "number"}, {"type": "number"}], "items": false, "minItems": 3}),
        ),
        &[("[\"point\",1,2]", true), ("[\"point\",1,1]", false), ("[\"point\",1]", false)],
    );
    check(
        with(json!({"prefixItems": [{"type": "boolean"}, {"type": "boolean"}], "minItems": 2})),
        &[("[true,false]", true), ("[true,true]", false), ("[true,false,1]", true)],
    );
    check(
        with(
            json!({"prefixItems": [{"type": "string"}, {"const": 5}, {"const": true}, {"enum": [null, true]}], "minItems": 4}),
        ),
        &[("[\"5\",5,true,null]", true), ("[\"5\",5,true,true]", false), ("[\"5\",5,true]", false)],
    );
    for refused in [
        json!({"prefixItems": [{"type": "integer"}, {"const": 5}], "minItems": 2}),
        json!({"minItems": 500}),
        json!({"items": {"type": ["integer", "null"]}, "contains": {"const": 5}, "minContains": 1, "minItems": 2}),
    ] {
        let failure = read(with(refused.clone())).expect_err("too few values");
        assert_eq!(failure.code, "unique-items", "{refused}");
    }
}

/// Checks that an array that excludes another with distinct items has no two items that are equal and differ.
#[test]
fn one_of_over_arrays_with_distinct_items_is_exact() {
    let integers = json!({"type": "array", "uniqueItems": true, "items": {"type": "integer"}, "minItems": 1});
    let few = json!({"type": "array", "uniqueItems": true, "items": {"type": ["integer", "string"]}, "maxItems": 2});
    let made = json!({"oneOf": [integers, few]});
    let policy = Policy { space: Space::Compact, ..Policy::default() };
    let automaton = schema(&made.to_string(), &Reading::asserting(), policy).expect("a format");
    let validator = jsonschema::draft202012::new(&made).expect("a schema");
    for text in
        ["[]", "[1]", "[1,2]", "[1,2,3]", "[1,2,2]", "[\"a\"]", "[1,\"a\"]", "[\"a\",\"a\"]", "[1,2,\"a\"]", "[1,1]"]
    {
        let value: Value = serde_json::from_str(text).expect("a JSON text");
        assert_eq!(accepts(&automaton, text.as_bytes()), validator.is_valid(&value), "{text}");
    }
}
