//! Appends one graph to another, with its ids and origins shifted.

use std::cell::RefCell;

use super::{
    ArrayKeywords, At, Keywords, Node, NodeId, NodeKind, NumberKeywords, ObjectKeywords, Origin, Schemas,
    StringKeywords,
};

impl Schemas {
    /// Appends the nodes of `other`; their ids grow by the number of nodes that are here already. `place` maps the
    /// origins of `other` to origins here.
    pub fn append(&mut self, other: &Schemas, place: impl Fn(Origin) -> Origin) {
        let base = self.reserve(other, Origin::default());
        let mut is_new = vec![true; other.nodes.len()];
        for id in (0..u32::try_from(other.nodes.len()).unwrap_or(u32::MAX)).map(NodeId) {
            self.fill(other, base, id, &place, &mut is_new);
        }
    }

    /// Reserves a node for each node of `other`; until [`Schemas::fill`] replaces it, such a node accepts everything.
    /// Returns the number by which the ids of `other` grow.
    pub fn reserve(&mut self, other: &Schemas, origin: Origin) -> u32 {
        let base = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        let anything = Node { origin, kind: NodeKind::Bool(true) };
        self.nodes.extend(std::iter::repeat_n(anything, other.nodes.len()));
        base
    }

    /// Replaces the reserved nodes for `from`, and for everything reachable from it, with the nodes of `other`.
    /// `is_reserved` tells for each node of `other` whether it is still to be replaced.
    pub fn fill(
        &mut self,
        other: &Schemas,
        base: u32,
        from: NodeId,
        place: &dyn Fn(Origin) -> Origin,
        is_reserved: &mut [bool],
    ) {
        let moved = Moved { base, place, reached: RefCell::new(vec![from]) };
        loop {
            let Some(id) = moved.reached.borrow_mut().pop() else { return };
            let target = self.nodes.get_mut(moved.at_base(id).0 as usize);
            let is_reserved = is_reserved.get_mut(id.0 as usize).is_some_and(std::mem::take);
            if let (Some(target), Some(node), true) = (target, other.nodes.get(id.0 as usize), is_reserved) {
                *target = moved.node(node);
            }
        }
    }
}

struct Moved<'p> {
    base: u32,
    place: &'p dyn Fn(Origin) -> Origin,
    /// Ids (in the other graph) of nodes that were mentioned and not yet visited.
    reached: RefCell<Vec<NodeId>>,
}

