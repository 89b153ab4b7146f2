//! Finds JSON texts that were not meant as schemas, although every JSON object is a schema: lists of tools, OpenAPI
//! documents, example values.

use std::borrow::Cow;

use super::by_name::{Draft, holds_schemas, is_annotation, is_constraint, is_old};
use super::foreign_types::meant_type;
use super::misspelling;
use ogc_grammar::json::{JsonKind, JsonValue, Member};
use ogc_grammar::{Code, Diagnostic};

/// Advice for a list of tools.
pub(super) const TOOLS: &str =
    "this is a list of tools: an `.ogc` file reads it with `import tools from \"tools.json\"`, its name in the quotes";

/// Advice for the description of one tool.
pub(super) const TOOL: &str =
    "put it in a list, `[{...}]`; an `.ogc` file reads that with `import tools from \"tools.json\"`";

/// Returns the help for a value that is not a schema although a schema is expected.
pub(super) fn meant(value: &JsonValue) -> Cow<'static, str> {
    if holds_tools(value) {
        return Cow::Borrowed(TOOLS);
    }
    let lower = value.as_str().map(str::to_ascii_lowercase);
    if let Some(word @ ("true" | "false")) = lower.as_deref() {
        return Cow::Owned(format!("write `{word}` without quotes"));
    }
    if let Some(meant) = value.as_str().and_then(meant_type) {
        return Cow::Owned(format!("write {}", meant.schema()));
    }
    let is_schema = |value: &JsonValue| value.as_object().is_some();
    Cow::Borrowed(match &value.kind {
        JsonKind::Array(items) if items.is_empty() => "write `true` for a schema that any value obeys",
        JsonKind::Array(items) if items.iter().all(is_schema) => {
            "write `{\"anyOf\": [...]}` for a choice of schemas, or `{\"prefixItems\": [...]}` for items by position"
        }
        JsonKind::Array(_) => "write `{\"enum\": [...]}` for one of these values",
        JsonKind::Null => "write `{\"type\": \"null\"}`, or `true` for a schema that any value obeys",
        JsonKind::String(_) | JsonKind::Number(_) => {
            "write `{\"const\": ...}` for this value alone, or `true` for a schema that any value obeys"
        }
        JsonKind::Bool(_) | JsonKind::Object(_) => "write `true` for a schema that any value obeys",
    })
}

/// Returns a finding about a root that constrains nothing and was hardly meant as a schema.
pub(super) fn finding(root: &JsonValue, draft: Draft) -> Option<Diagnostic> {
    let members = root.as_object().filter(|members| !members.is_empty())?;
    let first = members.first()?;
    let warning = |code, message: &str, help: &str| Diagnostic::warning(code, first.key.span, message).help(help);
    if holds_tools(root) {
        let message = "this is a list of tools, not a schema: as a schema it allows any JSON value";
        return Some(warning(Code::ToolList, message, TOOLS));
    }
    if is_tool(root) && root.get("type").is_none() {
        let message = "this file describes one tool and is not a schema: as a schema it allows any JSON value";
        return Some(warning(Code::ToolList, message, TOOL));
    }
    let says = members.iter().any(speaks);
    let others = members.iter().any(|member| !is_annotation(&member.key.value) && !is_private(&member.key.value));
    if says || !others {
        return None;
    }
    // A misspelled keyword has a finding of its own.
    if members.iter().any(|member| misspelling::meant(&member.key.value, &member.value, draft).is_some()) {
        return None;
    }
    let message = "this has no keyword of JSON Schema, so any JSON value is allowed";
    let help = match members.iter().any(|member| matches!(member.key.value.as_str(), "openapi" | "swagger")) {
        true => {
            "this is an OpenAPI document: name one of its schemas or bodies with `-d Pet`, `-d getPet/200` or \
             `import Pet from \"api.json\"`; `\"$ref\": \"#/components/schemas/Pet\"` beside `openapi` means one for all"
        }
        false => {
            "write what is allowed, as in `{\"type\": \"object\", \"properties\": {\"name\": {\"type\": \"string\"}}}`; \
             `{}` or `true` allows any value"
        }
    };
    Some(warning(Code::NoKeywords, message, help))
}

/// Returns whether a key belongs to another vocabulary or is an author's own.
fn is_private(key: &str) -> bool {
    key.starts_with("x-")
        || key.starts_with("X-")
        || matches!(key, "example" | "nullable" | "discriminator" | "xml" | "externalDocs")
}

/// Returns whether a key is a keyword that constrains, holds schemas or names them.
fn speaks(member: &Member) -> bool {
    let key = member.key.value.as_str();
    let names = |key: &str| key.starts_with('$') || key == "id" && member.value.as_str().is_some();
    is_constraint(key) || is_old(key) || holds_schemas(key) || names(key) && !is_annotation(key)
}

/// Returns whether a value is a list of tools, an object with such a list as `tools`, or a response whose `result` is
/// such an object.
pub(super) fn holds_tools(value: &JsonValue) -> bool {
    let is_list =
        |value: &JsonValue| value.as_array().is_some_and(|items| !items.is_empty() && items.iter().all(is_tool));
    let inner = value.get("result").unwrap_or(value);
    is_list(value) || inner.get("tools").is_some_and(is_list)
}

/// Returns whether a value is a tool of OpenAI (`function`, or `parameters` beside the name), Anthropic
/// (`input_schema`) or MCP (`inputSchema`).
fn is_tool(value: &JsonValue) -> bool {
    let function = value.get("function").unwrap_or(value);
    let is_named = function.get("name").is_some_and(|name| name.as_str().is_some());
    let schema = ["parameters", "input_schema", "inputSchema"].iter().find_map(|key| function.get(key));
    is_named && schema.is_some_and(|schema| schema.as_object().is_some())
}
