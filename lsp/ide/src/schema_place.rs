//! Determines the role of a place in a JSON Schema or a list of tools: a schema, a map of schemas, or another role.

use ogc_schema::keyword::{Keyword, Operand};

use crate::json_place::{Bracket, Frame, JsonPlace};

/// The content of a bracket in a JSON Schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SchemaPart {
    /// A schema: its keys are keywords.
    Schema,
    /// Schemas by name.
    Map,
    /// A list of schemas.
    List,
    /// Names of properties.
    Names,
    /// A map from property names to lists of property names.
    NamesMap,
    /// Names of types.
    Types,
    /// A list of tools, or an object that has one.
    Tools,
    /// One tool.
    Tool,
    /// Anything else.
    Other,
}

/// Returns the kind of content of the innermost bracket at a place.
pub(crate) fn part(place: &JsonPlace<'_>) -> SchemaPart {
    part_of(&place.frames)
}

/// Returns the kind of content of the last of some brackets.
pub(crate) fn part_of(frames: &[Frame]) -> SchemaPart {
    let Some((root, rest)) = frames.split_first() else { return SchemaPart::Other };
    let mut part = match (root.bracket, root.key.as_deref()) {
        (Bracket::Array, _) => SchemaPart::Tools,
        (Bracket::Object, Some("tools" | "functions" | "result")) => SchemaPart::Tools,
        (Bracket::Object, _) => SchemaPart::Schema,
    };
    let mut key = root.key.as_deref();
    for frame in rest {
        part = inside(part, key, frame.bracket);
        key = frame.key.as_deref();
    }
    part
}

/// Returns the content of a bracket inside a part; in an object, `key` is the bracket's key.
fn inside(part: SchemaPart, key: Option<&str>, bracket: Bracket) -> SchemaPart {
    match part {
        SchemaPart::Schema => {
            let keyword = key.and_then(Keyword::of_name);
            keyword.map_or(SchemaPart::Other, |keyword| behind(keyword.operand(), bracket))
        }
        SchemaPart::Map | SchemaPart::List => {
            if bracket == Bracket::Object {
                SchemaPart::Schema
            } else {
                SchemaPart::Names
            }
        }
        SchemaPart::Tools => match (bracket, key) {
            (Bracket::Array, _) => SchemaPart::Tools,
            (Bracket::Object, Some("result")) => SchemaPart::Tools,
            (Bracket::Object, _) => SchemaPart::Tool,
        },
        SchemaPart::Tool => match key {
            Some("function") => SchemaPart::Tool,
            Some("parameters" | "input_schema" | "inputSchema") => SchemaPart::Schema,
            _ => SchemaPart::Other,
        },
        SchemaPart::NamesMap if bracket == Bracket::Array => SchemaPart::Names,
        SchemaPart::NamesMap | SchemaPart::Names | SchemaPart::Types | SchemaPart::Other => SchemaPart::Other,
    }
}

/// Returns the kind of content of a bracket after a keyword.
fn behind(operand: Operand, bracket: Bracket) -> SchemaPart {
    match (operand, bracket) {
        (Operand::Schema | Operand::Items, Bracket::Object) => SchemaPart::Schema,
        (Operand::Schemas | Operand::Items, Bracket::Array) => SchemaPart::List,
        (Operand::Map, Bracket::Object) => SchemaPart::Map,
        (Operand::Names, Bracket::Array) => SchemaPart::Names,
        (Operand::NamesMap, Bracket::Object) => SchemaPart::NamesMap,
        (Operand::Types, Bracket::Array) => SchemaPart::Types,
        _ => SchemaPart::Other,
    }
}
