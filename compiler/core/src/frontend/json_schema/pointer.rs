//! Follows JSON pointers (RFC 6901) into schemas, keeping track of the scope on the way.

use super::by_name::operand;
use super::head::Head;
use super::resources::Resources;
use super::scope::{ScopedSchema, address};
use ogc_grammar::json::{JsonKind, JsonValue, Member};
use ogc_schema::keyword::Operand;
use std::borrow::Cow;

/// Maximum number of members of an object without an index. A larger object gets an index when a pointer first passes
/// through it.
const FEW: usize = 32;

impl<'a> Resources<'a> {
    /// Follows `pointer` from a resource's root. `pointer` is decoded, and empty or begins with a slash.
    pub(super) fn follow(&mut self, start: ScopedSchema<'a>, pointer: &str) -> Option<ScopedSchema<'a>> {
        let mut place = start;
        let mut stands = None;
        for (depth, token) in pointer.split('/').enumerate().skip(1) {
            let is_schema = depth == 1 || stands == Some(Operand::Schema);
            if is_schema {
                place = self.inside(place);
            }
            (place.value, stands) = self.step(place.value, &unescape(token), is_schema, stands)?;
        }
        Some(place)
    }

    /// Returns the scope inside a schema: its own id and dialect are in force there.
    pub(super) fn inside(&mut self, place: ScopedSchema<'a>) -> ScopedSchema<'a> {
        let JsonKind::Object(members) = &place.value.kind else {
            return place;
        };
        ScopedSchema { scope: self.enter(place.value, &Head::of(members), place.scope), ..place }
    }

    fn step(
        &mut self,
        value: &'a JsonValue,
        token: &str,
        is_schema: bool,
        stands: Option<Operand>,
    ) -> Option<(&'a JsonValue, Option<Operand>)> {
        match &value.kind {
            JsonKind::Object(members) => {
                let next = self.member(value, members, token)?;
                let inner = if is_schema { operand(token) } else { element(stands, Operand::Map) };
                Some((next, settle(inner, next)))
            }
            JsonKind::Array(items) => {
                let is_index = token == "0" || !token.starts_with(['0', '+']);
                let next = items.get(token.parse::<usize>().ok().filter(|_| is_index)?)?;
                Some((next, element(stands, Operand::Schemas)))
            }
            JsonKind::Null | JsonKind::Bool(_) | JsonKind::Number(_) | JsonKind::String(_) => None,
        }
    }

    fn member(&mut self, value: &'a JsonValue, members: &'a [Member], name: &str) -> Option<&'a JsonValue> {
        if members.len() <= FEW {
            return members.iter().find(|m| m.key.value == name).map(|m| &m.value);
        }
        let names = self.names.entry(address(value)).or_insert_with(|| {
            members.iter().enumerate().rev().map(|(index, m)| (m.key.value.as_str(), index)).collect()
        });
        members.get(*names.get(name)?).map(|m| &m.value)
    }
}

/// Returns `Schema` if the collection's kind is `collection`: its elements are schemas.
fn element(stands: Option<Operand>, collection: Operand) -> Option<Operand> {
    (stands == Some(collection)).then_some(Operand::Schema)
}

/// Decides by the value of `items` whether it is a schema or a list of schemas.
fn settle(stands: Option<Operand>, value: &JsonValue) -> Option<Operand> {
    match (stands, &value.kind) {
        (Some(Operand::Items), JsonKind::Array(_)) => Some(Operand::Schemas),
        (Some(Operand::Items), _) => Some(Operand::Schema),
        (other, _) => other,
    }
}

fn unescape(token: &str) -> Cow<'_, str> {
    if token.contains('~') { token.replace("~1", "/").replace("~0", "~").into() } else { token.into() }
}
