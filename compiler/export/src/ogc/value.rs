//! Exports values as literals.

use super::build::{field, number, record, text, tuple, word};
use ogc_grammar::ogc::ast::{Expr, ExprKind};
use ogc_schema::source::Value;

/// Builds the literal of a value. The limit of the value's reader bounds the recursion.
pub(super) fn literal(value: &Value) -> Expr {
    match value {
        Value::Null => word("null"),
        Value::Bool(truth) => super::build::expr(ExprKind::Bool(*truth)),
        Value::Number(decimal) => number(decimal),
        Value::String(string) => text(string),
        Value::Array(items) => tuple(items.iter().map(literal).collect()),
        Value::Object(members) => {
            record(members.iter().map(|(key, value)| field(key, false, literal(value))).collect())
        }
    }
}
