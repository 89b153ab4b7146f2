//! Completion in JSON Schemas: keywords, references, names of types, formats and properties.

mod references;

use ogc_compiler::hir::{BUILTINS, BuiltinKind, ValueKind};
use ogc_schema::keyword::{Draft, Keyword, Operand};

use super::CompletionList;
use super::folder::FolderListing;
use super::item::{CompletionItem, CompletionKey, CompletionKind, Items, Rank, escaped};
use crate::json_place::{Frame, JsonAt, JsonPlace, Role};
use crate::place::FilePosition;
use crate::schema_keywords::{self, TYPES};
use crate::schema_place::{SchemaPart, part};
use crate::shape::quoted;
use crate::snapshot::Snapshot;

/// Returns the completions at a position.
pub(super) fn completion(snapshot: &Snapshot, position: FilePosition, listing: &FolderListing) -> CompletionList {
    let text = snapshot.text(position.file);
    let place = JsonPlace::new(text, position.offset);
    let Some(frame) = place.frames.last() else { return CompletionList::default() };
    let mut items = Items::replacing(place.replaced(position.offset));
    match (place.role, part(&place)) {
        (Role::Key, SchemaPart::Schema) => keywords(&place, frame, &mut items),
        (Role::Value, SchemaPart::Schema) => match frame.key.as_deref().and_then(Keyword::of_name) {
            Some(keyword) if keyword.operand() == Operand::Reference => {
                references::references(snapshot, position, &place, keyword, listing, &mut items);
            }
            Some(keyword) => values(&place, frame, keyword, &mut items),
            None => {}
        },
        (Role::Key, SchemaPart::Map) => required(&place, &mut items),
        (Role::Key, SchemaPart::NamesMap) => properties(&place, 2, &place.key_names(frame), &mut items),
        (Role::Value, SchemaPart::Names) => names(&place, frame, &mut items),
        (Role::Value, SchemaPart::Types) => types(&place, &place.strings(frame), &mut items),
        _ => {}
    }
    items.finish()
}

/// Returns the part before the cursor of a path to another file; `None` if the cursor is in no `$ref` to another file.
pub(super) fn typed_path(snapshot: &Snapshot, position: FilePosition) -> Option<&str> {
    let place = JsonPlace::new(snapshot.text(position.file), position.offset);
    let key = place.frames.last()?.key.as_deref();
    let is_reference = place.role == Role::Value && part(&place) == SchemaPart::Schema && key == Some("$ref");
    let typed = references::typed(&place, position);
    (is_reference && !typed.contains(['#', ':'])).then_some(typed)
}

/// Adds the keywords that the schema does not have yet.
fn keywords(place: &JsonPlace<'_>, frame: &Frame, items: &mut Items) {
    let written: Vec<String> = place.keys(frame).into_iter().map(|(key, _)| key).collect();
    let missing = |(_, keyword): &(usize, Keyword)| !written.iter().any(|key| key == keyword.name());
    for (at, keyword) in schema_keywords::offered().enumerate().filter(missing) {
        let key = CompletionKey::SchemaKeyword(keyword.name().to_owned());
        let item = items.add(CompletionKind::Keyword, Rank::First, keyword.name(), Some(key));
        item.at(at).says(keyword.doc());
        let value = schema_keywords::snippet(keyword.operand());
        let name = escaped(keyword.name());
        match place.at {
            _ if place.has_colon() => match place.at {
                JsonAt::String(_, true) => item.writes(keyword.name()),
                JsonAt::String(_, false) => item.writes(format!("{}\"", keyword.name())),
                _ => item.writes(quoted(keyword.name())),
            },
            // The closing quote stays after the inserted text.
            JsonAt::String(_, true) => item.writes(keyword.name()),
            JsonAt::String(_, false) => item.writes_snippet(format!("{name}\": {value}")),
            _ => item.writes_snippet(format!("\"{name}\": {value}")),
        };
    }
}

