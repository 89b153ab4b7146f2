//! Compiles structural tags as the modules that they are translated to.

use std::sync::Arc;

use ogc_grammar::{Diagnostic, Span};

use super::{Format, lower_module};
use crate::db::{Db, SourceFile};
use crate::foreign::{StructuralTag, TAG_ROOT, structural_tag};
use crate::hir::Module;
use crate::hir::elaborate::module;

/// Returns the format to compile for a requested one: for a structural tag, the output of its module; otherwise the
/// format itself.
pub(super) fn compiled(db: &dyn Db, format: Format) -> Format {
    match structural_tag(db, format.file) {
        Some(tag) => Format::named(tag.module, TAG_ROOT),
        None => format,
    }
}

/// Returns the findings of reading and compiling a structural tag, with places in the tag. Of the findings in the
/// generated module, only errors count.
pub(super) fn diagnostics(db: &dyn Db, tag: &StructuralTag) -> Vec<Diagnostic> {
    let mut found = tag.findings(db);
    if found.iter().any(Diagnostic::is_error) {
        return found;
    }
    let name: Arc<str> = TAG_ROOT.into();
    let Some(module) = module(db, tag.module, Arc::clone(&name)) else { return found };
    let lowered = lower_module(db, tag.module, name);
    let errors = module.diagnostics.iter().chain(&lowered.diagnostics).filter(|one| one.is_error());
    found.extend(errors.map(|one| {
        let placed = one.map_places(|origin| placed(db, tag, &module, *origin).unwrap_or(tag.root()));
        // Edits would apply to the generated module.
        Diagnostic { fix: None, guesses: Vec::new(), ..placed }
    }));
    found
}

fn placed(db: &dyn Db, tag: &StructuralTag, module: &Module, origin: ogc_schema::source::Origin) -> Option<Span> {
    let place = module.place(origin)?;
    tag.outside(place.file, place.absolute(db))
}

/// Maps a place in the module or the parts of a structural tag to the tag; any other place stays as it is.
pub(super) fn outside(db: &dyn Db, file: SourceFile, place: (SourceFile, Span)) -> (SourceFile, Span) {
    let tag = structural_tag(db, file).as_ref();
    tag.and_then(|tag| tag.outside(place.0, place.1)).map_or(place, |span| (file, span))
}
