//! Paths of imports and of references between schemas, folder by folder: entries on the disk in addition to known
//! files. The caller with access to the disk learns the folder from [`super::import_folder`], and provides its entries.

use ogc_compiler::db::Language;
use ogc_compiler::hir::scope::beside;

use super::item::{CompletionKey, CompletionKind, Items, Rank, escaped};
use crate::shape::quoted;
use crate::walk::{At, Walk};

/// The entries of a folder that may occur in a path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FolderListing {
    /// File names. Files in no input language are not offered.
    pub files: Vec<String>,
    /// Folder names.
    pub folders: Vec<String>,
}

/// Returns the part before the cursor of a path in an `.ogc` file.
pub(super) fn typed<'s>(walk: &Walk<'s>) -> &'s str {
    if matches!(walk.at, At::String(..)) { walk.prefix() } else { "" }
}

/// Returns the part of a path that names folders: `../x/` of `../x/a.og`.
pub(super) fn folder_of(typed: &str) -> &str {
    typed.rfind('/').and_then(|slash| typed.get(..=slash)).unwrap_or_default()
}

/// An entry of a folder, as a path.
pub(super) struct Entry {
    /// The path relative to the file; for a folder, it ends with `/`.
    pub(super) path: String,
    /// The name of the file and its language; `None` for a folder.
    pub(super) file: Option<(String, Language)>,
    /// The entry's rank in the list of completions.
    pub(super) rank: Rank,
}

/// Returns the entries of the folder into which a typed path leads, without the file itself.
pub(super) fn entries(own: &str, typed: &str, listing: &FolderListing) -> Vec<Entry> {
    let folder = folder_of(typed);
    let mut found = Vec::new();
    for name in &listing.files {
        let path = format!("{folder}{name}");
        let whole = beside(own, &path);
        if let Ok(language) = Language::of_name(name)
            && whole != own
        {
            found.push(Entry { path, file: Some((whole, language)), rank: Rank::First });
        }
    }
    let is_there = !listing.files.is_empty() || !listing.folders.is_empty();
    let is_above = folder.split_terminator('/').all(|part| part == "..");
    let up = (is_there && is_above && beside(own, folder) != "/").then_some("..");
    for name in listing.folders.iter().map(String::as_str).chain(up) {
        let rank = if name == ".." { Rank::Rare } else { Rank::Own };
        found.push(Entry { path: format!("{folder}{name}/"), file: None, rank });
    }
    found
}

/// Adds the entries of the folder to the paths of an import, except those that are already listed.
pub(super) fn in_import(walk: &Walk<'_>, listing: &FolderListing, items: &mut Items) {
    let own = walk.snapshot.name(walk.position.file);
    let in_string = matches!(walk.at, At::String(..));
    for Entry { path, file, rank } in entries(own, typed(walk), listing) {
        if items.has(&path) {
            continue;
        }
        let Some((whole, language)) = file else {
            let item = items.add(CompletionKind::Folder, rank, &path, None);
            // The path continues after the folder.
            if in_string {
                item.writes(path);
            } else {
                item.writes_snippet(format!("\"{}$0\"", escaped(&path)));
            }
            continue;
        };
        let item = items.add(CompletionKind::File, rank, &path, Some(CompletionKey::File(whole)));
        // A JSON file may be a schema, a list of tools or a structural tag.
        item.says(if language == Language::JsonSchema { "JSON" } else { language.name() });
        if !in_string {
            item.writes(quoted(&path));
        }
    }
}
