//! Records and their members.

use super::{Attribute, Expr};
use crate::ogc::ast::{Doc, Name};
use crate::span::Span;

/// `{ ... }`: closed unless a member opens it, in the order written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Record {
    /// In source order; names may repeat.
    pub members: Vec<Member>,
}

/// A member of a record: the part between two commas.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Member {
    /// The doc comments before it.
    pub docs: Vec<Doc>,
    /// The attributes before it.
    pub attributes: Vec<Attribute>,
    /// The kind, with its parts.
    pub kind: MemberKind,
    /// From the first attribute to the end, without doc comments and the comma.
    pub span: Span,
}

/// The kinds of members.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MemberKind {
    /// Something that could not be read, and was reported.
    Error,
    /// `name: T` or `name?: T`
    Field(Field),
    /// `[K]: V`: every other key in `K` has a value in `V`.
    Pattern {
        /// The keys.
        key: Expr,
        /// Their values.
        value: Expr,
    },
    /// `...Base`: the members of another record.
    Spread(Expr),
    /// `...`: any other key, with any value.
    Open,
}

/// A declared key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// The key.
    pub name: Name,
    /// Whether the key may be absent (`name?:`).
    pub optional: bool,
    /// The value.
    pub value: Expr,
}
