//! `unused-item`: a type, rule or import that no output, test or policy uses, in a file that has outputs.

use std::collections::BTreeSet;

use ogc_compiler::db::{Db, Language, SourceFile, Workspace};
use ogc_compiler::hir::check::checked_items;
use ogc_compiler::hir::items::{ItemId, Keyword, file_items, item_start, item_tree};
use ogc_compiler::hir::scope::{import_target, scope};
use ogc_compiler::hir::uses::{reach, used_names, uses};
use ogc_grammar::ogc::ast::{Import, Imported, ImportedName, ItemKind};
use ogc_grammar::{Code, Diagnostic, Fix, Span};

pub(super) fn lint(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let items = &file_items(db, file).items;
    // An unresolved name may be meant for the seemingly unused item, so the item must not be removed yet.
    if !checked_items(db, file).is_sound() || !items.iter().any(|(item, _)| item.key.kind == Keyword::Output) {
        return Vec::new();
    }
    let reached = reached(db, file);
    items.iter().flat_map(|(item, span)| of_item(db, item, *span, &reached)).collect()
}

fn of_item(db: &dyn Db, item: &ItemId, whole: Span, reached: &BTreeSet<&str>) -> Vec<Diagnostic> {
    let base = item_start(db, item);
    let text = item.file.text(db);
    match &item_tree(db, item).item.kind {
        ItemKind::Type(one) | ItemKind::Rule(one) if !reached.contains(one.name.text.as_str()) => {
            vec![found(&one.name.text, one.name.span.shifted(base)).fix(removal(text, whole))]
        }
        ItemKind::Import(import) => of_import(import, base, reached, removal(text, whole)),
        _ => Vec::new(),
    }
}

fn found(name: &str, span: Span) -> Diagnostic {
    let message = format!("no output and no test uses `{name}`");
    Diagnostic::warning(Code::UnusedItem, span, message).help("remove it, or use it")
}

fn of_import(import: &Import, base: u32, reached: &BTreeSet<&str>, removal: Fix) -> Vec<Diagnostic> {
    let names = match &import.imported {
        Imported::Whole(name) if reached.contains(name.text.as_str()) => return Vec::new(),
        Imported::Whole(name) => return vec![found(&name.text, name.span.shifted(base)).fix(removal)],
        Imported::Names(names) => names,
    };
    let unused = |one: &&ImportedName| !reached.contains(here(one));
    if names.iter().filter(unused).count() == names.len() {
        return names.iter().map(|one| found(here(one), place(one).shifted(base)).fix(removal.clone())).collect();
    }
    let one = |(at, one): (usize, &ImportedName)| {
        let fix = Fix::new("remove the name", without(names, at), "").shifted(base);
        unused(&one).then(|| found(here(one), place(one).shifted(base)).fix(fix))
    };
    names.iter().enumerate().filter_map(one).collect()
}

/// Returns the local name of an imported name.
fn here(name: &ImportedName) -> &str {
    &name.alias.as_ref().unwrap_or(&name.name).text
}

/// Returns the span of an imported name with its alias.
fn place(name: &ImportedName) -> Span {
    name.alias.iter().fold(name.name.span, |span, alias| span.merge(alias.span))
}

/// Returns the span to remove for a name of a list, including the comma before or after it.
fn without(names: &[ImportedName], at: usize) -> Span {
    let own = place(&names[at]);
    match (names.get(at + 1), at.checked_sub(1)) {
        (Some(next), _) => Span::new(own.start, next.name.span.start),
        (None, Some(before)) => Span::new(place(&names[before]).end, own.end),
        (None, None) => own,
    }
}

/// Makes a correction that removes an item with its documentation, its line end, and the empty lines after it or, at
/// the end of the file, before it.
fn removal(text: &str, item: Span) -> Fix {
    let (mut start, mut end) = (item.start as usize, item.end as usize);
    let line = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
    if text[end..line].trim().is_empty() {
        end = line;
        let before = &text[..start];
        if before.is_empty() || before.ends_with("\n\n") {
            end = text.len() - text[end..].trim_start_matches('\n').len();
        }
        if end == text.len() && before.ends_with('\n') {
            start = before.trim_end_matches('\n').len() + 1;
        }
    }
    Fix::new("remove it", Span::of(start, end), "")
}

/// Returns the names of everything that outputs, tests, policies and other files use, directly or indirectly.
fn reached(db: &dyn Db, file: SourceFile) -> BTreeSet<&str> {
    let scope = scope(db, file);
    let mut open: Vec<&str> = Vec::new();
    for (item, _) in &file_items(db, file).items {
        match item.key.kind {
            Keyword::Output if !item.key.name.is_empty() => open.push(&item.key.name),
            Keyword::Test | Keyword::Policy => open.extend(used_names(db, item)),
            _ => {}
        }
    }
    let outside = used_outside(db, file);
    open.extend(outside.iter().filter_map(|name| scope.names.get_key_value(name)).map(|(name, _)| name.as_str()));
    reach(db, file, open)
}

/// Returns the names that other files of the workspace import from a file.
fn used_outside(db: &dyn Db, file: SourceFile) -> BTreeSet<String> {
    let Some(workspace) = Workspace::try_get(db) else { return BTreeSet::new() };
    let others = workspace.files(db).values().filter(|other| **other != file && other.language(db) == Language::Ogc);
    others
        .flat_map(|other| imported_by(db, *other))
        .filter(|(of, _)| *of == file)
        .map(|(_, name)| name.clone())
        .collect()
}

/// Returns the names that a file imports, each with the file that it comes from.
#[salsa::tracked]
fn imported_by(db: &dyn Db, file: SourceFile) -> Vec<(SourceFile, String)> {
    let items = &file_items(db, file).items;
    let mut found = Vec::new();
    for (item, _) in items {
        let ItemKind::Import(import) = &item_tree(db, item).item.kind else { continue };
        let Some(target) = import_target(db, item) else { continue };
        match &import.imported {
            Imported::Names(names) => found.extend(names.iter().map(|one| (target, one.name.text.clone()))),
            Imported::Whole(module) => {
                let all = items.iter().flat_map(|(item, _)| uses(db, item));
                let inside = all.filter(|(name, _)| *name == module.text).filter_map(|(_, inner)| inner.as_ref());
                found.extend(inside.map(|name| (target, name.clone())));
            }
        }
    }
    found
}
