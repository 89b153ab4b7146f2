//! The JSON types for which a schema is written: those of its `type`, or those that its keywords constrain.

use ogc_schema::source::{Keywords, NodeId, NodeKind, Schemas, Types, Value};

/// Depth to which references and parts are followed; beyond it, a schema counts as written for all types.
const DEPTH: u32 = 12;

/// A set of JSON types. An integer is a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ValueKinds(u8);

const NULL: u8 = 1;
const BOOLEAN: u8 = 2;
const NUMBER: u8 = 4;
const STRING: u8 = 8;
const ARRAY: u8 = 16;
const OBJECT: u8 = 32;
const ALL: u8 = 63;

impl ValueKinds {
    /// Returns the types for which a schema is written.
    pub(super) fn of(schemas: &Schemas, node: NodeId) -> Self {
        Self(kinds(schemas, node, DEPTH))
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(super) fn has_objects(self) -> bool {
        self.0 & OBJECT != 0
    }

    /// Returns the types other than objects; `None` if there are none.
    pub(super) fn types_without_objects(self) -> Option<Types> {
        let has = |kind: u8| self.0 & kind != 0;
        (self.0 & !OBJECT != 0).then_some(Types {
            null: has(NULL),
            boolean: has(BOOLEAN),
            integer: has(NUMBER),
            number: has(NUMBER),
            string: has(STRING),
            array: has(ARRAY),
            object: false,
        })
    }
}

fn kinds(schemas: &Schemas, node: NodeId, depth: u32) -> u8 {
    match schemas.nodes.get(node.0 as usize).map(|node| &node.kind) {
        Some(NodeKind::Bool(false)) => 0,
        Some(NodeKind::Keywords(keywords)) if depth > 0 => of_keywords(schemas, keywords, depth - 1),
        _ => ALL,
    }
}

fn of_keywords(schemas: &Schemas, keywords: &Keywords, depth: u32) -> u8 {
    let listed =
        keywords.one_of_values.iter().map(|values| values.value.iter().fold(0, |set, value| set | of_value(value)));
    let said = keywords.types.iter().map(|types| of_types(types.value));
    let parts = keywords.all_of.iter().copied().chain(keywords.reference.iter().map(|reference| reference.value));
    let choices = keywords.any_of.iter().chain(&keywords.one_of);
    let choices = choices.map(|choice| choice.value.iter().fold(0, |set, branch| set | kinds(schemas, *branch, depth)));
    let all = listed.chain(said).chain(choices).fold(ALL, |set, kinds| set & kinds);
    let all = parts.fold(all, |set, part| set & kinds(schemas, part, depth));
    match spoken_of(keywords) {
        0 => all,
        spoken if keywords.types.is_none() => all & spoken,
        _ => all,
    }
}

/// Returns the types that keywords constrain.
fn spoken_of(keywords: &Keywords) -> u8 {
    let Keywords { string, number, array, object, .. } = keywords;
    [
        (*string != Default::default(), STRING),
        (*number != Default::default(), NUMBER),
        (*array != Default::default(), ARRAY),
        (*object != Default::default(), OBJECT),
    ]
    .iter()
    .filter(|(speaks, _)| *speaks)
    .fold(0, |set, (_, kind)| set | kind)
}

fn of_types(types: Types) -> u8 {
    [
        (types.null, NULL),
        (types.boolean, BOOLEAN),
        (types.integer || types.number, NUMBER),
        (types.string, STRING),
        (types.array, ARRAY),
        (types.object, OBJECT),
    ]
    .iter()
    .filter(|(has, _)| *has)
    .fold(0, |set, (_, kind)| set | kind)
}

fn of_value(value: &Value) -> u8 {
    match value {
        Value::Null => NULL,
        Value::Bool(_) => BOOLEAN,
        Value::Number(_) => NUMBER,
        Value::String(_) => STRING,
        Value::Array(_) => ARRAY,
        Value::Object(_) => OBJECT,
    }
}
