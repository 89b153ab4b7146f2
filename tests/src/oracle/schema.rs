//! Generates random JSON Schemas, each with a list of candidates that contains all its values.
//!
//! Every schema has a part with finitely many values, all of them listed; other keywords only exclude some of them. An
//! independent validator then decides which candidates are values, so this module need not know the meaning of `oneOf`
//! or `dependentRequired`.

use super::spelling::Value;
use ogc_kit::Random;
use serde_json::{Map, Value as Json, json};

/// A schema and a list that contains all its values.
#[derive(Clone, Debug)]
pub struct Made {
    /// The schema.
    pub schema: Json,
    /// The candidates; members of objects are in the order of `properties`.
    pub candidates: Vec<Value>,
    /// Whether several subschemas constrain the same object; then its declared order is a matter of convention.
    pub mixed: bool,
}

/// Cap on the candidates of a schema; a schema with more is replaced by a simpler one.
const MOST: usize = 1500;

const CHARACTERS: &[char] = &['a', 'b', 'é', '"', '\\', '\n', '\u{1f600}', '/', '\u{7f}', '\u{1}', '0'];
const KEYS: &[&str] = &["a", "b", "ab", "é", "a\"", "", "/"];

/// Patterns over `a` and `b` that match no text of more than 4 characters.
const PATTERNS: &[&str] =
    &["^(a|ab)(b|ba)?$", "^a?b?a?$", "^(ab){0,2}$", "^(a|b){2,3}$", "^a(?!b)[ab]?$", "^(?=.b)[ab]{2,4}$"];

/// Generates a schema, nested at most `depth` deep.
#[must_use]
pub fn finite(random: &mut Random, depth: usize) -> Made {
    let made = if depth == 0 { leaf(random) } else { nested(random, depth) };
    if made.candidates.len() > MOST { leaf(random) } else { made }
}

fn nested(random: &mut Random, depth: usize) -> Made {
    match random.below(18) {
        0..=2 => leaf(random),
        3 => list(random, depth),
        4 => tuple(random, depth),
        5..=8 => object(random, depth),
        16 | 17 => open_object(random, depth),
        9 | 10 => choice(random, depth, "anyOf"),
        11 | 12 => choice(random, depth, "oneOf"),
        13 => less(random, depth),
        14 => conditional(random, depth),
        _ => without(random, depth),
    }
}

fn leaf(random: &mut Random) -> Made {
    match random.below(6) {
        0 | 1 => enumeration(random),
        2 | 3 => integers(random),
        4 => strings(random),
        _ => pattern(random),
    }
}

fn made(schema: Json, candidates: Vec<Value>) -> Made {
    Made { schema, candidates, mixed: false }
}

fn scalar(random: &mut Random) -> Value {
    match random.below(6) {
        0 => Value::Null,
        1 => Value::Bool(random.one_in(2)),
        2 | 3 => Value::Int(random.below(25) as i64 - 6),
        _ => Value::String((0..random.below(3)).filter_map(|_| random.choose(CHARACTERS)).collect()),
    }
}

fn enumeration(random: &mut Random) -> Made {
    let mut values: Vec<Value> = (0..=random.below(4)).map(|_| scalar(random)).collect();
    if random.one_in(6) {
        values.push(Value::Array(vec![scalar(random)]));
    }
    if random.one_in(6) {
        values.push(Value::Object(vec![("a".to_owned(), scalar(random))]));
    }
    let mut distinct: Vec<Value> = Vec::new();
    values.into_iter().for_each(|value| {
        if !distinct.contains(&value) {
            distinct.push(value)
        }
    });
    let list: Vec<Json> = distinct.iter().map(Value::to_json).collect();
    let schema = if let [only] = list.as_slice() { json!({"const": only}) } else { json!({"enum": list}) };
    made(schema, distinct)
}

fn integers(random: &mut Random) -> Made {
    let low = random.below(120) as i64 - 60;
    let high = low + random.below(130) as i64;
    let (least, greatest) =
        (["minimum", "exclusiveMinimum"][random.below(2)], ["maximum", "exclusiveMaximum"][random.below(2)]);
    let mut schema = json!({"type": "integer", least: low, greatest: high});
    if random.one_in(3) {
        schema["multipleOf"] = json!(1 + random.below(9));
    }
    made(schema, (low..=high).map(Value::Int).collect())
}

