//! `narrowed-format`: a string format whose language is smaller than its standard. If ordinary data has none of the
//! missing strings, the finding is a note that is shown only on request.

use ogc_compiler::frontend::json_schema::narrowed;
use ogc_compiler::hir::Builtin;
use ogc_grammar::Diagnostic;
use ogc_grammar::ogc::ast::{Expr, ExprKind};
use ogc_regular::format::left_out;

/// Finds uses of narrowed formats in the body of a definition.
pub(super) fn lint(body: &Expr) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    body.walk(&mut |expr| found.extend(used(expr)));
    found
}

fn used(expr: &Expr) -> Option<Diagnostic> {
    let ExprKind::Reference(reference) = &expr.kind else { return None };
    let [name] = reference.path.segments.as_slice() else { return None };
    let format = Builtin::of(&name.text)?.format().filter(|format| !format.is_practical)?;
    let left_out = left_out(format.json_schema?)??;
    Some(narrowed(&name.text, left_out, name.span))
}
