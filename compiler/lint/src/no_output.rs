//! `no-output`: a file from which nothing is compiled, because it has no output or is empty.

use ogc_compiler::db::{Db, SourceFile};
use ogc_compiler::hir::check::checked_items;
use ogc_compiler::hir::items::{Keyword, file_items};
use ogc_grammar::{Code, Diagnostic, Span};

use crate::library::is_imported;

/// Reports an `.ogc` file without outputs that no other file imports.
pub(super) fn in_ogc(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let parts = file_items(db, file);
    let items = &parts.items;
    // A text that is too long has an error and no items.
    if parts.diagnostics.iter().any(Diagnostic::is_error) {
        return Vec::new();
    }
    let Some((_, first)) = items.first() else { return vec![nothing_in_it(db, file)] };
    let has = |kind| items.iter().any(|(item, _)| item.key.kind == kind);
    let broken = has(Keyword::Unknown) || !checked_items(db, file).is_sound();
    if broken || has(Keyword::Output) || is_imported(db, file) {
        return Vec::new();
    }
    let head = first.text(file.text(db)).lines().next().map_or(0, str::len);
    let place = Span::of(first.start as usize, first.start as usize + head);
    let found = Diagnostic::note(Code::NoOutput, place, "this file has no output, so nothing is compiled");
    vec![found.help("write `output Name = ...` for what a model writes; a file that others import needs none")]
}

fn nothing_in_it(db: &dyn Db, file: SourceFile) -> Diagnostic {
    let comments = !file.text(db).trim_start_matches('\u{feff}').trim().is_empty();
    let message = if comments { "this file has comments only" } else { "this file is empty" };
    let found = Diagnostic::warning(Code::NoOutput, Span::default(), format!("{message}, so nothing is compiled"));
    found.help("write `output Name = ...`; `ogc new` begins a format")
}

/// Reports a pattern that is only white space; it matches that white space, which is hardly intended.
pub(super) fn in_regex(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let text = file.text(db);
    if text.is_empty() || !text.trim().is_empty() {
        return Vec::new();
    }
    let found = Diagnostic::warning(Code::NoOutput, Span::default(), "this pattern is white space alone");
    vec![found.help("write the pattern, on one line")]
}
