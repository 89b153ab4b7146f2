//! Reads the definitions of the root, which can be imported by name.

use super::head::Head;
use super::openapi::{self, names::NamedSchema};
use super::reader::Reader;
use super::scope::{Scope, ScopedSchema};
use ogc_grammar::Span;
use ogc_grammar::json::{JsonKind, JsonValue, pointer_token};
use ogc_schema::source::NodeId;

/// An entry of the root's `$defs` or `definitions`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Name of the definition with escapes resolved; any text is allowed.
    pub name: String,
    /// Schema of the definition. References to the entry lead to the same node.
    pub node: NodeId,
    /// The place of the name.
    pub span: Span,
}

impl<'a> Reader<'a> {
    /// Adds a node for each definition of `root` (whose scope is `scope`): in source order, each name once.
    ///
    /// An entry that is no schema cannot be a reference's target and is skipped.
    pub(super) fn definitions(&mut self, root: &'a JsonValue, scope: Scope) -> Vec<Definition> {
        let scope = self.scope_of(root, scope);
        let mut found: Vec<Definition> = Vec::new();
        for NamedSchema { name, value, span, pointer } in named_schemas(root) {
            let place = ScopedSchema { value, scope };
            let node = self.node_at(place, || pointer);
            self.note_family(place, node);
            let node = self.families.nodes.get(&node).copied().unwrap_or(node);
            let span = self.span(scope, span);
            found.push(Definition { name, node, span });
        }
        found
    }

    /// Returns the definition that the options select instead of the root, and its pointer.
    pub(super) fn wanted(&mut self, scope: Scope) -> Option<(ScopedSchema<'a>, String)> {
        let wanted = self.options.root.as_deref()?;
        let found = named_schemas(self.root).into_iter().find(|schema| schema.name == wanted)?;
        let scope = self.scope_of(self.root, scope);
        Some((ScopedSchema { value: found.value, scope }, found.pointer))
    }

    fn scope_of(&mut self, root: &'a JsonValue, scope: Scope) -> Scope {
        self.resources.enter(root, &Head::of(root.as_object().unwrap_or_default()), scope)
    }
}

/// Returns the named schemas of a text, each name once: entries of the root's `$defs` and `definitions`, and the named
/// schemas of an OpenAPI document.
fn named_schemas(root: &JsonValue) -> Vec<NamedSchema<'_>> {
    let members = root.as_object().unwrap_or_default();
    let mut found = Vec::new();
    for holder in members.iter().filter(|member| matches!(member.key.value.as_str(), "$defs" | "definitions")) {
        for entry in holder.value.as_object().unwrap_or_default() {
            let pointer = format!("/{}/{}", holder.key.value, pointer_token(&entry.key.value));
            let name = entry.key.value.clone();
            found.push(NamedSchema { name, value: &entry.value, span: entry.key.span, pointer });
        }
    }
    if openapi::version(root).is_some() {
        found.extend(openapi::names::named_schemas(root));
    }
    let mut names = rustc_hash::FxHashSet::default();
    found.retain(|schema| is_schema(schema.value) && names.insert(schema.name.clone()));
    found
}

fn is_schema(value: &JsonValue) -> bool {
    matches!(value.kind, JsonKind::Object(_) | JsonKind::Bool(_))
}
