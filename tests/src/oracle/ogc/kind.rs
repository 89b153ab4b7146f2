//! Decides whether an expression in a rule or output is a set of values or of texts.

use ogc_grammar::ogc::ast::{Expr, ExprKind, ItemKind, Repetition};

use super::Judge;
use super::scope::{Env, Meaning};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Value,
    Text,
    /// A literal: a value among values only, else a text.
    Literal,
}

impl<'p> Judge<'p> {
    /// Returns whether a body is only a value, or only `json<...>`.
    pub(super) fn is_value_alone(&self, body: &'p Expr) -> bool {
        let json = match &body.ungrouped().kind {
            ExprKind::Reference(reference) => {
                matches!(reference.path.segments.as_slice(), [name] if name.text == "json")
            }
            _ => false,
        };
        json || self.kind(body, &Env::default()) == Kind::Value && !differs(body)
    }

    pub(super) fn kind(&self, expr: &'p Expr, env: &Env<'p>) -> Kind {
        match &expr.kind {
            ExprKind::Null | ExprKind::Bool(_) | ExprKind::Number(_) | ExprKind::String(_) => Kind::Literal,
            ExprKind::Record(_) | ExprKind::Range(_) => Kind::Value,
            ExprKind::Group(inner) | ExprKind::Attributed { item: inner, .. } => self.kind(inner, env),
            ExprKind::Union(arms) => self.beside(arms.iter().map(|arm| &arm.expr), env),
            ExprKind::Intersection(parts) => self.beside(parts.iter(), env),
            ExprKind::Difference { kept, removed } => self.beside(std::iter::once(&**kept).chain(removed), env),
            ExprKind::Repeat { item, times: Repetition::Exactly(_) | Repetition::Between(_) } => {
                if self.kind(item, env) == Kind::Value { Kind::Value } else { Kind::Text }
            }
            ExprKind::Reference(reference) => match self.meaning(reference, env) {
                Meaning::Argument(inner, inside) => self.kind(inner, &inside),
                Meaning::Item(item, _) if matches!(item.kind, ItemKind::Type(_)) => Kind::Value,
                Meaning::Item(..) => Kind::Text,
                Meaning::Builtin("text" | "mix" | "substring" | "lazy" | "json" | "raw" | "quoted" | "each") => {
                    Kind::Text
                }
                Meaning::Builtin(_) => Kind::Value,
            },
            _ => Kind::Text,
        }
    }

    fn beside(&self, operands: impl Iterator<Item = &'p Expr>, env: &Env<'p>) -> Kind {
        let kinds: Vec<Kind> = operands.map(|operand| self.kind(operand, env)).collect();
        if kinds.contains(&Kind::Text) {
            Kind::Text
        } else if kinds.contains(&Kind::Value) {
            Kind::Value
        } else {
            Kind::Literal
        }
    }
}

/// Returns whether an expression is a union in which an alternative has a policy.
pub(super) fn differs(expr: &Expr) -> bool {
    match &expr.ungrouped().kind {
        ExprKind::Attributed { item, .. } => differs(item),
        ExprKind::Union(arms) => arms.iter().any(|arm| {
            let attributed = matches!(arm.expr.ungrouped().kind, ExprKind::Attributed { .. });
            attributed || differs(&arm.expr)
        }),
        _ => false,
    }
}
