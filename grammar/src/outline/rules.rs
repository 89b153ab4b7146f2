//! Returns the outline of a grammar, with a node for each rule.

use super::Node;
use crate::rules::{Expr, ExprKind, Grammar, Rule};
use crate::span::Span;

impl Node {
    /// Returns the outline of a grammar, with a node for each rule.
    #[must_use]
    pub fn of_rules(grammar: &Grammar) -> Node {
        let children: Vec<Node> = grammar.rules.iter().map(rule).collect();
        let spans = children.iter().map(|child| child.span);
        Node::new("grammar", spans.reduce(Span::merge).unwrap_or_default(), children)
    }
}

fn rule(rule: &Rule) -> Node {
    Node::new("rule", rule.name.span.merge(rule.body.span), vec![expr(&rule.body)])
}

fn expr(tree: &Expr) -> Node {
    let kind = match &tree.kind {
        ExprKind::Literal(_) => "literal",
        ExprKind::Class { .. } => "class",
        ExprKind::Any => "any",
        ExprKind::Name(_) => "name",
        ExprKind::Sequence(items) if items.is_empty() => "empty",
        ExprKind::Sequence(_) => "sequence",
        ExprKind::Alternation(_) => "alternation",
        ExprKind::Repeat { .. } => "repeat",
        ExprKind::Exception(..) => "exception",
        ExprKind::Regex(_) => "regex",
        ExprKind::Token(_) => "token",
        ExprKind::Substring(_) => "substring",
        ExprKind::Json(_) => "json",
        ExprKind::Limited(..) => "limited",
        ExprKind::Lazy(_) => "lazy",
        ExprKind::Captured { .. } => "captured",
    };
    let implied = match &tree.kind {
        ExprKind::Name(name) if tree.span.is_empty() => Some(name.clone()),
        _ => None,
    };
    Node { implied, ..Node::new(kind, tree.span, tree.children().map(expr).collect()) }
}
