//! Combines expressions into larger ones in their shortest form: sequences, alternations, repetitions.

use std::collections::HashSet;
use std::hash::BuildHasher;

use ogc_grammar::rules::{Expr, ExprKind};
use rustc_hash::FxBuildHasher;

use super::made;

/// Returns the expression of the empty text.
pub(super) fn empty() -> Expr {
    made(ExprKind::Sequence(Vec::new()))
}

/// Returns whether an expression is the empty text.
pub(super) fn is_empty(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Sequence(items) if items.is_empty())
}

/// Returns zero or one occurrences of an expression.
pub(super) fn optional(expr: Expr) -> Expr {
    match expr.kind {
        ExprKind::Repeat { min: 0, .. } => expr,
        ExprKind::Repeat { expr, min: 1, max } => made(ExprKind::Repeat { expr, min: 0, max }),
        _ if is_empty(&expr) => expr,
        _ => times(expr, 0, Some(1)),
    }
}

/// Returns `min` to `max` occurrences of an expression.
pub(super) fn times(expr: Expr, min: u32, max: Option<u32>) -> Expr {
    match (min, max) {
        (1, Some(1)) => return expr,
        (_, Some(0)) => return empty(),
        _ => {}
    }
    made(ExprKind::Repeat { expr: Box::new(expr), min, max })
}

/// Returns the concatenation of two expressions: flattens nested sequences, merges texts, and turns `x x*` into `x+`.
pub(super) fn sequence(first: Expr, second: Expr) -> Expr {
    let mut items: Vec<Expr> = Vec::new();
    for part in [first, second] {
        match part.kind {
            ExprKind::Sequence(parts) => parts.into_iter().for_each(|part| append(&mut items, part)),
            _ => append(&mut items, part),
        }
    }
    match items.pop() {
        Some(only) if items.is_empty() => only,
        last => {
            items.extend(last);
            made(ExprKind::Sequence(items))
        }
    }
}

fn append(items: &mut Vec<Expr>, next: Expr) {
    if let Some(last) = items.last_mut()
        && let Some(both) = repeated_together(last, &next)
    {
        *last = both;
        return;
    }
    if let (Some(Expr { kind: ExprKind::Literal(before), .. }), ExprKind::Literal(after)) =
        (items.last_mut(), &next.kind)
    {
        before.push_str(after);
        return;
    }
    items.push(next);
}

/// Merges a repetition with the part before it: `x x{1,2}` is `x{2,3}`.
fn repeated_together(last: &Expr, next: &Expr) -> Option<Expr> {
    let ExprKind::Repeat { expr, min, max } = &next.kind else { return None };
    let (least, most) = match &last.kind {
        ExprKind::Repeat { expr: body, min, max } if body == expr => (*min, *max),
        _ if last == &**expr => (1, Some(1)),
        _ => return None,
    };
    let most = match (most, max) {
        (Some(most), Some(max)) => Some(most.checked_add(*max)?),
        _ => None,
    };
    Some(times((**expr).clone(), least.checked_add(*min)?, most))
}

/// Returns an alternation: flattens nested ones, merges all classes into one, and drops duplicates.
pub(super) fn alternation(arms: Vec<Expr>) -> Expr {
    let mut joined = Arms::default();
    let mut nothing = false;
    let flat = arms.into_iter().flat_map(|arm| match arm.kind {
        ExprKind::Alternation(arms) => arms,
        _ => vec![arm],
    });
    for arm in flat {
        match arm.kind {
            _ if is_empty(&arm) => nothing = true,
            ExprKind::Repeat { expr, min: 0, max: Some(1) } => {
                nothing = true;
                joined.add(*expr);
            }
            _ => joined.add(arm),
        }
    }
    let mut kept = joined.arms;
    let whole = match kept.pop() {
        None => return empty(),
        Some(only) if kept.is_empty() => only,
        last => {
            kept.extend(last);
            made(ExprKind::Alternation(kept))
        }
    };
    if nothing { optional(whole) } else { whole }
}

/// An alternation under construction.
#[derive(Default)]
struct Arms {
    arms: Vec<Expr>,
    /// Hashes of the alternatives, so that only likely duplicates are compared in full.
    hashes: HashSet<u64>,
    /// The index of the merged class.
    class: Option<usize>,
}

impl Arms {
    fn add(&mut self, arm: Expr) {
        let class = match arm.kind {
            ExprKind::Alternation(arms) => return arms.into_iter().for_each(|arm| self.add(arm)),
            ExprKind::Class { negated: false, ref ranges } => Some(ranges),
            _ => None,
        };
        match (class, self.class) {
            (Some(ranges), Some(at)) => {
                if let ExprKind::Class { ranges: known, .. } = &mut self.arms[at].kind {
                    known.extend(ranges);
                    known.sort_unstable();
                    known.dedup();
                }
            }
            (class, _) => {
                if !self.hashes.insert(FxBuildHasher.hash_one(&arm)) && self.arms.contains(&arm) {
                    return;
                }
                self.class = class.map(|_| self.arms.len()).or(self.class);
                self.arms.push(arm);
            }
        }
    }
}
