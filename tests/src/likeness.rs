//! Measures how much of a schema another schema keeps: names, keywords with their values, and texts for people.

use serde_json::Value;
use std::collections::BTreeMap;

/// The marks of a schema with their numbers of occurrences: `properties a`, `type "string"`, `description "..."`.
pub type Marks = BTreeMap<String, usize>;

/// Keywords whose members are schemas by name.
const NAMED: [&str; 5] = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];

/// Keywords that hold a schema, or a list of schemas.
const NESTED: [&str; 16] = [
    "items",
    "prefixItems",
    "additionalItems",
    "additionalProperties",
    "propertyNames",
    "contains",
    "anyOf",
    "oneOf",
    "allOf",
    "not",
    "if",
    "then",
    "else",
    "unevaluatedItems",
    "unevaluatedProperties",
    "contentSchema",
];

/// Returns the marks of a schema. Recursion is as deep as the parser of the value allowed.
#[must_use]
pub fn marks(schema: &Value) -> Marks {
    let mut found = Marks::new();
    walk(schema, &mut found);
    found
}

fn walk(schema: &Value, found: &mut Marks) {
    let Some(members) = schema.as_object() else { return };
    for (key, value) in members.iter().filter(|(key, _)| *key != "$schema") {
        keyword(key, value, found);
    }
}

fn keyword(key: &str, value: &Value, found: &mut Marks) {
    let name = modern(key, value);
    let mut mark = |what: &str| *found.entry(format!("{name} {what}")).or_default() += 1;
    match value {
        Value::Object(members) if NAMED.contains(&key) => {
            members.keys().for_each(|member| mark(member));
            members.values().for_each(|member| walk(member, found));
        }
        Value::Object(_) if NESTED.contains(&key) => {
            mark("");
            walk(value, found);
        }
        Value::Array(schemas) if NESTED.contains(&key) => {
            mark("");
            schemas.iter().for_each(|schema| walk(schema, found));
        }
        Value::Array(items) if matches!(key, "type" | "enum" | "required" | "examples") => {
            items.iter().for_each(|item| mark(&plain(item)));
        }
        Value::String(reference) if key == "$ref" => mark(reference.rsplit('/').next().unwrap_or_default()),
        other => mark(&plain(other)),
    }
}

/// Returns the name in draft 2020-12 of a keyword of another draft.
fn modern<'k>(key: &'k str, value: &Value) -> &'k str {
    match key {
        "definitions" => "$defs",
        "id" if value.is_string() => "$id",
        "items" if value.is_array() => "prefixItems",
        "additionalItems" => "items",
        _ => key,
    }
}

/// Writes a value in one form: `1.0` as `1`, and texts without white space around them and around their lines.
fn plain(value: &Value) -> String {
    match value {
        Value::Number(number) => number.as_f64().map_or_else(|| number.to_string(), |number| number.to_string()),
        Value::String(text) => text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim().to_owned(),
        other => other.to_string(),
    }
}

/// Returns the number of marks, the number of marks that another schema has, too, and the marks that it lacks.
#[must_use]
pub fn kept(marks: &Marks, others: &Marks) -> (usize, usize, Marks) {
    let (mut total, mut kept, mut lost) = (0, 0, Marks::new());
    for (mark, &count) in marks {
        let same = others.get(mark).copied().unwrap_or(0).min(count);
        total += count;
        kept += same;
        if same < count {
            lost.insert(mark.clone(), count - same);
        }
    }
    (total, kept, lost)
}

#[cfg(test)]
mod tests {
    use super::{kept, marks};
    use serde_json::json;

    #[test]
    fn lost_keywords_of_a_schema_are_named() {
        let one = marks(&json!({"type": ["string", "null"], "title": "T", "properties": {"a": {"minimum": 1}}}));
        let other = marks(&json!({"type": "null", "properties": {"a": {"minimum": 1.0}}}));
        let (total, same, lost) = kept(&one, &other);
        assert_eq!((total, same), (5, 3));
        assert_eq!(lost.into_keys().collect::<Vec<_>>(), ["title T", "type string"]);
    }
}
