//! Generates objects with many natural conditions on the presence of keys: `dependentRequired`, `if` over flags,
//! choices and exclusions of `required`, unions of objects, and conditions that count members or name keys by patterns.

use super::schema::Made;
use super::spelling::Value;
use ogc_kit::Random;
use serde_json::{Map, Value as Json, json};

const KEYS: &[&str] = &["a", "ab", "b", "ba", "", "\u{e9}"];

/// Generates a closed object with at most `more` + 1 keys of few values and several conditions on them.
pub fn conditioned(random: &mut Random, more: usize) -> Made {
    let count = 2 + random.below(more);
    let keys: Vec<&str> = random.sample(KEYS.len(), count).into_iter().filter_map(|at| KEYS.get(at).copied()).collect();
    let values: Vec<Vec<Value>> = keys.iter().map(|_| few_values(random)).collect();
    let mut schema = object(&keys, &values);
    if random.one_in(4) {
        schema["minProperties"] = json!(1 + random.below(3));
    }
    if random.one_in(5) {
        schema["maxProperties"] = json!(1 + random.below(3));
    }
    if random.one_in(3) {
        schema["required"] = json!(some(random, &keys, 1));
    }
    let conditions: Vec<Json> = (0..1 + random.below(5)).map(|_| condition(random, &keys, &values, 2)).collect();
    schema["allOf"] = json!(conditions);
    let mut candidates = vec![Vec::new()];
    for (key, values) in keys.iter().zip(&values) {
        let with = |members: &Vec<(String, Value)>| -> Vec<Vec<(String, Value)>> {
            let added = values.iter().map(|value| [members.as_slice(), &[((*key).to_owned(), value.clone())]].concat());
            std::iter::once(members.clone()).chain(added).collect()
        };
        candidates = candidates.iter().flat_map(with).collect();
    }
    Made { schema, candidates: candidates.into_iter().map(Value::Object).collect(), mixed: false }
}

/// Generates an open object like [`conditioned`], and objects that may be its values, with undeclared keys at their
/// ends.
pub fn open_conditioned(random: &mut Random) -> (Json, Vec<Json>) {
    let Made { mut schema, candidates, .. } = conditioned(random, 4);
    if let Some(members) = schema.as_object_mut().filter(|_| random.one_in(2)) {
        members.remove("additionalProperties");
    } else {
        schema["patternProperties"] = json!({"^z": random.choose(&[json!(true), json!({"enum": [0, 1]})])});
    }
    let extended = |value: Value| {
        let mut json = value.to_json();
        if let Some(members) = json.as_object_mut().filter(|_| random.one_in(2)) {
            members.insert("zz".to_owned(), json!(random.below(3)));
        }
        json
    };
    let candidates = candidates.into_iter().map(extended).collect();
    (schema, candidates)
}

fn object(keys: &[&str], values: &[Vec<Value>]) -> Json {
    let listed = |values: &Vec<Value>| json!({"enum": values.iter().map(Value::to_json).collect::<Vec<_>>()});
    let properties: Map<String, Json> =
        keys.iter().zip(values).map(|(key, values)| ((*key).to_owned(), listed(values))).collect();
    json!({"type": "object", "properties": properties, "additionalProperties": false})
}

fn few_values(random: &mut Random) -> Vec<Value> {
    let all = [Value::Bool(true), Value::Bool(false), Value::Int(1), Value::Int(12), Value::String("a".to_owned())];
    let count = 1 + random.below(3);
    random.sample(all.len(), count).into_iter().filter_map(|at| all.get(at).cloned()).collect()
}

/// Returns some of the keys, at least `least`.
fn some<'k>(random: &mut Random, keys: &[&'k str], least: usize) -> Vec<&'k str> {
    let count = least + random.below(2);
    random.sample(keys.len(), count.min(keys.len())).into_iter().filter_map(|at| keys.get(at).copied()).collect()
}

