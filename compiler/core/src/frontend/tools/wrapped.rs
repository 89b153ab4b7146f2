//! Finds the schema in a request to a model, or in the part of a request that asks for an output format.
//!
//! | | |
//! |---|---|
//! | OpenAI, chat | `response_format` with `{"type": "json_schema", "json_schema": {"name", "schema"}}` |
//! | OpenAI, responses | `text.format` with `{"type": "json_schema", "name", "schema"}` |
//! | Anthropic | `output_format`, or `output_config.format`, with `{"type": "json_schema", "schema"}` |
//! | Gemini | `generationConfig.responseJsonSchema` or `responseSchema` |
//! | Ollama, vLLM | `format`, `guided_json`, `structured_outputs.json` |

use ogc_grammar::json::JsonValue;
use ogc_grammar::{Code, Diagnostic, Span};

/// Paths in a request to the part that asks for a format.
const PARTS: [&[&str]; 6] =
    [&[], &["response_format"], &["text", "format"], &["output_format"], &["output_config", "format"], &["format"]];

/// Paths in a request to a bare schema.
const SCHEMAS: [&[&str]; 7] = [
    &["generationConfig", "responseJsonSchema"],
    &["generationConfig", "responseSchema"],
    &["generation_config", "response_json_schema"],
    &["generation_config", "response_schema"],
    &["guided_json"],
    &["structured_outputs", "json"],
    &["format"],
];

/// Members that only requests have.
const OF_REQUESTS: [&str; 6] = ["model", "messages", "input", "contents", "prompt", "max_tokens"];

/// Returns the schema in a request and its JSON pointer; `None` if the text is no request.
pub(super) fn find(value: &JsonValue) -> Option<(&JsonValue, String)> {
    let at = |path: &[&str]| path.iter().try_fold(value, |at, key| at.get(key));
    let asked = PARTS.iter().find_map(|path| {
        let (schema, rest) = schema_of(at(path)?)?;
        Some((schema, format!("{}{rest}", pointer(path))))
    });
    let is_request = OF_REQUESTS.iter().any(|key| value.get(key).is_some()) && value.get("properties").is_none();
    let plain = || {
        let found = SCHEMAS.iter().filter(|path| is_request || path.len() > 1);
        found.filter_map(|path| Some((at(path).filter(|schema| schema.as_object().is_some())?, pointer(path)))).next()
    };
    asked.or_else(plain)
}

/// Returns the schema in `{"type": "json_schema", ...}`.
fn schema_of(part: &JsonValue) -> Option<(&JsonValue, &'static str)> {
    if part.get("type").and_then(JsonValue::as_str) != Some("json_schema") {
        return None;
    }
    let inner =
        part.get("json_schema").and_then(|inner| inner.get("schema")).map(|schema| (schema, "/json_schema/schema"));
    inner.or_else(|| part.get("schema").map(|schema| (schema, "/schema")))
}

fn pointer(path: &[&str]) -> String {
    path.iter().map(|key| format!("/{key}")).collect()
}

/// Makes a note about which part of the text is read.
pub(super) fn note(schema: &JsonValue, pointer: &str) -> Diagnostic {
    let brace = Span::new(schema.span.start, (schema.span.start + 1).min(schema.span.end));
    Diagnostic::note(
        Code::WrappedSchema,
        brace,
        format!("this file is a request, and the schema at `{pointer}` of it is read"),
    )
}