impl Moved<'_> {
    fn node(&self, node: &Node) -> Node {
        let kind = match &node.kind {
            NodeKind::Bool(holds) => NodeKind::Bool(*holds),
            NodeKind::Keywords(keywords) => NodeKind::Keywords(Box::new(self.keywords(keywords))),
        };
        Node { origin: (self.place)(node.origin), kind }
    }

    fn id(&self, id: NodeId) -> NodeId {
        self.reached.borrow_mut().push(id);
        self.at_base(id)
    }

    fn at_base(&self, id: NodeId) -> NodeId {
        NodeId(id.0.saturating_add(self.base))
    }

    fn ids(&self, ids: &[NodeId]) -> Vec<NodeId> {
        ids.iter().map(|&id| self.id(id)).collect()
    }

    fn at<T: Clone>(&self, at: &At<T>) -> At<T> {
        At { origin: (self.place)(at.origin), value: at.value.clone() }
    }

    fn maybe<T: Clone>(&self, at: &Option<At<T>>) -> Option<At<T>> {
        at.as_ref().map(|at| self.at(at))
    }

    fn all<T: Clone>(&self, list: &[At<T>]) -> Vec<At<T>> {
        list.iter().map(|at| self.at(at)).collect()
    }

    fn child(&self, at: &Option<At<NodeId>>) -> Option<At<NodeId>> {
        at.as_ref().map(|at| At { origin: (self.place)(at.origin), value: self.id(at.value) })
    }

    fn choices(&self, list: &[At<Vec<NodeId>>]) -> Vec<At<Vec<NodeId>>> {
        list.iter().map(|at| At { origin: (self.place)(at.origin), value: self.ids(&at.value) }).collect()
    }

    fn keywords(&self, keywords: &Keywords) -> Keywords {
        let mut conditional = self.maybe(&keywords.conditional);
        if let Some(at) = &mut conditional {
            at.value.condition = self.id(at.value.condition);
            at.value.then = at.value.then.map(|id| self.id(id));
            at.value.otherwise = at.value.otherwise.map(|id| self.id(id));
        }
        Keywords {
            types: self.maybe(&keywords.types),
            one_of_values: self.all(&keywords.one_of_values),
            reference: self.child(&keywords.reference),
            all_of: self.ids(&keywords.all_of),
            any_of: self.choices(&keywords.any_of),
            one_of: self.choices(&keywords.one_of),
            not: self.child(&keywords.not),
            conditional,
            string: self.string(&keywords.string),
            number: self.number(&keywords.number),
            array: self.array(&keywords.array),
            object: self.object(&keywords.object),
        }
    }

    fn string(&self, keywords: &StringKeywords) -> StringKeywords {
        StringKeywords {
            min_length: self.maybe(&keywords.min_length),
            max_length: self.maybe(&keywords.max_length),
            patterns: self.all(&keywords.patterns),
            formats: self.all(&keywords.formats),
        }
    }

    fn number(&self, keywords: &NumberKeywords) -> NumberKeywords {
        NumberKeywords {
            minimum: self.maybe(&keywords.minimum),
            maximum: self.maybe(&keywords.maximum),
            exclusive_minimum: self.maybe(&keywords.exclusive_minimum),
            exclusive_maximum: self.maybe(&keywords.exclusive_maximum),
            multiple_of: self.maybe(&keywords.multiple_of),
            decimals: self.maybe(&keywords.decimals),
        }
    }

    fn array(&self, keywords: &ArrayKeywords) -> ArrayKeywords {
        ArrayKeywords {
            prefix_items: self.ids(&keywords.prefix_items),
            items: self.child(&keywords.items),
            min_items: self.maybe(&keywords.min_items),
            max_items: self.maybe(&keywords.max_items),
            unique_items: keywords.unique_items.map(self.place),
            contains: self.child(&keywords.contains),
            min_contains: self.maybe(&keywords.min_contains),
            max_contains: self.maybe(&keywords.max_contains),
        }
    }

    fn object(&self, keywords: &ObjectKeywords) -> ObjectKeywords {
        let named = |(name, id): &(String, NodeId)| (name.clone(), self.id(*id));
        let keyed = |(key, id): &(At<String>, NodeId)| (self.at(key), self.id(*id));
        ObjectKeywords {
            properties: keywords.properties.iter().map(named).collect(),
            pattern_properties: keywords.pattern_properties.iter().map(keyed).collect(),
            additional_properties: self.child(&keywords.additional_properties),
            property_names: self.child(&keywords.property_names),
            required: self.all(&keywords.required),
            min_properties: self.maybe(&keywords.min_properties),
            max_properties: self.maybe(&keywords.max_properties),
            dependent_required: keywords
                .dependent_required
                .iter()
                .map(|(key, names)| (self.at(key), names.clone()))
                .collect(),
            dependent_schemas: keywords.dependent_schemas.iter().map(keyed).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reference(to: u32) -> NodeKind {
        let reference = Some(At { origin: Origin(7), value: NodeId(to) });
        NodeKind::Keywords(Box::new(Keywords { reference, ..Keywords::default() }))
    }

    fn graph(kinds: Vec<NodeKind>) -> Schemas {
        let nodes = kinds.into_iter().map(|kind| Node { origin: Origin(0), kind }).collect();
        Schemas { nodes, root: None }
    }

    #[test]
    fn only_reachable_nodes_are_copied() {
        // 0 and 1 refer to each other; 2 has no edges.
        let other = graph(vec![reference(1), reference(0), NodeKind::Bool(false)]);
        let mut here = graph(vec![NodeKind::Bool(true)]);
        let base = here.reserve(&other, Origin(3));
        let mut is_reserved = vec![true; 3];
        let place = |origin: Origin| Origin(origin.0 + 10);
        here.fill(&other, base, NodeId(0), &place, &mut is_reserved);
        let mut whole = graph(vec![NodeKind::Bool(true)]);
        whole.append(&other, place);
        assert_eq!((base, &here.nodes[..3]), (1, &whole.nodes[..3]));
        assert_eq!(here.nodes[3], Node { origin: Origin(3), kind: NodeKind::Bool(true) });
        here.fill(&other, base, NodeId(2), &place, &mut is_reserved);
        assert_eq!(here, whole);
    }
}