/// Returns a condition on some keys, usually on keys that are neighbours, as in real schemas.
fn condition(random: &mut Random, keys: &[&str], values: &[Vec<Value>], depth: usize) -> Json {
    let one = |random: &mut Random| random.choose(keys).copied().unwrap_or_default();
    if random.one_in(5) {
        return wide(random, keys);
    }
    match random.below(if depth == 0 { 6 } else { 14 }) {
        0 => json!({"dependentRequired": {one(random): some(random, keys, 1)}}),
        1 | 2 => json!({"required": some(random, keys, 1)}),
        3 => json!({"not": {"required": some(random, keys, 2)}}),
        4 => flag(random, keys, values),
        5 => {
            let (key, other) = (one(random), one(random));
            json!({"properties": {key: random.one_in(2), other: random.one_in(3)}})
        }
        6 => json!({"dependentSchemas": {one(random): condition(random, keys, values, depth - 1)}}),
        7 | 8 => json!({
            "if": flag(random, keys, values),
            "then": condition(random, keys, values, depth - 1),
            "else": if random.one_in(2) { json!(true) } else { condition(random, keys, values, depth - 1) },
        }),
        9 => {
            // A union of closed objects.
            let arms: Vec<Json> = (0..2 + random.below(2))
                .map(|_| {
                    let own = some(random, keys, 2);
                    let properties: Map<String, Json> =
                        own.iter().map(|key| ((*key).to_owned(), json!(true))).collect();
                    json!({"properties": properties, "required": some(random, &own, 0), "additionalProperties": false})
                })
                .collect();
            json!({*random.choose(&["anyOf", "oneOf"]).unwrap_or(&"anyOf"): arms})
        }
        10 => json!({"not": condition(random, keys, values, depth - 1)}),
        kind => {
            let arms: Vec<Json> =
                (0..2 + random.below(2)).map(|_| condition(random, keys, values, depth - 1)).collect();
            json!({if kind == 13 { "anyOf" } else { "oneOf" }: arms})
        }
    }
}

/// Returns a condition that counts members, or names keys by patterns.
fn wide(random: &mut Random, keys: &[&str]) -> Json {
    const PATTERNS: &[&str] = &["^a", "b$", "^.$", "^z", "."];
    let schemas = [json!(false), json!({"type": "boolean"}), json!({"enum": [1, 12]}), json!({"not": {"const": 1}})];
    let schema = random.choose(&schemas).cloned().unwrap_or_default();
    let pattern = random.choose(PATTERNS).copied().unwrap_or_default();
    match random.below(8) {
        0 => json!({"minProperties": random.below(4)}),
        1 => json!({"maxProperties": random.below(4)}),
        2 => json!({"minProperties": 1, "maxProperties": 1 + random.below(2)}),
        3 => json!({"patternProperties": {pattern: schema}}),
        4 => json!({"propertyNames": random.choose(&[json!({"pattern": pattern}), json!({"maxLength": 1})])}),
        5 => json!({"propertyNames": {"enum": some(random, keys, 1)}}),
        kind => {
            let own: Map<String, Json> =
                some(random, keys, 0).into_iter().map(|key| (key.to_owned(), json!(true))).collect();
            let mut object = json!({"properties": own, "additionalProperties": schema});
            if kind == 7 {
                object["patternProperties"] = json!({pattern: true});
            }
            object
        }
    }
}

/// Returns a condition that a key has one of some values, perhaps only if it is present.
fn flag(random: &mut Random, keys: &[&str], values: &[Vec<Value>]) -> Json {
    let at = random.below(keys.len());
    let (Some(key), Some(all)) = (keys.get(at), values.get(at)) else { return json!(true) };
    let value = random.choose(all).map(Value::to_json).unwrap_or_default();
    let schema = match random.below(3) {
        0 => json!({"const": value}),
        1 => json!({"enum": [value, 12]}),
        _ => json!({"type": "boolean"}),
    };
    let mut flag = json!({"properties": {*key: schema}});
    if random.one_in(2) {
        flag["required"] = json!([key]);
    }
    flag
}
