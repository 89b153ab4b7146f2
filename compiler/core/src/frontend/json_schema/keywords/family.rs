//! Makes the node of an OpenAPI family, which replaces a schema of the family wherever a reference leads to that
//! schema.

use super::super::reader::Reader;
use super::super::scope::{Scope, ScopedSchema, address};
use ogc_grammar::json::Member;
use ogc_schema::source::{At, Keywords, NodeId};

impl<'a> Reader<'a> {
    /// Records the family of a document's schema, once the schema's node exists.
    pub(in super::super) fn note_family(&mut self, place: ScopedSchema<'a>, node: NodeId) {
        let Some(family) = self.families.members.get(&address(place.value)).cloned() else { return };
        if self.families.nodes.contains_key(&node) {
            return;
        }
        let origin = self.origin(place.scope, place.value.span);
        let whole = self.add_keywords(origin, Keywords::default());
        self.families.nodes.insert(node, whole);
        let mut arms = Vec::new();
        for (names, value) in &family.members {
            let plain = self.node_at(ScopedSchema { value, scope: place.scope }, String::new);
            arms.push(self.tagged(origin, plain, family.property, Some(names)));
        }
        let keywords = Keywords { any_of: vec![At { origin, value: arms }], ..Keywords::default() };
        if let Some(made) = self.graph.keywords_mut(whole) {
            *made = keywords;
        }
    }

    /// Returns the target of a reference to `node` from a schema with these members: the family's node, or `node`
    /// itself.
    pub(in super::super) fn family_or(&self, node: NodeId, members: &'a [Member], scope: Scope) -> NodeId {
        let is_extension = self.families.extensions.contains(&members.as_ptr().addr());
        let family = self.families.nodes.get(&node).filter(|_| scope.dialect.openapi.is_some() && !is_extension);
        family.copied().unwrap_or(node)
    }
}
