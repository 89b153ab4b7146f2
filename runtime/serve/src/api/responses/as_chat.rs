//! Requests for a response that another server answers: they become requests for a chat, which every server with OpenAI's interface supports.

use ogc_generate::SamplingNumber;
use serde_json::{Map, Value, json};

use super::{Echo, conversation, end};
use crate::api::chat::Conversation;
use crate::api::fields::Object;
use crate::api::messages::{Call, Message};
use crate::api::sampling::response_stream;
use crate::api::tools::Tools;
use crate::api::{ApiError, Passed, Shape, WantedFormat};
use crate::call_syntax::{ToolKind, joined_name};

/// Parameters that have the same name in a chat, beside the sampling parameters.
const SAME: [&str; 9] = [
    "model",
    "seed",
    "logit_bias",
    "parallel_tool_calls",
    "user",
    "service_tier",
    "safety_identifier",
    "prompt_cache_key",
    "prompt_cache_retention",
];

/// Returns the names of all parameters that are the same in a chat.
fn same() -> impl Iterator<Item = &'static str> {
    SAME.into_iter().chain(SamplingNumber::ALL.iter().map(|number| number.name))
}

/// Reads a request for a response, as a request for a chat.
pub(crate) fn read_passed_response(body: &[u8]) -> Result<(Passed, Echo), ApiError> {
    let mut fields = Object::of_body(body)?;
    let echo = Echo::of(&fields)?;
    let given = fields.values()?;
    let stream = response_stream(&mut fields)?;
    let conversation = conversation(&mut fields)?;
    let mut number = |name| fields.take(name).map(|field| field.number()).transpose();
    let is_greedy = number("temperature")? == Some(0.0) || number("top_k")? == Some(1.0);
    let most = fields.take("max_output_tokens").map(|field| field.whole(1, i64::MAX)).transpose()?;
    end(fields, &same().collect::<Vec<_>>())?;
    let body = body_of(&conversation, given, most);
    let Conversation { answer, tools, .. } = conversation;
    let wanted = (!answer.is_text()).then(|| WantedFormat { source: answer.source(), is_common: answer.is_common });
    let passed = Passed {
        shape: Shape::Chat,
        body,
        format: wanted,
        format_fields: answer.fields(),
        must_call: tools.as_ref().is_some_and(Tools::must_call),
        is_single: tools.as_ref().is_some_and(Tools::is_single),
        call_form: tools.as_ref().map(Tools::form).unwrap_or_default(),
        tools: tools.as_ref().map(Tools::arguments).unwrap_or_default(),
        choices: 1,
        stop: Vec::new(),
        is_greedy,
        stream_options: Map::new(),
        stream: stream.is_on,
        stream_usage: false,
        stream_events: false,
    };
    Ok((passed, echo))
}

/// Makes the body of a request for a chat.
fn body_of(conversation: &Conversation, mut given: Map<String, Value>, most: Option<i64>) -> Map<String, Value> {
    let mut body = Map::new();
    let mut insert = |name: &str, value: Option<Value>| {
        if let Some(value) = value.filter(|value| !value.is_null()) {
            body.insert(name.to_owned(), value);
        }
    };
    for name in same() {
        insert(name, given.remove(name));
    }
    insert("messages", Some(conversation.messages.iter().map(message).collect()));
    insert("max_tokens", most.map(|most| json!(most)));
    insert("tools", given.remove("tools").map(|tools| nested_list(&tools)));
    insert("tool_choice", given.remove("tool_choice").map(tool_choice));
    let text = given.remove("text").unwrap_or_default();
    insert("response_format", Some(text["format"].clone()).filter(|_| conversation.answer.is_common).map(format));
    insert("verbosity", text.get("verbosity").cloned());
    insert("reasoning_effort", given.get("reasoning").map(|reasoning| reasoning["effort"].clone()));
    if let Some(most) = conversation.probabilities {
        insert("logprobs", Some(json!(true)));
        insert("top_logprobs", Some(json!(most)));
    }
    body
}

fn message(message: &Message) -> Value {
    let mut written = json!({ "role": message.role.name(), "content": message.content });
    if !message.calls.is_empty() {
        if message.content.is_empty() {
            written["content"] = Value::Null;
        }
        written["tool_calls"] = message.calls.iter().map(call).collect();
    }
    if let Some(id) = &message.call_id {
        written["tool_call_id"] = json!(id);
    }
    written
}

fn call(call: &Call) -> Value {
    let Call { id, kind, name, input } = call;
    json!({ "id": id, "type": kind.name(), kind.name(): { "name": name, kind.field(): input } })
}

/// Moves the fields beside a type into a field with the type's name.
fn nested(mut flat: Value) -> Value {
    let Some(kind) = flat["type"].as_str().map(str::to_owned) else { return flat };
    if let Some(object) = flat.as_object_mut() {
        object.shift_remove("type");
    }
    json!({ "type": kind, kind: flat })
}

fn nested_list(tools: &Value) -> Value {
    tools.as_array().into_iter().flatten().flat_map(unfolded).map(tool_of_chat).collect()
}

/// Returns a tool, or the tools of a namespace under the names that the model sees.
fn unfolded(tool: &Value) -> Vec<Value> {
    let (Some(namespace), Some(inner)) = (tool["name"].as_str(), tool["tools"].as_array()) else {
        return vec![tool.clone()];
    };
    let named = |tool: &Value| {
        let mut tool = tool.clone();
        tool["name"] = json!(joined_name(namespace, tool["name"].as_str().unwrap_or_default()));
        tool
    };
    let mut tools: Vec<Value> = inner.iter().map(named).collect();
    if let (Some(said), Some(first)) = (tool["description"].as_str(), tools.first_mut()) {
        first["description"] = json!([said, "\n\n", first["description"].as_str().unwrap_or_default()].concat());
    }
    tools
}

/// Writes a tool in the form of chats. The grammar of a custom tool is nested, too.
fn tool_of_chat(mut tool: Value) -> Value {
    if tool["type"] == ToolKind::Custom.name() && tool["format"]["type"] == "grammar" {
        tool["format"] = nested(tool["format"].take());
    }
    nested(tool)
}

fn tool_choice(mut choice: Value) -> Value {
    if !choice.is_object() {
        return choice;
    }
    if choice["type"] == "allowed_tools" {
        choice["tools"] = nested_list(&choice["tools"]);
    }
    nested(choice)
}

/// Writes a format in the form that all servers read.
fn format(format: Value) -> Value {
    if format["type"] == "json_schema" { nested(format) } else { format }
}
