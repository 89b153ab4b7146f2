//! OpenAPI documents: the additions of their schemas to JSON Schema, and the names of the schemas.
//!
//! - `nullable` of 3.0 allows null, with any keywords beside it.
//! - `discriminator` names a key whose value tells the schema of a value: a branch of a union, or one of the schemas
//!   that extend a base by `allOf` ([`family`]).
//! - Schemas, and bodies of requests and responses, have names ([`mod@names`]).

pub(super) mod family;
pub(super) mod names;

use super::by_name::Draft;
use super::scope::{Dialect, OpenApi};
use ogc_grammar::json::{JsonValue, Member};

/// Returns the version of an OpenAPI document; `None` if the text is none.
pub(super) fn version(root: &JsonValue) -> Option<OpenApi> {
    let text = |key| root.get(key).and_then(JsonValue::as_str);
    match (text("openapi"), text("swagger")) {
        (Some(version), _) if version.starts_with("3.0") => Some(OpenApi::Early { has_nullable: true }),
        (Some(version), _) if version.starts_with("3.") => Some(OpenApi::Late),
        (_, Some(version)) if version.starts_with("2.") => Some(OpenApi::Early { has_nullable: false }),
        _ => None,
    }
}

/// Returns the dialect of the schemas in an OpenAPI document; `None` if the text is none.
pub(super) fn dialect(root: &JsonValue) -> Option<Dialect> {
    let version = version(root)?;
    let draft = match version {
        OpenApi::Early { .. } => Draft::Draft7,
        OpenApi::Late => Draft::Draft2020,
    };
    Some(Dialect { openapi: Some(version), ..Dialect::of(draft) })
}

/// Returns whether a key is a keyword of OpenAPI that is enforced.
pub(super) fn is_enforced(dialect: Dialect, key: &str) -> bool {
    match dialect.openapi {
        Some(OpenApi::Early { has_nullable: true }) => matches!(key, "nullable" | "discriminator"),
        Some(_) => key == "discriminator",
        None => false,
    }
}

/// Returns whether a schema allows null by `nullable`.
pub(super) fn is_nullable(dialect: Dialect, members: &[Member]) -> bool {
    let is_true = |member: &Member| member.key.value == "nullable" && member.value.as_bool() == Some(true);
    is_enforced(dialect, "nullable") && members.iter().any(is_true)
}

/// A `discriminator`: the key, and the schemas that its values name.
pub(super) struct Discriminator<'a> {
    pub(super) property: &'a str,
    pub(super) mapping: &'a [Member],
}

impl<'a> Discriminator<'a> {
    pub(super) fn of(schema: &'a JsonValue) -> Option<Self> {
        Self::read(schema.get("discriminator")?)
    }

    /// Reads the keyword's value; in 2.0 it is the key itself.
    pub(super) fn read(value: &'a JsonValue) -> Option<Self> {
        let property = value.as_str().or_else(|| value.get("propertyName").and_then(JsonValue::as_str))?;
        let mapping = value.get("mapping").and_then(JsonValue::as_object).unwrap_or_default();
        Some(Self { property, mapping })
    }

    /// Returns the values that are mapped to a reference.
    pub(super) fn names(&self, reference: &str) -> Vec<String> {
        let is_meant =
            |member: &&Member| member.value.as_str().is_some_and(|to| to == reference || is_name_of(to, reference));
        self.mapping.iter().filter(is_meant).map(|member| member.key.value.clone()).collect()
    }
}

/// Returns whether a word is the name of a reference's target.
pub(super) fn is_name_of(word: &str, reference: &str) -> bool {
    !word.contains(['/', '#']) && name_of(reference) == Some(word)
}

/// Returns the name of a reference's target: `Dog` for `#/components/schemas/Dog` and for `dog/Dog.json`.
pub(super) fn name_of(reference: &str) -> Option<&str> {
    let last = reference.rsplit('/').next()?;
    let name = last.strip_suffix(".json").unwrap_or(last);
    (!name.is_empty() && !name.contains('#')).then_some(name)
}
