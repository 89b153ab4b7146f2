//! Converts literals to JSON values and to patterns.

use ogc_grammar::Code;
use ogc_grammar::ogc::ast::{Expr, ExprKind};
use ogc_regular::number::Decimal;
use ogc_schema::source::{At, Keywords, NodeId, Origin, Types, Value};

use super::{Elaborator, EnvId};

/// The empty set of JSON types.
pub(super) const NO_TYPES: Types =
    Types { null: false, boolean: false, integer: false, number: false, string: false, array: false, object: false };

impl<'db> Elaborator<'db> {
    /// Returns the JSON value of a literal; `None` for other expressions.
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

    /// Adds a node of listed values, as `enum` in JSON Schema.
    pub(super) fn listed(&mut self, values: Vec<Value>, origin: Origin) -> NodeId {
        let keywords = Keywords { one_of_values: vec![At { origin, value: values }], ..Keywords::default() };
        self.parts.keywords(keywords, origin)
    }

    /// Returns a whole-string pattern with anchors, as keywords of JSON Schema need them.
    pub(super) fn whole_pattern(&mut self, expr: &Expr, pattern: &str, env: EnvId) -> Option<String> {
        self.pattern(expr, pattern, env)?;
        Some(anchored(pattern))
    }
}

/// Adds anchors to a pattern, so that it matches whole strings.
pub(super) fn anchored(pattern: &str) -> String {
    match pattern.strip_prefix("(?i)") {
        Some(rest) => format!("(?i)^(?:{rest})$"),
        None => format!("^(?:{pattern})$"),
    }
}

/// Returns a pattern that matches a text literally.
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
