//! `ignored-elsewhere`: constraints that this compiler enforces exactly, and that most engines for structured output
//! ignore or reject. Shown only on request, as it matters only for moving a format to another engine.

use ogc_compiler::db::{Db, SourceFile};
use ogc_compiler::foreign::read_schema;
use ogc_compiler::frontend::json_schema::FateKind;
use ogc_compiler::hir::items::{file_items, item_tree};
use ogc_grammar::ogc::ast::{Expr, ExprKind, ItemKind, MemberKind, Reference};
use ogc_grammar::{Code, Diagnostic, Span};
use ogc_schema::keyword::{Elsewhere, Keyword};

/// Finds the constraints of a JSON Schema that most other engines ignore or reject.
pub(super) fn in_schema(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let imported = read_schema(db, file);
    let known = imported.report.iter().filter(|fate| is_ignored(&fate.keyword));
    known.filter(|fate| fate.fate == FateKind::Enforced).map(|fate| found(fate.span, &fate.keyword)).collect()
}

fn is_ignored(name: &str) -> bool {
    Keyword::of_name(name).is_some_and(|keyword| keyword.elsewhere() == Elsewhere::Ignored)
}

fn found(span: Span, what: &str) -> Diagnostic {
    let message = format!("most other engines ignore or refuse `{what}`; this one enforces it");
    Diagnostic::note(Code::IgnoredElsewhere, span, message)
        .help("check the values afterwards where another engine is used")
}

/// Finds the constraints of an `.ogc` file's types that most other engines ignore or reject when they get the types as
/// JSON Schema.
pub(super) fn in_ogc(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let mut all = Vec::new();
    for (item, span) in &file_items(db, file).items {
        if let ItemKind::Type(one) = &item_tree(db, item).item.kind {
            one.body.walk(&mut |expr| inside(expr, span.start, &mut all));
        }
    }
    all
}

fn inside(expr: &Expr, base: u32, all: &mut Vec<Diagnostic>) {
    let what = match &expr.kind {
        ExprKind::Intersection(_) => "A & B",
        ExprKind::Difference { .. } => "A - B",
        ExprKind::Reference(reference) if has_keys(reference) => "map` with keys of its own and `propertyNames",
        ExprKind::Record(record) => {
            let patterns = record.members.iter().filter(|member| matches!(member.kind, MemberKind::Pattern { .. }));
            all.extend(patterns.map(|member| found(member.span.shifted(base), "[K]: V` and `patternProperties")));
            return;
        }
        _ => return,
    };
    all.push(found(expr.span.shifted(base), what));
}

/// Returns whether a reference is `map<K, V>` with restricted keys.
fn has_keys(reference: &Reference) -> bool {
    let is_map = reference.path.segments.first().is_some_and(|name| name.text == "map");
    let plain = |expr: &Expr| match &expr.ungrouped().kind {
        ExprKind::Reference(key) => {
            key.arguments.is_empty() && key.path.segments.first().is_some_and(|name| name.text == "string")
        }
        _ => false,
    };
    is_map && reference.arguments.first().is_some_and(|key| !plain(&key.value))
}
