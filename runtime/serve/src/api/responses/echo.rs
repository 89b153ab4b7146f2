//! What an answer repeats of its request.

use serde_json::{Map, Value, json};

use crate::api::ApiError;
use crate::api::fields::Object;

/// The fields of a response that repeat the request, in their order.
#[derive(Clone, Debug)]
pub(crate) struct Echo(pub(crate) Map<String, Value>);

/// Returns the fields that an answer repeats, with their values where the request has none.
fn defaults() -> Value {
    json!({
        "instructions": null,
        "max_output_tokens": null,
        "max_tool_calls": null,
        "metadata": {},
        "parallel_tool_calls": true,
        "prompt_cache_key": null,
        "reasoning": { "effort": null, "summary": null },
        "safety_identifier": null,
        "temperature": 1.0,
        "text": { "format": { "type": "text" } },
        "tool_choice": "auto",
        "tools": [],
        "top_logprobs": 0,
        "top_p": 1.0,
        "truncation": "disabled",
        "user": null,
        // Whatever the request says.
        "background": false,
        "previous_response_id": null,
        "service_tier": "default",
        "store": false,
    })
}

/// The fields of which the answer says what holds, whatever the request says.
const FIXED: [&str; 4] = ["background", "previous_response_id", "service_tier", "store"];

impl Echo {
    /// Takes what is repeated of a request.
    pub(super) fn of(body: &Object<'_>) -> Result<Self, ApiError> {
        let mut given = body.values()?;
        let Value::Object(mut fields) = defaults() else { return Ok(Self(Map::new())) };
        for (name, value) in &mut fields {
            let given = given.remove(name).filter(|given| !given.is_null() && !FIXED.contains(&name.as_str()));
            if let Some(given) = given {
                *value = given;
            }
        }
        if let Some(Value::Object(text)) = fields.get_mut("text") {
            text.entry("format").or_insert_with(|| json!({ "type": "text" }));
        }
        for tool in fields.get_mut("tools").and_then(Value::as_array_mut).into_iter().flatten() {
            complete_tool(tool);
        }
        Ok(Self(fields))
    }
}

/// Adds the fields of a tool that each has in a response. The arguments are of the schema in any case, which `strict` asks for.
fn complete_tool(tool: &mut Value) {
    let added = match tool["type"].as_str() {
        Some("function") => json!({ "description": null, "parameters": null, "strict": true }),
        Some("custom") => json!({ "format": { "type": "text" } }),
        _ => return,
    };
    if let (Value::Object(tool), Value::Object(added)) = (tool, added) {
        for (name, value) in added {
            tool.entry(name).or_insert(value);
        }
    }
}
