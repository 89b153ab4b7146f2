//! The path of an import, folder by folder: what lies on the disk beside the files that are known. Whoever knows the disk is
//! told which folder is meant ([`import_folder`]), and gives its entries.

use ogc_compiler::db::Language;
use ogc_compiler::hir::scope::beside;

use super::context::{Context, context};
use super::item::{CompletionKey, CompletionKind, Items, Rank, escaped};
use crate::place::FilePosition;
use crate::shape::quoted;
use crate::snapshot::Snapshot;
use crate::walk::{At, Walk};

/// The entries of a folder that may stand in the path of an import, by their names in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FolderListing {
    /// The files. Those in no input language are not offered.
    pub files: Vec<String>,
    /// The folders.
    pub folders: Vec<String>,
}

/// Returns the name of the folder into which the path at a cursor leads; `None` if the cursor is in no path of an import.
#[must_use]
pub fn import_folder(snapshot: &Snapshot, position: FilePosition) -> Option<String> {
    if snapshot.language(position.file) != Language::Ogc {
        return None;
    }
    let walk = Walk::new(snapshot, snapshot.position(position.file, position.offset));
    let is_path = context(&walk) == Context::ImportPath;
    is_path.then(|| beside(snapshot.name(position.file), typed_folder(&walk)))
}

/// Returns the part of the path before the cursor that names folders: `../x/` of `../x/a.og`.
fn typed_folder<'s>(walk: &Walk<'s>) -> &'s str {
    match walk.at {
        At::String(..) => walk.prefix().rfind('/').and_then(|slash| walk.prefix().get(..=slash)).unwrap_or_default(),
        _ => "",
    }
}

/// Adds the entries of the folder, without the file itself and those that are in the list.
pub(super) fn entries(walk: &Walk<'_>, listing: &FolderListing, items: &mut Items) {
    let own = walk.snapshot.name(walk.position.file);
    let folder = typed_folder(walk);
    let in_string = matches!(walk.at, At::String(..));
    for name in &listing.files {
        let path = format!("{folder}{name}");
        let whole = beside(own, &path);
        let Ok(language) = Language::of_name(name) else { continue };
        if whole == own || items.has(&path) {
            continue;
        }
        let item = items.add(CompletionKind::File, Rank::First, &path, Some(CompletionKey::File(whole)));
        // A JSON file may be a schema, a list of tools or a structural tag.
        item.says(if language == Language::JsonSchema { "JSON" } else { language.name() });
        if !in_string {
            item.writes(quoted(&path));
        }
    }
    let is_there = !listing.files.is_empty() || !listing.folders.is_empty();
    let is_above = folder.split_terminator('/').all(|part| part == "..");
    let up = (is_there && is_above && beside(own, folder) != "/").then_some("..");
    for name in listing.folders.iter().map(String::as_str).chain(up) {
        let path = format!("{folder}{name}/");
        let rank = if name == ".." { Rank::Rare } else { Rank::Own };
        let item = items.add(CompletionKind::Folder, rank, &path, None);
        // The path goes on behind it.
        if in_string {
            item.writes(path);
        } else {
            item.writes_snippet(format!("\"{}$0\"", escaped(&path)));
        }
    }
}
