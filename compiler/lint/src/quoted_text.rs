//! `quoted-text`: `"name: " string`, where the string is written with JSON quotes, and plain text was probably meant.

use ogc_compiler::hir::Builtin;
use ogc_grammar::ogc::ast::{Expr, ExprKind};
use ogc_grammar::{Code, Diagnostic};

/// Finds JSON strings next to plain text, in the body of a definition.
pub(super) fn lint(body: &Expr) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    body.walk(&mut |expr| {
        if let ExprKind::Sequence(parts) = &expr.kind {
            found.extend(parts.iter().enumerate().filter_map(|(at, part)| quoted(part, &beside(parts, at))));
        }
    });
    found
}

/// Returns the literals next to a part of a sequence: the one before and the one after it. A token counts as an empty
/// literal.
fn beside(parts: &[Expr], at: usize) -> [Option<&str>; 2] {
    let before = at.checked_sub(1).and_then(|at| parts.get(at));
    [before, parts.get(at + 1)].map(|part| match part.map(|part| &bare(part).kind) {
        Some(ExprKind::String(text)) => Some(text.as_str()),
        Some(ExprKind::Token(_)) => Some(""),
        _ => None,
    })
}

fn quoted(part: &Expr, [before, after]: &[Option<&str>; 2]) -> Option<Diagnostic> {
    let expr = bare(part);
    let ExprKind::Reference(reference) = &expr.kind else { return None };
    let [name] = reference.path.segments.as_slice() else { return None };
    // If a JSON bracket or comma is adjacent, the surrounding text is JSON too.
    let json = |text: &str| text.trim().ends_with(['[', '{', ',', '}', ']']) || text.trim_end().ends_with("\":");
    if Builtin::of(&name.text).is_none_or(|one| !one.is_string())
        || (before.is_none() && after.is_none())
        || before.is_some_and(json)
    {
        return None;
    }
    let name = &name.text;
    let message = format!("in text, `{name}` is a JSON string: it is written with quotes around it");
    let help = match name.as_str() {
        "string" => {
            "for text without quotes write `text`, or say which: `raw<string</[^\\n]+/>>`; for the string in quotes `json<string>`"
                .to_owned()
        }
        _ => format!("for the same without quotes write `raw<{name}>`; for the string in quotes `json<{name}>`"),
    };
    Some(Diagnostic::warning(Code::QuotedText, expr.span, message).help(help))
}

/// Returns the expression inside of captures, attributes and parentheses.
fn bare(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Capture { item, .. } | ExprKind::Attributed { item, .. } | ExprKind::Group(item) => bare(item),
        _ => expr,
    }
}
