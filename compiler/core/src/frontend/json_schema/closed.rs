//! Closes objects that do not mention other members, if the options ask for it
//! ([`OtherMembers::Closed`](super::OtherMembers)).
//!
//! Each schema is copied once per role. As the *whole* of a value it is closed. As a *part* (in `allOf`, behind a
//! `$ref` with neighbours) it stays open, because its neighbours name members too. `not`, `if` and `contains` are
//! conditions and stay as they are. A whole is closed by `unevaluatedProperties: false`, which the next step rewrites.
//! A whole that is nothing but a reference or a union is closed by closing its targets, so that members of two arms do
//! not mix.
//!
//! `{"properties": {"a": {"$ref": "#/$defs/A"}}, "allOf": [{"properties": {"b": {}}}]}` allows the members `a` and `b`, and `a` is a closed `A`.

use super::graph::Graph;
use super::unevaluated::Pending;
use crate::frontend::docs::DocsByNode;
use ogc_regular::budget;
use ogc_schema::source::{At, Keywords, Node, NodeId, NodeKind, Origin};
use rustc_hash::{FxHashMap, FxHashSet};

/// The role of a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Role {
    /// The schema is all that describes a value.
    Whole,
    /// The schema describes a value together with other schemas.
    Part,
}

/// A graph whose objects are being closed.
pub(super) struct Closing<'r> {
    graph: &'r mut Graph,
    pending: &'r mut Pending,
    docs: &'r mut DocsByNode,
    copies: FxHashMap<(NodeId, Role), NodeId>,
    /// Copies whose contents are still to be written.
    todo: Vec<(NodeId, Role, NodeId)>,
}

impl<'r> Closing<'r> {
    pub(super) fn new(graph: &'r mut Graph, pending: &'r mut Pending, docs: &'r mut DocsByNode) -> Self {
        Self { graph, pending, docs, copies: FxHashMap::default(), todo: Vec::new() }
    }

    /// Returns the closed copy of a whole value's schema and of all that it reaches.
    pub(super) fn close(&mut self, whole: NodeId) -> NodeId {
        let closed = self.copy(whole, Role::Whole);
        while let Some((from, role, to)) = self.todo.pop() {
            if self.graph.is_full {
                break;
            }
            self.fill(from, role, to);
        }
        closed
    }

    /// Returns the copy of a schema for a role; at the first request, makes it.
    fn copy(&mut self, from: NodeId, role: Role) -> NodeId {
        let Some(Node { origin, kind: NodeKind::Keywords(_) }) = self.graph.nodes.get(from.0 as usize) else {
            return from;
        };
        if let Some(&known) = self.copies.get(&(from, role)) {
            return known;
        }
        let made = self.graph.add(Node { origin: *origin, kind: NodeKind::Bool(true) });
        self.copies.insert((from, role), made);
        if let Some(docs) = self.docs.get(&from).cloned() {
            self.docs.insert(made, docs);
        }
        self.todo.push((from, role, made));
        made
    }

    fn fill(&mut self, from: NodeId, role: Role, to: NodeId) {
        let Some(node) = self.graph.nodes.get(from.0 as usize) else { return };
        let (origin, NodeKind::Keywords(keywords)) = (node.origin, &node.kind) else { return };
        let mut keywords = keywords.clone();
        let is_passage = role == Role::Whole && is_passage(&keywords);
        self.parts(&mut keywords, if is_passage { Role::Whole } else { Role::Part });
        self.values(&mut keywords);
        self.pending_of(from, to);
        if role == Role::Whole && !is_passage && names_members(self.graph, from) {
            self.forbid_others(to, origin, &mut keywords);
        }
        self.graph.set_kind(to, NodeKind::Keywords(keywords));
    }

