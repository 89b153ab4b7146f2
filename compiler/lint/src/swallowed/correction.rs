//! Makes the correction of swallowed parts, if the source of the free text is known.

use ogc_compiler::db::{Db, SourceFile};
use ogc_compiler::hir::Module;
use ogc_compiler::hir::OriginPlace;
use ogc_compiler::hir::items::{item_start, item_tree};
use ogc_grammar::ogc::ast::{Expr, ExprKind, Reference};
use ogc_grammar::{Code, Diagnostic, Fix, Span};
use ogc_schema::source::Origin;

/// Returns the correction of a finding about the free text at a place: it excludes the beginning named by the finding
/// from the text.
pub(crate) fn fix(
    db: &dyn Db,
    file: SourceFile,
    module: &Module,
    found: &Diagnostic<Origin>,
    place: &OriginPlace,
) -> Option<Fix> {
    let meant =
        found.fix.as_ref().filter(|_| matches!(found.code, Code::SwallowedPart | Code::SwallowedAlternative))?;
    let item = place.item.as_ref().filter(|item| item.file == file)?;
    let ((_, excluded), base) = (meant.edits.first()?, item_start(db, item));
    // A regex with a rule of its own may be used elsewhere too.
    let together =
        found.labels.iter().all(|(span, _)| module.place(*span).is_some_and(|other| other.item.as_ref() == Some(item)));
    let mut edits = None;
    item_tree(db, item).item.definition()?.body.walk(&mut |expr: &Expr| {
        if expr.span == place.span && edits.is_none() {
            edits = without(expr, excluded, together);
        }
    });
    let edits = edits?.into_iter().map(|(span, text)| (span.shifted(base), text)).collect();
    Some(Fix { label: meant.label.clone(), edits })
}

/// Returns the edits that exclude a beginning from the text; places are those of the expression.
fn without(expr: &Expr, excluded: &str, together: bool) -> Option<Vec<(Span, String)>> {
    match &expr.kind {
        ExprKind::Reference(reference) if is_text(reference) => Some(vec![argument(expr, reference, excluded)]),
        ExprKind::Regex(_) if together => {
            let (start, end) = (Span::empty(expr.span.start), Span::empty(expr.span.end));
            let excluded = if excluded.contains(" | ") { format!("({excluded})") } else { excluded.to_owned() };
            Some(vec![(start, "(".to_owned()), (end, format!(" - ({excluded} text))"))])
        }
        _ => None,
    }
}

fn is_text(reference: &Reference) -> bool {
    matches!(reference.path.segments.as_slice(), [name] if name.text == "text")
}

/// Returns the edit that adds `without = x` to the existing exclusions.
fn argument(expr: &Expr, reference: &Reference, excluded: &str) -> (Span, String) {
    let known = reference.arguments.iter().find(|one| one.name.as_ref().is_some_and(|name| name.text == "without"));
    match (known, reference.arguments.last()) {
        (Some(known), _) => (Span::empty(known.value.span.end), format!(" | {excluded}")),
        (None, Some(last)) => (Span::empty(last.span.end), format!(", without = {excluded}")),
        (None, None) => (Span::empty(expr.span.end), format!("<without = {excluded}>")),
    }
}
