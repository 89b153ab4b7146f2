//! The items of an `.ogc` file around a place, as features need them.

use ogc_compiler::hir::items::{ItemId, file_items, item_start, item_tree};
use ogc_compiler::hir::names::{self, Occurrence, Symbol};
use ogc_grammar::Span;
use ogc_grammar::ogc::ast::{Definition, Item};

use crate::foreign_names::{self, ForeignName};
use crate::place::{FilePosition, FileSpan};
use crate::snapshot::Snapshot;
use ogc_compiler::db::{Language, SourceFile};

/// An item and its place in the file. Places in its tree are relative to its start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacedItem<'s> {
    pub(crate) id: &'s ItemId,
    pub(crate) span: Span,
    pub(crate) tree: &'s Item,
}

impl<'s> PlacedItem<'s> {
    /// Converts a place in the item to a place in its file.
    pub(crate) fn in_file(&self, span: Span) -> Span {
        span.shifted(self.span.start)
    }

    /// Returns the type, rule or output that the item is.
    pub(crate) fn definition(&self) -> Option<&'s Definition> {
        self.tree.definition()
    }

    /// Returns the span to show for the item: from its docs or attributes to its end, without trailing white space.
    pub(crate) fn shown(&self) -> Span {
        let docs = self.tree.docs.first().map_or(self.tree.span.start, |doc| doc.span.start);
        self.in_file(Span::new(docs.min(self.tree.span.start), self.tree.span.end))
    }
}

/// Returns the items of a file in order; none for files in other languages.
pub(crate) fn items(snapshot: &Snapshot, file: SourceFile) -> impl Iterator<Item = PlacedItem<'_>> {
    let is_ogc = snapshot.language(file) == Language::Ogc;
    let all = is_ogc.then(|| file_items(&snapshot.db, file).items.iter()).into_iter().flatten();
    all.map(|(id, span)| PlacedItem { id, span: *span, tree: &item_tree(&snapshot.db, id).item })
}

/// Returns the item around an offset; between two items, the second one.
pub(crate) fn item_at(snapshot: &Snapshot, at: FilePosition) -> Option<PlacedItem<'_>> {
    let around = items(snapshot, at.file).filter(|item| item.span.start <= at.offset && at.offset <= item.span.end);
    around.last()
}

/// Names a rule of an automaton for people, with the definition that it comes from, unless the rule's own name says it.
pub(crate) fn rule_title(snapshot: &Snapshot, name: &str, place: Option<FileSpan>) -> String {
    let item = place.and_then(|place| item_at(snapshot, snapshot.position(place.file, place.span.start)));
    match item.as_ref().and_then(PlacedItem::definition).map(|definition| &definition.name.text) {
        Some(owner) if !owner.is_empty() && !name.contains(owner.as_str()) => format!("{name} in {owner}"),
        _ => name.to_owned(),
    }
}

/// Returns an item of any file by its identity.
pub(crate) fn placed<'s>(snapshot: &'s Snapshot, id: &'s ItemId) -> PlacedItem<'s> {
    let tree = &item_tree(&snapshot.db, id).item;
    let start = item_start(&snapshot.db, id);
    PlacedItem { id, span: Span::new(start, start + tree.span.end), tree }
}

/// Returns the name at an offset of a file, whatever the file's language is.
pub(crate) fn name_at(snapshot: &Snapshot, at: FilePosition) -> Option<Occurrence> {
    if snapshot.language(at.file) == Language::Ogc {
        return names::name_at(&snapshot.db, at.file, at.offset);
    }
    let ForeignName { span, name, is_definition } = foreign_names::at(snapshot, at)?;
    Some(Occurrence { span, symbol: Symbol::Foreign { file: at.file, name }, is_definition })
}

/// Returns the place where a thing is defined; `None` for the standard library, which is in no file that an editor
/// could open.
pub(crate) fn definition_of(snapshot: &Snapshot, symbol: &Symbol) -> Option<FileSpan> {
    if let Symbol::Foreign { file, name } = symbol {
        let mut all = foreign_names::occurrences(snapshot, *file).iter();
        if let Some(defined) = all.find(|one| one.is_definition && one.name == *name) {
            return Some(FileSpan::new(*file, defined.span));
        }
    }
    let place: FileSpan = names::definition_of(&snapshot.db, symbol)?.into();
    (snapshot.file(snapshot.name(place.file)) == Some(place.file)).then_some(place)
}
