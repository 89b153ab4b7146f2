//! Strings without regard to case, as classes and literals.

use crate::rules::{Expr, ExprKind};
use crate::span::Span;

/// Returns the expression of a string that matches in any case: a class for each letter, a literal for the characters
/// between letters.
pub(super) fn folded(text: &str, span: Span) -> Expr {
    let mut items = Vec::new();
    let mut plain = String::new();
    for c in text.chars() {
        if c.is_ascii_alphabetic() {
            flush(&mut plain, span, &mut items);
            let (lower, upper) = (c.to_ascii_lowercase(), c.to_ascii_uppercase());
            let kind = ExprKind::Class { negated: false, ranges: vec![(upper, upper), (lower, lower)] };
            items.push(Expr::new(kind, span));
        } else {
            plain.push(c);
        }
    }
    if items.is_empty() {
        return Expr::new(ExprKind::Literal(plain), span);
    }
    flush(&mut plain, span, &mut items);
    Expr::sequence(items, span)
}

fn flush(plain: &mut String, span: Span, items: &mut Vec<Expr>) {
    if !plain.is_empty() {
        items.push(Expr::new(ExprKind::Literal(std::mem::take(plain)), span));
    }
}
