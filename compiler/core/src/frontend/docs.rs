//! Annotations: documentation of a format's parts for people and models, which constrains nothing and survives imports
//! and exports.

use ogc_schema::source::{NodeId, Value};
use std::collections::BTreeMap;

/// The annotations of one node.
///
/// ```
/// use ogc_compiler::frontend::docs::Docs;
/// let docs = Docs { title: Some("Age".to_owned()), ..Docs::default() };
/// assert!(!docs.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Docs {
    /// A short name for people.
    pub title: Option<String>,
    /// A description in sentences; may have several lines.
    pub description: Option<String>,
    /// Example values. Reading does not check them; a lint compares those in `.ogc` with their types.
    pub examples: Vec<Value>,
    /// The value that a reader may assume if the field is absent.
    pub default: Option<Value>,
    /// Whether the part is deprecated.
    pub deprecated: bool,
    /// The required key with literals that tells the branches of a union apart.
    pub discriminator: Option<String>,
    /// Keywords of other vocabularies, in source order: only other tools interpret them.
    pub others: Vec<(String, Value)>,
}

/// The keyword by which other tools give the reason of a deprecation.
pub const WHY_DEPRECATED: &str = "deprecationMessage";

impl Docs {
    /// Returns whether there are no annotations.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Docs::default()
    }

    /// Returns whether any annotation is meant for people, not only for other tools.
    #[must_use]
    pub fn speaks(&self) -> bool {
        *self != Docs { others: self.others.clone(), ..Docs::default() }
    }
}

/// The annotations of a graph, by node; nodes without any are absent.
pub type DocsByNode = BTreeMap<NodeId, Docs>;
