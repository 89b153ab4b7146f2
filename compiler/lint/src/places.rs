//! Maps handles of findings back to places in the format's own file.

use always_assert::never;
use ogc_compiler::db::{Db, Language};
use ogc_compiler::hir::Module;
use ogc_compiler::hir::elaborate::module;
use ogc_compiler::hir::items::{item_start, item_tree};
use ogc_compiler::hir::scope::{Binding, scope};
use ogc_compiler::hir::standard;
use ogc_compiler::pipeline::{Format, place_in};
use ogc_grammar::{Code, Diagnostic, Span};
use ogc_schema::source::Origin;

use super::{Measured, empty_branch, loose_space, swallowed};

/// Cap on the settings that are shown besides the first.
const SETTINGS: usize = 3;

/// Gives a finding its places in the format's file. A finding in another file is reported at the import that leads
/// there, and a finding without a place at the format's name.
pub(super) fn resolve(db: &dyn Db, format: &Format, measured: &Measured) -> Option<Diagnostic> {
    let found = &measured.diagnostic;
    let written = measured.written.as_deref();
    if format.file.language(db) == Language::Ogc {
        let module = module(db, format.file, format.name.clone()?)?;
        if found.span == Origin(0) {
            return whole(db, format, &module, found);
        }
        let place = module.place(found.span)?;
        let is_cost = super::EXPLAINED.contains(&found.code);
        if is_cost && standard::text(place.file.name(db)).is_some() {
            // Users cannot change the standard library.
            return None;
        }
        let level = place.item.as_ref().filter(|item| item.file != format.file);
        let found = match level {
            Some(item) => &super::level::inside(db, item, found.clone())?,
            None => found,
        };
        let fix = empty_branch::fix(db, format.file, found, place);
        let fix = fix.or_else(|| swallowed::fix(db, format.file, &module, found, place));
        let mut resolved = module.resolve(db, format.file, found).fix(fix);
        if place.file == format.file {
            resolved.span = narrowed(format.file.text(db), resolved.span, written);
        }
        return Some(resolved);
    }
    let text = format.file.text(db);
    let mut found = found.placed(|origin| match origin.0 {
        0 => Some(beginning(text)),
        handle => place_in(db, format, handle).map(|(_, span)| span),
    })?;
    found.span = narrowed(text, found.span, written);
    Some(found)
}

/// Returns the span of `written` within a larger span, if it occurs there exactly once.
fn narrowed(text: &str, whole: Span, written: Option<&str>) -> Span {
    let Some((inside, written)) = text.get(whole.start as usize..whole.end as usize).zip(written) else { return whole };
    match inside.match_indices(written).collect::<Vec<_>>().as_slice() {
        [(at, _)] => Span::of(*at, at + written.len()).shifted(whole.start),
        _ => whole,
    }
}

/// Places a finding about a whole format: at the settings that cause it, else at the format's name.
fn whole(db: &dyn Db, format: &Format, module: &Module, found: &Diagnostic<Origin>) -> Option<Diagnostic> {
    let settings = match found.code {
        Code::LooseSpace => loose_space::setting::settings(db, format.file, format.name.as_deref()?, module),
        _ => Vec::new(),
    };
    let Some((first, others)) = settings.split_first() else {
        let name = name(db, format)?;
        return Some(found.map_places(|_| name));
    };
    let found = found.map_places(|_| *first);
    let left = others.len().saturating_sub(SETTINGS);
    let last = others.iter().take(SETTINGS).next_back().filter(|_| left > 0);
    let said = |place: &Span| match last {
        Some(last) if last == place => format!("here, and at {left} other places"),
        _ => "and here".to_owned(),
    };
    Some(others.iter().take(SETTINGS).fold(found, |found, other| found.label(*other, said(other))))
}

/// Returns the span of the name of the format's definition.
fn name(db: &dyn Db, format: &Format) -> Option<Span> {
    let name = format.name.as_deref()?;
    let Some(Binding::Item(item)) = scope(db, format.file).names.get(name) else {
        never!("the format `{}` is no item of its file", name);
        return None;
    };
    let span = item_tree(db, item).item.definition()?.name.span;
    Some(span.shifted(item_start(db, item)))
}

/// Returns the span of the first character that is not white space.
fn beginning(text: &str) -> Span {
    let start = text.find(|char: char| !char.is_whitespace()).unwrap_or(0);
    let len = text[start..].chars().next().map_or(0, char::len_utf8);
    Span::of(start, start + len)
}
