//! Finds the places where a thing is named, and writes the new name there.

use ogc_compiler::db::{Language, SourceFile};
use ogc_compiler::foreign::read_rules;
use ogc_compiler::hir::items::item_tree;
use ogc_compiler::hir::names::{Occurrence, Symbol, names};
use ogc_compiler::hir::scope::import_target;
use ogc_grammar::ogc::ast::{Expr, ExprKind};
use ogc_grammar::ogc::{print_expr, tokens};
use ogc_grammar::span::part;
use ogc_grammar::{Diagnostic, Span};

use super::fields;
use super::place::{Form, NamedPlace};
use super::target::{RenameTarget, Subject, word};
use super::written::Written;
use super::{Line, RenameError};
use crate::foreign_names;
use crate::items::{PlacedItem, items};
use crate::place::{FileEdits, TextEdit};
use crate::snapshot::Snapshot;

/// Returns all places where the thing is written under the old name.
pub(super) fn places(snapshot: &Snapshot, found: &RenameTarget) -> Result<Vec<NamedPlace>, RenameError> {
    broken(snapshot, found)?;
    let mut places = match &found.subject {
        Subject::Definition(item) => of_definition(snapshot, &Symbol::Definition(item.clone())),
        Subject::Foreign(file) => {
            let symbol = Symbol::Foreign { file: *file, name: found.name.clone() };
            let mut places = of_definition(snapshot, &symbol);
            places.extend(in_foreign(snapshot, *file, &found.name));
            places
        }
        Subject::Alias(file) => of_alias(snapshot, *file, &found.name),
        Subject::Parameter(item) => {
            let symbol = Symbol::Parameter { item: item.clone(), name: found.name.clone() };
            of_symbol(snapshot, &snapshot.files(), &symbol)
        }
        Subject::Field(item, place) => fields::places(snapshot, item, *place),
        Subject::Capture(item) => {
            let symbol = Symbol::Capture { item: item.clone(), name: found.name.clone() };
            of_symbol(snapshot, &[item.file], &symbol)
        }
    };
    places.sort_by_key(|place| (snapshot.name(place.at.file), place.at.span));
    places.dedup_by(|one, other| one.at == other.at);
    Ok(places)
}

/// Returns the places of an item's names, in its file.
fn named<'s>(item: &PlacedItem<'s>, snapshot: &'s Snapshot) -> impl Iterator<Item = Occurrence> + use<'s> {
    let (all, start) = (names(&snapshot.db, item.id), item.span.start);
    all.iter().map(move |one| Occurrence { span: one.span.shifted(start), ..one.clone() })
}

/// Returns the places of a definition's own name, in all files.
fn of_definition(snapshot: &Snapshot, symbol: &Symbol) -> Vec<NamedPlace> {
    let mut places = Vec::new();
    for file in snapshot.files() {
        let written = Written::of(snapshot, file);
        for item in items(snapshot, file) {
            for name in named(&item, snapshot).filter(|name| name.symbol == *symbol) {
                let is_outer = written.is_outer(name.span);
                let is_alias = written.is_alias(&name, snapshot.slice(file, name.span));
                let form = if is_outer { Form::Key } else { Form::Word };
                if !is_alias {
                    places.push(NamedPlace { at: (file, name.span).into(), form, item: Some(item.id.clone()) });
                }
            }
        }
    }
    places
}

/// Returns the places of a name that an import introduces, in its file.
fn of_alias(snapshot: &Snapshot, file: SourceFile, alias: &str) -> Vec<NamedPlace> {
    let written = Written::of(snapshot, file);
    let mut places = Vec::new();
    for item in items(snapshot, file) {
        for name in named(&item, snapshot).filter(|name| snapshot.slice(file, name.span) == alias) {
            let is_of_file = matches!(name.symbol, Symbol::File(_) | Symbol::Definition(_) | Symbol::Foreign { .. });
            if is_of_file && written.is_alias(&name, alias) {
                places.push(NamedPlace { at: (file, name.span).into(), form: Form::Word, item: Some(item.id.clone()) });
            }
        }
    }
    places
}

/// Returns the places that name exactly this thing.
fn of_symbol(snapshot: &Snapshot, files: &[SourceFile], symbol: &Symbol) -> Vec<NamedPlace> {
    let mut places = Vec::new();
    for file in files {
        for item in items(snapshot, *file) {
            let here = named(&item, snapshot).filter(|name| name.symbol == *symbol);
            let place = |name: Occurrence| NamedPlace {
                at: (*file, name.span).into(),
                form: Form::Word,
                item: Some(item.id.clone()),
            };
            places.extend(here.map(place));
        }
    }
    places
}

