//! Rewrites `{ x }-`, ISO's idiom for "once or more", to that repetition.
//!
//! The standard reads it as `{ x }` without the empty text. If `x` cannot be empty, this is `x` once or more, which
//! every later stage supports. If `x` can be empty, the exception stays, because the two differ.

use crate::rules::{Expr, ExprKind, Grammar};
use std::collections::HashSet;

/// Maximum number of passes over the rules; if they are not enough, exceptions stay as written, which means the same.
const ROUNDS: usize = 64;

/// Rewrites every `{ x }-` whose `x` cannot be empty.
pub(super) fn repeat_nonempty(mut grammar: Grammar) -> Grammar {
    let mut found = false;
    for rule in &grammar.rules {
        rule.body.walk(&mut |expr| found |= is_idiom(&expr.kind));
    }
    if found && let Some(nullable) = nullable_rules(&grammar) {
        grammar.rules.iter_mut().for_each(|rule| rewrite(&mut rule.body, &nullable));
    }
    grammar
}

fn is_idiom(kind: &ExprKind) -> bool {
    let ExprKind::Exception(kept, refused) = kind else {
        return false;
    };
    let repeats = matches!(kept.kind, ExprKind::Repeat { min: 0, max: None, .. });
    repeats && matches!(&refused.kind, ExprKind::Sequence(items) if items.is_empty())
}

fn rewrite(expr: &mut Expr, nullable: &HashSet<String>) {
    if is_idiom(&expr.kind)
        && let ExprKind::Exception(kept, _) = &expr.kind
        && let ExprKind::Repeat { expr: inner, .. } = &kept.kind
        && !is_nullable(inner, nullable)
    {
        expr.kind = ExprKind::Repeat { expr: inner.clone(), min: 1, max: None };
    }
    match &mut expr.kind {
        ExprKind::Sequence(items) | ExprKind::Alternation(items) => items.iter_mut().for_each(|i| rewrite(i, nullable)),
        ExprKind::Repeat { expr, .. }
        | ExprKind::Limited(expr, _)
        | ExprKind::Lazy(expr)
        | ExprKind::Captured { expr, .. } => rewrite(expr, nullable),
        ExprKind::Exception(kept, refused) => {
            rewrite(kept, nullable);
            rewrite(refused, nullable);
        }
        _ => {}
    }
}

/// Returns the names of rules that may be empty, and all undefined names, because nothing is known of them; `None` if
/// the search takes more than [`ROUNDS`] rounds.
fn nullable_rules(grammar: &Grammar) -> Option<HashSet<String>> {
    let defined: HashSet<&str> = grammar.rules.iter().map(|r| r.name.value.as_str()).collect();
    let mut nullable = HashSet::new();
    for rule in &grammar.rules {
        rule.body.walk(&mut |expr| {
            if let ExprKind::Name(name) = &expr.kind
                && !defined.contains(name.as_str())
            {
                nullable.insert(name.clone());
            }
        });
    }
    // Rules usually stand before the rules they use, so going backwards needs few rounds.
    for _ in 0..ROUNDS {
        let before = nullable.len();
        for rule in grammar.rules.iter().rev() {
            if is_nullable(&rule.body, &nullable) {
                nullable.insert(rule.name.value.clone());
            }
        }
        if nullable.len() == before {
            return Some(nullable);
        }
    }
    None
}

/// Returns whether `expr` may be empty; an exception `a - b` counts as `a`.
fn is_nullable(expr: &Expr, nullable: &HashSet<String>) -> bool {
    match &expr.kind {
        ExprKind::Literal(text) => text.is_empty(),
        // EBNF has no patterns; a pattern from elsewhere counts as not empty.
        ExprKind::Class { .. } | ExprKind::Any | ExprKind::Regex(_) | ExprKind::Token(_) | ExprKind::Json(_) => false,
        ExprKind::Name(name) => nullable.contains(name),
        ExprKind::Sequence(items) => items.iter().all(|i| is_nullable(i, nullable)),
        ExprKind::Alternation(arms) => arms.iter().any(|a| is_nullable(a, nullable)),
        ExprKind::Repeat { expr, min, .. } => *min == 0 || is_nullable(expr, nullable),
        // The idiom takes away the empty text.
        ExprKind::Exception(..) if is_idiom(&expr.kind) => false,
        ExprKind::Exception(expr, _)
        | ExprKind::Limited(expr, _)
        | ExprKind::Lazy(expr)
        | ExprKind::Captured { expr, .. } => is_nullable(expr, nullable),
        ExprKind::Substring(_) => true,
    }
}
