//! Rejects a rename that would collide with a name in scope.

use ogc_compiler::db::SourceFile;
use ogc_compiler::hir::items::{ItemId, item_start, item_tree};
use ogc_compiler::hir::names::{Symbol, names};
use ogc_compiler::hir::scope::{Binding, scope};
use ogc_grammar::Span;
use ogc_grammar::ogc::ast::{Imported, ItemKind};
use ogc_grammar::span::part;

use super::fields;
use super::place::{Form, NamedPlace};
use super::target::{RenameTarget, Subject, check_word};
use super::{Line, RenameError};
use crate::foreign_names;
use crate::place::FileSpan;
use crate::snapshot::Snapshot;

/// Checks that nothing else has the new name wherever the old one is written.
pub(super) fn check(
    snapshot: &Snapshot,
    found: &RenameTarget,
    places: &[NamedPlace],
    new: &str,
) -> Result<(), RenameError> {
    match &found.subject {
        Subject::Definition(_) | Subject::Alias(_) => in_scopes(snapshot, places, new),
        Subject::Foreign(file) => {
            if let Some(taken) = foreign_names::occurrences(snapshot, *file).iter().find(|one| one.name == new) {
                return Err(RenameError::Taken(new.to_owned(), Line::of(snapshot, (*file, taken.span).into())));
            }
            in_scopes(snapshot, places, new)
        }
        Subject::Parameter(item) => in_item(snapshot, item, new),
        Subject::Field(..) => fields::check(snapshot, places, new),
        Subject::Capture(item) => {
            let is_it = |symbol: &Symbol| matches!(symbol, Symbol::Capture { name, .. } if name == new);
            first(snapshot, item, is_it).map_or(Ok(()), |place| Err(taken(snapshot, new, place)))
        }
    }
}

fn taken(snapshot: &Snapshot, new: &str, place: FileSpan) -> RenameError {
    RenameError::Taken(new.to_owned(), Line::of(snapshot, place))
}

/// Returns the first place in an item that names a matching thing.
fn first(snapshot: &Snapshot, item: &ItemId, is_it: impl Fn(&Symbol) -> bool) -> Option<FileSpan> {
    let found = names(&snapshot.db, item).iter().find(|name| is_it(&name.symbol))?;
    Some((item.file, found.span.shifted(item_start(&snapshot.db, item))).into())
}

/// Checks the scopes of files and the parameters of items in which the name is written as a plain word.
fn in_scopes(snapshot: &Snapshot, places: &[NamedPlace], new: &str) -> Result<(), RenameError> {
    for place in places.iter().filter(|place| place.form == Form::Word) {
        check_word(new)?;
        if let Some(taken_at) = declared(snapshot, place.at.file, new) {
            return Err(taken(snapshot, new, taken_at));
        }
        if let Some(parameter) = place.item.as_ref().and_then(|item| parameter(snapshot, item, new)) {
            return Err(RenameError::Hidden(new.to_owned(), Line::of(snapshot, parameter)));
        }
    }
    Ok(())
}

/// Returns the place of a parameter of an item.
fn parameter(snapshot: &Snapshot, item: &ItemId, name: &str) -> Option<FileSpan> {
    let definition = item_tree(&snapshot.db, item).item.definition()?;
    let parameter = definition.parameters.iter().find(|one| one.name.text == name)?;
    Some((item.file, parameter.name.span.shifted(item_start(&snapshot.db, item))).into())
}

/// Checks an item in which a parameter is renamed: no other parameter has the new name, and the item uses no name of
/// the file with that spelling.
fn in_item(snapshot: &Snapshot, item: &ItemId, new: &str) -> Result<(), RenameError> {
    if let Some(other) = parameter(snapshot, item, new) {
        return Err(taken(snapshot, new, other));
    }
    let start = item_start(&snapshot.db, item);
    let used = names(&snapshot.db, item).iter().find(|name| {
        let of_file = !matches!(name.symbol, Symbol::Field { .. } | Symbol::Capture { .. });
        of_file
            && snapshot.slice(item.file, name.span.shifted(start)) == new
            && !is_behind_dot(snapshot, item, name.span)
    });
    let place = used.map(|name| FileSpan::new(item.file, name.span.shifted(start)));
    place.map_or(Ok(()), |place| Err(taken(snapshot, new, place)))
}

/// Returns whether a name in an item is after a dot or `@`, or before `=`, where it cannot mean a parameter.
fn is_behind_dot(snapshot: &Snapshot, item: &ItemId, span: Span) -> bool {
    let place = span.shifted(item_start(&snapshot.db, item));
    let text = snapshot.text(item.file);
    let before = part(text, ..place.start as usize).trim_end();
    let after = part(text, place.end as usize..).trim_start();
    before.ends_with(['.', '@']) || after.starts_with('=')
}

/// Returns where a file defines or imports a name.
fn declared(snapshot: &Snapshot, file: SourceFile, name: &str) -> Option<FileSpan> {
    let binding = scope(&snapshot.db, file).names.get(name)?;
    let (Binding::Item(item) | Binding::Imported(item, _) | Binding::WholeFile(item)) = binding;
    let tree = &item_tree(&snapshot.db, item).item;
    let span = match &tree.kind {
        ItemKind::Import(import) => match &import.imported {
            Imported::Whole(whole) => Some(whole.span),
            Imported::Names(names) => {
                let here = names.iter().map(|one| one.alias.as_ref().unwrap_or(&one.name));
                here.into_iter().find(|one| one.text == name).map(|one| one.span)
            }
        },
        _ => tree.definition().map(|definition| definition.name.span),
    };
    Some((item.file, span.unwrap_or(tree.span).shifted(item_start(&snapshot.db, item))).into())
}
