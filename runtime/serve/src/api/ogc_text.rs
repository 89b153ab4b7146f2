//! Parts of formats that are written in the ogc language for a request.

use serde_json::json;

/// Writes a text as a literal of the ogc language, which reads all escapes of JSON.
pub(super) fn quoted(text: &str) -> String {
    json!(text).to_string()
}
