//! Completes `$ref` and `$dynamicRef`: definitions and anchors of the schema, other schemas and their definitions, files
//! on the disk.

use always_assert::never;
use ogc_compiler::db::{Language, SourceFile};
use ogc_compiler::foreign::is_tool_list;
use ogc_grammar::json::{self, JsonValue, pointer_token};
use ogc_schema::keyword::Keyword;

use super::add_string;
use crate::completion::folder::{Entry, FolderListing, entries};
use crate::completion::imports::relative;
use crate::completion::item::{CompletionKind, Items, Rank};
use crate::json_place::{JsonAt, JsonPlace};
use crate::place::FilePosition;
use crate::snapshot::Snapshot;

/// The keywords that hold definitions.
const HOLDERS: [&str; 2] = ["$defs", "definitions"];

/// Maximum number of listed definitions of other files.
const MOST: usize = 300;

/// Adds all possible targets of a reference.
pub(super) fn references(
    snapshot: &Snapshot,
    position: FilePosition,
    place: &JsonPlace<'_>,
    keyword: Keyword,
    listing: &FolderListing,
    items: &mut Items,
) {
    own(place, keyword, items);
    let typed = typed(place, position);
    if keyword == Keyword::Ref && !typed.contains(':') {
        let files = snapshot.files().into_iter();
        let is_other = |file: &SourceFile| *file != position.file && is_schema(snapshot, *file);
        files.filter(is_other).for_each(|file| other(snapshot, position.file, file, place, items));
        if !typed.contains('#') {
            on_disk(snapshot.name(position.file), typed, place, listing, items);
        }
    }
}

/// Returns the part of the reference before the cursor.
pub(super) fn typed<'t>(place: &JsonPlace<'t>, position: FilePosition) -> &'t str {
    match place.at {
        JsonAt::String(span, _) => place.text_of(span.start, position.offset),
        JsonAt::Space | JsonAt::Word(_) => "",
    }
}

fn is_schema(snapshot: &Snapshot, file: SourceFile) -> bool {
    snapshot.language(file) == Language::JsonSchema && !is_tool_list(&snapshot.db, file)
}

/// Adds the definitions of the root, the anchors, and the root.
fn own(place: &JsonPlace<'_>, keyword: Keyword, items: &mut Items) {
    let Some(root) = place.frames.first() else {
        never!("a reference stands in no object");
        return;
    };
    let pointers = HOLDERS.into_iter().flat_map(|holder| {
        let names = place.keys_of(root, holder).into_iter();
        names.map(move |name| (pointer(holder, &name), ""))
    });
    let anchors = place.strings_behind("$anchor").into_iter().map(|name| (format!("#{name}"), "an anchor"));
    let dynamic = place.strings_behind("$dynamicAnchor").into_iter();
    let dynamic = dynamic.map(|name| (format!("#{name}"), "a dynamic anchor"));
    let mut all: Vec<(String, &str)> = match keyword {
        Keyword::DynamicRef => dynamic.chain(anchors).chain(pointers).collect(),
        _ => pointers.chain(anchors).chain(dynamic).collect(),
    };
    all.push(("#".to_owned(), "the whole schema"));
    for (at, (reference, doc)) in all.into_iter().enumerate() {
        if !items.has(&reference) {
            add_string(place, (CompletionKind::Type, Rank::First), &reference, items).at(at).says(doc);
        }
    }
}

/// Writes a pointer to a definition as a URI fragment; `~` and `/` are escaped.
fn pointer(holder: &str, name: &str) -> String {
    format!("#/{holder}/{}", pointer_token(name))
}

/// Adds another schema and its definitions.
fn other(snapshot: &Snapshot, own: SourceFile, file: SourceFile, place: &JsonPlace<'_>, items: &mut Items) {
    let path = relative(snapshot.name(own), snapshot.name(file));
    add_string(place, (CompletionKind::File, Rank::Own), &path, items).says(Language::JsonSchema.name());
    let (tree, _) = json::parse(snapshot.text(file));
    for holder in HOLDERS {
        let held = tree.as_ref().and_then(|tree| tree.get(holder)).and_then(JsonValue::as_object).unwrap_or_default();
        if held.len() > MOST {
            items.more();
        }
        for member in held.iter().take(MOST) {
            let reference = format!("{path}{}", pointer(holder, &member.key.value));
            add_string(place, (CompletionKind::Type, Rank::Imported), &reference, items).says(path.clone());
        }
    }
}

/// Adds the JSON files and folders on the disk.
fn on_disk(own: &str, typed: &str, place: &JsonPlace<'_>, listing: &FolderListing, items: &mut Items) {
    for Entry { path, file, rank } in entries(own, typed, listing) {
        match file {
            _ if items.has(&path) => {}
            Some((_, Language::JsonSchema)) => {
                add_string(place, (CompletionKind::File, Rank::Own), &path, items).says("JSON");
            }
            Some(_) => {}
            None => {
                let rank = if rank == Rank::Own { Rank::Imported } else { rank };
                let item = add_string(place, (CompletionKind::Folder, rank), &path, items);
                // The path continues after the folder.
                if let JsonAt::String(_, false) = place.at {
                    item.writes(path);
                }
            }
        }
    }
}
