//! Annotations that are worth keeping: `title`, `description`, `examples`, `default`, `deprecated`.
//!
//! They are read leniently: one with an operand of the wrong type says nothing, as in the standard. Beside a `$ref` that
//! hides its siblings they count too, because people write them there.

use super::value;
use crate::frontend::docs::Docs;
use ogc_grammar::json::{JsonValue, Member};
use ogc_schema::source::Value;

/// The annotations of a schema object.
pub(super) fn annotations(members: &[Member]) -> Docs {
    let mut docs = Docs::default();
    for member in members {
        let operand = &member.value;
        match member.key.value.as_str() {
            "title" => docs.title = text(operand),
            "description" => docs.description = text(operand),
            "examples" => docs.examples.extend(operand.as_array().unwrap_or_default().iter().filter_map(exact)),
            "default" => docs.default = exact(operand),
            "deprecated" => docs.deprecated = operand.as_bool() == Some(true),
            _ => {}
        }
    }
    docs
}

fn text(operand: &JsonValue) -> Option<String> {
    operand.as_str().filter(|text| !text.trim().is_empty()).map(str::to_owned)
}

/// A number beyond the limits makes a value no example.
fn exact(operand: &JsonValue) -> Option<Value> {
    value::exact(operand).ok()
}
