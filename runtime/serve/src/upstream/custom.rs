//! Custom tools for a server that only knows functions: a tool becomes a function with one string, `input`. The choice of the tool and its calls in
//! the messages are rewritten, too. The input that the server then writes is decoded and verified.

use serde_json::{Map, Value, json};

use crate::call_syntax::{ToolKind, input_arguments, input_schema};

/// Rewrites the custom tools of a body as functions.
pub(super) fn as_functions(body: &mut Map<String, Value>) {
    for tool in body.get_mut("tools").and_then(Value::as_array_mut).into_iter().flatten() {
        renamed(tool, function);
    }
    if let Some(choice) = body.get_mut("tool_choice") {
        renamed(choice, |named| named);
        let allowed = choice.get_mut("allowed_tools").and_then(|allowed| allowed.get_mut("tools"));
        for tool in allowed.and_then(Value::as_array_mut).into_iter().flatten() {
            renamed(tool, |named| named);
        }
    }
    for message in body.get_mut("messages").and_then(Value::as_array_mut).into_iter().flatten() {
        for call in message.get_mut("tool_calls").and_then(Value::as_array_mut).into_iter().flatten() {
            renamed(call, called);
        }
    }
}

/// Rewrites an object of the type `custom` as one of the type `function`; `written` converts the fields of the type.
fn renamed(value: &mut Value, written: fn(Value) -> Value) {
    let (custom, function) = (ToolKind::Custom.name(), ToolKind::Function.name());
    let Some(object) = value.as_object_mut().filter(|object| object.get("type").is_some_and(|kind| kind == custom))
    else {
        return;
    };
    let inner = object.shift_remove(custom).unwrap_or_default();
    object.insert("type".to_owned(), json!(function));
    object.insert(function.to_owned(), written(inner));
}

/// Describes a custom tool as a function.
fn function(tool: Value) -> Value {
    let grammar = &tool["format"]["grammar"];
    let definition = grammar["definition"].as_str();
    let what = if grammar["syntax"] == "regex" { "regular expression" } else { "Lark grammar" };
    json!({
        "name": tool["name"],
        "description": tool["description"],
        "parameters": input_schema(definition.map(|definition| (what, definition))),
    })
}

/// Rewrites a call of a custom tool as a call of a function.
fn called(call: Value) -> Value {
    let input = call["input"].as_str().unwrap_or_default();
    json!({ "name": call["name"], "arguments": input_arguments(input) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn custom_tools_are_sent_upstream_as_functions() {
        let grammar = json!({ "type": "grammar", "grammar": { "syntax": "regex", "definition": "a+" } });
        let Value::Object(mut body) = json!({
            "tools": [
                { "type": "custom", "custom": { "name": "p", "description": "d", "format": grammar } },
                { "type": "custom", "custom": { "name": "q" } },
                { "type": "function", "function": { "name": "f" } },
            ],
            "tool_choice": { "type": "allowed_tools", "allowed_tools": { "mode": "auto", "tools": [
                { "type": "custom", "custom": { "name": "p" } }, { "type": "function", "function": { "name": "f" } } ] } },
            "messages": [
                { "role": "user", "content": "x" },
                { "role": "assistant", "tool_calls": [
                    { "id": "1", "type": "custom", "custom": { "name": "p", "input": "\"\n" } },
                    { "id": "2", "type": "function", "function": { "name": "f", "arguments": "{}" } },
                ] },
            ],
        }) else {
            panic!("an object")
        };
        as_functions(&mut body);
        assert!(!json!(body).to_string().contains("custom"), "{body:?}");
        let told = &body["tools"][0]["function"];
        assert_eq!((&told["name"], &told["description"]), (&json!("p"), &json!("d")));
        let input = &told["parameters"]["properties"]["input"];
        assert_eq!(input["description"], "A text of this regular expression:\na+");
        assert_eq!(body["tools"][1]["function"]["parameters"]["properties"]["input"], json!({ "type": "string" }));
        let call = &body["messages"][1]["tool_calls"][0];
        assert_eq!(call["function"], json!({ "name": "p", "arguments": "{\"input\": \"\\\"\\n\"}" }));
        assert_eq!(body["tool_choice"]["allowed_tools"]["tools"][0]["function"]["name"], "p");
        let Value::Object(mut named) = json!({ "tool_choice": { "type": "custom", "custom": { "name": "p" } } }) else {
            panic!("an object")
        };
        as_functions(&mut named);
        assert_eq!(named["tool_choice"], json!({ "type": "function", "function": { "name": "p" } }));
        for plain in [json!({ "tool_choice": "auto" }), json!({ "messages": "x", "tools": null })] {
            let Value::Object(mut body) = plain.clone() else { panic!("an object") };
            as_functions(&mut body);
            assert_eq!(Value::Object(body), plain);
        }
    }
}
