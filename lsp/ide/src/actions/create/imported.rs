//! New definitions for names that an import lists but its file lacks.

use ogc_compiler::db::SourceFile;
use ogc_compiler::hir::scope::import_target;
use ogc_grammar::ogc::ast::{Imported, ItemKind, Name};
use ogc_grammar::{Code, Diagnostic};

use super::home::{at_end, is_free_in, kinds};
use super::ogc::definitions;
use super::{NewDefinition, Wanted, Way};
use crate::actions::context::Context;
use crate::items::item_at;
use crate::place::FilePosition;

/// Returns a name that an import lists but its file lacks, and the kinds of definition that it can become.
pub(super) fn wanted<'s>(context: &Context<'s>, found: &Diagnostic) -> Option<Wanted<'s>> {
    let (name, home) = imported(context, found)?;
    Some(Wanted { name: &name.text, home, kinds: kinds(context, home, &name.text) })
}

/// Returns edits that define the name, the best first.
pub(super) fn ways(context: &Context<'_>, found: &Diagnostic, kind: NewDefinition) -> Vec<Way> {
    let Some((name, home)) = imported(context, found) else { return Vec::new() };
    at_end(context, home, &name.text, definitions(kind, &name.text, None, &[]))
}

/// Returns the name of an import that a finding is about, and the file that lacks it.
fn imported<'s>(context: &Context<'s>, found: &Diagnostic) -> Option<(&'s Name, SourceFile)> {
    if found.code != Code::UnknownName {
        return None;
    }
    let at = FilePosition { file: context.file(), offset: found.span.start };
    let item = item_at(context.snapshot, at)?;
    let ItemKind::Import(import) = &item.tree.kind else { return None };
    let Imported::Names(names) = &import.imported else { return None };
    let listed = names.iter().find(|listed| item.in_file(listed.name.span) == found.span)?;
    let home = import_target(&context.snapshot.db, item.id)?;
    is_free_in(context, home, &listed.name.text).then_some((&listed.name, home))
}
