//! Random schemas and instances, and the evaluator.

use ogc_kit::Random;
use ogc_regular::number::Decimal;
use ogc_schema::source::{At, Conditional, Keywords, Node, NodeId, NodeKind, Origin, Schemas, Types, Value};

const KEYS: [&str; 4] = ["a", "b", "ab", "c"];
const TEXTS: [&str; 5] = ["", "a", "b", "ab", "abc"];
const PATTERNS: [&str; 5] = ["^a", "b", "^[ab]$", "c$", "^(ab)*$"];

fn at<T>(value: T) -> At<T> {
    At { origin: Origin(0), value }
}

fn number(random: &mut Random) -> Decimal {
    let text = ["-1", "0", "1", "2", "3", "0.5", "2.5"][random.below(7)];
    Decimal::parse(text).expect("a number")
}

pub(crate) fn instance(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth == 0 { 5 } else { 11 }) {
        0 => Value::Null,
        1 => Value::Bool(random.one_in(2)),
        2 | 3 => Value::Number(number(random)),
        4 => Value::String(TEXTS[random.below(5)].to_owned()),
        5 | 6 => Value::Array((0..random.below(4)).map(|_| instance(random, depth - 1)).collect()),
        _ => {
            let keys: Vec<&str> = KEYS.into_iter().filter(|_| random.one_in(2)).collect();
            let mut members: Vec<(String, Value)> =
                keys.into_iter().map(|key| (key.to_owned(), instance(random, depth - 1))).collect();
            if random.one_in(2) {
                members.reverse();
            }
            Value::Object(members)
        }
    }
}

fn node(random: &mut Random, count: usize) -> NodeId {
    NodeId(random.below(count) as u32)
}

fn nodes(random: &mut Random, count: usize, most: usize) -> Vec<NodeId> {
    (0..=random.below(most)).map(|_| node(random, count)).collect()
}

pub(crate) fn schemas(random: &mut Random) -> Schemas {
    let count = 2 + random.below(6);
    let node = |(random, at): (&mut Random, usize)| {
        let kind = match random.below(12) {
            0 => NodeKind::Bool(true),
            1 if random.one_in(2) => NodeKind::Bool(false),
            _ => NodeKind::Keywords(Box::new(keywords(random, at, count))),
        };
        Node { origin: Origin(0), kind }
    };
    Schemas { nodes: (0..count).map(|at| node((random, at))).collect(), root: Some(NodeId(0)) }
}

fn types(random: &mut Random) -> Types {
    let mut flag = |chances| random.one_in(chances);
    Types {
        null: flag(4),
        boolean: flag(4),
        integer: flag(4),
        number: flag(4),
        string: flag(2),
        array: flag(2),
        object: flag(2),
    }
}

/// Makes keywords. Combinators refer only to later nodes: a schema that refers to itself without content has no
/// meaning.
fn keywords(random: &mut Random, at_node: usize, count: usize) -> Keywords {
    let mut all = Keywords { types: random.one_in(2).then(|| at(types(random))), ..Keywords::default() };
    if random.one_in(8) {
        all.one_of_values.push(at((0..=random.below(4)).map(|_| instance(random, 2)).collect()));
    }
    if at_node + 1 < count {
        combinators(random, &mut all, at_node + 1, count);
    }
    scalars(random, &mut all);
    arrays(random, &mut all, count);
    objects(random, &mut all, count);
    all
}

fn later(random: &mut Random, first: usize, count: usize) -> NodeId {
    NodeId((first + random.below(count - first)) as u32)
}

fn combinators(random: &mut Random, all: &mut Keywords, first: usize, count: usize) {
    let some = |random: &mut Random, most| (0..=random.below(most)).map(|_| later(random, first, count)).collect();
    match random.below(12) {
        0 => all.reference = Some(at(later(random, first, count))),
        1 => all.all_of = some(random, 2),
        2 | 3 => all.any_of.push(at(some(random, 3))),
        4 | 5 => all.one_of.push(at(some(random, 3))),
        6 => all.not = Some(at(later(random, first, count))),
        7 => {
            let then = random.one_in(2).then(|| later(random, first, count));
            let otherwise = random.one_in(2).then(|| later(random, first, count));
            all.conditional = Some(at(Conditional { condition: later(random, first, count), then, otherwise }));
        }
        _ => {}
    }
    if random.one_in(14) {
        all.object.dependent_schemas.push((at(KEYS[random.below(4)].to_owned()), later(random, first, count)));
    }
}

fn small(random: &mut Random, chances: usize) -> Option<At<u64>> {
    random.one_in(chances).then(|| at(random.below(4) as u64))
}