fn strings(random: &mut Random) -> Made {
    let set: String = (0..=random.below(3)).filter_map(|_| random.choose(CHARACTERS)).collect();
    let least = random.below(2);
    let most = least + random.below(3);
    let class: String = set.chars().map(|c| format!("\\u{{{:x}}}", u32::from(c))).collect();
    let mut schema = json!({"type": "string", "pattern": format!("^[{class}]{{{least},{most}}}$")});
    if random.one_in(3) {
        schema["maxLength"] = json!(random.below(3));
    }
    made(schema, words(&set, most))
}

fn pattern(random: &mut Random) -> Made {
    let pattern = random.choose(PATTERNS).copied().unwrap_or_default();
    let mut schema = json!({"type": "string", "pattern": pattern});
    if random.one_in(2) {
        schema["minLength"] = json!(random.below(3));
    }
    if random.one_in(2) {
        schema["maxLength"] = json!(1 + random.below(4));
    }
    made(schema, words("ab", 4))
}

/// Returns all texts over some characters up to a length.
fn words(set: &str, longest: usize) -> Vec<Value> {
    let mut all = vec![String::new()];
    let mut last = all.clone();
    for _ in 0..longest {
        last = last.iter().flat_map(|word| set.chars().map(move |c| format!("{word}{c}"))).collect();
        all.extend(last.clone());
    }
    all.sort();
    all.dedup();
    all.into_iter().map(Value::String).collect()
}

fn list(random: &mut Random, depth: usize) -> Made {
    let item = finite(random, depth - 1);
    let most = 1 + random.below(2);
    let mut schema = json!({"type": "array", "items": item.schema, "maxItems": most});
    if random.one_in(2) {
        schema["minItems"] = json!(random.below(most + 1));
    }
    if random.one_in(6) {
        schema["uniqueItems"] = json!(true);
    }
    let lists = sequences(&vec![item.candidates; most]);
    Made { schema, candidates: lists.into_iter().map(Value::Array).collect(), mixed: item.mixed }
}

/// Generates a schema of arrays in which no two items may be equal, alone or among others; items are of many kinds,
/// with few values each.
pub fn distinct(random: &mut Random, depth: usize) -> Made {
    let made = match random.below(8) {
        0..=3 => distinct_list(random, depth),
        4 => distinct_tuple(random, depth),
        5 => {
            let (item, most) = (few(random, depth - 1), 1 + random.below(2));
            let plain = Made {
                schema: json!({"type": "array", "items": item.schema, "maxItems": most}),
                candidates: sequences(&vec![item.candidates; most]).into_iter().map(Value::Array).collect(),
                mixed: item.mixed,
            };
            let arms = [distinct_list(random, depth), plain];
            let schemas: Vec<&Json> = arms.iter().map(|arm| &arm.schema).collect();
            union(json!({"anyOf": schemas}), &arms)
        }
        6 => {
            let inner = distinct_list(random, depth);
            let candidates = inner.candidates.iter().map(|value| Value::Object(vec![("a".to_owned(), value.clone())]));
            let schema = json!({"type": "object", "properties": {"a": inner.schema}, "required": ["a"], "additionalProperties": false});
            Made { schema, candidates: candidates.collect(), mixed: inner.mixed }
        }
        _ => less_of(distinct_list(random, depth), random, depth),
    };
    if made.candidates.len() >= 4 * MOST { distinct_list(random, 1) } else { made }
}

fn distinct_list(random: &mut Random, depth: usize) -> Made {
    let item = if depth > 1 && random.one_in(3) { distinct_list(random, 1) } else { few(random, depth - 1) };
    let most = match item.candidates.len() {
        0..=6 => 4,
        7..=11 => 3,
        12..=40 => 2,
        _ => 1,
    };
    let mut schema = json!({"type": "array", "items": item.schema, "maxItems": most, "uniqueItems": true});
    if random.one_in(2) {
        schema["minItems"] = json!(1 + random.below(most));
    }
    let mut mixed = item.mixed;
    if random.one_in(3) {
        let wanted = few(random, depth - 1);
        schema["contains"] = wanted.schema;
        mixed |= wanted.mixed;
        if random.one_in(3) {
            schema["maxContains"] = json!(1 + random.below(2));
        }
        if random.one_in(3) {
            schema["minContains"] = json!(random.below(3));
        }
    }
    let lists = sequences(&vec![item.candidates; most]);
    Made { schema, candidates: lists.into_iter().map(Value::Array).collect(), mixed }
}

