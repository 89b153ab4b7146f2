//! New definitions of other files: those that an import names, and those behind a dot. They stand at the end of their file.

use ogc_compiler::db::{Language, SourceFile};
use ogc_compiler::hir::Builtin;
use ogc_compiler::hir::importable::names_of;
use ogc_compiler::hir::scope::{import_target, scope};
use ogc_grammar::ogc::ast::{Imported, ItemKind, Name};
use ogc_grammar::ogc::token::TokenKind;
use ogc_grammar::ogc::tokens;
use ogc_grammar::{Code, Diagnostic};

use super::ogc::definitions;
use super::rule::{forms, is_name};
use super::{NewDefinition, Wanted, Way};
use crate::actions::context::Context;
use crate::items::item_at;
use crate::place::{FilePosition, TextEdit};

/// Returns the name that an import lists and its file lacks, and what it can be made.
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

/// Returns what a name can be made in a file where a type would do as well as a rule, what is likelier first.
pub(super) fn kinds(context: &Context<'_>, home: SourceFile, name: &str) -> &'static [NewDefinition] {
    match context.snapshot.language(home) {
        Language::Ogc if name.starts_with(char::is_uppercase) => &[NewDefinition::Type, NewDefinition::Rule],
        Language::Ogc => &[NewDefinition::Rule, NewDefinition::Type],
        _ => &[NewDefinition::Rule],
    }
}

/// Returns whether a file can get a definition of a name: an editor can open it, it has definitions, and none of this name.
pub(super) fn is_free_in(context: &Context<'_>, home: SourceFile, name: &str) -> bool {
    let (snapshot, db) = (context.snapshot, &context.snapshot.db);
    let is_there = snapshot.file(snapshot.name(home)) == Some(home);
    let is_new = match snapshot.language(home) {
        Language::Ogc => {
            let is_word = matches!(tokens(name).as_slice(), [one] if one.kind == TokenKind::Name);
            is_word && Builtin::of(name).is_none() && !scope(db, home).names.contains_key(name)
        }
        language => {
            let is_known = names_of(db, home).iter().any(|known| known == name);
            is_name(name) && !is_known && !forms(language, name).is_empty()
        }
    };
    is_there && is_new
}

/// Adds a definition to the end of a file: one of these texts in an `.ogc` file, or a rule of a grammar.
pub(super) fn at_end(context: &Context<'_>, home: SourceFile, name: &str, texts: Vec<String>) -> Vec<Way> {
    let before = context.snapshot.text(home);
    let language = context.snapshot.language(home);
    let at = before.trim_end().len();
    let texts = if language == Language::Ogc { texts } else { forms(language, name) };
    let (start, end) = match (at, language) {
        (0, _) => ("", "\n"),
        (_, Language::Ogc) => ("\n\n", ""),
        _ => ("\n", ""),
    };
    let insert = |text: String| (home, TextEdit::insert(at as u32, format!("{start}{text}{end}")));
    texts.into_iter().map(insert).collect()
}