    /// Replaces the subschemas that apply to the same value by copies.
    fn parts(&mut self, keywords: &mut Keywords, role: Role) {
        let mut parts: Vec<&mut NodeId> = keywords.reference.iter_mut().map(|at| &mut at.value).collect();
        parts.extend(&mut keywords.all_of);
        parts.extend(keywords.any_of.iter_mut().chain(&mut keywords.one_of).flat_map(|at| &mut at.value));
        let branches = keywords.conditional.iter_mut().flat_map(|at| [&mut at.value.then, &mut at.value.otherwise]);
        parts.extend(branches.flatten());
        parts.extend(keywords.object.dependent_schemas.iter_mut().map(|(_, node)| node));
        for part in parts {
            *part = self.copy(*part, role);
        }
    }

    /// Replaces the schemas of members and items by copies.
    fn values(&mut self, keywords: &mut Keywords) {
        let (object, array) = (&mut keywords.object, &mut keywords.array);
        let mut values: Vec<&mut NodeId> = object.properties.iter_mut().map(|(_, node)| node).collect();
        values.extend(object.pattern_properties.iter_mut().map(|(_, node)| node));
        values.extend(object.additional_properties.iter_mut().map(|at| &mut at.value));
        values.extend(&mut array.prefix_items);
        values.extend(array.items.iter_mut().map(|at| &mut at.value));
        for value in values {
            *value = self.copy(*value, Role::Whole);
        }
    }

    /// Gives a copy the `unevaluated` keywords of its schema.
    fn pending_of(&mut self, from: NodeId, to: NodeId) {
        for (kind, rest) in self.pending.of(from) {
            let value = self.copy(rest.value, Role::Whole);
            self.pending.add_of(kind, to, At { value, ..rest });
        }
        self.pending.repeat_silence(from, to);
    }

    /// Forbids members that nothing names.
    fn forbid_others(&mut self, node: NodeId, origin: Origin, keywords: &mut Keywords) {
        if keywords.object.additional_properties.is_some() || self.pending.has_properties(node) {
            return;
        }
        let nothing = At { origin, value: self.graph.add(Node { origin, kind: NodeKind::Bool(false) }) };
        if parts_of(keywords).next().is_none() {
            keywords.object.additional_properties = Some(nothing);
        } else {
            self.pending.add_properties(node, nothing);
        }
    }
}

/// Returns whether a schema is nothing but a reference or a union, apart from its type.
fn is_passage(keywords: &Keywords) -> bool {
    let unions = keywords.any_of.len() + keywords.one_of.len();
    let others = !keywords.all_of.is_empty() || keywords.conditional.is_some();
    keywords.object == Default::default() && !others && usize::from(keywords.reference.is_some()) + unions == 1
}

/// Returns the subschemas for the same value that hold or may hold.
fn parts_of(keywords: &Keywords) -> impl Iterator<Item = NodeId> {
    let unions = keywords.any_of.iter().chain(&keywords.one_of).flat_map(|at| at.value.iter().copied());
    let branches = keywords.conditional.iter().flat_map(|at| [at.value.then, at.value.otherwise]).flatten();
    let references = keywords.reference.iter().map(|at| at.value);
    let dependent = keywords.object.dependent_schemas.iter().map(|(_, node)| *node);
    references.chain(keywords.all_of.iter().copied()).chain(unions).chain(branches).chain(dependent)
}

/// Returns whether a schema or one of its parts has `properties`.
fn names_members(graph: &Graph, node: NodeId) -> bool {
    let (mut seen, mut todo) = (FxHashSet::default(), vec![node]);
    while let Some(node) = todo.pop() {
        let Some(NodeKind::Keywords(keywords)) = graph.nodes.get(node.0 as usize).map(|node| &node.kind) else {
            continue;
        };
        // If the budget is used up, the result is discarded anyway.
        if !keywords.object.properties.is_empty() || budget::work(1).is_err() {
            return true;
        }
        todo.extend(parts_of(keywords).filter(|&part| seen.insert(part)));
    }
    false
}
