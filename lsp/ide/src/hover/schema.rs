//! Hover in JSON Schemas: on references and keywords.

use ogc_compiler::foreign::foreign_schema;
use ogc_compiler::hir::Builtin;
use ogc_grammar::json::{self, JsonValue};

use super::Hover;
use crate::documentation::{self, Documentation};
use crate::json_place::{JsonAt, JsonPlace, Role};
use crate::place::FilePosition;
use crate::schema_keywords;
use crate::schema_place::{SchemaPart, part};
use crate::snapshot::Snapshot;

/// Returns the hover of the key or string at a position.
pub(super) fn hover(snapshot: &Snapshot, position: FilePosition) -> Option<Hover> {
    let text = snapshot.text(position.file);
    let place = JsonPlace::new(text, position.offset);
    let JsonAt::String(span, true) = place.at else { return None };
    let content = span.text(text);
    let frame = place.frames.last()?;
    let known = match (place.role, part(&place)) {
        (Role::Key, SchemaPart::Schema) => schema_keywords::documentation(content)?,
        (Role::Key, SchemaPart::Map) if frame_is_definitions(&place) => definition(snapshot, position, content)?,
        (Role::Value, SchemaPart::Schema) => match frame.key.as_deref()? {
            "$ref" | "$dynamicRef" => reference(text, content)?,
            "format" => format(content)?,
            _ => return None,
        },
        _ => return None,
    };
    Some(Hover::of(span, known))
}

/// Returns whether the innermost bracket is the root's `$defs`.
fn frame_is_definitions(place: &JsonPlace<'_>) -> bool {
    let [root, _] = place.frames.as_slice() else { return false };
    matches!(root.key.as_deref(), Some("$defs" | "definitions"))
}

/// Returns the hover of a definition of the schema.
fn definition(snapshot: &Snapshot, position: FilePosition, name: &str) -> Option<Documentation> {
    let schema = foreign_schema(&snapshot.db, position.file);
    let (_, node) = schema.definitions().into_iter().find(|(known, _)| known == name)?;
    let text = crate::shape::schema_docs(snapshot, position.file, node);
    Some(Documentation { text, ..Documentation::default() }).filter(|known| !known.text.is_empty())
}

/// Returns the schema that a reference within the text leads to.
fn reference(text: &str, reference: &str) -> Option<Documentation> {
    let pointer = reference.strip_prefix('#')?;
    let (value, _) = json::parse(text);
    let value = value?;
    let mut at: &JsonValue = &value;
    for step in pointer.split('/').skip(1) {
        let step = step.replace("~1", "/").replace("~0", "~");
        at = match at.as_array() {
            Some(items) => items.get(step.parse::<usize>().ok()?)?,
            None => at.get(&step)?,
        };
    }
    let says = |key: &str| at.get(key).and_then(JsonValue::as_str);
    let title = says("title").map(|title| format!("**{title}**"));
    let description = says("description").map(str::to_owned);
    let text_of = title.into_iter().chain(description).collect::<Vec<_>>().join("\n\n");
    let unfolded = Some(documentation::schema_json(at.span.text(text)));
    Some(Documentation { text: text_of, unfolded, ..Documentation::default() })
}

/// Returns the hover of a format.
fn format(name: &str) -> Option<Documentation> {
    let builtin = Builtin::of_format(name, false)?;
    let example = match builtin.kind {
        ogc_compiler::hir::BuiltinKind::Value(ogc_compiler::hir::ValueKind::Format(format)) => format.example,
        _ => None,
    };
    let example = example.map(|text| format!(" For example `\"{text}\"`.")).unwrap_or_default();
    Some(Documentation { text: format!("{}{example}", builtin.doc), ..Documentation::default() })
}
