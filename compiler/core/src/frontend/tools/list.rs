//! Finds the list of tools in a JSON text, if it has one.

use ogc_grammar::Span;
use ogc_grammar::json::JsonValue;

/// A list of tools.
pub(super) struct List<'a> {
    pub(super) entries: &'a [JsonValue],
    pub(super) span: Span,
    /// The JSON pointer of the list.
    pub(super) pointer: &'static str,
    /// The cursor of the next page, if an MCP server has more tools than it lists here.
    pub(super) next_page: Option<Span>,
}

/// The keywords that make an object with `tools` in it a schema all the same.
const OF_SCHEMAS: [&str; 10] =
    ["$schema", "$ref", "$defs", "definitions", "properties", "allOf", "anyOf", "oneOf", "items", "enum"];

/// Returns the list of tools in a text: an array of objects, which is never a schema; an object with the array `tools`
/// (a request, or the list of an MCP server) or `functions`; or an answer of JSON-RPC with such an object as its
/// `result`.
pub(super) fn find(value: &JsonValue) -> Option<List<'_>> {
    let is_object = |entry: &JsonValue| entry.as_object().is_some();
    if let Some(entries) = value.as_array().filter(|all| all.is_empty() || all.iter().any(is_object)) {
        return Some(List { entries, span: value.span, pointer: "", next_page: None });
    }
    let of = |key, pointer| held(value, key, pointer);
    let result = value.get("result").filter(|_| !is_schema(value));
    of("tools", "/tools").or_else(|| of("functions", "/functions")).or_else(|| held(result?, "tools", "/result/tools"))
}

/// Returns the array of that name in an object that is no schema.
fn held<'a>(object: &'a JsonValue, key: &str, pointer: &'static str) -> Option<List<'a>> {
    let array = object.get(key).filter(|_| !is_schema(object))?;
    let next_page = object.get("nextCursor").filter(|cursor| cursor.as_str().is_some_and(|text| !text.is_empty()));
    Some(List { entries: array.as_array()?, span: array.span, pointer, next_page: next_page.map(|cursor| cursor.span) })
}

fn is_schema(value: &JsonValue) -> bool {
    OF_SCHEMAS.iter().any(|key| value.get(key).is_some())
}
