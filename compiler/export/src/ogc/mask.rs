//! Sets of JSON types, in which whole numbers and other numbers are distinct.

use super::build::{any, difference, never, union, word};
use ogc_grammar::ogc::ast::Expr;
use ogc_schema::source::{Types, Value};

/// A set of JSON types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mask(u8);

impl Mask {
    pub(super) const NULL: Mask = Mask(1);
    pub(super) const BOOL: Mask = Mask(2);
    pub(super) const INT: Mask = Mask(4);
    /// Numbers that are not whole.
    const FRACTION: Mask = Mask(8);
    pub(super) const NUMBER: Mask = Mask(12);
    pub(super) const ARRAY: Mask = Mask(16);
    pub(super) const OBJECT: Mask = Mask(32);
    pub(super) const STRING: Mask = Mask(64);
    pub(super) const ALL: Mask = Mask(127);

    pub(super) fn of(types: &Types) -> Mask {
        let flags = [
            (types.null, Mask::NULL),
            (types.boolean, Mask::BOOL),
            (types.integer, Mask::INT),
            (types.number, Mask::NUMBER),
            (types.string, Mask::STRING),
            (types.array, Mask::ARRAY),
            (types.object, Mask::OBJECT),
        ];
        Mask(flags.iter().filter(|(flag, _)| *flag).fold(0, |bits, (_, mask)| bits | mask.0))
    }

    pub(super) fn and(self, other: Mask) -> Mask {
        Mask(self.0 & other.0)
    }

    pub(super) fn has(self, other: Mask) -> bool {
        self.0 & other.0 == other.0
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(super) fn meets(self, other: Mask) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns whether a value is of one of the types.
    pub(super) fn holds(self, value: &Value) -> bool {
        self.has(match value {
            Value::Null => Mask::NULL,
            Value::Bool(_) => Mask::BOOL,
            Value::Number(number) if number.is_integer() => Mask::INT,
            Value::Number(_) => Mask::FRACTION,
            Value::String(_) => Mask::STRING,
            Value::Array(_) => Mask::ARRAY,
            Value::Object(_) => Mask::OBJECT,
        })
    }

    /// Returns the expression for all values of the types.
    pub(super) fn expr(self) -> Expr {
        match self {
            Mask::ALL => any(),
            Mask(0) => never(),
            _ => union(self.parts()),
        }
    }

    /// Returns one expression for each type; those that can be left out come last.
    pub(super) fn parts(self) -> Vec<Expr> {
        let number = match (self.has(Mask::INT), self.has(Mask::FRACTION)) {
            (true, true) => Some(word("number")),
            (true, false) => Some(word("int")),
            (false, true) => Some(difference(word("number"), vec![word("int")])),
            (false, false) => None,
        };
        let of = |mask, name| self.has(mask).then(|| word(name));
        let all = [
            of(Mask::STRING, "string"),
            number,
            of(Mask::BOOL, "bool"),
            of(Mask::ARRAY, "array"),
            of(Mask::OBJECT, "object"),
            of(Mask::NULL, "null"),
        ];
        all.into_iter().flatten().collect()
    }

    /// Returns the set without the types of `other`.
    pub(super) fn less(self, other: Mask) -> Mask {
        Mask(self.0 & !other.0)
    }
}
