//! Fields of a request that the answer repeats.

use std::collections::BTreeMap;

use always_assert::never;
use serde_json::{Map, Value, json};

use crate::api::ApiError;
use crate::api::fields::Object;
use crate::call_syntax::joined_name;

/// Fields of a request that the answer repeats.
#[derive(Clone, Debug)]
pub(crate) struct Echo {
    /// The fields of the response, in their order.
    pub(crate) fields: Map<String, Value>,
    /// Namespaces of the tools that are in one.
    pub(crate) namespaces: Namespaces,
}

/// For each tool name that the model sees, its namespace and its name in the request.
pub(crate) type Namespaces = BTreeMap<String, (String, String)>;

/// Returns the repeated fields, with their default values.
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
        // These do not depend on the request.
        "background": false,
        "previous_response_id": null,
        "service_tier": "default",
        "store": false,
    })
}

/// Fields whose value in the answer does not depend on the request.
const FIXED: [&str; 4] = ["background", "previous_response_id", "service_tier", "store"];

impl Echo {
    /// Takes the repeated fields of a request.
    pub(super) fn of(body: &Object<'_>) -> Result<Self, ApiError> {
        let mut given = body.values()?;
        let Value::Object(mut fields) = defaults() else {
            never!("the fields that are repeated are no object");
            return Err(ApiError::defect("no fields are repeated"));
        };
        for (name, value) in &mut fields {
            let given = given.remove(name).filter(|given| !given.is_null() && !FIXED.contains(&name.as_str()));
            if let Some(given) = given {
                *value = given;
            }
        }
        if let Some(Value::Object(text)) = fields.get_mut("text") {
            text.entry("format").or_insert_with(|| json!({ "type": "text" }));
        }
        let mut namespaces = Namespaces::new();
        for tool in fields.get_mut("tools").and_then(Value::as_array_mut).into_iter().flatten() {
            complete_tool(tool);
            if let (Some(namespace), Some(inner)) = (tool["name"].as_str(), tool["tools"].as_array()) {
                for name in inner.iter().filter_map(|tool| tool["name"].as_str()) {
                    namespaces.insert(joined_name(namespace, name), (namespace.to_owned(), name.to_owned()));
                }
            }
        }
        Ok(Self { fields, namespaces })
    }
}

/// Adds the fields that each tool has in a response. `strict` is true, because arguments always match the schema.
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
