//! Lists every name that is written in an item, with the thing it names: for "go to definition", references and
//! renaming.
//!
//! [`resolution`](super::resolve::resolution) covers only references, because elaboration needs no more. This query
//! takes the targets of references from it and adds all other names: of definitions, parameters, fields, captures,
//! bounds, named arguments, attributes, settings, imports.

mod collect;
mod definition;

use std::sync::Arc;

use ogc_grammar::Span;

use super::attribute::AttributeKind;
use super::builtin::{Builtin, BuiltinParameter};
use super::items::{ItemId, ItemKey, Keyword, file_items, item_start};
use super::setting::Setting;
use crate::db::{Db, Language, SourceFile, Workspace};

pub use definition::definition_of;

/// One place in an item where a name is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// Place of the name, relative to the item's start.
    pub span: Span,
    /// The thing that it names.
    pub symbol: Symbol,
    /// Whether this place defines the thing, or imports it.
    pub is_definition: bool,
}

/// A thing that has a name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Symbol {
    /// A type, rule or output.
    Definition(ItemId),
    /// A parameter of a definition.
    Parameter {
        /// The definition.
        item: ItemId,
        /// The parameter.
        name: String,
    },
    /// A field of a record.
    Field {
        /// The definition that the record is written in.
        item: ItemId,
        /// The place of its name in the record, relative to the item's start.
        place: Span,
    },
    /// A named part of a text.
    Capture {
        /// The definition that it is written in.
        item: ItemId,
        /// Its name.
        name: String,
    },
    /// A definition in a file of another language: a schema under `$defs`, or a rule.
    Foreign {
        /// The file.
        file: SourceFile,
        /// The name in that file.
        name: String,
    },
    /// A file.
    File(SourceFile),
    /// A built-in name.
    Builtin(&'static Builtin),
    /// A parameter of a built-in name.
    BuiltinParameter(&'static Builtin, &'static BuiltinParameter),
    /// An attribute.
    Attribute(AttributeKind),
    /// A policy or a budget.
    Setting(&'static Setting),
    /// Nothing: the name is unknown.
    Unknown,
}

/// The kind of a thing that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SymbolKind {
    /// A set of JSON values: a type, a schema, a built-in type.
    Value,
    /// A set of texts: a rule, a built-in text.
    Text,
    /// An output.
    Output,
    /// A parameter, which stands for a value, a text or a number.
    Parameter,
    /// A field of a record.
    Field,
    /// A named part of a text.
    Capture,
    /// A file.
    File,
    /// An attribute.
    Attribute,
    /// A policy or a budget.
    Setting,
    /// Nothing: the name is unknown.
    Unknown,
}

impl Symbol {
    /// Returns the kind of the thing.
    pub fn kind(&self, db: &dyn Db) -> SymbolKind {
        match self {
            Symbol::Definition(item) => match item.key.kind {
                Keyword::Type => SymbolKind::Value,
                Keyword::Rule => SymbolKind::Text,
                Keyword::Output => SymbolKind::Output,
                _ => SymbolKind::Unknown,
            },
            Symbol::Foreign { file, .. } if file.language(db) == Language::JsonSchema => SymbolKind::Value,
            Symbol::Foreign { .. } => SymbolKind::Text,
            Symbol::Builtin(builtin) if builtin.is_text() => SymbolKind::Text,
            Symbol::Builtin(_) => SymbolKind::Value,
            Symbol::Parameter { .. } | Symbol::BuiltinParameter(..) => SymbolKind::Parameter,
            Symbol::Field { .. } => SymbolKind::Field,
            Symbol::Capture { .. } => SymbolKind::Capture,
            Symbol::File(_) => SymbolKind::File,
            Symbol::Attribute(_) => SymbolKind::Attribute,
            Symbol::Setting(_) => SymbolKind::Setting,
            Symbol::Unknown => SymbolKind::Unknown,
        }
    }
}

/// Returns the names that are written in an item, in order of place.
pub fn names<'db>(db: &'db dyn Db, item: &ItemId) -> &'db [Occurrence] {
    names_of(db, item.file, Arc::clone(&item.key))
}

#[salsa::tracked]
fn names_of(db: &dyn Db, file: SourceFile, key: Arc<ItemKey>) -> Vec<Occurrence> {
    collect::names_in(db, &ItemId { file, key })
}

/// Returns the name at a byte offset of an `.ogc` file, with its place in the file.
///
/// ```
/// use ogc_compiler::db::{Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile};
/// use ogc_compiler::hir::names::{definition_at, name_at};
///
/// let db = Compiler::default();
/// let options = Options::new(&db, JsonPolicy::default(), Formats::default(), Limits::default());
/// let text = "type Age = int<0..150>\noutput Out = { age: Age }\n";
/// let file = SourceFile::new(&db, "a.ogc".to_owned(), text.to_owned(), Language::Ogc, options);
/// let cursor = text.rfind("Age").unwrap() as u32;
/// assert_eq!(name_at(&db, file, cursor).map(|name| name.span.text(text)), Some("Age"));
/// let (there, place) = definition_at(&db, file, cursor).unwrap();
/// assert_eq!((there, place.start), (file, 5));
/// ```
pub fn name_at(db: &dyn Db, file: SourceFile, at: u32) -> Option<Occurrence> {
    let items = &file_items(db, file).items;
    let (item, span) = items.iter().find(|(_, span)| span.start <= at && at <= span.end)?;
    let inside = names(db, item).iter().filter(|name| {
        let place = name.span.shifted(span.start);
        place.start <= at && at <= place.end
    });
    // If two names touch, as in `a.b`, the later one is meant.
    let name = inside.max_by_key(|name| name.span.start)?;
    Some(Occurrence { span: name.span.shifted(span.start), ..name.clone() })
}

/// Returns the definition of the name at a byte offset of an `.ogc` file: a file, and the place in it. Built-in names,
/// attributes and settings have no definition.
pub fn definition_at(db: &dyn Db, file: SourceFile, at: u32) -> Option<(SourceFile, Span)> {
    definition_of(db, &name_at(db, file, at)?.symbol)
}

/// Returns all places in the workspace's `.ogc` files that name a thing, its definition included, ordered by file and
/// place.
pub fn references(db: &dyn Db, symbol: &Symbol) -> Vec<(SourceFile, Span)> {
    let Some(workspace) = Workspace::try_get(db) else { return Vec::new() };
    let files = workspace.files(db).values().filter(|file| file.language(db) == Language::Ogc);
    let items = files.flat_map(|file| file_items(db, *file).items.iter().map(|(item, _)| item));
    let mut found: Vec<(SourceFile, Span)> = items
        .flat_map(|item| {
            let named = names(db, item).iter().filter(|name| name.symbol == *symbol);
            named.map(|name| (item.file, name.span.shifted(item_start(db, item))))
        })
        .collect();
    found.sort_by(|(a, one), (b, other)| (a.name(db), one).cmp(&(b.name(db), other)));
    found
}

#[cfg(test)]
mod tests;
