//! The names in a file that its own scope does not define: names of other files, and names that imports introduce.

use ogc_compiler::db::SourceFile;
use ogc_compiler::hir::names::Occurrence;
use ogc_grammar::Span;
use ogc_grammar::ogc::ast::{Expr, ExprKind, Imported, ItemKind};
use rustc_hash::FxHashSet;

use crate::items::{PlacedItem, items};
use crate::snapshot::Snapshot;

/// The ways in which a file writes names of other files.
pub(super) struct Written {
    /// The places of paths, and of names as the other file defines them: the file's own scope does not define them.
    outer: FxHashSet<Span>,
    /// The names that imports introduce here.
    aliases: FxHashSet<String>,
}

impl Written {
    pub(super) fn of(snapshot: &Snapshot, file: SourceFile) -> Written {
        let mut written = Written { outer: FxHashSet::default(), aliases: FxHashSet::default() };
        for item in items(snapshot, file) {
            written.import(&item);
            for root in item.tree.expressions() {
                root.walk(&mut |expr| written.path(&item, expr));
            }
        }
        written
    }

    fn import(&mut self, item: &PlacedItem<'_>) {
        let ItemKind::Import(import) = &item.tree.kind else { return };
        self.outer.insert(item.in_file(import.path.span));
        self.outer.extend(import.overrides.iter().map(|one| item.in_file(one.name.span)));
        match &import.imported {
            Imported::Whole(name) => drop(self.aliases.insert(name.text.clone())),
            Imported::Names(names) => {
                for (name, alias) in names.iter().filter_map(|one| Some((&one.name, one.alias.as_ref()?))) {
                    self.outer.insert(item.in_file(name.span));
                    self.aliases.insert(alias.text.clone());
                }
            }
        }
    }

    /// Adds the name after the dot of `module.name`.
    fn path(&mut self, item: &PlacedItem<'_>, expr: &Expr) {
        if let ExprKind::Reference(reference) = &expr.kind
            && let [_, last] = reference.path.segments.as_slice()
        {
            self.outer.insert(item.in_file(last.span));
        }
    }

    /// Returns whether a name at a place of the file comes from another file, or is the path of an import.
    pub(super) fn is_outer(&self, place: Span) -> bool {
        self.outer.contains(&place)
    }

    /// Returns whether a name at a place of the file comes from an import.
    pub(super) fn is_alias(&self, occurrence: &Occurrence, name: &str) -> bool {
        !self.is_outer(occurrence.span) && self.aliases.contains(name)
    }
}
