//! Completion: the texts that may be written at a cursor, also inside unfinished items.
//!
//! # Steps
//!
//! 1. [`mod@context`] determines the context of the cursor from the tokens around it.
//! 2. One provider for each context lists the texts that may stand there; [`Items`] collects them.
//! 3. [`resolve()`] finds the documentation of an item when an editor shows it.
//!
//! Editors filter and sort: all items that fit are returned, whatever part of a name has been typed. Only names of
//! other files are filtered here, because there may be very many.

mod attributes;
mod cases;
mod context;
mod folder;
mod imports;
mod item;
mod kind;
mod modules;
mod names;
mod operands;
mod other_files;
mod records;
mod resolve;
mod rules;
mod schema;
mod settings;
mod snippets;
#[cfg(test)]
mod tests;
mod tokens;

use ogc_compiler::db::Language;
use ogc_compiler::hir::scope::beside;

pub use folder::FolderListing;
pub use item::{CompletionItem, CompletionKey, CompletionKind, CompletionList, Insert};
pub use resolve::resolve;

use crate::place::FilePosition;
use crate::snapshot::Snapshot;
use crate::walk::{At, Walk};
use context::{Context, context};
pub(crate) use item::{Items, Rank};

/// Returns the completions at a position. `trigger` is the typed character that requested them, if one did.
#[must_use]
pub fn completion(snapshot: &Snapshot, position: FilePosition, trigger: Option<char>) -> CompletionList {
    completion_with(snapshot, position, trigger, &FolderListing::default())
}

/// Returns the same as [`completion()`], and inside a path also the entries of [`import_folder`] on the disk.
#[must_use]
pub fn completion_with(
    snapshot: &Snapshot,
    position: FilePosition,
    trigger: Option<char>,
    folder: &FolderListing,
) -> CompletionList {
    let position = snapshot.position(position.file, position.offset);
    match snapshot.language(position.file) {
        Language::Ogc => in_ogc(snapshot, position, trigger, folder),
        Language::JsonSchema => schema::completion(snapshot, position, folder),
        Language::Gbnf | Language::Ebnf | Language::Abnf | Language::Lark => rules::completion(snapshot, position),
        Language::Regex => CompletionList::default(),
    }
}

/// The characters that request completion when typed.
pub const TRIGGERS: [char; 9] = ['.', '@', '"', '<', '&', '|', ':', '=', '/'];

/// Returns the name of the folder into which the path at a cursor leads; `None` if the cursor is in no path to a file.
#[must_use]
pub fn import_folder(snapshot: &Snapshot, position: FilePosition) -> Option<String> {
    let position = snapshot.position(position.file, position.offset);
    let typed = match snapshot.language(position.file) {
        Language::Ogc => {
            let walk = Walk::new(snapshot, position);
            (context(&walk) == Context::ImportPath).then(|| folder::typed(&walk))
        }
        Language::JsonSchema => schema::typed_path(snapshot, position),
        Language::Gbnf | Language::Ebnf | Language::Abnf | Language::Lark | Language::Regex => None,
    };
    Some(beside(snapshot.name(position.file), folder::folder_of(typed?)))
}

fn in_ogc(
    snapshot: &Snapshot,
    position: FilePosition,
    trigger: Option<char>,
    folder: &FolderListing,
) -> CompletionList {
    let walk = Walk::new(snapshot, position);
    let context = context(&walk);
    if trigger.is_some_and(|typed| !asks(typed, &context, walk.at)) {
        return CompletionList::default();
    }
    let mut items = Items::new(&walk);
    match &context {
        Context::Nothing => {}
        Context::Item => snippets::items(&walk, &mut items),
        Context::Operand(operand) => operands::operands(&walk, operand, &mut items),
        Context::Module(module) => modules::names_of_module(&walk, module, &mut items),
        Context::Member => records::members(&walk, &mut items),
        Context::Spread => records::spreads(&walk, &mut items),
        Context::Attribute(sites) => attributes::attributes(&walk, sites, &mut items),
        Context::AttributeArgument(kind) => attributes::arguments(&walk, *kind, &mut items),
        Context::SettingName => settings::names(&walk, &mut items),
        Context::SettingValue(name) => settings::values(&walk, name, &mut items),
        Context::ImportWord(words) | Context::TestWord(words) => snippets::words(words, &mut items),
        Context::ImportedName => imports::names(&walk, &mut items),
        Context::ImportPath => {
            imports::paths(&walk, &mut items);
            folder::in_import(&walk, folder, &mut items);
        }
        Context::Override => imports::overrides(&walk, &mut items),
        Context::Token => tokens::tokens(&walk, &mut items),
        Context::TestTarget => cases::targets(&walk, &mut items),
        Context::TestSubject => cases::subjects(&walk, &mut items),
        Context::JsonKey => cases::keys(&walk, &mut items),
        Context::JsonValue => cases::values(&walk, &mut items),
    }
    items.finish()
}

/// Returns whether a typed character requests completion in a context; it may have another meaning there.
fn asks(typed: char, context: &Context, at: At) -> bool {
    match typed {
        '"' | '\'' => matches!(at, At::String(..) | At::Tok(..)),
        '/' => matches!(context, Context::ImportPath),
        '@' => matches!(context, Context::Attribute(_)),
        '.' => matches!(context, Context::Module(_) | Context::Spread | Context::ImportPath),
        _ => true,
    }
}
