//! Names the key that tells the branches of a union apart, for readers of the format: `@discriminator("kind")`. The set
//! of accepted texts stays the same, and from then on the key is checked.

use ogc_compiler::hir::items::Keyword;
use ogc_grammar::ogc::ast::{Alternative, Expr, ExprKind, Field};
use ogc_grammar::ogc::print_expr;

use super::context::Context;
use super::{Action, ActionKind, Change, Command};
use crate::items::PlacedItem;
use crate::place::TextEdit;
use crate::rename::record_of;

pub(super) fn offered(context: &Context<'_>) -> Vec<Action> {
    offered_one(context).into_iter().collect()
}

fn offered_one(context: &Context<'_>) -> Option<Action> {
    let item = context.item().filter(|item| item.id.key.kind == Keyword::Type)?;
    let has_one = item.tree.attributes.iter().any(|one| one.name.text == "discriminator");
    let ExprKind::Union(arms) = &item.definition()?.body.ungrouped().kind else { return None };
    if has_one {
        return None;
    }
    let first = fields(context, &item, arms.first()?)?;
    let key = first.into_iter().find(|key| tells_apart(context, &item, arms, key))?;
    let quoted = print_expr(&Expr::new(ExprKind::String(key.clone()), ogc_grammar::Span::default()));
    let edit = TextEdit::insert(item.in_file(item.tree.span).start, format!("@discriminator({quoted})\n"));
    let title = format!("Say that `{key}` tells the branches apart");
    let change = Change::of(context.file(), vec![edit]);
    Some(Action::new(context, Command::Discriminate, ActionKind::Rewrite, title).with(change))
}

/// Returns the required keys of a branch that have literals as values.
fn fields(context: &Context<'_>, item: &PlacedItem<'_>, arm: &Alternative) -> Option<Vec<String>> {
    let (_, record) = record_of(context.snapshot, item.id, &arm.expr)?;
    let own = record.members.iter().filter_map(|member| match &member.kind {
        ogc_grammar::ogc::ast::MemberKind::Field(field) => Some(field),
        _ => None,
    });
    let literal = |field: &&Field| !field.optional && literals(&field.value).is_some();
    Some(own.filter(literal).map(|field| field.name.text.clone()).collect())
}

/// Returns whether the key has literals in every branch, and no literal occurs in two branches.
fn tells_apart(context: &Context<'_>, item: &PlacedItem<'_>, arms: &[Alternative], key: &str) -> bool {
    let mut seen: Vec<&str> = Vec::new();
    arms.iter().all(|arm| {
        let Some((_, record)) = record_of(context.snapshot, item.id, &arm.expr) else { return false };
        let field = record.members.iter().find_map(|member| match &member.kind {
            ogc_grammar::ogc::ast::MemberKind::Field(field) if field.name.text == key => Some(field),
            _ => None,
        });
        let Some(values) = field.filter(|field| !field.optional).and_then(|field| literals(&field.value)) else {
            return false;
        };
        let is_new = values.iter().all(|value| !seen.contains(value));
        seen.extend(values);
        is_new
    })
}

/// Returns the strings of an expression that is a union of strings; `None` if it may be something else.
fn literals(expr: &Expr) -> Option<Vec<&str>> {
    match &expr.ungrouped().kind {
        ExprKind::String(text) => Some(vec![text]),
        ExprKind::Union(arms) => {
            let all: Option<Vec<Vec<&str>>> = arms.iter().map(|arm| literals(&arm.expr)).collect();
            Some(all?.concat())
        }
        _ => None,
    }
}
