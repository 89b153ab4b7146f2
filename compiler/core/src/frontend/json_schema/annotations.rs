//! Reads the annotations that are kept: `title`, `description`, `examples`, `default`, `deprecated`, and those of other
//! tools.
//!
//! An annotation whose operand has the wrong type is ignored, as in the standard, with a warning. Annotations beside a
//! `$ref` that hides its siblings count too, because people write them there.

use super::by_name::{Draft, holds_schemas, is_constraint, is_old};
use super::formats::{Known, known};
use super::options::Formats;
use super::value;
use crate::frontend::docs::Docs;
use ogc_grammar::json::{JsonValue, Member};
use ogc_schema::source::Value;

/// Reads the annotations of a schema object.
pub(super) fn annotations(members: &[Member], formats: Formats) -> Docs {
    let mut docs = Docs::default();
    for member in members {
        let operand = &member.value;
        match member.key.value.as_str() {
            "title" => docs.title = text(operand),
            "description" => docs.description = text(operand),
            "examples" => docs.examples.extend(operand.as_array().unwrap_or_default().iter().filter_map(exact)),
            "default" => docs.default = exact(operand),
            "deprecated" => docs.deprecated = operand.as_bool() == Some(true),
            "format" if formats == Formats::Annotate || is_unknown_format(operand) => keep(&mut docs, member),
            key if is_kept(key) => keep(&mut docs, member),
            _ => {}
        }
    }
    docs
}

/// Returns whether no draft defines the format. (A format of a later draft would constrain in an export.)
fn is_unknown_format(operand: &JsonValue) -> bool {
    operand.as_str().is_some_and(|name| known(name, Draft::Draft2020) == Known::Not)
}

/// Returns whether a key is an annotation that an export repeats, whatever it means.
fn is_kept(key: &str) -> bool {
    let is_name = key == "id" || key.starts_with('$') && key != "$comment";
    !is_name && !is_old(key) && !is_constraint(key) && !holds_schemas(key)
}

fn keep(docs: &mut Docs, member: &Member) {
    docs.others.extend(exact(&member.value).map(|value| (member.key.value.clone(), value)));
}

fn text(operand: &JsonValue) -> Option<String> {
    operand.as_str().filter(|text| !text.trim().is_empty()).map(str::to_owned)
}

/// Reads an example value; `None` if it has a number that exceeds the limits.
fn exact(operand: &JsonValue) -> Option<Value> {
    value::exact(operand).ok()
}
