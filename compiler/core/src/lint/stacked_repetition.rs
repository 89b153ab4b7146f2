//! `stacked-repetition`: `"a"*?`, which is a lazy repetition in other languages and the repetition of one here.

use ogc_grammar::ogc::ast::{Expr, ExprKind, Repetition};
use ogc_grammar::{Diagnostic, Fix, Span};

/// What is found.
const CODE: &str = "stacked-repetition";

/// Finds them in the body of a definition; places are in `text`, that of its item.
pub(super) fn lint(text: &str, body: &Expr) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    body.walk(&mut |expr| found.extend(stacked(text, expr)));
    found
}

/// One sign directly behind another.
fn stacked(text: &str, expr: &Expr) -> Option<Diagnostic> {
    let ExprKind::Repeat { item, times: outer } = &expr.kind else { return None };
    let ExprKind::Repeat { times: inner, .. } = &item.kind else { return None };
    let (inner, outer) = (sign(inner)?, sign(outer)?);
    let gap = Span::new(item.span.end, expr.span.end);
    // With white space between them they are no sign of another language.
    if gap.text(text) != outer {
        return None;
    }
    let same = if inner == outer { inner } else { "*" };
    let signs = Span::new(gap.start.saturating_sub(1), gap.end);
    let message = format!("`{inner}{outer}` is a repetition of a repetition, the same as `{same}`");
    let help = match outer {
        "?" => format!(
            "write `{inner}`: a set of texts has no greedy and lazy ways; what ends at the first `x` is `lazy<a{inner} x>`, \
             with the end in it"
        ),
        _ => format!("write `{same}`"),
    };
    let found = Diagnostic::warning(CODE, signs, message).help(help);
    // `+?` means `+` elsewhere and `*` here: what was meant is for its author to say.
    let doubtful = outer == "?" && inner != same;
    Some(if doubtful { found } else { found.fix(Fix::new(format!("write `{same}`"), signs, same)) })
}

/// The sign of a repetition that has one.
pub(super) fn sign(times: &Repetition) -> Option<&'static str> {
    match times {
        Repetition::Optional => Some("?"),
        Repetition::Star => Some("*"),
        Repetition::Plus => Some("+"),
        Repetition::Exactly(_) | Repetition::Between(_) => None,
    }
}
