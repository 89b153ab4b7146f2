//! The files for new definitions: what can be defined in them, and how definitions are added at their end.

use ogc_compiler::db::{Language, SourceFile};
use ogc_compiler::hir::Builtin;
use ogc_compiler::hir::importable::names_of;
use ogc_compiler::hir::scope::scope;
use ogc_grammar::ogc::token::TokenKind;
use ogc_grammar::ogc::tokens;

use super::rule::{forms, is_name};
use super::{NewDefinition, Way};
use crate::actions::context::Context;
use crate::place::TextEdit;

/// Returns the kinds of definition that a name can become in a file, the likelier first, if both a type and a rule
/// would do.
pub(super) fn kinds(context: &Context<'_>, home: SourceFile, name: &str) -> &'static [NewDefinition] {
    match context.snapshot.language(home) {
        Language::Ogc if name.starts_with(char::is_uppercase) => &[NewDefinition::Type, NewDefinition::Rule],
        Language::Ogc => &[NewDefinition::Rule, NewDefinition::Type],
        _ => &[NewDefinition::Rule],
    }
}

/// Returns whether a file can get a definition of a name: an editor can open the file, its language has definitions,
/// and it has none with this name yet.
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

/// Adds a definition to the end of a file: one candidate for each of `texts` in an `.ogc` file, or a rule in a grammar.
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