fn scalars(random: &mut Random, all: &mut Keywords) {
    all.string.min_length = small(random, 10);
    all.string.max_length = small(random, 10);
    if random.one_in(8) {
        all.string.patterns.push(at(PATTERNS[random.below(5)].to_owned()));
    }
    let mut bound = |chances| random.one_in(chances).then(|| at(number(random)));
    all.number.minimum = bound(10);
    all.number.exclusive_maximum = bound(10);
    all.number.maximum = bound(14);
    if random.one_in(12) {
        all.number.multiple_of = Some(at(Decimal::parse(["2", "1", "0.5"][random.below(3)]).expect("a number")));
    }
}

fn arrays(random: &mut Random, all: &mut Keywords, count: usize) {
    if random.one_in(8) {
        all.array.prefix_items = nodes(random, count, 2);
    }
    all.array.items = random.one_in(5).then(|| at(node(random, count)));
    all.array.min_items = small(random, 8);
    all.array.max_items = small(random, 8);
    if random.one_in(12) {
        all.array.contains = Some(at(node(random, count)));
        all.array.min_contains = small(random, 3);
        all.array.max_contains = small(random, 3);
    }
}

fn objects(random: &mut Random, all: &mut Keywords, count: usize) {
    let object = &mut all.object;
    for key in KEYS {
        if random.one_in(4) {
            object.properties.push((key.to_owned(), node(random, count)));
        }
        if random.one_in(9) {
            object.required.push(at(key.to_owned()));
        }
    }
    if random.one_in(9) {
        object.pattern_properties.push((at(PATTERNS[random.below(5)].to_owned()), node(random, count)));
    }
    object.additional_properties = random.one_in(4).then(|| at(node(random, count)));
    object.property_names = random.one_in(16).then(|| at(node(random, count)));
    object.min_properties = small(random, 12);
    object.max_properties = small(random, 12);
    let key = |random: &mut Random| KEYS[random.below(4)].to_owned();
    if random.one_in(12) {
        object.dependent_required.push((at(key(random)), vec![key(random)]));
    }
}

/// Returns whether a value is valid, following the text of the standard.
pub(crate) fn evaluate(schemas: &Schemas, id: NodeId, value: &Value) -> bool {
    let all = match &schemas.nodes[id.0 as usize].kind {
        NodeKind::Bool(holds) => return *holds,
        NodeKind::Keywords(all) => all,
    };
    let is = |node: NodeId| evaluate(schemas, node, value);
    all.types.as_ref().is_none_or(|types| has_type(&types.value, value))
        && all.one_of_values.iter().all(|list| list.value.iter().any(|listed| same(listed, value)))
        && all.reference.as_ref().is_none_or(|reference| is(reference.value))
        && all.all_of.iter().all(|&node| is(node))
        && all.any_of.iter().all(|any| any.value.iter().any(|&node| is(node)))
        && all.one_of.iter().all(|one| one.value.iter().filter(|&&node| is(node)).count() == 1)
        && all.not.as_ref().is_none_or(|not| !is(not.value))
        && all.conditional.as_ref().is_none_or(|conditional| {
            let branch =
                if is(conditional.value.condition) { conditional.value.then } else { conditional.value.otherwise };
            branch.is_none_or(is)
        })
        && match value {
            Value::Null | Value::Bool(_) => true,
            Value::Number(number) => number_holds(all, number),
            Value::String(text) => string_holds(all, text),
            Value::Array(items) => array_holds(schemas, all, items),
            Value::Object(members) => object_holds(schemas, all, members, value),
        }
}

fn has_type(types: &Types, value: &Value) -> bool {
    match value {
        Value::Null => types.null,
        Value::Bool(_) => types.boolean,
        Value::Number(number) => types.number || types.integer && number.is_integer(),
        Value::String(_) => types.string,
        Value::Array(_) => types.array,
        Value::Object(_) => types.object,
    }
}

fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            let within =
                |(key, value): &(String, Value)| right.iter().any(|(other, found)| other == key && same(value, found));
            left.len() == right.len() && left.iter().all(within)
        }
        _ => left == right,
    }
}

fn number_holds(all: &Keywords, number: &Decimal) -> bool {
    let keywords = &all.number;
    keywords.minimum.as_ref().is_none_or(|bound| *number >= bound.value)
        && keywords.maximum.as_ref().is_none_or(|bound| *number <= bound.value)
        && keywords.exclusive_maximum.as_ref().is_none_or(|bound| *number < bound.value)
        && keywords.multiple_of.as_ref().is_none_or(|divisor| number.is_multiple_of(&divisor.value))
}

fn matches(pattern: &str, text: &str) -> bool {
    let whole = |test: fn(char) -> bool| text.chars().count() == 1 && text.chars().all(test);
    match pattern {
        "^a" => text.starts_with('a'),
        "b" => text.contains('b'),
        "^[ab]$" => whole(|letter| letter == 'a' || letter == 'b'),
        "c$" => text.ends_with('c'),
        _ => text.len().is_multiple_of(2) && text.as_bytes().chunks(2).all(|pair| pair == b"ab"),
    }
}

