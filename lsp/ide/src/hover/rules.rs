//! Hover in grammars: the text of the rule whose name is at a position.

use ogc_compiler::hir::names::Symbol;

use super::Hover;
use crate::place::FilePosition;
use crate::snapshot::Snapshot;
use crate::{documentation, foreign_names};

/// Returns the hover of the rule whose name is at a position.
pub(super) fn hover(snapshot: &Snapshot, position: FilePosition) -> Option<Hover> {
    let name = foreign_names::at(snapshot, position)?;
    let symbol = Symbol::Foreign { file: position.file, name: name.name };
    let mut known = documentation::of_symbol(snapshot, &symbol)?;
    // The user is already looking at that file.
    known.text = String::new();
    Some(Hover::of(name.span, known))
}
