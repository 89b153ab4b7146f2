//! The messages of a chat.

use super::ApiError;
use super::fields::{Field, Object};
use super::tool::{Nesting, typed};
use crate::call_syntax::{ToolKind, input_arguments};

/// A message: its text, and its calls.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) role: Role,
    pub(super) content: String,
    pub(super) calls: Vec<Call>,
    /// Identifier of the call that the message answers.
    pub(super) call_id: Option<String>,
}

/// A call in an earlier message.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) id: Option<String>,
    pub(super) kind: ToolKind,
    pub(super) name: String,
    /// Arguments or input of the call.
    pub(super) input: String,
}

impl Call {
    /// Returns the arguments as the model writes them.
    pub(super) fn arguments(&self) -> String {
        match self.kind {
            ToolKind::Function => self.input.clone(),
            ToolKind::Custom => input_arguments(&self.input),
        }
    }
}

impl Message {
    /// Makes a message without calls.
    pub(super) fn of(role: Role, content: String) -> Self {
        Self { role, content, calls: Vec::new(), call_id: None }
    }
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

impl Role {
    /// Returns its name in requests.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Developer => "developer",
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Tool => "tool",
        }
    }
}

/// Reads the messages of a chat; there must be at least one.
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
    let mut calls: Vec<Call> = calls.iter().map(call).collect::<Result<_, _>>()?;
    if let Some(field) = object.take("function_call") {
        calls.push(called(None, ToolKind::Function, field.object()?)?);
    }
    let call_id = object.take("tool_call_id").map(|field| field.text()).transpose()?;
    // Templates have no place for these fields; answers of this server have a `refusal`, which is null.
    for name in ["name", "refusal"] {
        object.take(name).map(|field| field.text()).transpose()?;
    }
    object.end()?;
    if content.is_none() && calls.is_empty() {
        return Err(field.refused("it has no `content`"));
    }
    Ok(Message { role, content: content.unwrap_or_default(), calls, call_id })
}

/// Reads a text, given as a string or in parts.
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

/// Reads a call in an earlier message. A call without a type is one of a function.
fn call(field: &Field<'_>) -> Result<Call, ApiError> {
    let mut object = field.object()?;
    let id = object.take("id").map(|id| id.text()).transpose()?;
    object.take("index").map(|index| index.whole(0, i64::MAX)).transpose()?;
    let (kind, inner) = if object.has("type") {
        typed(object, Nesting::Inner)?
    } else {
        let kind = ToolKind::Function;
        (kind, Nesting::Inner.open(object, kind.name(), "an object with `name` and `arguments`")?)
    };
    called(id, kind, inner)
}

/// Reads the name of a called tool, and its arguments or input.
fn called(id: Option<String>, kind: ToolKind, mut object: Object<'_>) -> Result<Call, ApiError> {
    let takes = match kind {
        ToolKind::Function => "a string with JSON",
        ToolKind::Custom => "a string",
    };
    let name = object.need("name", "a string")?.text()?;
    let input = object.need(kind.field(), takes)?.text()?;
    object.end()?;
    Ok(Call { id, kind, name, input })
}
