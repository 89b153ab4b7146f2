//! What stands at a place of a JSON Schema or a list of tools: a schema, a map of schemas, something else.

use ogc_schema::keyword::{Keyword, Operand};

use crate::json_place::{Bracket, Frame, JsonPlace};

/// What a bracket of a JSON Schema holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// A schema: its keys are keywords.
    Schema,
    /// Schemas by name.
    Map,
    /// A list of schemas.
    List,
    /// Names of properties.
    Names,
    /// Names of types.
    Types,
    /// A list of tools, or an object that has one.
    Tools,
    /// One tool.
    Tool,
    /// Nothing that is known.
    Other,
}

/// Returns what the innermost bracket at a place holds.
pub(crate) fn part(place: &JsonPlace<'_>) -> Part {
    part_of(&place.frames)
}

/// Returns what the last of some brackets holds.
pub(crate) fn part_of(frames: &[Frame]) -> Part {
    let Some((root, rest)) = frames.split_first() else { return Part::Other };
    let mut part = match (root.bracket, root.key.as_deref()) {
        (Bracket::Array, _) => Part::Tools,
        (Bracket::Object, Some("tools" | "functions" | "result")) => Part::Tools,
        (Bracket::Object, _) => Part::Schema,
    };
    let mut key = root.key.as_deref();
    for frame in rest {
        part = inside(part, key, frame.bracket);
        key = frame.key.as_deref();
    }
    part
}

/// Returns what a bracket holds that stands in a part, behind a key if that is an object.
fn inside(part: Part, key: Option<&str>, bracket: Bracket) -> Part {
    match part {
        Part::Schema => {
            let keyword = key.and_then(Keyword::of_name);
            keyword.map_or(Part::Other, |keyword| behind(keyword.operand(), bracket))
        }
        Part::Map | Part::List => {
            if bracket == Bracket::Object {
                Part::Schema
            } else {
                Part::Names
            }
        }
        Part::Tools => match (bracket, key) {
            (Bracket::Array, _) => Part::Tools,
            (Bracket::Object, Some("result")) => Part::Tools,
            (Bracket::Object, _) => Part::Tool,
        },
        Part::Tool => match key {
            Some("function") => Part::Tool,
            Some("parameters" | "input_schema" | "inputSchema") => Part::Schema,
            _ => Part::Other,
        },
        Part::Names | Part::Types | Part::Other => Part::Other,
    }
}

/// Returns what a bracket behind a keyword holds.
fn behind(operand: Operand, bracket: Bracket) -> Part {
    match (operand, bracket) {
        (Operand::Schema | Operand::Items, Bracket::Object) => Part::Schema,
        (Operand::Schemas | Operand::Items, Bracket::Array) => Part::List,
        (Operand::Map, Bracket::Object) => Part::Map,
        (Operand::Names, Bracket::Array) => Part::Names,
        (Operand::Types, Bracket::Array) => Part::Types,
        _ => Part::Other,
    }
}
