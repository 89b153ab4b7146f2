//! Finds the thing that the cursor names, and decides whether it can be renamed.

use ogc_compiler::db::{Language, SourceFile};
use ogc_compiler::foreign::{foreign_names_of, is_tool_list};
use ogc_compiler::hir::Builtin;
use ogc_compiler::hir::items::ItemId;
use ogc_compiler::hir::names::{Occurrence, Symbol};
use ogc_grammar::Span;
use ogc_grammar::ogc::token::TokenKind;
use ogc_grammar::ogc::tokens;

use super::RenameError;
use super::written::Written;
use crate::foreign_names;
use crate::items::name_at;
use crate::place::{FilePosition, FileSpan};
use crate::snapshot::Snapshot;

/// A thing that can be renamed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    /// A type, rule or output, under its own name.
    Definition(ItemId),
    /// A rule or schema of a file in another language, under its own name.
    Foreign(SourceFile),
    /// A name that an import introduces in this file: an alias, or the name of a whole file.
    Alias(SourceFile),
    /// A parameter.
    Parameter(ItemId),
    /// A field: the place of its name, relative to the item's start.
    Field(ItemId, Span),
    /// The captures of one name in an item.
    Capture(ItemId),
}

/// The thing that the cursor names, which is renamed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RenameTarget {
    pub(super) subject: Subject,
    /// The current name, without quotes.
    pub(super) name: String,
    /// The place at the cursor.
    pub(super) place: FileSpan,
}

/// Returns the thing that the cursor names.
pub(super) fn target_at(snapshot: &Snapshot, at: FilePosition) -> Result<RenameTarget, RenameError> {
    if snapshot.language(at.file) != Language::Ogc {
        return foreign_at(snapshot, at);
    }
    let occurrence = name_at(snapshot, at).ok_or(RenameError::NothingHere)?;
    let text = snapshot.slice(at.file, occurrence.span);
    let place = FileSpan::new(at.file, unquoted(text, occurrence.span));
    let name = snapshot.slice(at.file, place.span).to_owned();
    let subject = subject(snapshot, at, &occurrence, &name)?;
    Ok(RenameTarget { subject, name, place })
}

/// Returns the span inside quotes, if there are any.
fn unquoted(text: &str, span: Span) -> Span {
    match text.starts_with(['"', '\'']) && text.len() > 1 {
        true => Span::new(span.start + 1, span.end - 1),
        false => span,
    }
}

fn subject(snapshot: &Snapshot, at: FilePosition, occurrence: &Occurrence, name: &str) -> Result<Subject, RenameError> {
    let is_alias = || Written::of(snapshot, at.file).is_alias(occurrence, name);
    match &occurrence.symbol {
        Symbol::File(_) | Symbol::Definition(_) | Symbol::Foreign { .. } if is_alias() => Ok(Subject::Alias(at.file)),
        Symbol::Definition(item) if snapshot.file(snapshot.name(item.file)) != Some(item.file) => {
            Err(RenameError::Standard(name.to_owned()))
        }
        Symbol::Definition(item) => Ok(Subject::Definition(item.clone())),
        Symbol::Foreign { file, name } => foreign(snapshot, *file, name),
        Symbol::File(_) if name == "tools" => Err(RenameError::Whole(name.to_owned())),
        Symbol::File(_) => Err(RenameError::Path),
        Symbol::Parameter { item, .. } => Ok(Subject::Parameter(item.clone())),
        Symbol::Field { item, place } => Ok(Subject::Field(item.clone(), *place)),
        Symbol::Capture { item, .. } => Ok(Subject::Capture(item.clone())),
        Symbol::Builtin(_) | Symbol::BuiltinParameter(..) => Err(RenameError::Builtin(name.to_owned())),
        Symbol::Attribute(_) => Err(RenameError::Attribute(name.to_owned())),
        Symbol::Setting(_) => Err(RenameError::Setting(name.to_owned())),
        Symbol::Unknown => Err(RenameError::Undefined(name.to_owned())),
    }
}

fn foreign_at(snapshot: &Snapshot, at: FilePosition) -> Result<RenameTarget, RenameError> {
    let found = foreign_names::at(snapshot, at).ok_or(RenameError::NothingHere)?;
    let subject = foreign(snapshot, at.file, &found.name)?;
    Ok(RenameTarget { subject, name: found.name, place: FileSpan::new(at.file, found.span) })
}

/// Returns the definition of this name in a file of another language, if it is written there.
fn foreign(snapshot: &Snapshot, file: SourceFile, name: &str) -> Result<Subject, RenameError> {
    if is_tool_list(&snapshot.db, file) {
        return Err(RenameError::Tool(name.to_owned()));
    }
    if foreign_names::occurrences(snapshot, file).iter().any(|one| one.name == name && one.is_definition) {
        return Ok(Subject::Foreign(file));
    }
    match foreign_names_of(&snapshot.db, file).iter().any(|known| known == name) {
        true => Err(RenameError::Whole(name.to_owned())),
        false => Err(RenameError::Undefined(name.to_owned())),
    }
}

/// Checks that a new name can be written where the thing is named.
pub(super) fn check_name(subject: &Subject, new: &str) -> Result<(), RenameError> {
    let no_name = || RenameError::NoName(new.to_owned());
    match subject {
        Subject::Definition(_) | Subject::Alias(_) | Subject::Parameter(_) => check_word(new),
        // The key of a record may be any text; it gets quotes if it is not a word.
        Subject::Field(..) => Ok(()),
        Subject::Capture(_) => {
            if word(new).is_some() {
                Ok(())
            } else {
                Err(no_name())
            }
        }
        Subject::Foreign(_) => {
            let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ');
            let plain = new.chars().all(is_plain) && !new.starts_with(' ') && !new.ends_with(' ');
            if plain && !new.is_empty() { Ok(()) } else { Err(no_name()) }
        }
    }
}

/// Checks that a text can name a definition.
pub(super) fn check_word(new: &str) -> Result<(), RenameError> {
    match word(new) {
        None => Err(RenameError::NoName(new.to_owned())),
        Some(kind) if kind.is_keyword() => Err(RenameError::Reserved(new.to_owned())),
        Some(TokenKind::True | TokenKind::False | TokenKind::Null) => Err(RenameError::Reserved(new.to_owned())),
        Some(_) if Builtin::of(new).is_some() => Err(RenameError::NewBuiltin(new.to_owned())),
        Some(_) => Ok(()),
    }
}

/// Returns the kind of a text that is one word.
pub(super) fn word(text: &str) -> Option<TokenKind> {
    match tokens(text).as_slice() {
        [only] if only.kind.is_word() => Some(only.kind),
        _ => None,
    }
}
