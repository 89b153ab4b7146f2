//! The messages of a chat.

use super::ApiError;
use super::fields::{Field, Object};

/// A message: its text, and the calls that stand in it.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) role: Role,
    pub(super) content: String,
    /// The names and arguments of calls.
    pub(super) calls: Vec<(String, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    System,
    Developer,
    User,
    Assistant,
    Tool,
}

const ROLES: [(&str, Role); 6] = [
    ("system", Role::System),
    ("developer", Role::Developer),
    ("user", Role::User),
    ("assistant", Role::Assistant),
    ("tool", Role::Tool),
    // The role of answers to calls of `functions`.
    ("function", Role::Tool),
];

/// Reads the messages of a chat, of which there is at least one.
pub(super) fn read_messages(field: &Field<'_>) -> Result<Vec<Message>, ApiError> {
    let messages: Vec<Message> = field.list()?.iter().map(message).collect::<Result<_, _>>()?;
    if messages.is_empty() {
        return Err(field.refused("there are no messages"));
    }
    Ok(messages)
}

fn message(field: &Field<'_>) -> Result<Message, ApiError> {
    let mut object = field.object()?;
    let role = object.need("role", "the name of a role")?.one_of(&ROLES)?;
    let content = object.take("content").map(|field| content(&field)).transpose()?;
    let calls = object.take("tool_calls").map(|field| field.list()).transpose()?.unwrap_or_default();
    let mut calls: Vec<(String, String)> = calls.iter().map(call).collect::<Result<_, _>>()?;
    if let Some(field) = object.take("function_call") {
        calls.push(function_call(field.object()?)?);
    }
    // Templates have no place for these; answers of this interface have a refusal, which is null here.
    for name in ["name", "tool_call_id", "refusal"] {
        object.take(name).map(|field| field.text()).transpose()?;
    }
    object.end()?;
    if content.is_none() && calls.is_empty() {
        return Err(field.refused("it has no `content`"));
    }
    Ok(Message { role, content: content.unwrap_or_default(), calls })
}

/// Reads a text, or parts of one.
fn content(field: &Field<'_>) -> Result<String, ApiError> {
    if field.is_text() {
        return field.text();
    }
    if !field.is_list() {
        return Err(field.wrong("a string, or an array of parts of the type `text`"));
    }
    let part = |part: &Field<'_>| {
        let mut object = part.object()?;
        object.need("type", "`text`")?.one_of(&[("text", ())])?;
        let text = object.need("text", "a string")?.text()?;
        object.end()?;
        Ok(text)
    };
    field.list()?.iter().map(part).collect()
}

/// Reads a call in a message that was written before.
fn call(field: &Field<'_>) -> Result<(String, String), ApiError> {
    let mut object = field.object()?;
    object.take("type").map(|kind| kind.one_of(&[("function", ())])).transpose()?;
    object.take("id").map(|id| id.text()).transpose()?;
    object.take("index").map(|index| index.whole(0, i64::MAX)).transpose()?;
    let called = function_call(object.need("function", "an object with `name` and `arguments`")?.object()?)?;
    object.end()?;
    Ok(called)
}

/// Reads the name and the arguments of a call.
fn function_call(mut function: Object<'_>) -> Result<(String, String), ApiError> {
    let name = function.need("name", "a string")?.text()?;
    let arguments = function.need("arguments", "a string with JSON")?.text()?;
    function.end()?;
    Ok((name, arguments))
}
