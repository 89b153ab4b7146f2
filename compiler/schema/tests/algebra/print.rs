//! Schema graphs as short text: one line for each node, `#3` for node 3.

use std::fmt::Write;

use ogc_schema::source::{At, Keywords, NodeId, NodeKind, Schemas, Value};

/// JSON text.
pub(crate) fn json(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(holds) => holds.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => format!("{text:?}"),
        Value::Array(items) => format!("[{}]", items.iter().map(json).collect::<Vec<_>>().join(", ")),
        Value::Object(members) => {
            let member = |(key, value): &(String, Value)| format!("{key:?}: {}", json(value));
            format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(", "))
        }
    }
}

/// A whole graph.
pub(crate) fn graph(schemas: &Schemas) -> String {
    let mut text = String::new();
    for (at, node) in schemas.nodes.iter().enumerate() {
        let said = match &node.kind {
            NodeKind::Bool(holds) => holds.to_string(),
            NodeKind::Keywords(all) => format!("{{{}}}", keywords(all).join(", ")),
        };
        let _ = writeln!(text, "  #{at} {said}");
    }
    text
}

fn keywords(all: &Keywords) -> Vec<String> {
    let mut parts = Vec::new();
    if let Some(types) = &all.types {
        let types = types.value;
        let named = [
            (types.null, "null"),
            (types.boolean, "boolean"),
            (types.integer, "integer"),
            (types.number, "number"),
            (types.string, "string"),
            (types.array, "array"),
            (types.object, "object"),
        ];
        let names: Vec<&str> = named.into_iter().filter(|(held, _)| *held).map(|(_, name)| name).collect();
        parts.push(format!("type: {names:?}"));
    }
    parts.extend(all.one_of_values.iter().map(|list| format!("enum: {}", json(&Value::Array(list.value.clone())))));
    combinators(all, &mut parts);
    scalars(all, &mut parts);
    arrays(all, &mut parts);
    objects(all, &mut parts);
    parts
}

fn id(node: NodeId) -> String {
    format!("#{}", node.0)
}

fn ids(nodes: &[NodeId]) -> String {
    format!("[{}]", nodes.iter().map(|&node| id(node)).collect::<Vec<_>>().join(", "))
}

fn node(name: &str, node: Option<NodeId>, parts: &mut Vec<String>) {
    parts.extend(node.map(|node| format!("{name}: {}", id(node))));
}

fn said<T: ToString>(name: &str, value: &Option<At<T>>, parts: &mut Vec<String>) {
    parts.extend(value.iter().map(|value| format!("{name}: {}", value.value.to_string())));
}

fn combinators(all: &Keywords, parts: &mut Vec<String>) {
    node("$ref", all.reference.as_ref().map(|at| at.value), parts);
    if !all.all_of.is_empty() {
        parts.push(format!("allOf: {}", ids(&all.all_of)));
    }
    parts.extend(all.any_of.iter().map(|any| format!("anyOf: {}", ids(&any.value))));
    parts.extend(all.one_of.iter().map(|one| format!("oneOf: {}", ids(&one.value))));
    node("not", all.not.as_ref().map(|at| at.value), parts);
    let conditional = all.conditional.as_ref().map(|at| at.value);
    node("if", conditional.map(|all| all.condition), parts);
    node("then", conditional.and_then(|all| all.then), parts);
    node("else", conditional.and_then(|all| all.otherwise), parts);
}

fn scalars(all: &Keywords, parts: &mut Vec<String>) {
    said("minimum", &all.number.minimum, parts);
    said("maximum", &all.number.maximum, parts);
    said("exclusiveMinimum", &all.number.exclusive_minimum, parts);
    said("exclusiveMaximum", &all.number.exclusive_maximum, parts);
    said("multipleOf", &all.number.multiple_of, parts);
    said("minLength", &all.string.min_length, parts);
    said("maxLength", &all.string.max_length, parts);
    parts.extend(all.string.patterns.iter().map(|pattern| format!("pattern: {:?}", pattern.value)));
}

fn arrays(all: &Keywords, parts: &mut Vec<String>) {
    if !all.array.prefix_items.is_empty() {
        parts.push(format!("prefixItems: {}", ids(&all.array.prefix_items)));
    }
    node("items", all.array.items.as_ref().map(|at| at.value), parts);
    said("minItems", &all.array.min_items, parts);
    said("maxItems", &all.array.max_items, parts);
    parts.extend(all.array.unique_items.map(|_| "uniqueItems: true".to_owned()));
    node("contains", all.array.contains.as_ref().map(|at| at.value), parts);
    said("minContains", &all.array.min_contains, parts);
    said("maxContains", &all.array.max_contains, parts);
}

fn objects(all: &Keywords, parts: &mut Vec<String>) {
    let object = &all.object;
    parts.extend(object.properties.iter().map(|(key, node)| format!("properties.{key}: {}", id(*node))));
    let patterns = object.pattern_properties.iter();
    parts.extend(patterns.map(|(key, node)| format!("patternProperties.{:?}: {}", key.value, id(*node))));
    node("additionalProperties", object.additional_properties.as_ref().map(|at| at.value), parts);
    node("propertyNames", object.property_names.as_ref().map(|at| at.value), parts);
    let required: Vec<&str> = object.required.iter().map(|key| key.value.as_str()).collect();
    if !required.is_empty() {
        parts.push(format!("required: {required:?}"));
    }
    said("minProperties", &object.min_properties, parts);
    said("maxProperties", &object.max_properties, parts);
    let lists = object.dependent_required.iter();
    parts.extend(lists.map(|(key, needed)| format!("dependentRequired.{}: {needed:?}", key.value)));
    let schemas = object.dependent_schemas.iter();
    parts.extend(schemas.map(|(key, node)| format!("dependentSchemas.{}: {}", key.value, id(*node))));
}
