//! Writes the body of a definition with its parameters replaced by arguments.

use ogc_compiler::hir::names::{Symbol, names};
use ogc_grammar::Span;
use ogc_grammar::ogc::ast::{Definition, Expr, ExprKind, Reference};

use crate::items::PlacedItem;
use crate::place::{TextEdit, applied};
use crate::snapshot::Snapshot;

/// Returns the text of a definition's body for the arguments of a use in `user`. `None` if an argument is missing, or
/// cannot be written in the place of its parameter.
pub(super) fn body(
    snapshot: &Snapshot,
    definition: &PlacedItem<'_>,
    user: &PlacedItem<'_>,
    reference: &Reference,
) -> Option<String> {
    let own = definition.definition()?;
    let place = own.body.span;
    let text = snapshot.slice(definition.id.file, definition.in_file(place));
    let mut edits = Vec::new();
    for name in names(&snapshot.db, definition.id) {
        let Symbol::Parameter { item, name: parameter } = &name.symbol else { continue };
        let is_inside = place.start <= name.span.start && name.span.end <= place.end;
        if item != definition.id || !is_inside || name.is_definition {
            continue;
        }
        let value = argument(own, reference, parameter)?;
        let written = snapshot.slice(user.id.file, user.in_file(value.span));
        let span = Span::new(name.span.start - place.start, name.span.end - place.start);
        edits.push(TextEdit::replace(span, grouped(written, value, is_bound(own, name.span))?));
    }
    Some(applied(text, &edits))
}

/// Returns the argument of a use for a parameter. Defaults are in the definition, and are not considered.
fn argument<'s>(definition: &Definition, reference: &'s Reference, parameter: &str) -> Option<&'s Expr> {
    let named = reference.arguments.iter().find(|one| one.name.as_ref().is_some_and(|name| name.text == parameter));
    let at = definition.parameters.iter().position(|one| one.name.text == parameter)?;
    let placed = || reference.arguments.get(at).filter(|one| one.name.is_none());
    named.or_else(placed).map(|argument| &argument.value)
}

/// Returns whether a parameter is the end of a range, where only a number or another name may stand.
fn is_bound(definition: &Definition, place: Span) -> bool {
    let mut is_reference = false;
    definition.body.walk(&mut |expr| {
        if let ExprKind::Reference(reference) = &expr.kind {
            is_reference |= reference.path.span == place;
        }
    });
    !is_reference
}

/// Returns an argument in a form that can replace a name.
fn grouped(text: &str, value: &Expr, is_bound: bool) -> Option<String> {
    match (&value.kind, is_bound) {
        (ExprKind::Number(_), true) => Some(text.to_owned()),
        (_, true) => None,
        _ if is_primary(value) => Some(text.to_owned()),
        _ => Some(format!("({text})")),
    }
}

/// Returns whether an expression needs no parentheses in any context.
pub(super) fn is_primary(expr: &Expr) -> bool {
    match &expr.kind {
        // A negative number after another part would be read as a difference.
        ExprKind::Number(number) => !number.starts_with('-'),
        ExprKind::Null
        | ExprKind::Bool(_)
        | ExprKind::String(_)
        | ExprKind::Regex(_)
        | ExprKind::Token(_)
        | ExprKind::Reference(_)
        | ExprKind::Record(_)
        | ExprKind::Group(_) => true,
        _ => false,
    }
}
