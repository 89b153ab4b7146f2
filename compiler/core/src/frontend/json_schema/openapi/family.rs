//! Families of OpenAPI schemas: a base with a `discriminator`, and the schemas that extend it by `allOf`. A reference
//! to a schema of the family means that schema or any that extends it, and the key's value says which. The `allOf`
//! references of the extending schemas mean the schema as it is written.

use super::super::scope::address;
use super::{Discriminator, is_name_of};
use ogc_grammar::json::{JsonValue, Member};
use ogc_schema::source::NodeId;
use rustc_hash::{FxHashMap, FxHashSet};

/// The families of the schemas of a document.
#[derive(Debug, Default)]
pub(in super::super) struct Families<'a> {
    /// The families, by the address of the schema that a reference leads to: a base, or a schema that extends it.
    pub(in super::super) members: FxHashMap<usize, Family<'a>>,
    /// Addresses of the `allOf` branches of named schemas: a reference there means the schema as it is written.
    pub(in super::super) extensions: FxHashSet<usize>,
    /// The node of a whole family, by the node of the schema that a reference leads to.
    pub(in super::super) nodes: FxHashMap<NodeId, NodeId>,
}

/// A schema and all schemas that extend it.
#[derive(Clone, Debug)]
pub(in super::super) struct Family<'a> {
    pub(in super::super) property: &'a str,
    /// The key's values, and the schema that they name.
    pub(in super::super) members: Vec<(Vec<String>, &'a JsonValue)>,
}

impl<'a> Families<'a> {
    /// Finds the families of a document.
    pub(in super::super) fn of(root: &'a JsonValue) -> Families<'a> {
        let mut families = Families::default();
        let schemas = components(root);
        let parents: Vec<Vec<usize>> = schemas.iter().map(|schema| parents(&schema.value, schemas)).collect();
        let bases = schemas.iter().enumerate().filter(|(_, schema)| {
            let is_union = schema.value.get("oneOf").is_some() || schema.value.get("anyOf").is_some();
            !is_union && Discriminator::of(&schema.value).is_some()
        });
        for (base, schema) in bases {
            let Some(discriminator) = Discriminator::of(&schema.value) else { continue };
            let heirs: Vec<usize> = (0..schemas.len()).filter(|&at| descends(at, base, &parents)).collect();
            if heirs.len() < 2 && discriminator.mapping.is_empty() {
                continue;
            }
            for &head in &heirs {
                let below = heirs.iter().filter(|&&heir| descends(heir, head, &parents));
                let members = below.filter_map(|&heir| member(schemas.get(heir)?, &discriminator)).collect();
                let Some(head) = schemas.get(head) else { continue };
                let family = Family { property: discriminator.property, members };
                families.members.entry(address(&head.value)).or_insert(family);
            }
        }
        if !families.members.is_empty() {
            let arms = schemas.iter().flat_map(|schema| all_of(&schema.value));
            families.extensions = arms.filter_map(JsonValue::as_object).map(|arm| arm.as_ptr().addr()).collect();
        }
        families
    }
}

/// Returns the named schemas of a document.
fn components(root: &JsonValue) -> &[Member] {
    let found = root.get("components").and_then(|all| all.get("schemas")).or_else(|| root.get("definitions"));
    found.and_then(JsonValue::as_object).unwrap_or_default()
}

fn all_of(schema: &JsonValue) -> &[JsonValue] {
    schema.get("allOf").and_then(JsonValue::as_array).unwrap_or_default()
}

/// Returns the indices of the schemas that a schema extends directly.
fn parents(schema: &JsonValue, schemas: &[Member]) -> Vec<usize> {
    let references = all_of(schema).iter().filter_map(|arm| arm.get("$ref").and_then(JsonValue::as_str));
    let named = |reference: &str| schemas.iter().position(|one| reference_to(&one.key.value, reference));
    references.filter_map(named).collect()
}

/// Returns whether a reference leads to the schema called `name` in the same document.
fn reference_to(name: &str, reference: &str) -> bool {
    ["#/components/schemas/", "#/definitions/"].iter().any(|prefix| reference.strip_prefix(prefix) == Some(name))
}

/// Returns whether a schema is `base` or extends it, directly or not.
fn descends(schema: usize, base: usize, parents: &[Vec<usize>]) -> bool {
    let mut seen = vec![schema];
    let mut next = 0;
    while let Some(&at) = seen.get(next) {
        if at == base {
            return true;
        }
        next += 1;
        for &parent in parents.get(at).into_iter().flatten() {
            if !seen.contains(&parent) {
                seen.push(parent);
            }
        }
    }
    false
}

/// Returns a member of a family with the key's values that name it.
fn member<'a>(schema: &'a Member, discriminator: &Discriminator<'a>) -> Option<(Vec<String>, &'a JsonValue)> {
    let name = schema.key.value.as_str();
    let leads = |to: &str| reference_to(name, to) || is_name_of(to, name);
    let mapped = discriminator.mapping.iter().filter(|member| member.value.as_str().is_some_and(leads));
    let mapped: Vec<String> = mapped.map(|member| member.key.value.clone()).collect();
    Some((if mapped.is_empty() { vec![name.to_owned()] } else { mapped }, &schema.value))
}
