//! Records and their members.

use super::{Attribute, Expr};
use crate::ogc::ast::{Doc, Name};
use crate::span::Span;

/// `{ ... }`: closed unless a member opens it; the keys come in the order written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Record {
    /// Members in source order; names may repeat.
    pub members: Vec<Member>,
}

/// A member of a record: the part between two commas.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Member {
    /// Doc comments before the member.
    pub docs: Vec<Doc>,
    /// Attributes before the member.
    pub attributes: Vec<Attribute>,
    /// Kind of the member, with its parts.
    pub kind: MemberKind,
    /// Span from the first attribute to the end, without doc comments and the comma.
    pub span: Span,
}

/// The kinds of members.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MemberKind {
    /// A text that could not be read; the error was reported.
    Error,
    /// `name: T` or `name?: T`
    Field(Field),
    /// `[K]: V`: every other key in `K` has a value in `V`.
    Pattern {
        /// Set of the keys.
        key: Expr,
        /// Set of the values of these keys.
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
