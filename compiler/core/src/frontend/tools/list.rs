//! Finds the list of tools in a JSON text, if it has one.

use ogc_grammar::Span;
use ogc_grammar::json::JsonValue;

/// A list of tools.
pub(super) struct List<'a> {
    /// The entries, each with its JSON pointer.
    pub(super) entries: Vec<(&'a JsonValue, String)>,
    pub(super) span: Span,
    /// The cursor of the next page, if an MCP server has more tools than it lists here.
    pub(super) next_page: Option<Span>,
}

/// Keywords that show that an object with `tools` is a schema all the same.
const OF_SCHEMAS: [&str; 10] =
    ["$schema", "$ref", "$defs", "definitions", "properties", "allOf", "anyOf", "oneOf", "items", "enum"];

/// Returns the list of tools in a text. The list is an array of objects (never a schema), the array `tools` (of a
/// request or an MCP server) or `functions` of an object, Bedrock's `toolConfig`, or such an object as the `result` of
/// a JSON-RPC response. Gemini's `functionDeclarations` inside tools count as tools.
pub(super) fn find(value: &JsonValue) -> Option<List<'_>> {
    let is_object = |entry: &JsonValue| entry.as_object().is_some();
    if let Some(entries) = value.as_array().filter(|all| all.is_empty() || all.iter().any(is_object)) {
        return Some(List { entries: flat(entries, ""), span: value.span, next_page: None });
    }
    let of = |key, pointer| held(value, key, pointer);
    let result = value.get("result").filter(|_| !is_schema(value));
    let bedrock = || held(value.get("toolConfig").filter(|_| !is_schema(value))?, "tools", "/toolConfig/tools");
    of("tools", "/tools")
        .or_else(|| of("functions", "/functions"))
        .or_else(|| GEMINI.iter().find_map(|key| held(value, key, &format!("/{key}"))))
        .or_else(bedrock)
        .or_else(|| held(result?, "tools", "/result/tools"))
}

/// Names of the lists that Gemini nests inside tools.
const GEMINI: [&str; 2] = ["functionDeclarations", "function_declarations"];

/// Returns entries with their pointers; the entries of Gemini's nested lists replace the entries that hold them.
fn flat<'a>(entries: &'a [JsonValue], pointer: &str) -> Vec<(&'a JsonValue, String)> {
    let mut found = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        let inner = GEMINI.iter().find_map(|key| Some((key, entry.get(key)?.as_array()?)));
        match inner {
            Some((key, inner)) => {
                let place = |(inside, one)| (one, format!("{pointer}/{at}/{key}/{inside}"));
                found.extend(inner.iter().enumerate().map(place));
            }
            None => found.push((entry, format!("{pointer}/{at}"))),
        }
    }
    found
}

/// Returns the array under `key` in an object that is no schema.
fn held<'a>(object: &'a JsonValue, key: &str, pointer: &str) -> Option<List<'a>> {
    let array = object.get(key).filter(|_| !is_schema(object))?;
    let next_page = object.get("nextCursor").filter(|cursor| cursor.as_str().is_some_and(|text| !text.is_empty()));
    let entries = flat(array.as_array()?, pointer);
    Some(List { entries, span: array.span, next_page: next_page.map(|cursor| cursor.span) })
}

fn is_schema(value: &JsonValue) -> bool {
    OF_SCHEMAS.iter().any(|key| value.get(key).is_some())
}
