//! Applies the keywords that OpenAPI adds to JSON Schema: `nullable`, and the `discriminator` of a union.
//!
//! The key's values for a branch are those that `mapping` maps to it; if there are none, those that the branch itself
//! lists for the key; otherwise its name. A branch that is written in place has no name and stays as it is.

use super::super::openapi::{Discriminator, is_enforced, name_of};
use super::super::reader::Reader;
use super::super::site::Site;
use ogc_grammar::json::JsonValue;
use ogc_schema::source::{At, Keywords, Node, NodeId, NodeKind, Origin, Types, Value};

/// The empty set of types.
const NO_TYPE: Types =
    Types { null: false, boolean: false, integer: false, number: false, string: false, array: false, object: false };

impl Reader<'_> {
    /// Returns the schema that allows null and whatever `keywords` allow.
    pub(in super::super) fn or_null(&mut self, origin: Origin, mut keywords: Keywords) -> Keywords {
        let Keywords { one_of_values, reference, all_of, any_of, one_of, not, conditional, .. } = &keywords;
        let is_by_type = one_of_values.is_empty()
            && all_of.is_empty()
            && any_of.is_empty()
            && one_of.is_empty()
            && reference.is_none()
            && not.is_none()
            && conditional.is_none();
        if let Some(types) = keywords.types.as_mut().filter(|_| is_by_type) {
            types.value.null = true;
            return keywords;
        }
        let null =
            Keywords { types: Some(At { origin, value: Types { null: true, ..NO_TYPE } }), ..Keywords::default() };
        let arms = vec![self.add_keywords(origin, null), self.add_keywords(origin, keywords)];
        Keywords { any_of: vec![At { origin, value: arms }], ..Keywords::default() }
    }

    /// Returns a schema of the objects of `node` whose key `property` has one of `names`, or any value if `names` is
    /// `None`.
    pub(super) fn tagged(&mut self, origin: Origin, node: NodeId, property: &str, names: Option<&[String]>) -> NodeId {
        let mut tag =
            Keywords { types: Some(At { origin, value: Types { object: true, ..NO_TYPE } }), ..Keywords::default() };
        tag.object.required.push(At { origin, value: property.to_owned() });
        if let Some(names) = names {
            let values = names.iter().map(|name| Value::String(name.clone())).collect();
            let values = Keywords { one_of_values: vec![At { origin, value: values }], ..Keywords::default() };
            let values = self.add_keywords(origin, values);
            tag.object.properties.push((property.to_owned(), values));
        }
        let tag = self.add_keywords(origin, tag);
        self.add_keywords(origin, Keywords { all_of: vec![node, tag], ..Keywords::default() })
    }

    pub(super) fn add_keywords(&mut self, origin: Origin, keywords: Keywords) -> NodeId {
        self.graph.add(Node { origin, kind: NodeKind::Keywords(Box::new(keywords)) })
    }
}

impl<'a> Reader<'a> {
    /// Applies the `discriminator` of a schema to its unions.
    pub(in super::super) fn discriminate(&mut self, site: &Site<'a>, keywords: &mut Keywords) {
        let given = site.members.iter().find(|member| member.key.value == "discriminator");
        if let Some(member) = given.filter(|_| is_enforced(site.scope.dialect, "discriminator")) {
            let origin = self.origin(site.scope, member.key.span.merge(member.value.span));
            if let Some(discriminator) = Discriminator::read(&member.value) {
                self.discriminate_union(site, &discriminator, origin, keywords);
            }
        }
    }

    fn discriminate_union(
        &mut self,
        site: &Site<'a>,
        discriminator: &Discriminator<'a>,
        origin: Origin,
        keywords: &mut Keywords,
    ) {
        let arms = |key: &str| site.get(key).and_then(JsonValue::as_array).unwrap_or_default();
        let (one, any) = (arms("oneOf"), arms("anyOf"));
        if let Some(nodes) = keywords.one_of.first_mut() {
            let apart = self.discriminate_arms(site, discriminator, origin, (one, nodes));
            if apart {
                // No value belongs to two branches.
                let nodes = keywords.one_of.remove(0);
                keywords.any_of.push(nodes);
            }
        }
        if let Some(nodes) = keywords.any_of.first_mut().filter(|_| !any.is_empty()) {
            self.discriminate_arms(site, discriminator, origin, (any, nodes));
        }
    }

    /// Narrows the branches of a union by the discriminator's key; returns whether the branches now exclude each other.
    fn discriminate_arms(
        &mut self,
        site: &Site<'a>,
        discriminator: &Discriminator<'a>,
        origin: Origin,
        (arms, nodes): (&'a [JsonValue], &mut At<Vec<NodeId>>),
    ) -> bool {
        let mut seen: Vec<String> = Vec::new();
        let mut apart = true;
        for (arm, node) in arms.iter().zip(&mut nodes.value) {
            let Some(reference) = arm.get("$ref").and_then(JsonValue::as_str) else {
                apart = false;
                continue;
            };
            let mapped = discriminator.names(reference);
            let names = match mapped.is_empty() {
                false => Some(mapped),
                // The branch itself lists the key's values: here only the key's presence is required.
                true if self.lists_values(site, reference, discriminator.property) => None,
                true => name_of(reference).map(|name| vec![name.to_owned()]),
            };
            match &names {
                Some(names) => {
                    apart &= !names.iter().any(|name| seen.contains(name));
                    seen.extend(names.iter().cloned());
                }
                None => apart = false,
            }
            *node = self.tagged(origin, *node, discriminator.property, names.as_deref());
        }
        apart
    }

    /// Returns whether a schema of the document lists the values of a key.
    fn lists_values(&self, site: &Site<'a>, reference: &str, key: &str) -> bool {
        let root = self.resources.document_root(site.scope.resource).and_then(|root| self.resources.get(root));
        let Some(pointer) = reference.strip_prefix("#/") else { return false };
        let schema = pointer.split('/').try_fold(root.map(|root| root.root), |at, token| {
            let token = token.replace("~1", "/").replace("~0", "~");
            at.map(|value| value.get(&token))
        });
        let property = schema.flatten().and_then(|schema| schema.get("properties")).and_then(|all| all.get(key));
        property.is_some_and(|property| property.get("const").is_some() || property.get("enum").is_some())
    }
}
