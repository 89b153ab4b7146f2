//! Validates a value against a schema, keyword by keyword, after the text of JSON Schema 2020-12.
//!
//! Slow and obvious: no normal forms, no sets of numbers, no automata.

use ogc_regular::number::Decimal;
use ogc_schema::source::{
    ArrayKeywords, Keywords, NodeId, NodeKind, NumberKeywords, ObjectKeywords, Schemas, StringKeywords, Types, Value,
};

use crate::pattern::matches;
use crate::universe::{distinct, same};

/// Whether a value is valid.
pub(crate) fn valid(schemas: &Schemas, node: NodeId, value: &Value) -> bool {
    let all = match &schemas.nodes[node.0 as usize].kind {
        NodeKind::Bool(holds) => return *holds,
        NodeKind::Keywords(all) => all,
    };
    any_type(schemas, all, value)
        && match value {
            Value::Null | Value::Bool(_) => true,
            Value::Number(number) => number_valid(&all.number, float(number)),
            Value::String(text) => string_valid(&all.string, text),
            Value::Array(items) => array_valid(schemas, &all.array, items),
            Value::Object(members) => object_valid(schemas, &all.object, members),
        }
}

/// Checks the keywords that apply to values of every type.
fn any_type(schemas: &Schemas, all: &Keywords, value: &Value) -> bool {
    let is = |node: NodeId| valid(schemas, node, value);
    all.types.as_ref().is_none_or(|types| has_type(types.value, value))
        && all.one_of_values.iter().all(|list| list.value.iter().any(|listed| same(listed, value)))
        && all.reference.as_ref().is_none_or(|reference| is(reference.value))
        && all.all_of.iter().all(|&node| is(node))
        && all.any_of.iter().all(|any| any.value.iter().any(|&node| is(node)))
        && all.one_of.iter().all(|one| one.value.iter().filter(|&&node| is(node)).count() == 1)
        && all.not.as_ref().is_none_or(|not| !is(not.value))
        && all.conditional.as_ref().is_none_or(|conditional| {
            let conditional = conditional.value;
            let branch = if is(conditional.condition) { conditional.then } else { conditional.otherwise };
            branch.is_none_or(is)
        })
        && all.object.dependent_schemas.iter().all(|(key, node)| !has_key(value, &key.value) || is(*node))
}

fn has_key(value: &Value, key: &str) -> bool {
    matches!(value, Value::Object(members) if members.iter().any(|(name, _)| name == key))
}

fn has_type(types: Types, value: &Value) -> bool {
    match value {
        Value::Null => types.null,
        Value::Bool(_) => types.boolean,
        Value::Number(number) => types.number || types.integer && float(number).fract() == 0.0,
        Value::String(_) => types.string,
        Value::Array(_) => types.array,
        Value::Object(_) => types.object,
    }
}

/// Exact for the small binary fractions of these tests.
fn float(number: &Decimal) -> f64 {
    number.to_string().parse().expect("a number")
}

fn number_valid(keywords: &NumberKeywords, number: f64) -> bool {
    keywords.minimum.as_ref().is_none_or(|bound| number >= float(&bound.value))
        && keywords.maximum.as_ref().is_none_or(|bound| number <= float(&bound.value))
        && keywords.exclusive_minimum.as_ref().is_none_or(|bound| number > float(&bound.value))
        && keywords.exclusive_maximum.as_ref().is_none_or(|bound| number < float(&bound.value))
        && keywords.multiple_of.as_ref().is_none_or(|divisor| number % float(&divisor.value) == 0.0)
}

fn string_valid(keywords: &StringKeywords, text: &str) -> bool {
    let length = text.chars().count() as u64;
    keywords.min_length.as_ref().is_none_or(|min| length >= min.value)
        && keywords.max_length.as_ref().is_none_or(|max| length <= max.value)
        && keywords.patterns.iter().all(|pattern| matches(&pattern.value, text))
}

fn array_valid(schemas: &Schemas, keywords: &ArrayKeywords, items: &[Value]) -> bool {
    let length = items.len() as u64;
    let prefix = keywords.prefix_items.len();
    keywords.min_items.as_ref().is_none_or(|min| length >= min.value)
        && keywords.max_items.as_ref().is_none_or(|max| length <= max.value)
        && items.iter().zip(&keywords.prefix_items).all(|(item, node)| valid(schemas, *node, item))
        && keywords
            .items
            .as_ref()
            .is_none_or(|rest| items.iter().skip(prefix).all(|item| valid(schemas, rest.value, item)))
        && (keywords.unique_items.is_none() || distinct(items))
        && contains_valid(schemas, keywords, items)
}

fn contains_valid(schemas: &Schemas, keywords: &ArrayKeywords, items: &[Value]) -> bool {
    let Some(contains) = &keywords.contains else { return true };
    let count = items.iter().filter(|item| valid(schemas, contains.value, item)).count() as u64;
    count >= keywords.min_contains.as_ref().map_or(1, |min| min.value)
        && keywords.max_contains.as_ref().is_none_or(|max| count <= max.value)
}

fn object_valid(schemas: &Schemas, keywords: &ObjectKeywords, members: &[(String, Value)]) -> bool {
    let has = |key: &str| members.iter().any(|(name, _)| name == key);
    let count = members.len() as u64;
    members.iter().all(|(key, value)| member_valid(schemas, keywords, key, value))
        && keywords.required.iter().all(|key| has(&key.value))
        && keywords.min_properties.as_ref().is_none_or(|min| count >= min.value)
        && keywords.max_properties.as_ref().is_none_or(|max| count <= max.value)
        && keywords
            .dependent_required
            .iter()
            .all(|(key, others)| !has(&key.value) || others.iter().all(|other| has(other)))
}

fn member_valid(schemas: &Schemas, keywords: &ObjectKeywords, key: &str, value: &Value) -> bool {
    let is = |node: &NodeId| valid(schemas, *node, value);
    let declared: Vec<&NodeId> =
        keywords.properties.iter().filter(|(name, _)| name == key).map(|(_, node)| node).collect();
    let matching: Vec<&NodeId> = keywords
        .pattern_properties
        .iter()
        .filter(|(pattern, _)| matches(&pattern.value, key))
        .map(|(_, node)| node)
        .collect();
    let additional = declared.is_empty() && matching.is_empty();
    let name = Value::String(key.to_owned());
    declared.into_iter().all(is)
        && matching.into_iter().all(is)
        && (!additional || keywords.additional_properties.as_ref().is_none_or(|node| is(&node.value)))
        && keywords.property_names.as_ref().is_none_or(|names| valid(schemas, names.value, &name))
}
