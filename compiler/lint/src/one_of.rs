//! The branches of the `oneOf`s of a graph, and schemas that are built from them.

use ogc_schema::source::{At, Keywords, Node, NodeId, NodeKind, Origin, Schemas, Types};

/// Cap on the schemas that make up one branch.
const PARTS: usize = 64;

/// Only objects.
const OBJECT: Types =
    Types { null: false, boolean: false, integer: false, number: false, string: false, array: false, object: true };

/// A `oneOf`.
pub(super) struct Choice {
    /// The schema that contains it.
    pub(super) node: NodeId,
    /// Its place.
    pub(super) origin: Origin,
    /// Its branches.
    pub(super) branches: Vec<NodeId>,
}

/// Returns the `oneOf`s of a graph with at most `most` branches.
pub(super) fn choices(schemas: &Schemas, most: usize) -> Vec<Choice> {
    let mut choices = Vec::new();
    for (at, node) in (0..).zip(&schemas.nodes) {
        let NodeKind::Keywords(keywords) = &node.kind else { continue };
        let few = keywords.one_of.iter().filter(|branches| branches.value.len() <= most);
        let choice =
            |one: &At<Vec<NodeId>>| Choice { node: NodeId(at), origin: one.origin, branches: one.value.clone() };
        choices.extend(few.map(choice));
    }
    choices
}

/// Adds a schema.
pub(super) fn add(schemas: &mut Schemas, origin: Origin, keywords: Keywords) -> NodeId {
    schemas.nodes.push(Node { origin, kind: NodeKind::Keywords(Box::new(keywords)) });
    NodeId(u32::try_from(schemas.nodes.len() - 1).unwrap_or(u32::MAX))
}

/// Adds a schema for the values that are in all of `nodes`.
pub(super) fn all(schemas: &mut Schemas, nodes: Vec<NodeId>) -> NodeId {
    let origin = nodes.first().map_or(Origin::default(), |first| origin(schemas, *first));
    add(schemas, origin, Keywords { all_of: nodes, ..Keywords::default() })
}

/// Adds a schema for the objects that have only these keys.
pub(super) fn closed(schemas: &mut Schemas, origin: Origin, keys: Vec<String>) -> NodeId {
    let [anything, nothing] = [true, false].map(|holds| {
        schemas.nodes.push(Node { origin, kind: NodeKind::Bool(holds) });
        NodeId(u32::try_from(schemas.nodes.len() - 1).unwrap_or(u32::MAX))
    });
    let mut closed = Keywords { types: Some(At { origin, value: OBJECT }), ..Keywords::default() };
    closed.object.properties = keys.into_iter().map(|key| (key, anything)).collect();
    closed.object.additional_properties = Some(At { origin, value: nothing });
    add(schemas, origin, closed)
}

/// Returns the place of a schema.
pub(super) fn origin(schemas: &Schemas, node: NodeId) -> Origin {
    schemas.nodes.get(node.0 as usize).map(|node| node.origin).unwrap_or_default()
}

/// Returns the keywords of a schema and of the schemas that apply to the same value through references, `allOf`,
/// `anyOf` and `oneOf`. `None` if there are too many.
pub(super) fn parts(schemas: &Schemas, branch: NodeId) -> Option<Vec<&Keywords>> {
    let (mut open, mut seen, mut parts) = (vec![branch], Vec::new(), Vec::new());
    while let Some(node) = open.pop() {
        if seen.contains(&node) {
            continue;
        }
        if seen.len() >= PARTS {
            return None;
        }
        seen.push(node);
        let NodeKind::Keywords(keywords) = &schemas.nodes.get(node.0 as usize)?.kind else { continue };
        parts.push(&**keywords);
        let choices = keywords.any_of.iter().chain(&keywords.one_of).flat_map(|choice| &choice.value);
        open.extend(keywords.all_of.iter().chain(choices));
        open.extend(keywords.reference.iter().map(|reference| reference.value));
    }
    Some(parts)
}
