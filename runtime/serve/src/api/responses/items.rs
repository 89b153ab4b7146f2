//! The items of `input` as messages of a chat: the call of a tool becomes a part of the message before it.

use crate::api::ApiError;
use crate::api::fields::{Field, Object};
use crate::api::messages::{Call, Message, Role};
use crate::call_syntax::{ToolKind, joined_name};

/// The types of items.
#[derive(Clone, Copy)]
enum ItemKind {
    Message,
    Call(ToolKind),
    Output,
    Reasoning,
    Reference,
}

const KINDS: [(&str, ItemKind); 7] = [
    ("message", ItemKind::Message),
    ("function_call", ItemKind::Call(ToolKind::Function)),
    ("function_call_output", ItemKind::Output),
    ("custom_tool_call", ItemKind::Call(ToolKind::Custom)),
    ("custom_tool_call_output", ItemKind::Output),
    ("reasoning", ItemKind::Reasoning),
    ("item_reference", ItemKind::Reference),
];

const ROLES: [(&str, Role); 4] =
    [("user", Role::User), ("assistant", Role::Assistant), ("system", Role::System), ("developer", Role::Developer)];

/// Types of text parts, each with the field that has the text.
const PARTS: [(&str, &str); 4] =
    [("input_text", "text"), ("output_text", "text"), ("text", "text"), ("refusal", "refusal")];

/// Reads `input`, which must have at least one message.
pub(super) fn read_input(field: &Field<'_>) -> Result<Vec<Message>, ApiError> {
    if field.is_text() {
        return Ok(vec![Message::of(Role::User, field.text()?)]);
    }
    if !field.is_list() {
        return Err(field.wrong("a string, or an array of items"));
    }
    let mut messages = Vec::new();
    for item in field.list()? {
        read_item(&item, &mut messages)?;
    }
    if messages.is_empty() {
        return Err(field.refused("there are no messages"));
    }
    Ok(messages)
}

/// Reads an item; an item without a type is a message.
fn read_item(item: &Field<'_>, messages: &mut Vec<Message>) -> Result<(), ApiError> {
    let mut object = item.object()?;
    let kind = object.take("type").map_or(Ok(ItemKind::Message), |field| field.one_of(&KINDS))?;
    match kind {
        ItemKind::Message => messages.push(message(object)?),
        ItemKind::Call(kind) => {
            let call = call(kind, object)?;
            match messages.last_mut().filter(|last| last.role == Role::Assistant) {
                Some(last) => last.calls.push(call),
                None => messages.push(Message { calls: vec![call], ..Message::of(Role::Assistant, String::new()) }),
            }
        }
        ItemKind::Output => messages.push(output(object)?),
        // Templates have no place for it, and only the server that encrypted it could read it.
        ItemKind::Reasoning => {}
        ItemKind::Reference => return Err(item.refused("items are not kept here: send the item itself")),
    }
    Ok(())
}

fn message(mut object: Object<'_>) -> Result<Message, ApiError> {
    let role = object.need("role", "the name of a role")?.one_of(&ROLES)?;
    let content = content(&object.need("content", "a string, or an array of parts")?)?;
    ignore(&mut object, &["id", "status", "phase"])?;
    object.end()?;
    Ok(Message::of(role, content))
}

fn call(kind: ToolKind, mut object: Object<'_>) -> Result<Call, ApiError> {
    let name = object.need("name", "a string")?.text()?;
    let namespace = object.take("namespace").map(|field| field.text()).transpose()?;
    let name = namespace.map_or(name.clone(), |namespace| joined_name(&namespace, &name));
    let input = object.need(kind.field(), "a string")?.text()?;
    let id = object.need("call_id", "a string")?.text()?;
    ignore(&mut object, &["id", "status"])?;
    object.end()?;
    Ok(Call { id: Some(id), kind, name, input })
}

fn output(mut object: Object<'_>) -> Result<Message, ApiError> {
    let content = content(&object.need("output", "a string, or an array of parts")?)?;
    let id = object.need("call_id", "a string")?.text()?;
    ignore(&mut object, &["id", "status", "name", "namespace"])?;
    object.end()?;
    Ok(Message { call_id: Some(id), ..Message::of(Role::Tool, content) })
}

/// Takes string fields that do not matter to a model.
fn ignore(object: &mut Object<'_>, names: &[&'static str]) -> Result<(), ApiError> {
    for name in names {
        object.take(name).map(|field| field.text()).transpose()?;
    }
    Ok(())
}

/// Reads a text, given as a string or in parts.
fn content(field: &Field<'_>) -> Result<String, ApiError> {
    if field.is_text() {
        return field.text();
    }
    if !field.is_list() {
        return Err(field.wrong("a string, or an array of parts"));
    }
    field.list()?.iter().map(part).collect()
}

fn part(field: &Field<'_>) -> Result<String, ApiError> {
    let mut object = field.object()?;
    let name = object.need("type", "`input_text` or `output_text`")?.one_of(&PARTS)?;
    let text = object.need(name, "a string")?.text()?;
    // Fields that an earlier text had beside it.
    for name in ["annotations", "logprobs"] {
        object.take(name).map(|field| field.list()).transpose()?;
    }
    object.end()?;
    Ok(text)
}