/// The values of unnamed keys, and schemas that have some of them.
const FLAGS: [Value; 2] = [Value::Bool(true), Value::Int(0)];
const SOME_FLAGS: &[&str] = &["true", "false", r#"{"type": "boolean"}"#, r#"{"const": 0}"#, r#"{"minimum": 1}"#];

/// Generates a schema of objects of at most two members, with many unnamed keys. Some keys must be exceptions to a
/// condition, or their number is counted.
pub fn excepted(random: &mut Random, _: usize) -> Made {
    let letters = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let keys: Vec<String> = letters.iter().flat_map(|one| letters.map(|other| format!("{one}{other}"))).collect();
    let flags: Vec<Json> = FLAGS.iter().map(Value::to_json).collect();
    let most = 1 + random.below(3).min(1);
    let mut base = json!({
        "type": "object",
        "propertyNames": {"pattern": "^[a-h]{2}$"},
        "additionalProperties": {"enum": flags},
        "maxProperties": most,
    });
    if random.one_in(3) {
        let lists = [json!([true]), json!([0]), json!([true, 0])];
        base["properties"] = json!({"ab": {"enum": random.choose(&lists)}, "ff": {"enum": random.choose(&lists)}});
    }
    if random.one_in(4) {
        base["required"] = json!(["ab"]);
    }
    if random.one_in(3) {
        base["minProperties"] = json!(1 + random.below(2));
    }
    let mut all = vec![base];
    all.extend((0..random.below(4)).map(|_| exception(random)));
    let members = |key: &String| FLAGS.map(|flag| (key.clone(), flag));
    let single: Vec<Members> = keys.iter().flat_map(members).map(|member| vec![member]).collect();
    let mut candidates = vec![Vec::new()];
    candidates.extend(single.clone());
    let behind = |one: &Members| {
        single
            .iter()
            .filter(|other| one[0].0 < other[0].0)
            .map(|other| [one.as_slice(), other].concat())
            .collect::<Vec<_>>()
    };
    if most > 1 {
        candidates.extend(single.iter().flat_map(behind));
    }
    Made { schema: json!({"allOf": all}), candidates: candidates.into_iter().map(Value::Object).collect(), mixed: true }
}

fn some_flags(random: &mut Random) -> Json {
    let text = random.choose(SOME_FLAGS).copied().unwrap_or("true");
    serde_json::from_str(text).unwrap_or(Json::Bool(true))
}

/// Generates a condition on all keys that at least one key must break.
fn exception(random: &mut Random) -> Json {
    let pattern = *random.choose(&["^a", "[c-h]$", "^[^a]", "[b-h]", "^[^ab]", "^ab$", "^[ab]{2}$"]).unwrap_or(&"");
    let patterned = json!({"patternProperties": {pattern: some_flags(random)}});
    match random.below(7) {
        0 | 1 => json!({"not": patterned}),
        2 => json!({"not": {"propertyNames": {"pattern": pattern}}}),
        3 => json!({"not": {"propertyNames": {"not": {"pattern": pattern}}}}),
        4 => json!({"not": {"additionalProperties": some_flags(random)}}),
        5 => json!({"not": {"patternProperties": {pattern: true}, "additionalProperties": some_flags(random)}}),
        _ => json!({"oneOf": [patterned, {"additionalProperties": some_flags(random)}]}),
    }
}

/// Generates a schema with few values.
fn few(random: &mut Random, depth: usize) -> Made {
    let drawn = (0..20).map(|_| finite(random, depth)).find(|made| made.candidates.len() <= 11);
    drawn.unwrap_or_else(|| enumeration(random))
}

fn distinct_tuple(random: &mut Random, depth: usize) -> Made {
    let made = (0..20).map(|_| tuple(random, depth)).find(|made| made.candidates.len() < MOST);
    let made = made.unwrap_or_else(|| distinct_list(random, 1));
    Made { schema: json!({"allOf": [made.schema, {"uniqueItems": true}]}), ..made }
}

fn tuple(random: &mut Random, depth: usize) -> Made {
    let mut items: Vec<Made> = (0..=random.below(2)).map(|_| finite(random, depth - 1)).collect();
    let schemas: Vec<&Json> = items.iter().map(|item| &item.schema).collect();
    let mut schema = json!({"type": "array", "prefixItems": schemas, "items": false});
    if random.one_in(3) {
        let rest = finite(random, depth - 1);
        schema["items"] = rest.schema.clone();
        schema["maxItems"] = json!(items.len() + 1);
        items.push(rest);
    }
    if random.one_in(2) {
        schema["minItems"] = json!(random.below(3));
    }
    if random.one_in(6) {
        schema["uniqueItems"] = json!(true);
    }
    let lists = sequences(&items.iter().map(|item| item.candidates.clone()).collect::<Vec<_>>());
    let mixed = items.iter().any(|item| item.mixed);
    Made { schema, candidates: lists.into_iter().map(Value::Array).collect(), mixed }
}

/// Returns all sequences whose items come from these lists, in order, and all their beginnings.
fn sequences(lists: &[Vec<Value>]) -> Vec<Vec<Value>> {
    let mut all = vec![Vec::new()];
    let mut last: Vec<Vec<Value>> = all.clone();
    for list in lists {
        if last.len() * list.len() > 4 * MOST {
            return vec![Vec::new(); 4 * MOST];
        }
        last = last
            .iter()
            .flat_map(|seq| list.iter().map(move |item| [seq.as_slice(), std::slice::from_ref(item)].concat()))
            .collect();
        all.extend(last.clone());
    }
    all
}

fn object(random: &mut Random, depth: usize) -> Made {
    let count = 1 + random.below(3);
    let keys: Vec<&str> = random.sample(KEYS.len(), count).into_iter().filter_map(|at| KEYS.get(at).copied()).collect();
    let values: Vec<Made> = keys.iter().map(|_| finite(random, depth - 1)).collect();
    let properties: Map<String, Json> =
        keys.iter().zip(&values).map(|(key, value)| ((*key).to_owned(), value.schema.clone())).collect();
    let mut schema = json!({"type": "object", "properties": properties, "additionalProperties": false});
    let required: Vec<&str> = keys.iter().copied().filter(|_| random.one_in(2)).collect();
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    restrict(random, &mut schema, &keys);
    let mut candidates = vec![Vec::new()];
    for (key, value) in keys.iter().zip(&values) {
        if candidates.len() * (value.candidates.len() + 1) > 4 * MOST {
            return leaf(random);
        }
        candidates = candidates.iter().flat_map(|members| extended(members, key, &value.candidates)).collect();
    }
    let mixed = values.iter().any(|value| value.mixed);
    Made { schema, candidates: candidates.into_iter().map(Value::Object).collect(), mixed }
}

type Members = Vec<(String, Value)>;

/// Returns the members without the key, and with the key for each value.
fn extended(members: &Members, key: &str, values: &[Value]) -> Vec<Members> {
    let with = values.iter().map(|value| [members.as_slice(), &[(key.to_owned(), value.clone())]].concat());
    std::iter::once(members.clone()).chain(with).collect()
}

/// Generates an object with required keys and room for one undeclared key among the words over `a` and `b`.
///
/// With room for two, an undeclared key could be written twice, and it is disputed whether such a text is JSON.
fn open_object(random: &mut Random, depth: usize) -> Made {
    let count = random.below(3);
    let keys: Vec<&str> = random.sample(3, count).into_iter().filter_map(|at| KEYS.get(at).copied()).collect();
    let values: Vec<Made> = keys.iter().map(|_| finite(random, depth - 1)).collect();
    let (more, patterned) = (finite(random, depth - 1), finite(random, depth - 1));
    let properties: Map<String, Json> =
        keys.iter().zip(&values).map(|(key, value)| ((*key).to_owned(), value.schema.clone())).collect();
    let mut schema = json!({
        "type": "object",
        "properties": properties,
        "required": keys,
        "propertyNames": {"pattern": "^[ab]{0,2}$"},
        "additionalProperties": more.schema,
        "maxProperties": keys.len() + 1,
    });
    if random.one_in(2) {
        schema["patternProperties"] = json!({*random.choose(&["^a", "b$", "^.$"]).unwrap_or(&""): patterned.schema});
    }
    if random.one_in(2) {
        schema["minProperties"] = json!(keys.len() + random.below(2));
    }
    let extra = [more.candidates.as_slice(), patterned.candidates.as_slice()].concat();
    let all = values.iter().fold(extra.len() * 8, |product, value| product * value.candidates.len());
    if all > 2 * MOST {
        return leaf(random);
    }
    let mut closed = vec![Vec::new()];
    for (key, value) in keys.iter().zip(&values) {
        closed = closed.iter().flat_map(|members| extended(members, key, &value.candidates).split_off(1)).collect();
    }
    let names =
        words("ab", 2).into_iter().filter_map(|word| if let Value::String(word) = word { Some(word) } else { None });
    let names: Vec<String> = names.filter(|name| !keys.contains(&name.as_str())).collect();
    let open =
        closed.iter().flat_map(|members| names.iter().flat_map(|name| extended(members, name, &extra).split_off(1)));
    let candidates = open.chain(closed.iter().cloned()).map(Value::Object).collect();
    let mixed = values.iter().any(|value| value.mixed) || more.mixed || patterned.mixed;
    Made { schema, candidates, mixed }
}

/// Adds a further keyword to an object.
fn restrict(random: &mut Random, schema: &mut Json, keys: &[&str]) {
    let key = |random: &mut Random| random.choose(keys).copied().unwrap_or_default();
    match random.below(9) {
        0 => schema["minProperties"] = json!(random.below(3)),
        1 => schema["maxProperties"] = json!(1 + random.below(2)),
        2 => schema["dependentRequired"] = json!({key(random): [key(random)]}),
        3 => schema["propertyNames"] = json!({"maxLength": random.below(3)}),
        4 => schema["dependentSchemas"] = json!({key(random): {"required": [key(random)]}}),
        _ => {}
    }
}

fn choice(random: &mut Random, depth: usize, keyword: &str) -> Made {
    let arms: Vec<Made> = (0..2 + random.below(2)).map(|_| finite(random, depth - 1)).collect();
    let schemas: Vec<&Json> = arms.iter().map(|arm| &arm.schema).collect();
    union(json!({keyword: schemas}), &arms)
}

fn conditional(random: &mut Random, depth: usize) -> Made {
    let condition = any(random, depth - 1);
    let arms = [finite(random, depth - 1), finite(random, depth - 1)];
    union(json!({"if": condition, "then": arms[0].schema, "else": arms[1].schema}), &arms)
}

fn union(schema: Json, arms: &[Made]) -> Made {
    let mut candidates: Vec<Value> = arms.iter().flat_map(|arm| arm.candidates.clone()).collect();
    candidates.sort();
    candidates.dedup();
    Made { schema, candidates, mixed: true }
}

fn less(random: &mut Random, depth: usize) -> Made {
    less_of(finite(random, depth - 1), random, depth)
}

fn less_of(base: Made, random: &mut Random, depth: usize) -> Made {
    let more = any(random, depth - 1);
    Made { schema: json!({"allOf": [base.schema, more]}), candidates: base.candidates, mixed: true }
}

fn without(random: &mut Random, depth: usize) -> Made {
    let base = finite(random, depth);
    let refused = any(random, depth - 1);
    Made { schema: json!({"allOf": [base.schema], "not": refused}), candidates: base.candidates, mixed: true }
}

/// Generates a schema that may have infinitely many values.
fn any(random: &mut Random, depth: usize) -> Json {
    if depth == 0 { any_leaf(random) } else { any_nested(random, depth) }
}

fn any_leaf(random: &mut Random) -> Json {
    let kind = *random.choose(&["null", "boolean", "integer", "string", "array", "object"]).unwrap_or(&"null");
    let key = random.choose(KEYS).copied().unwrap_or_default();
    match random.below(16) {
        0 | 1 => json!({"type": kind}),
        2 => json!({"minimum": random.below(12)}),
        3 => json!({"maxLength": random.below(3)}),
        4 => json!({"required": [key]}),
        5 => json!({"minItems": 1 + random.below(2)}),
        6 => json!({"pattern": random.choose(PATTERNS)}),
        7 => json!({"pattern": "a"}),
        8 => json!({"multipleOf": 1 + random.below(4)}),
        9 => json!({"maxProperties": 1}),
        10 => json!({"propertyNames": {"pattern": "^a"}}),
        11 => json!({"dependentRequired": {key: ["a"]}}),
        12 => json!(random.one_in(2)),
        13 => json!({"minLength": 1 + random.below(2)}),
        _ => enumeration(random).schema,
    }
}

fn any_nested(random: &mut Random, depth: usize) -> Json {
    let key = random.choose(KEYS).copied().unwrap_or_default();
    match random.below(10) {
        0 => json!({"not": any(random, depth - 1)}),
        1 => json!({"properties": {key: any(random, depth - 1)}}),
        2 => json!({"items": any(random, depth - 1)}),
        3 => json!({"contains": any(random, depth - 1)}),
        4 => json!({"additionalProperties": any(random, depth - 1)}),
        5 => json!({"patternProperties": {"^a": any(random, depth - 1)}}),
        6 => json!({"anyOf": [any(random, depth - 1), any(random, depth - 1)]}),
        7 => finite(random, depth - 1).schema,
        8 => json!({"prefixItems": [any(random, depth - 1)]}),
        _ => any_leaf(random),
    }
}
