//! The edges between nodes of a graph, and how often each node is used.

use ogc_schema::source::{Keywords, NodeId, NodeKind, Schemas};

/// The kind of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edge<'g> {
    /// A schema that applies to the same value.
    Same,
    /// The value of a key.
    Property(&'g str),
    /// A part of the value: an item, the value of another key, or a key.
    Part,
}

/// Calls `visit` with every edge of a node, in source order of each keyword.
pub(super) fn edges<'g>(keywords: &'g Keywords, visit: &mut dyn FnMut(Edge<'g>, NodeId)) {
    let object = &keywords.object;
    object.properties.iter().for_each(|(key, node)| visit(Edge::Property(key), *node));
    in_place(keywords, &mut |node| visit(Edge::Same, node));
    object.pattern_properties.iter().for_each(|(_, node)| visit(Edge::Part, *node));
    let array = &keywords.array;
    array.prefix_items.iter().for_each(|node| visit(Edge::Part, *node));
    let single = [&object.additional_properties, &object.property_names, &array.items, &array.contains];
    single.into_iter().flatten().for_each(|node| visit(Edge::Part, node.value));
}

/// Calls `visit` with every schema that applies to the same value.
pub(super) fn in_place(keywords: &Keywords, visit: &mut dyn FnMut(NodeId)) {
    keywords.reference.iter().chain(&keywords.not).for_each(|node| visit(node.value));
    keywords.all_of.iter().for_each(|node| visit(*node));
    keywords.any_of.iter().chain(&keywords.one_of).flat_map(|choice| &choice.value).for_each(|node| visit(*node));
    if let Some(conditional) = &keywords.conditional {
        let parts = conditional.value;
        [Some(parts.condition), parts.then, parts.otherwise].into_iter().flatten().for_each(&mut *visit);
    }
    keywords.object.dependent_schemas.iter().for_each(|(_, node)| visit(*node));
}

/// The uses of the nodes of a graph.
#[derive(Debug)]
pub(super) struct Uses<'g> {
    /// Per node: the number of edges from reached nodes.
    pub(super) count: Vec<u32>,
    /// Per node: the key through which it was first reached.
    pub(super) key: Vec<Option<&'g str>>,
    /// All reached nodes, in the order of the search.
    pub(super) order: Vec<NodeId>,
}

impl<'g> Uses<'g> {
    /// Searches a graph from its root and the nodes `beside` it, breadth first.
    pub(super) fn of(schemas: &'g Schemas, beside: impl IntoIterator<Item = NodeId>) -> Uses<'g> {
        let size = schemas.nodes.len();
        let mut uses = Uses { count: vec![0; size], key: vec![None; size], order: Vec::new() };
        let mut seen = vec![false; size];
        for root in schemas.root.into_iter().chain(beside) {
            uses.reach(root, None, &mut seen);
        }
        let mut at = 0;
        while let Some(&from) = uses.order.get(at) {
            at += 1;
            let node = schemas.nodes.get(from.0 as usize);
            let Some(NodeKind::Keywords(keywords)) = node.map(|node| &node.kind) else { continue };
            let inherited = uses.key.get(from.0 as usize).copied().flatten();
            edges(keywords, &mut |edge, to| {
                if let Some(count) = uses.count.get_mut(to.0 as usize) {
                    *count += 1;
                }
                let key = if let Edge::Property(key) = edge { Some(key) } else { inherited };
                uses.reach(to, key, &mut seen);
            });
        }
        uses
    }

    fn reach(&mut self, node: NodeId, key: Option<&'g str>, seen: &mut [bool]) {
        let index = node.0 as usize;
        if let Some(seen) = seen.get_mut(index).filter(|seen| !**seen) {
            *seen = true;
            self.key[index] = key;
            self.order.push(node);
        }
    }

    /// Returns whether more than one place refers to a node; every cycle that the root reaches has such a node, or the
    /// root.
    pub(super) fn is_shared(&self, node: NodeId) -> bool {
        self.count.get(node.0 as usize).is_some_and(|count| *count > 1)
    }
}
