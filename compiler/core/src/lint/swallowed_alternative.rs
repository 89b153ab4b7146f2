//! `swallowed-alternative`: free text as one alternative and a text that begins with a literal as another: `text | call`.
//! What the other says is not enforced, because whatever begins like it and goes on otherwise is free text.

use ogc_grammar::Diagnostic;

use super::compiled::Compiled;
use crate::ir::{ExprId, ExprKind, Grammar, is_marker};

/// What is found.
const CODE: &str = "swallowed-alternative";

/// Rules and sequences that are looked through for the beginning of a text.
const DEPTH: usize = 32;

pub(super) fn lint(compiled: &Compiled<'_>) -> Vec<Diagnostic> {
    let Some(grammar) = compiled.module().map(|module| &module.grammar) else { return Vec::new() };
    let choices = grammar.exprs.iter().filter_map(|expr| match &expr.kind {
        ExprKind::Alternation(arms) => Some(arms),
        _ => None,
    });
    choices.filter_map(|arms| found(grammar, arms)).collect()
}

fn found(grammar: &Grammar, arms: &[ExprId]) -> Option<Diagnostic> {
    let free = *arms.iter().find(|arm| is_free(grammar, **arm, DEPTH))?;
    let (other, literal) = arms.iter().find_map(|arm| Some((*arm, beginning(grammar, *arm, DEPTH)?)))?;
    let text = String::from_utf8_lossy(literal);
    let (place, label) = (grammar.exprs[free.index()].span, grammar.exprs[other.index()].span);
    let message = format!("this free text may begin with {text:?} too, so that the other alternative enforces nothing");
    let help = format!(
        "write `text<without = {text:?}>`, begin the other alternative with a token of the vocabulary, or write \
         `mix<text, x>` for text with such parts"
    );
    Some(Diagnostic::warning(CODE, place, message).label(label, "this one").help(help))
}

/// The whole of it is free text, in which anything may occur.
fn is_free(grammar: &Grammar, id: ExprId, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    match grammar.kind(id) {
        ExprKind::Free { without } => without.is_none(),
        ExprKind::Limited { body, .. } => is_free(grammar, *body, depth),
        ExprKind::Rule(rule) => is_free(grammar, grammar.rules[rule.index()].body, depth),
        ExprKind::Sequence(parts) => matches!(**parts, [only] if is_free(grammar, only, depth)),
        _ => false,
    }
}

/// The literal of characters that a text begins with.
fn beginning(grammar: &Grammar, id: ExprId, depth: usize) -> Option<&[u8]> {
    let depth = depth.checked_sub(1)?;
    match grammar.kind(id) {
        ExprKind::Literal(text) => Some(&**text).filter(|text| !text.is_empty() && !is_marker(text)),
        ExprKind::Rule(rule) => beginning(grammar, grammar.rules[rule.index()].body, depth),
        ExprKind::Sequence(parts) => beginning(grammar, *parts.first()?, depth),
        ExprKind::Repeat { body, min: 1.., .. } => beginning(grammar, *body, depth),
        ExprKind::Alternation(arms) => arms.iter().find_map(|arm| beginning(grammar, *arm, depth)),
        _ => None,
    }
}
