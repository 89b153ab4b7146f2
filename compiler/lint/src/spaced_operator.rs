//! `spaced-operator`: `"a" + "b"`, which looks like a concatenation and is a repetition: `"a"+ "b"`.

use ogc_grammar::ogc::ast::{Expr, ExprKind, Repetition};
use ogc_grammar::{Code, Diagnostic, Span};

use super::stacked_repetition::sign;

/// Finds repetition signs that look like operators, in the body of a definition; places are in `text`, the text of its
/// item.
pub(super) fn lint(text: &str, body: &Expr) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    body.walk(&mut |expr| {
        if let ExprKind::Sequence(items) = &expr.kind {
            let neighbours = items.iter().zip(items.iter().skip(1));
            found.extend(neighbours.filter_map(|(before, after)| between(text, before, after)));
        }
    });
    found
}

/// Finds a repetition operator at the end of `before` that has white space on both sides and `after` on the same line.
fn between(text: &str, before: &Expr, after: &Expr) -> Option<Diagnostic> {
    let (item, times) = repeated(before)?;
    let sign = sign(times)?;
    let place = Span::new(before.span.end.checked_sub(1)?, before.span.end);
    let gap = Span::new(item.span.end, place.start);
    let rest = Span::new(place.end, after.span.start).text(text);
    let apart = !gap.is_empty() && gap.text(text).trim().is_empty();
    if !apart || rest.is_empty() || rest.contains(['\n', '/']) {
        return None;
    }
    let message = format!("`{sign}` repeats what stands before it; it joins nothing to what follows");
    let help = format!(
        "for one after the other remove the `{sign}`, for either write `a | b`, for this `a{sign} b` without the space"
    );
    // Nobody can tell which of the two is meant, so there is no correction.
    Some(Diagnostic::warning(Code::SpacedOperator, place, message).help(help))
}

/// Returns the repeated expression at the very end of an expression, and its repetition.
fn repeated(expr: &Expr) -> Option<(&Expr, &Repetition)> {
    match &expr.kind {
        ExprKind::Repeat { item, times } => Some((item, times)),
        ExprKind::Capture { item, .. } | ExprKind::Attributed { item, .. } => repeated(item),
        ExprKind::List { separator, .. } => repeated(separator),
        ExprKind::Intersection(parts) => parts.last().and_then(repeated),
        ExprKind::Difference { removed, .. } => removed.last().and_then(repeated),
        _ => None,
    }
}
