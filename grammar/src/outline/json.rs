//! The outline of JSON.

use super::Node;
use crate::json::{JsonKind, JsonValue, Member};

impl Node {
    /// Returns the outline of a JSON value, with its members and items.
    #[must_use]
    pub fn of_json(value: &JsonValue) -> Node {
        let children = match &value.kind {
            JsonKind::Array(items) => items.iter().map(Node::of_json).collect(),
            JsonKind::Object(members) => members.iter().map(member).collect(),
            JsonKind::Null | JsonKind::Bool(_) | JsonKind::Number(_) | JsonKind::String(_) => Vec::new(),
        };
        Node::new(value.type_name(), value.span, children)
    }
}

fn member(member: &Member) -> Node {
    Node::new("member", member.key.span.merge(member.value.span), vec![Node::of_json(&member.value)])
}
