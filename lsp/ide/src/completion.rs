//! Completion: what may be written at a cursor, on items that are half written too.
//!
//! # Steps
//!
//! 1. [`mod@context`] decides from the tokens around the cursor what it is in.
//! 2. One provider for each context lists what may stand there; [`Items`] collects it.
//! 3. [`resolve()`] finds the documentation of one item, when an editor shows it.
//!
//! Editors filter and sort: all items are returned that fit, whatever was typed of a name. Only names of other files are
//! filtered here, because there may be very many.

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

/// Returns what may be written at a position. `trigger` is the character whose typing asked for it, if one did.
#[must_use]
pub fn completion(snapshot: &Snapshot, position: FilePosition, trigger: Option<char>) -> CompletionList {
    completion_with(snapshot, position, trigger, &FolderListing::default())
}

/// Returns what [`completion()`] does, and in a path what lies in [`import_folder`] on the disk.
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

/// The characters whose typing asks for completion.
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

/// Returns whether a typed character asks for completion in a context; it may mean something else there.
fn asks(typed: char, context: &Context, at: At) -> bool {
    match typed {
        '"' | '\'' => matches!(at, At::String(..) | At::Tok(..)),
        '/' => matches!(context, Context::ImportPath),
        '@' => matches!(context, Context::Attribute(_)),
        '.' => matches!(context, Context::Module(_) | Context::Spread | Context::ImportPath),
        _ => true,
    }
}
