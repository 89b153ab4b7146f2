//! Decides whether an expression stands for values or for texts at its place (`docs/reference/values-and-text.md`).

use ogc_compiler::db::Language;
use ogc_compiler::hir::items::{ItemId, Keyword};
use ogc_compiler::hir::resolve::{Target, resolution};
use ogc_compiler::hir::{Builtin, BuiltinKind, TextKind};
use ogc_grammar::Span;
use ogc_grammar::ogc::ast::{Expr, ExprKind, Reference, Repetition};

use crate::items::PlacedItem;
use crate::snapshot::Snapshot;

/// The kind of an expression by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A set of values.
    Value,
    /// A set of texts.
    Text,
    /// Literals alone, or a parameter: values if other parts are values, else texts.
    Literal,
}

/// Returns the kind of an expression in a rule or output, without regard to the expressions around it.
pub(super) fn kind(snapshot: &Snapshot, item: &ItemId, expr: &Expr) -> Kind {
    let of = |expr: &Expr| kind(snapshot, item, expr);
    match &expr.kind {
        ExprKind::Null | ExprKind::Bool(_) | ExprKind::Number(_) | ExprKind::String(_) => Kind::Literal,
        ExprKind::Range(_) | ExprKind::Record(_) => Kind::Value,
        ExprKind::Group(inner) | ExprKind::Attributed { item: inner, .. } => of(inner),
        ExprKind::Repeat { item, times: Repetition::Exactly(_) | Repetition::Between(_) } => match of(item) {
            Kind::Value => Kind::Value,
            Kind::Text | Kind::Literal => Kind::Text,
        },
        ExprKind::Union(arms) => joined(arms.iter().map(|arm| of(&arm.expr))),
        ExprKind::Intersection(parts) => joined(parts.iter().map(of)),
        ExprKind::Difference { kept, removed } => joined(std::iter::once(&**kept).chain(removed).map(of)),
        ExprKind::Reference(reference) => of_reference(snapshot, item, reference),
        _ => Kind::Text,
    }
}

/// Returns the kind of joined parts: text if any part is text, else value if any part is a value.
pub(super) fn joined(kinds: impl Iterator<Item = Kind>) -> Kind {
    kinds.fold(Kind::Literal, |all, kind| match (all, kind) {
        (Kind::Text, _) | (_, Kind::Text) => Kind::Text,
        (Kind::Value, _) | (_, Kind::Value) => Kind::Value,
        _ => Kind::Literal,
    })
}

fn of_reference(snapshot: &Snapshot, item: &ItemId, reference: &Reference) -> Kind {
    match resolution(&snapshot.db, item).get(&reference.path).map(|resolved| &resolved.target) {
        Some(Target::Parameter(_)) => Kind::Literal,
        Some(Target::Builtin(builtin)) if matches!(builtin.kind, BuiltinKind::Value(_)) => Kind::Value,
        Some(Target::Item(item) | Target::Imported { item, .. }) if item.key.kind == Keyword::Type => Kind::Value,
        Some(Target::Foreign { file, .. }) if file.language(&snapshot.db) == Language::JsonSchema => Kind::Value,
        _ => Kind::Text,
    }
}

/// Returns whether an expression of an item stands for values; `None` inside the attributes of an item and the
/// arguments that [`argument`] does not decide.
pub(super) fn is_value(snapshot: &Snapshot, item: &PlacedItem<'_>, wanted: Span) -> Option<bool> {
    let body = &item.definition()?.body;
    let is_type = item.id.key.kind == Keyword::Type;
    let mut expr = body;
    let mut value = is_type || kind(snapshot, item.id, body) == Kind::Value;
    while expr.span != wanted {
        let holds = |child: &&Expr| child.span.start <= wanted.start && wanted.end <= child.span.end;
        let child = expr.children().into_iter().find(holds)?;
        value = match &expr.kind {
            _ if is_type => true,
            ExprKind::Record(_) => true,
            ExprKind::Reference(reference) => {
                argument(snapshot, item.id, reference)? || is_value_alone(snapshot, item, child)
            }
            ExprKind::Attributed { item: inner, .. } if inner.span != child.span => return None,
            _ => value || is_value_alone(snapshot, item, child),
        };
        expr = child;
    }
    Some(value)
}

fn is_value_alone(snapshot: &Snapshot, item: &PlacedItem<'_>, expr: &Expr) -> bool {
    kind(snapshot, item.id, expr) == Kind::Value
}

/// Returns whether the arguments of a built-in name are values. `None` if they are numbers, names or policies, and for
/// definitions: there the places of the parameters decide.
fn argument(snapshot: &Snapshot, item: &ItemId, reference: &Reference) -> Option<bool> {
    match &resolution(&snapshot.db, item).get(&reference.path)?.target {
        Target::Builtin(Builtin { kind: BuiltinKind::Text(TextKind::Json | TextKind::Raw), .. }) => Some(true),
        Target::Builtin(Builtin { kind: BuiltinKind::Text(TextKind::Lazy | TextKind::Quoted), .. }) => Some(false),
        Target::Builtin(Builtin { name: "tuple" | "map", .. }) => Some(true),
        _ => None,
    }
}
