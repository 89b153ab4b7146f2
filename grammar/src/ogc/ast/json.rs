//! JSON values in test cases: `accept { "op": "num", value: 3 }`.

use super::name::Name;
use crate::span::Span;

/// A JSON value and where it is written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Json {
    /// The value.
    pub kind: JsonKind,
    /// Span from the first byte to the last.
    pub span: Span,
}

/// The kinds of JSON values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum JsonKind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number exactly as written, with its sign.
    Number(String),
    /// A string, escapes resolved.
    String(String),
    /// `[ ... ]`
    Array(Vec<Json>),
    /// `{ ... }`, in source order; keys may repeat.
    Object(Vec<JsonMember>),
}

/// A key and its value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct JsonMember {
    /// The key; quotes are optional around a word.
    pub name: Name,
    /// The value.
    pub value: Json,
}
