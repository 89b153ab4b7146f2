//! The tree of a JSON text.

use crate::span::{Span, Spanned};

/// A JSON value and where it is written.
///
/// Dropping takes no stack in proportion to the depth. Cloning, comparing and printing for debugging recurse; the
/// reader's depth limit, never above [`super::Limits::DEPTH_CEILING`], bounds them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonValue {
    /// Span from the value's first byte to its last.
    pub span: Span,
    /// Kind of the value, with its content.
    pub kind: JsonKind,
}

/// The kinds of JSON values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JsonKind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as its literal text.
    Number(String),
    /// A string, its escapes resolved.
    String(String),
    /// An array.
    Array(Vec<JsonValue>),
    /// An object; members in source order. Repeated keys, which the reader reports as errors, are all kept.
    Object(Vec<Member>),
}

/// A member of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The key, its escapes resolved; the span includes the quotes.
    pub key: Spanned<String>,
    /// The value.
    pub value: JsonValue,
}

impl JsonValue {
    /// Returns the value of the first member called `key`; `None` if there is none, or this is not an object.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&JsonValue> {
        self.member(key).map(|m| &m.value)
    }

    /// Returns the first member called `key`; `None` if there is none, or this is not an object.
    #[must_use]
    pub fn member(&self, key: &str) -> Option<&Member> {
        self.as_object()?.iter().find(|m| m.key.value == key)
    }

    /// Returns the text of a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        if let JsonKind::String(text) = &self.kind { Some(text) } else { None }
    }

    /// Returns the literal of a number.
    #[must_use]
    pub fn as_number(&self) -> Option<&str> {
        if let JsonKind::Number(literal) = &self.kind { Some(literal) } else { None }
    }

    /// Returns the value of a boolean.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        if let JsonKind::Bool(truth) = self.kind { Some(truth) } else { None }
    }

    /// Returns the items of an array.
    #[must_use]
    pub fn as_array(&self) -> Option<&[JsonValue]> {
        if let JsonKind::Array(items) = &self.kind { Some(items) } else { None }
    }

    /// Returns the members of an object, in source order.
    #[must_use]
    pub fn as_object(&self) -> Option<&[Member]> {
        if let JsonKind::Object(members) = &self.kind { Some(members) } else { None }
    }

    /// Returns whether this is `null`.
    #[must_use]
    pub fn is_null(&self) -> bool {
        self.kind == JsonKind::Null
    }

    /// Takes the kind out of the value. `value.kind` cannot be moved, because values implement `Drop`.
    #[must_use]
    pub fn into_kind(mut self) -> JsonKind {
        std::mem::replace(&mut self.kind, JsonKind::Null)
    }

    /// Returns the JSON Schema name of the kind: `null`, `boolean`, `number`, `string`, `array`, `object`.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match self.kind {
            JsonKind::Null => "null",
            JsonKind::Bool(_) => "boolean",
            JsonKind::Number(_) => "number",
            JsonKind::String(_) => "string",
            JsonKind::Array(_) => "array",
            JsonKind::Object(_) => "object",
        }
    }

    fn has_children(&self) -> bool {
        match &self.kind {
            JsonKind::Array(items) => !items.is_empty(),
            JsonKind::Object(members) => !members.is_empty(),
            JsonKind::Null | JsonKind::Bool(_) | JsonKind::Number(_) | JsonKind::String(_) => false,
        }
    }

    /// Moves the children that have children themselves to `heap`.
    fn shed(&mut self, heap: &mut Vec<JsonValue>) {
        let keep = |value: &mut JsonValue| {
            let hollow = JsonValue { span: value.span, kind: JsonKind::Null };
            if value.has_children() { Some(std::mem::replace(value, hollow)) } else { None }
        };
        match &mut self.kind {
            JsonKind::Array(items) => heap.extend(items.iter_mut().filter_map(keep)),
            JsonKind::Object(members) => heap.extend(members.iter_mut().map(|m| &mut m.value).filter_map(keep)),
            JsonKind::Null | JsonKind::Bool(_) | JsonKind::Number(_) | JsonKind::String(_) => {}
        }
    }
}

impl Drop for JsonValue {
    /// Takes deep values apart on the heap, so that no input can exhaust the stack.
    fn drop(&mut self) {
        if !self.has_children() {
            return;
        }
        let mut heap = Vec::new();
        self.shed(&mut heap);
        while let Some(mut value) = heap.pop() {
            value.shed(&mut heap);
        }
    }
}
