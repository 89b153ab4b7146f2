//! Notes about literals: the meaning of a string or regex in its context.

use ogc_compiler::hir::items::{item_start, item_tree};
use ogc_grammar::ogc::ast::{Expr, ExprKind, ItemKind};

use super::Hover;
use crate::documentation::{CodeBlock, Documentation};
use crate::shape::quoted;
use crate::walk::Walk;

/// Returns a note about the literal at a position.
pub(super) fn hover(walk: &Walk<'_>) -> Option<Hover> {
    let db = &walk.snapshot.db;
    let item = walk.item?;
    let start = item_start(db, item);
    let at = walk.position.offset.checked_sub(start)?;
    let tree = &item_tree(db, item).item;
    if matches!(tree.kind, ItemKind::Import(_) | ItemKind::Policy(_) | ItemKind::Test(_) | ItemKind::Error(_)) {
        return None;
    }
    let definition = tree.definition()?;
    let mut found: Option<(&Expr, bool)> = None;
    visit(&definition.body, matches!(tree.kind, ItemKind::Type(_)), at, &mut found);
    let (expr, in_value) = found?;
    let text = note(expr, in_value)?;
    let signature = expr.span.shifted(start).text(walk.text).to_owned();
    let known = Documentation { signature: Some(CodeBlock::ogc(signature)), text, ..Documentation::default() };
    Some(Hover::of(expr.span.shifted(start), known))
}

/// Finds the innermost literal around an offset, and whether it is in a record or type.
fn visit<'e>(expr: &'e Expr, in_value: bool, at: u32, found: &mut Option<(&'e Expr, bool)>) {
    if at < expr.span.start || expr.span.end < at {
        return;
    }
    if matches!(
        expr.kind,
        ExprKind::String(_) | ExprKind::Regex(_) | ExprKind::Token(_) | ExprKind::Range(_) | ExprKind::Number(_)
    ) {
        *found = Some((expr, in_value));
    }
    let inner = in_value || matches!(expr.kind, ExprKind::Record(_));
    expr.children().into_iter().for_each(|child| visit(child, inner, at, found));
}

/// Returns a sentence about a literal.
fn note(expr: &Expr, in_value: bool) -> Option<String> {
    Some(match &expr.kind {
        ExprKind::String(text) if in_value => format!("The JSON string `{}`.", quoted(text)),
        ExprKind::String(text) => {
            let (chars, bytes) = (text.chars().count(), text.len());
            let size = if chars == bytes { String::new() } else { format!(", {bytes} bytes in UTF-8") };
            format!("Exactly this text: {}{size}.", counted(chars, "character"))
        }
        ExprKind::Regex(_) if in_value => {
            "Strings that the pattern matches as a whole (ECMA-262, flag `u`).".to_owned()
        }
        ExprKind::Regex(_) => "Texts that the pattern matches as a whole (ECMA-262, flag `u`).".to_owned(),
        ExprKind::Token(name) => {
            format!("The one token `{name}` of the vocabulary, never the characters of its name.")
        }
        ExprKind::Range(range) => {
            let ends = [&range.min, &range.max];
            let fraction = ends.into_iter().flatten().any(|end| match &end.kind {
                ogc_grammar::ogc::ast::BoundKind::Number(number) => number.contains(['.', 'e', 'E']),
                ogc_grammar::ogc::ast::BoundKind::Name(_) => false,
            });
            let kind = if fraction { "Numbers" } else { "Integers" };
            format!("{kind} in this range, both ends included.")
        }
        _ => return None,
    })
}

fn counted(number: usize, what: &str) -> String {
    if number == 1 { format!("{number} {what}") } else { format!("{number} {what}s") }
}
