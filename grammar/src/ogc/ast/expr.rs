//! Expressions: sets of JSON values in a type, sets of texts in a rule or output. One tree serves both.

mod record;

use super::doc::Doc;
use super::name::{Name, Path};
use crate::span::Span;

pub use record::{Field, Member, MemberKind, Record};

/// An expression and where it is written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Expr {
    /// Span from the first byte to the last.
    pub span: Span,
    /// Kind of the expression, with its parts.
    pub kind: ExprKind,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ExprKind {
    /// A text that could not be read; the error was reported.
    Error,
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number exactly as written, with its sign: `-0.50`.
    Number(String),
    /// `"..."` or `'...'`: a JSON string in a type, these characters in text.
    String(String),
    /// `/.../`: the text between the slashes, in which `\/` is replaced by `/`.
    Regex(String),
    /// `tok"..."`: one token of the tokenizer.
    Token(String),
    /// `0..5`, `0..`, `..5`
    Range(Range),
    /// A name with its arguments: `string<1..80>`, `Page<User>`, `names.table`.
    Reference(Reference),
    /// `{ ... }`
    Record(Record),
    /// `A | B`. Invariant: at least two.
    Union(Vec<Alternative>),
    /// `A & B`. Invariant: at least two.
    Intersection(Vec<Expr>),
    /// `A - B - C`: the first set without the members of the others.
    Difference {
        /// The set to take from.
        kept: Box<Expr>,
        /// The sets to take away. Invariant: at least one.
        removed: Vec<Expr>,
    },
    /// `x[1..3]`, `x?`, `x*`, `x+`
    Repeat {
        /// The repeated expression.
        item: Box<Expr>,
        /// Number of times that it is repeated.
        times: Repetition,
    },
    /// `item % separator`, and with bounds `item[1..3] % separator`. Text only.
    List {
        /// The listed expression; a repetition directly on it is in `times` instead.
        item: Box<Expr>,
        /// Number of items; if absent, one or more.
        times: Option<Repetition>,
        /// The expression between two items.
        separator: Box<Expr>,
    },
    /// Expressions one after another. Invariant: at least two. Text only.
    Sequence(Vec<Expr>),
    /// `name: x`. Text only.
    Capture {
        /// The name of the capture.
        name: Name,
        /// The captured expression.
        item: Box<Expr>,
    },
    /// `@space("any") x`
    Attributed {
        /// Attributes in source order. Invariant: at least one.
        attributes: Vec<Attribute>,
        /// Expression that the attributes apply to.
        item: Box<Expr>,
    },
    /// `( x )`. Means `x`; kept because `(x[2]) % ","` and `x[2] % ","` differ.
    Group(Box<Expr>),
}

/// A name used in an expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reference {
    /// The name.
    pub path: Path,
    /// The arguments between `<` and `>`; empty if there are none.
    pub arguments: Vec<Argument>,
}

/// One argument of a reference or an attribute: `T` or `digits = 2`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Argument {
    /// The name before `=`, if there is one.
    pub name: Option<Name>,
    /// The value.
    pub value: Expr,
    /// Span of the name and the value.
    pub span: Span,
}

/// `@name` or `@name(arguments)`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Attribute {
    /// The name without `@`; its place begins after `@`.
    pub name: Name,
    /// The arguments between the parentheses; empty if there are none.
    pub arguments: Vec<Argument>,
    /// Span from `@` to the end.
    pub span: Span,
}

/// One branch of a union.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Alternative {
    /// The doc comments before it or before its `|`.
    pub docs: Vec<Doc>,
    /// The branch.
    pub expr: Expr,
}

/// `min..max`, both included. Invariant: at least one end is present.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Range {
    /// Minimum, if there is one.
    pub min: Option<Bound>,
    /// Maximum, if there is one.
    pub max: Option<Bound>,
}

/// One end of a range.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bound {
    /// A number or a parameter.
    pub kind: BoundKind,
    /// Place of the bound.
    pub span: Span,
}

/// The kinds of ends of ranges.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum BoundKind {
    /// A number exactly as written, with its sign.
    Number(String),
    /// The name of a parameter.
    Name(String),
}

/// The number of times that an expression is repeated.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Repetition {
    /// `?`
    Optional,
    /// `*`
    Star,
    /// `+`
    Plus,
    /// `[3]`
    Exactly(Bound),
    /// `[1..3]`, `[1..]`, `[..3]`
    Between(Range),
}
