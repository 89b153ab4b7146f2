//! Reads the definitions of the root, which can be imported by name.

use super::head::Head;
use super::reader::Reader;
use super::scope::{Scope, ScopedSchema};
use ogc_grammar::Span;
use ogc_grammar::json::{JsonKind, JsonValue};
use ogc_schema::source::NodeId;

/// An entry of the root's `$defs` or `definitions`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Its name, escapes resolved; any text.
    pub name: String,
    /// Its schema. References to the entry lead to the same node.
    pub node: NodeId,
    /// The place of the name.
    pub span: Span,
}

impl<'a> Reader<'a> {
    /// Adds a node for each definition of `root`, which stands in `scope`: in source order, each name once.
    ///
    /// An entry that is no schema cannot be referred to and is passed over.
    pub(super) fn definitions(&mut self, root: &'a JsonValue, scope: Scope) -> Vec<Definition> {
        let JsonKind::Object(members) = &root.kind else {
            return Vec::new();
        };
        let scope = self.resources.enter(root, &Head::of(members), scope);
        let mut found: Vec<Definition> = Vec::new();
        let mut names = rustc_hash::FxHashSet::default();
        for holder in members.iter().filter(|member| matches!(member.key.value.as_str(), "$defs" | "definitions")) {
            for entry in holder.value.as_object().unwrap_or_default() {
                if !is_schema(&entry.value) || !names.insert(entry.key.value.as_str()) {
                    continue;
                }
                let pointer = || format!("/{}/{}", holder.key.value, escape(&entry.key.value));
                let node = self.node_at(ScopedSchema { value: &entry.value, scope }, pointer);
                let span = self.span(scope, entry.key.span);
                found.push(Definition { name: entry.key.value.clone(), node, span });
            }
        }
        found
    }
}

fn is_schema(value: &JsonValue) -> bool {
    matches!(value.kind, JsonKind::Object(_) | JsonKind::Bool(_))
}

fn escape(token: &str) -> String {
    token.replace('~', "~0").replace('/', "~1")
}