/// Adds the possible values of a keyword.
fn values(place: &JsonPlace<'_>, frame: &Frame, keyword: Keyword, items: &mut Items) {
    match keyword.operand() {
        Operand::Types => types(place, &[], items),
        Operand::Format => formats(place, items),
        Operand::String if keyword == Keyword::Schema => {
            for (at, draft) in Draft::ALL.into_iter().enumerate() {
                string(place, CompletionKind::Value, draft.uri(), items, at, draft.name());
            }
        }
        Operand::Bool | Operand::Schema if !matches!(place.at, JsonAt::String(..)) => {
            for (at, word) in ["true", "false"].into_iter().enumerate() {
                items.add(CompletionKind::Value, Rank::First, word, None).at(at);
            }
        }
        Operand::Names if place.at == JsonAt::Space => {
            let names: Vec<String> = place.keys_of(frame, "properties").iter().map(|name| quoted(name)).collect();
            if !names.is_empty() {
                let all = items.add(CompletionKind::Snippet, Rank::First, "[…]", None);
                all.writes(format!("[{}]", names.join(", "))).says("all properties");
            }
        }
        _ => {}
    }
}

fn types(place: &JsonPlace<'_>, written: &[String], items: &mut Items) {
    for (at, (name, doc)) in TYPES.iter().enumerate().filter(|(_, (name, _))| !written.iter().any(|one| one == name)) {
        string(place, CompletionKind::Value, name, items, at, doc);
    }
}

/// Adds the formats for which the language has types.
fn formats(place: &JsonPlace<'_>, items: &mut Items) {
    for (at, builtin) in BUILTINS.iter().enumerate() {
        let BuiltinKind::Value(ValueKind::Format(format)) = builtin.kind else { continue };
        let Some(name) = format.json_schema.filter(|_| !format.is_practical) else { continue };
        string(place, CompletionKind::Value, name, items, at, builtin.doc);
    }
}

/// Adds the property names that a list of names does not have yet.
fn names(place: &JsonPlace<'_>, frame: &Frame, items: &mut Items) {
    let outer = |back: usize| place.frames.len().checked_sub(back).and_then(|at| place.frames.get(at));
    let is_at = |back: usize, keywords: &[&str]| {
        outer(back).and_then(|outer| outer.key.as_deref()).is_some_and(|key| keywords.contains(&key))
    };
    let written = place.strings(frame);
    if is_at(2, &["required"]) {
        properties(place, 2, &written, items);
    } else if is_at(3, &["dependentRequired", "dependencies"]) {
        properties(place, 3, &written, items);
    }
}

/// Adds the properties of the schema `back` brackets further out, except those in `written`.
fn properties(place: &JsonPlace<'_>, back: usize, written: &[String], items: &mut Items) {
    let Some(schema) = place.frames.len().checked_sub(back).and_then(|at| place.frames.get(at)) else { return };
    let declared = place.keys_of(schema, "properties");
    for (at, name) in declared.iter().enumerate().filter(|(_, name)| !written.contains(name)) {
        string(place, CompletionKind::Field, name, items, at, "");
    }
}

/// Adds the names that a schema requires but its properties lack.
fn required(place: &JsonPlace<'_>, items: &mut Items) {
    let [.., schema, properties] = place.frames.as_slice() else { return };
    if schema.key.as_deref() != Some("properties") {
        return;
    }
    let written = place.key_names(properties);
    for (at, name) in
        place.strings_of(schema, "required").iter().enumerate().filter(|(_, name)| !written.contains(name))
    {
        let item = items.add(CompletionKind::Field, Rank::First, name, None);
        item.at(at).says("required");
        match place.at {
            JsonAt::String(_, true) => item.writes(name),
            JsonAt::String(_, false) if place.has_colon() => item.writes(format!("{name}\"")),
            JsonAt::String(_, false) => item.writes_snippet(format!("{}\": {{ $1 \\}}", escaped(name))),
            _ if place.has_colon() => item.writes(format!("\"{name}\"")),
            _ => item.writes_snippet(format!("\"{}\": {{ $1 \\}}", escaped(name))),
        };
    }
}

/// Adds a string, with the quotes that are missing.
fn string(place: &JsonPlace<'_>, kind: CompletionKind, text: &str, items: &mut Items, at: usize, doc: &str) {
    add_string(place, (kind, Rank::First), text, items).at(at).says(doc);
}

/// Adds a string of a kind and a rank, and returns it for changes.
fn add_string<'i>(
    place: &JsonPlace<'_>,
    (kind, rank): (CompletionKind, Rank),
    text: &str,
    items: &'i mut Items,
) -> &'i mut CompletionItem {
    let item = items.add(kind, rank, text, None);
    match place.at {
        JsonAt::String(_, true) => item.writes(text),
        JsonAt::String(_, false) => item.writes(format!("{text}\"")),
        JsonAt::Space | JsonAt::Word(_) => item.writes(format!("\"{text}\"")),
    }
}
