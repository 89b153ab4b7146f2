//! Finds the place where a named thing is defined.

use ogc_grammar::Span;
use ogc_grammar::ogc::ast::{Expr, ExprKind};

use super::Symbol;
use crate::db::{Db, Language, SourceFile};
use crate::foreign::{foreign_schema, imported_grammar};
use crate::hir::items::{ItemId, item_start, item_tree};

/// Returns the definition of a thing: a file, and the place of the name in it (for a whole file, its beginning). `None`
/// for built-in names, attributes and settings.
pub fn definition_of(db: &dyn Db, symbol: &Symbol) -> Option<(SourceFile, Span)> {
    match symbol {
        Symbol::Definition(item) => in_item(db, item, item_tree(db, item).item.definition()?.name.span),
        Symbol::Parameter { item, name } => {
            let parameters = &item_tree(db, item).item.definition()?.parameters;
            in_item(db, item, parameters.iter().find(|one| one.name.text == *name)?.name.span)
        }
        Symbol::Field { item, place } => in_item(db, item, *place),
        Symbol::Capture { item, name } => {
            in_item(db, item, capture_in(&item_tree(db, item).item.definition()?.body, name)?)
        }
        Symbol::Foreign { file, name } => Some((*file, foreign_place(db, *file, name)?)),
        Symbol::File(file) => Some((*file, Span::default())),
        Symbol::Builtin(_)
        | Symbol::BuiltinParameter(..)
        | Symbol::Attribute(_)
        | Symbol::Setting(_)
        | Symbol::Unknown => None,
    }
}

/// Converts a place in an item to a place in its file.
fn in_item(db: &dyn Db, item: &ItemId, span: Span) -> Option<(SourceFile, Span)> {
    Some((item.file, span.shifted(item_start(db, item))))
}

/// Returns the place of the first capture of this name.
fn capture_in(body: &Expr, wanted: &str) -> Option<Span> {
    let mut found = None;
    body.walk(&mut |expr| match &expr.kind {
        ExprKind::Capture { name, .. } if name.text == wanted && found.is_none() => found = Some(name.span),
        _ => {}
    });
    found
}

/// Returns the place of a definition in a file of another language.
fn foreign_place(db: &dyn Db, file: SourceFile, name: &str) -> Option<Span> {
    if file.language(db) == Language::JsonSchema {
        let schema = foreign_schema(db, file);
        let (_, node) = schema.definitions().into_iter().find(|(known, _)| known == name)?;
        let node = schema.0.schemas.nodes.get(node.0 as usize)?;
        return Some(schema.0.span(node.origin));
    }
    let placed = imported_grammar(db, file).0.as_ref()?;
    let own = placed.grammar.rules.iter().find(|rule| rule.name == name);
    // `root` means the start rule, whatever its own name is.
    let rule = own.or_else(|| placed.grammar.rules.get(placed.grammar.root.0 as usize).filter(|_| name == "root"))?;
    placed.places.get(rule.origin)
}
