//! The input of actions: the selection, the item and the expressions around it, the findings of the file.

use std::cell::OnceCell;

use always_assert::never;
use ogc_compiler::db::SourceFile;
use ogc_compiler::hir::Builtin;
use ogc_compiler::hir::scope::scope;
use ogc_grammar::ogc::ast::Expr;
use ogc_grammar::ogc::tokens;
use ogc_grammar::{Diagnostic, Span};
use ogc_lint::findings::{Subject, findings};

use crate::items::{PlacedItem, item_at};
use crate::place::{FilePosition, FileSpan};
use crate::snapshot::Snapshot;

/// The place for which actions are wanted.
pub(super) struct Context<'s> {
    pub(super) snapshot: &'s Snapshot,
    pub(super) selection: FileSpan,
    findings: OnceCell<Vec<Diagnostic>>,
}

impl<'s> Context<'s> {
    pub(super) fn new(snapshot: &'s Snapshot, selection: FileSpan) -> Self {
        Context { snapshot, selection, findings: OnceCell::new() }
    }

    pub(super) fn file(&self) -> SourceFile {
        self.selection.file
    }

    pub(super) fn text(&self) -> &'s str {
        self.snapshot.text(self.selection.file)
    }

    /// Returns the start of the selection.
    pub(super) fn cursor(&self) -> FilePosition {
        FilePosition { file: self.selection.file, offset: self.selection.span.start }
    }

    /// Returns the item around the start of the selection, if the item has no syntax errors.
    pub(super) fn item(&self) -> Option<PlacedItem<'s>> {
        let item = item_at(self.snapshot, self.cursor())?;
        let tree = ogc_compiler::hir::items::item_tree(&self.snapshot.db, item.id);
        (!tree.diagnostics.iter().any(Diagnostic::is_error)).then_some(item)
    }

    /// Returns the selection without white space at its ends.
    pub(super) fn selected(&self) -> Span {
        let span = self.selection.span;
        let text = span.text(self.text());
        let start = text.len() - text.trim_start().len();
        Span::of(start, start + text.trim().len()).shifted(span.start)
    }

    /// Returns the findings of the file, at the levels of its settings.
    pub(super) fn findings(&self) -> &[Diagnostic] {
        self.findings.get_or_init(|| {
            let (db, file) = (&self.snapshot.db, self.selection.file);
            let subject = Subject::whole(db, file);
            findings(db, &subject, None, &self.snapshot.settings(file).levels)
        })
    }

    /// Returns whether a span touches the selection.
    pub(super) fn touches(&self, place: Span) -> bool {
        let selection = self.selection.span;
        place.start <= selection.end && selection.start <= place.end
    }

    /// Returns a name similar to `wanted` that is unused in the file.
    pub(super) fn fresh(&self, item: &PlacedItem<'_>, wanted: &str) -> String {
        let scope = scope(&self.snapshot.db, self.selection.file);
        let is_parameter =
            |name: &str| item.definition().is_some_and(|own| own.parameters.iter().any(|one| one.name.text == name));
        let is_word = |name: &str| {
            tokens(name).first().is_some_and(|first| first.kind == ogc_grammar::ogc::token::TokenKind::Name)
        };
        let is_free = |name: &String| {
            is_word(name) && !scope.names.contains_key(name) && Builtin::of(name).is_none() && !is_parameter(name)
        };
        let numbered = (2..).map(|number| format!("{wanted}{number}"));
        std::iter::once(wanted.to_owned()).chain(numbered).find(is_free).unwrap_or_else(|| {
            never!("all names like `{}` are taken", wanted);
            String::new()
        })
    }
}

/// Returns the expressions of an item around a place, from the outermost to the innermost. Places are relative to the
/// item.
pub(super) fn around<'s>(item: &PlacedItem<'s>, place: Span) -> Vec<&'s Expr> {
    let holds = |expr: &&Expr| expr.span.start <= place.start && place.end <= expr.span.end;
    let mut found = Vec::new();
    let mut next = item.tree.expressions().into_iter().find(holds);
    while let Some(expr) = next {
        found.push(expr);
        next = expr.children().into_iter().find(holds);
    }
    found
}

/// Converts a place in the file to a place in the item.
pub(super) fn in_item(item: &PlacedItem<'_>, place: Span) -> Span {
    let start = item.span.start;
    Span::new(place.start.saturating_sub(start), place.end.saturating_sub(start))
}
