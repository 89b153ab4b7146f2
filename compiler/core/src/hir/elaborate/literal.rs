//! Literals: as JSON values, as characters, as patterns.

use ogc_grammar::Code;
use ogc_grammar::ogc::ast::{Expr, ExprKind};
use ogc_regular::number::Decimal;
use ogc_schema::source::{At, Keywords, NodeId, Origin, Types, Value};

use super::{Elaborator, EnvId};

/// No type.
pub(super) const NO_TYPES: Types =
    Types { null: false, boolean: false, integer: false, number: false, string: false, array: false, object: false };

impl<'db> Elaborator<'db> {
    /// The value that a literal is.
    pub(super) fn constant(&mut self, expr: &Expr, env: EnvId) -> Option<Value> {
        match &expr.kind {
            ExprKind::Null => Some(Value::Null),
            ExprKind::Bool(value) => Some(Value::Bool(*value)),
            ExprKind::String(text) => Some(Value::String(text.clone())),
            ExprKind::Number(written) => match Decimal::parse(written) {
                Ok(number) => Some(Value::Number(number)),
                Err(error) => {
                    self.error(Code::WrongBound, expr.span, env, error.to_string());
                    None
                }
            },
            ExprKind::Group(inner) => self.constant(inner, env),
            _ => None,
        }
    }

    /// The node of some values.
    pub(super) fn listed(&mut self, values: Vec<Value>, origin: Origin) -> NodeId {
        let keywords = Keywords { one_of_values: vec![At { origin, value: values }], ..Keywords::default() };
        self.parts.keywords(keywords, origin)
    }

    /// A pattern as a value's keyword: it matches somewhere in the string, so that one for the whole has anchors.
    pub(super) fn whole_pattern(&mut self, expr: &Expr, pattern: &str, env: EnvId) -> Option<String> {
        self.pattern(expr, pattern, env)?;
        Some(anchored(pattern))
    }
}

/// The pattern for the whole string.
pub(super) fn anchored(pattern: &str) -> String {
    match pattern.strip_prefix("(?i)") {
        Some(rest) => format!("(?i)^(?:{rest})$"),
        None => format!("^(?:{pattern})$"),
    }
}

/// A text as a pattern.
pub(super) fn quoted(text: &str) -> String {
    let mut pattern = String::new();
    for char in text.chars() {
        if r"\^$.*+?()[]{}|/".contains(char) {
            pattern.push('\\');
        }
        pattern.push(char);
    }
    pattern
}
