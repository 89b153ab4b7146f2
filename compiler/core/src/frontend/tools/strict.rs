//! Checks OpenAI's rules for a tool that is marked `strict`: every object is closed, and all of its properties are
//! required. The meaning of the schema does not change.

use super::super::json_schema::subschemas;
use ogc_grammar::json::JsonValue;
use ogc_grammar::{Code, Diagnostic};

/// Reports the places where the schema of a strict tool breaks the rules.
pub(super) fn check(schema: &JsonValue) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut open = vec![schema];
    while let Some(schema) = open.pop() {
        of_object(schema, &mut found);
        open.extend(parts(schema));
    }
    found
}

fn of_object(schema: &JsonValue, found: &mut Vec<Diagnostic>) {
    let properties = schema.member("properties");
    let kind = schema.get("type");
    let is_object = |kind: &JsonValue| kind.as_str() == Some("object");
    let named =
        kind.is_some_and(|kind| is_object(kind) || kind.as_array().is_some_and(|all| all.iter().any(is_object)));
    if properties.is_none() && !named {
        return;
    }
    if schema.get("additionalProperties").and_then(JsonValue::as_bool) != Some(false) {
        let span = schema.member("additionalProperties").map_or(schema.span, |member| member.value.span);
        let help = "write `\"additionalProperties\": false`, or `\"strict\": false`";
        found.push(
            Diagnostic::warning(Code::StrictTool, span, "objects of a strict tool are closed; this one is open")
                .help(help),
        );
    }
    let required = schema.get("required").and_then(JsonValue::as_array).unwrap_or_default();
    for property in properties.and_then(|member| member.value.as_object()).unwrap_or_default() {
        let key = &property.key.value;
        if !required.iter().any(|one| one.as_str() == Some(key)) {
            let message = format!("all properties of a strict tool are required; `{key}` is not");
            let help = "add it to `required`, and let it be `null` where it may be left out";
            found.push(Diagnostic::warning(Code::StrictTool, property.key.span, message).help(help));
        }
    }
}

/// Returns the schemas directly inside a schema.
fn parts(schema: &JsonValue) -> impl Iterator<Item = &JsonValue> {
    schema.as_object().unwrap_or_default().iter().flat_map(subschemas)
}
