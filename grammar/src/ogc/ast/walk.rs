//! Walks of expressions: their direct children, and all expressions inside.

use super::expr::{Alternative, Argument, Expr, ExprKind, Member, MemberKind, Reference};
use crate::span::Span;

impl Expr {
    /// Makes an expression of a kind and a place.
    #[must_use]
    pub fn new(kind: ExprKind, span: Span) -> Expr {
        Expr { span, kind }
    }

    /// Returns the expression inside any parentheses.
    #[must_use]
    pub fn ungrouped(&self) -> &Expr {
        let mut expr = self;
        while let ExprKind::Group(inner) = &expr.kind {
            expr = inner;
        }
        expr
    }

    /// Returns the expressions directly inside, in source order, including those in arguments and attributes.
    #[must_use]
    pub fn children(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Error | ExprKind::Null | ExprKind::Bool(_) | ExprKind::Number(_) | ExprKind::String(_) => vec![],
            ExprKind::Regex(_) | ExprKind::Token(_) | ExprKind::Range(_) => vec![],
            ExprKind::Reference(Reference { arguments, .. }) => values(arguments).collect(),
            ExprKind::Record(record) => record.members.iter().flat_map(Member::children).collect(),
            ExprKind::Union(arms) => arms.iter().map(|Alternative { expr, .. }| expr).collect(),
            ExprKind::Intersection(parts) | ExprKind::Sequence(parts) => parts.iter().collect(),
            ExprKind::Difference { kept, removed } => std::iter::once(&**kept).chain(removed).collect(),
            ExprKind::Repeat { item, .. } | ExprKind::Capture { item, .. } | ExprKind::Group(item) => vec![item],
            ExprKind::List { item, separator, .. } => vec![item, separator],
            ExprKind::Attributed { attributes, item } => {
                attributes.iter().flat_map(|a| values(&a.arguments)).chain([&**item]).collect()
            }
        }
    }

    /// Calls `visit` on this expression and all inside it, outer before inner, left before right.
    pub fn walk<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        visit(self);
        for child in self.children() {
            child.walk(visit);
        }
    }
}

impl Member {
    /// Returns the expressions directly inside, in source order.
    #[must_use]
    pub fn children(&self) -> Vec<&Expr> {
        let attributes = self.attributes.iter().flat_map(|a| values(&a.arguments));
        let (first, second) = match &self.kind {
            MemberKind::Error | MemberKind::Open => (None, None),
            MemberKind::Field(field) => (Some(&field.value), None),
            MemberKind::Pattern { key, value } => (Some(key), Some(value)),
            MemberKind::Spread(base) => (Some(base), None),
        };
        attributes.chain(first).chain(second).collect()
    }
}

fn values(arguments: &[Argument]) -> impl Iterator<Item = &Expr> {
    arguments.iter().map(|argument| &argument.value)
}