fn in_foreign(snapshot: &Snapshot, file: SourceFile, name: &str) -> Vec<NamedPlace> {
    let all = foreign_names::occurrences(snapshot, file).iter();
    let of_name = all.filter(|one| one.name == name);
    of_name.map(|one| NamedPlace { at: (file, one.span).into(), form: Form::Foreign, item: None }).collect()
}

/// Reports an item with a syntax error that mentions the name, in a file where the thing may be named.
fn broken(snapshot: &Snapshot, found: &RenameTarget) -> Result<(), RenameError> {
    let (home, everywhere) = match &found.subject {
        Subject::Definition(item) | Subject::Parameter(item) => (item.file, true),
        Subject::Foreign(file) => (*file, true),
        Subject::Alias(file) => (*file, false),
        Subject::Field(item, _) | Subject::Capture(item) => (item.file, false),
    };
    if let Some(wrong) = foreign_mistake(snapshot, home) {
        return Err(RenameError::Broken(Line::of(snapshot, (home, wrong.span).into())));
    }
    let files = snapshot.files().into_iter();
    for file in files.filter(|file| *file == home || everywhere && imports(snapshot, *file, home)) {
        for item in items(snapshot, file) {
            let wrong = item_tree(&snapshot.db, item.id).diagnostics.iter().find(|one| one.is_error());
            if let Some(wrong) = wrong.filter(|_| mentions(snapshot.slice(file, item.span), &found.name)) {
                return Err(RenameError::Broken(Line::of(snapshot, (file, item.in_file(wrong.span)).into())));
            }
        }
    }
    Ok(())
}

/// Returns the first error of a grammar.
fn foreign_mistake(snapshot: &Snapshot, file: SourceFile) -> Option<&Diagnostic> {
    match snapshot.language(file) {
        Language::Gbnf | Language::Ebnf | Language::Abnf | Language::Lark => {
            read_rules(&snapshot.db, file).1.iter().find(|found| found.is_error())
        }
        Language::Ogc | Language::JsonSchema | Language::Regex => None,
    }
}

fn imports(snapshot: &Snapshot, file: SourceFile, imported: SourceFile) -> bool {
    items(snapshot, file).any(|item| import_target(&snapshot.db, item.id) == Some(imported))
}

/// Returns whether a name is a token of a text, perhaps in quotes.
fn mentions(text: &str, name: &str) -> bool {
    tokens(text).iter().any(|token| token.span.text(text).trim_matches(['"', '\'']) == name)
}

/// Writes the new name at all places.
pub(super) fn written(snapshot: &Snapshot, found: &RenameTarget, places: &[NamedPlace], new: &str) -> Vec<FileEdits> {
    let mut all: Vec<FileEdits> = Vec::new();
    for place in places {
        let edit = TextEdit::replace(place.at.span, text_at(snapshot, found, place, new));
        match all.last_mut().filter(|edits| edits.file == place.at.file) {
            Some(edits) => edits.edits.push(edit),
            None => all.push(FileEdits { file: place.at.file, edits: vec![edit] }),
        }
    }
    all
}

fn text_at(snapshot: &Snapshot, found: &RenameTarget, place: &NamedPlace, new: &str) -> String {
    let (text, span) = (snapshot.text(place.at.file), place.at.span);
    let old = snapshot.slice(place.at.file, span);
    let before = part(text, ..span.start as usize).trim_end();
    match place.form {
        Form::Word => new.to_owned(),
        Form::Key if old.starts_with('\'') && !new.contains(['\'', '\\']) => format!("'{new}'"),
        Form::Key if old.starts_with(['"', '\'']) || word(new).is_none() => quoted(new),
        Form::Key => new.to_owned(),
        // In the library, a terminal keeps its name.
        Form::Foreign if snapshot.language(place.at.file) == Language::Lark && before.ends_with('.') => {
            format!("{} -> {new}", found.name)
        }
        // ISO EBNF writes the words of a name apart; names join them with hyphens.
        Form::Foreign if old.contains(' ') => new.replace('-', " "),
        Form::Foreign => new.to_owned(),
    }
}

fn quoted(text: &str) -> String {
    print_expr(&Expr::new(ExprKind::String(text.to_owned()), Span::default()))
}
