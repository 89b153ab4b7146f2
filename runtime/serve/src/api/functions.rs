//! `functions` and `function_call`, the predecessors of `tools` in OpenAI's interface: a text has one call at most.

use serde_json::{Map, Value, json};

use super::ApiError;
use super::fields::{Field, Object};
use super::tool::{MAX_TOOLS, Tool, read_function, unique};
use super::tool_choice::{NamedTool, ToolChoice, ToolMode};
use crate::call_syntax::ToolKind;

/// Takes the functions of a request as tools, with the choice among them; `None` if there are no functions.
pub(super) fn read(body: &mut Object<'_>) -> Result<Option<(Vec<Tool>, ToolChoice)>, ApiError> {
    let (functions, choice) = (body.take("functions"), body.take("function_call"));
    let Some(functions) = functions else {
        let without = |choice: Field<'_>| Err(choice.refused("there are no `functions`: remove it"));
        return choice.map_or(Ok(None), without);
    };
    for name in ["tools", "tool_choice", "parallel_tool_calls"] {
        if body.take(name).is_some() {
            let message = format!(
                "`functions` and `{name}` are of two versions of the interface: use `tools`, and remove `functions`"
            );
            return Err(ApiError::invalid(Some(name), message));
        }
    }
    let items = functions.list()?;
    let (limit, _) = MAX_TOOLS;
    if items.is_empty() || items.len() > limit {
        return Err(functions.refused(&format!("there are {} functions; it takes 1 to {limit}", items.len())));
    }
    let tools = unique(&items, |item| Ok(vec![read_function(item.object()?)?]))?;
    Ok(Some((tools, choice.as_ref().map_or(Ok(ToolChoice::AUTO), read_choice)?)))
}

/// Reads `function_call`.
fn read_choice(field: &Field<'_>) -> Result<ToolChoice, ApiError> {
    if !field.is_object() {
        let modes = [("none", ToolMode::None), ("auto", ToolMode::Auto)];
        return Ok(ToolChoice { mode: field.one_of(&modes)?, allowed: None });
    }
    let mut object = field.object()?;
    let name = object.need("name", "the name of a function")?;
    object.end()?;
    let named = NamedTool { kind: ToolKind::Function, name: name.text()?, path: name.path().to_owned() };
    Ok(ToolChoice { mode: ToolMode::Required, allowed: Some(vec![named]) })
}

/// Rewrites the body of a request from `functions` to `tools`, for servers that no longer know the old form; rewrites calls and their answers in the
/// messages, too. The fields were checked before.
pub(super) fn as_tools(body: &mut Map<String, Value>) {
    let named = |kind: &str, value: Value| json!({ "type": "function", kind: value });
    if let Some(Value::Array(functions)) = body.shift_remove("functions") {
        let tools = functions.into_iter().map(|function| named("function", function));
        body.insert("tools".to_owned(), tools.collect());
        body.insert("parallel_tool_calls".to_owned(), json!(false));
    }
    match body.shift_remove("function_call") {
        Some(choice @ Value::Object(_)) => drop(body.insert("tool_choice".to_owned(), named("function", choice))),
        Some(choice @ Value::String(_)) => drop(body.insert("tool_choice".to_owned(), choice)),
        _ => {}
    }
    let messages = body.get_mut("messages").and_then(Value::as_array_mut);
    for (at, message) in messages.into_iter().flatten().filter_map(Value::as_object_mut).enumerate() {
        if let Some(call @ Value::Object(_)) = message.shift_remove("function_call") {
            let call = json!({ "id": format!("call_{at}"), "type": "function", "function": call });
            message.insert("tool_calls".to_owned(), json!([call]));
        }
        if message.get("role").is_some_and(|role| role == "function") {
            message.insert("role".to_owned(), json!("tool"));
            // The answer follows the message with the call.
            message.insert("tool_call_id".to_owned(), json!(format!("call_{}", at.saturating_sub(1))));
        }
    }
}
