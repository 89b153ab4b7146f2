//! The syntax tree of the ogc language: the text as written, with places, and without names resolved.
//!
//! Plain data: every type is `Clone + Debug + PartialEq + Eq + Hash`, owns its text, and knows no parser. Text of
//! literals is stored decoded (escapes resolved); numbers are stored exactly as written, with their sign.
//!
//! Invariants that hold for every tree of [`super::parse()`], and that [`super::print()`] expects:
//!
//! * the depth is bounded by [`super::NESTING_LIMIT`], so that walks may recurse;
//! * a [`ExprKind::Union`], [`ExprKind::Intersection`] and [`ExprKind::Sequence`] has at least two parts, a [`Path`] at
//!   least one name, a [`ExprKind::Difference`] at least one removed set;
//! * error nodes ([`ItemKind::Error`], [`MemberKind::Error`], [`ExprKind::Error`]) stand only where an error was
//!   reported.

mod doc;
mod expr;
mod item;
mod json;
mod name;
mod walk;

pub use doc::Doc;
pub use expr::{
    Alternative, Argument, Attribute, Bound, BoundKind, Expr, ExprKind, Field, Member, MemberKind, Range, Record,
    Reference, Repetition,
};
pub use item::{
    Case, Definition, Expectation, File, Import, Imported, ImportedName, Item, ItemKind, Override, Parameter, Piece,
    PieceKind, Policy, Subject, Test,
};
pub use json::{Json, JsonKind, JsonMember};
pub use name::{Name, Path};
