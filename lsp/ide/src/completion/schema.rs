//! Completion in JSON Schemas: keywords, references, names of types, formats and properties.

use always_assert::never;
use ogc_compiler::hir::{BUILTINS, BuiltinKind, ValueKind};
use ogc_grammar::json::pointer_token;
use ogc_schema::keyword::{Draft, Keyword, Operand};

use super::CompletionList;
use super::item::{CompletionKey, CompletionKind, Items, Rank, escaped};
use crate::json_place::{Frame, JsonAt, JsonPlace, Role};
use crate::place::FilePosition;
use crate::schema_keywords::{self, TYPES};
use crate::schema_place::{SchemaPart, part};
use crate::shape::quoted;
use crate::snapshot::Snapshot;

/// Returns what may be written at a position.
pub(super) fn completion(snapshot: &Snapshot, position: FilePosition) -> CompletionList {
    let text = snapshot.text(position.file);
    let place = JsonPlace::new(text, position.offset);
    let Some(frame) = place.frames.last() else { return CompletionList::default() };
    let mut items = Items::replacing(place.replaced(position.offset));
    match (place.role, part(&place)) {
        (Role::Key, SchemaPart::Schema) => keywords(&place, frame, &mut items),
        (Role::Value, SchemaPart::Schema) => {
            if let Some(keyword) = frame.key.as_deref().and_then(Keyword::of_name) {
                values(&place, frame, keyword, &mut items);
            }
        }
        (Role::Value, SchemaPart::Names) => properties(&place, frame, &mut items),
        (Role::Value, SchemaPart::Types) => types(&place, &place.strings(frame), &mut items),
        _ => {}
    }
    items.finish()
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
            // The closing quote stays behind what is written.
            JsonAt::String(_, true) => item.writes(keyword.name()),
            JsonAt::String(_, false) => item.writes_snippet(format!("{name}\": {value}")),
            _ => item.writes_snippet(format!("\"{name}\": {value}")),
        };
    }
}

/// Adds what can stand behind a keyword.
fn values(place: &JsonPlace<'_>, frame: &Frame, keyword: Keyword, items: &mut Items) {
    match keyword.operand() {
        Operand::Types => types(place, &[], items),
        Operand::Format => formats(place, items),
        Operand::Reference => references(place, items),
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

/// Adds the formats that the language has as types.
fn formats(place: &JsonPlace<'_>, items: &mut Items) {
    for (at, builtin) in BUILTINS.iter().enumerate() {
        let BuiltinKind::Value(ValueKind::Format(format)) = builtin.kind else { continue };
        let Some(name) = format.json_schema.filter(|_| !format.is_practical) else { continue };
        string(place, CompletionKind::Value, name, items, at, builtin.doc);
    }
}

/// Adds references to the definitions of the root, and to the root.
fn references(place: &JsonPlace<'_>, items: &mut Items) {
    let Some(root) = place.frames.first() else {
        never!("a reference stands in no object");
        return;
    };
    let mut at = 0;
    for holder in ["$defs", "definitions"] {
        for name in place.keys_of(root, holder) {
            // A pointer in a URI: `~` and `/` are escaped.
            let pointer = format!("#/{holder}/{}", pointer_token(&name));
            string(place, CompletionKind::Type, &pointer, items, at, "");
            at += 1;
        }
    }
    string(place, CompletionKind::Type, "#", items, at, "the whole schema");
}

/// Adds the properties that `required` does not list yet.
fn properties(place: &JsonPlace<'_>, frame: &Frame, items: &mut Items) {
    let Some(outer) = place.frames.len().checked_sub(2).and_then(|at| place.frames.get(at)) else { return };
    if outer.key.as_deref() != Some("required") {
        return;
    }
    let written = place.strings(frame);
    for (at, name) in place.keys_of(outer, "properties").iter().enumerate().filter(|(_, name)| !written.contains(name))
    {
        string(place, CompletionKind::Field, name, items, at, "");
    }
}

/// Adds a string, with the quotes that are missing.
fn string(place: &JsonPlace<'_>, kind: CompletionKind, text: &str, items: &mut Items, at: usize, doc: &str) {
    let item = items.add(kind, Rank::First, text, None);
    item.at(at).says(doc);
    match place.at {
        JsonAt::String(_, true) => item.writes(text),
        JsonAt::String(_, false) => item.writes(format!("{text}\"")),
        JsonAt::Space | JsonAt::Word(_) => item.writes(format!("\"{text}\"")),
    };
}