fn string_holds(all: &Keywords, text: &str) -> bool {
    let length = text.chars().count() as u64;
    all.string.min_length.as_ref().is_none_or(|min| length >= min.value)
        && all.string.max_length.as_ref().is_none_or(|max| length <= max.value)
        && all.string.patterns.iter().all(|pattern| matches(&pattern.value, text))
}

fn array_holds(schemas: &Schemas, all: &Keywords, items: &[Value]) -> bool {
    let keywords = &all.array;
    let length = items.len() as u64;
    let fits = |(position, item): (usize, &Value)| {
        let node = keywords.prefix_items.get(position).copied().or(keywords.items.as_ref().map(|items| items.value));
        node.is_none_or(|node| evaluate(schemas, node, item))
    };
    let contained = keywords.contains.as_ref().is_none_or(|contains| {
        let count = items.iter().filter(|item| evaluate(schemas, contains.value, item)).count() as u64;
        count >= keywords.min_contains.as_ref().map_or(1, |min| min.value)
            && keywords.max_contains.as_ref().is_none_or(|max| count <= max.value)
    });
    keywords.min_items.as_ref().is_none_or(|min| length >= min.value)
        && keywords.max_items.as_ref().is_none_or(|max| length <= max.value)
        && contained
        && items.iter().enumerate().all(fits)
}

fn object_holds(schemas: &Schemas, all: &Keywords, members: &[(String, Value)], whole: &Value) -> bool {
    let keywords = &all.object;
    let has = |key: &str| members.iter().any(|(name, _)| name == key);
    let count = members.len() as u64;
    members.iter().all(|(key, value)| member_holds(schemas, all, key, value))
        && keywords.required.iter().all(|key| has(&key.value))
        && keywords.min_properties.as_ref().is_none_or(|min| count >= min.value)
        && keywords.max_properties.as_ref().is_none_or(|max| count <= max.value)
        && keywords
            .dependent_required
            .iter()
            .all(|(key, others)| !has(&key.value) || others.iter().all(|other| has(other)))
        && keywords.dependent_schemas.iter().all(|(key, node)| !has(&key.value) || evaluate(schemas, *node, whole))
}

fn member_holds(schemas: &Schemas, all: &Keywords, key: &str, value: &Value) -> bool {
    let keywords = &all.object;
    let declared = keywords.properties.iter().find(|(name, _)| name == key).map(|(_, node)| *node);
    let matching =
        keywords.pattern_properties.iter().filter(|(pattern, _)| matches(&pattern.value, key)).map(|(_, node)| *node);
    let mut spoken: Vec<NodeId> = declared.into_iter().chain(matching).collect();
    if spoken.is_empty() {
        spoken.extend(keywords.additional_properties.as_ref().map(|additional| additional.value));
    }
    let name = Value::String(key.to_owned());
    spoken.iter().all(|&node| evaluate(schemas, node, value))
        && keywords.property_names.as_ref().is_none_or(|names| evaluate(schemas, names.value, &name))
}

/// Writes a value as JSON text without white space.
pub(crate) fn write(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(holds) => holds.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => format!("\"{text}\""),
        Value::Array(items) => format!("[{}]", items.iter().map(write).collect::<Vec<_>>().join(",")),
        Value::Object(members) => {
            let member = |(key, value): &(String, Value)| format!("\"{key}\":{}", write(value));
            format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(","))
        }
    }
}

/// Reads a text as a value; `None` if a key repeats or a number exceeds the limits.
pub(crate) fn parse(text: &str) -> Option<Value> {
    let (value, diagnostics) = ogc_grammar::json::parse(text);
    if !diagnostics.is_empty() {
        assert!(diagnostics.iter().all(|found| found.message.contains("key")), "{text}: {diagnostics:?}");
        return None;
    }
    convert(&value?)
}

fn convert(value: &ogc_grammar::json::JsonValue) -> Option<Value> {
    use ogc_grammar::json::JsonKind;
    Some(match &value.kind {
        JsonKind::Null => Value::Null,
        JsonKind::Bool(holds) => Value::Bool(*holds),
        JsonKind::Number(literal) => Value::Number(Decimal::parse(literal).ok()?),
        JsonKind::String(text) => Value::String(text.clone()),
        JsonKind::Array(items) => Value::Array(items.iter().map(convert).collect::<Option<_>>()?),
        JsonKind::Object(members) => {
            let member = |member: &ogc_grammar::json::Member| Some((member.key.value.clone(), convert(&member.value)?));
            Value::Object(members.iter().map(member).collect::<Option<_>>()?)
        }
    })
}
