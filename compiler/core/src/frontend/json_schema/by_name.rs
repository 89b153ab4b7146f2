//! Keywords by their names, for code that looks for schemas without reading them.

use ogc_grammar::json::{JsonKind, JsonValue, Member};
pub use ogc_schema::keyword::Draft;
use ogc_schema::keyword::{Keyword, Operand};

/// Returns the kind of a keyword's operand; `None` if no keyword has that name.
pub(super) fn operand(name: &str) -> Option<Operand> {
    Keyword::of_name(name).map(Keyword::operand)
}

/// Returns whether the operand of the keyword with that name holds schemas.
pub(super) fn holds_schemas(name: &str) -> bool {
    operand(name).is_some_and(Operand::holds_schemas)
}

/// Returns whether the name is a keyword that can reject a value, in some draft from 4 on.
pub(crate) fn is_constraint(name: &str) -> bool {
    Keyword::of_name(name).is_some_and(Keyword::constrains)
}

/// Returns whether the name is a keyword that is only an annotation, in some draft.
pub(super) fn is_annotation(name: &str) -> bool {
    Keyword::of_name(name).is_some_and(Keyword::is_annotation)
}

/// Returns whether the name is a constraint of draft 3 alone, which is not supported.
pub(super) fn is_old(name: &str) -> bool {
    matches!(name, "extends" | "disallow" | "divisibleBy")
}

/// Returns the schemas directly under a keyword.
#[must_use]
pub fn subschemas(member: &Member) -> Box<dyn Iterator<Item = &JsonValue> + '_> {
    match (operand(&member.key.value), &member.value.kind) {
        (Some(Operand::Schema | Operand::Items), JsonKind::Object(_)) => Box::new(std::iter::once(&member.value)),
        (Some(Operand::Schemas | Operand::Items), JsonKind::Array(items)) => Box::new(items.iter()),
        (Some(Operand::Map), JsonKind::Object(members)) => Box::new(members.iter().map(|m| &m.value)),
        _ => Box::new(std::iter::empty()),
    }
}
