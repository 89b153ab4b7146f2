//! The names of the schemas in an OpenAPI document. Components have their own names; `responses/NAME` and
//! `requestBodies/NAME` name shared bodies; `ID/request` and `ID/CODE` name the bodies of an operation. The `ID` of an
//! operation without `operationId` is its method and path, as in `GET /pets/{id}`.

use ogc_grammar::Span;
use ogc_grammar::json::{JsonValue, Member, pointer_token};

/// A schema with a name.
#[derive(Clone, Debug)]
pub(in super::super) struct NamedSchema<'a> {
    pub(in super::super) name: String,
    pub(in super::super) value: &'a JsonValue,
    /// Place of the name.
    pub(in super::super) span: Span,
    /// The JSON pointer of the schema.
    pub(in super::super) pointer: String,
}

/// The HTTP methods of operations.
const METHODS: [&str; 8] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/// Returns the named schemas of a document, in document order.
pub(in super::super) fn named_schemas(root: &JsonValue) -> Vec<NamedSchema<'_>> {
    let mut found = Vec::new();
    let components = |kind: &str| members(root.get("components").and_then(|all| all.get(kind)));
    for member in components("schemas") {
        let pointer = format!("/components/schemas/{}", pointer_token(&member.key.value));
        found.push(NamedSchema {
            name: member.key.value.clone(),
            value: &member.value,
            span: member.key.span,
            pointer,
        });
    }
    for kind in ["responses", "requestBodies"] {
        for member in components(kind) {
            let pointer = format!("/components/{kind}/{}", pointer_token(&member.key.value));
            let name = format!("{kind}/{}", member.key.value);
            found.extend(body(root, &member.value, name, member.key.span, &pointer));
        }
    }
    for path in members(root.get("paths")) {
        let operations = members(Some(&path.value)).iter().filter(|one| METHODS.contains(&one.key.value.as_str()));
        operations.for_each(|operation| add_operation(root, path, operation, &mut found));
    }
    found
}

fn add_operation<'a>(root: &'a JsonValue, path: &'a Member, operation: &'a Member, found: &mut Vec<NamedSchema<'a>>) {
    let id = operation.value.get("operationId").and_then(JsonValue::as_str);
    let method = operation.key.value.to_uppercase();
    let id = id.map_or_else(|| format!("{method} {}", path.key.value), str::to_owned);
    let pointer = format!("/paths/{}/{}", pointer_token(&path.key.value), operation.key.value);
    if let Some(request) = operation.value.get("requestBody") {
        found.extend(body(
            root,
            request,
            format!("{id}/request"),
            operation.key.span,
            &format!("{pointer}/requestBody"),
        ));
    }
    for response in members(operation.value.get("responses")) {
        let pointer = format!("{pointer}/responses/{}", pointer_token(&response.key.value));
        found.extend(body(root, &response.value, format!("{id}/{}", response.key.value), response.key.span, &pointer));
    }
}

/// Returns the JSON schema of a body, which may be a reference to a component.
fn body<'a>(
    root: &'a JsonValue,
    given: &'a JsonValue,
    name: String,
    span: Span,
    pointer: &str,
) -> Option<NamedSchema<'a>> {
    let reference = given.get("$ref").and_then(JsonValue::as_str).and_then(|reference| reference.strip_prefix("#/"));
    let (value, pointer) = match reference {
        Some(path) => {
            let value =
                path.split('/').try_fold(root, |at, token| at.get(&token.replace("~1", "/").replace("~0", "~")))?;
            (value, format!("/{path}"))
        }
        None => (given, pointer.to_owned()),
    };
    if let Some(schema) = value.get("schema") {
        // Responses of 2.0.
        return Some(NamedSchema { name, value: schema, span, pointer: format!("{pointer}/schema") });
    }
    let content = members(value.get("content"));
    let is_json = |kind: &str| kind.split(';').next().is_some_and(|kind| kind.trim().ends_with("/json"));
    let is_like = |kind: &str| kind.contains("+json") || kind == "*/*";
    let exact = content.iter().find(|member| is_json(&member.key.value));
    let media = exact.or_else(|| content.iter().find(|member| is_like(&member.key.value)))?;
    let pointer = format!("{pointer}/content/{}/schema", pointer_token(&media.key.value));
    Some(NamedSchema { name, value: media.value.get("schema")?, span, pointer })
}

fn members(value: Option<&JsonValue>) -> &[Member] {
    value.and_then(JsonValue::as_object).unwrap_or_default()
}
