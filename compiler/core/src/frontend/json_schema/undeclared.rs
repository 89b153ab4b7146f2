//! Finds keys that a schema requires and nothing declares. A key that `properties` lacks may be declared in another
//! part of the same value, such as the schema beside an `allOf` branch, so the whole graph is searched.

use ogc_grammar::Diagnostic;
use ogc_schema::source::{Keywords, Node, NodeId, NodeKind};
use rustc_hash::FxHashSet;

/// Cap on the schemas and declared keys visited, for all required keys together; once it is reached, further keys are
/// not reported.
const LOOKS: usize = 1_000_000;

/// A key that is required by a schema whose `properties` lack it.
#[derive(Clone, Debug)]
pub(super) struct UndeclaredKey {
    pub(super) node: NodeId,
    pub(super) key: String,
    pub(super) finding: Diagnostic,
}

/// Returns findings about the keys that no schema of the same value declares.
pub(super) fn undeclared(nodes: &[Node], keys: Vec<UndeclaredKey>) -> Vec<Diagnostic> {
    if keys.is_empty() {
        return Vec::new();
    }
    let above = parents(nodes);
    let mut looks = LOOKS;
    let is_undeclared = |one: &UndeclaredKey| is_declared(nodes, &above, one, &mut looks) == Some(false);
    keys.into_iter().filter(is_undeclared).map(|one| one.finding).collect()
}

/// Returns for each schema its parents: the schemas that apply it to the same value.
fn parents(nodes: &[Node]) -> Vec<Vec<NodeId>> {
    let mut above = vec![Vec::new(); nodes.len()];
    for (at, node) in (0..).zip(nodes) {
        let NodeKind::Keywords(keywords) = &node.kind else { continue };
        for part in parts(keywords) {
            if let Some(above) = above.get_mut(part.0 as usize) {
                above.push(NodeId(at));
            }
        }
    }
    above
}

/// Returns the subschemas that apply to the same value.
fn parts(keywords: &Keywords) -> Vec<NodeId> {
    let choices = keywords.any_of.iter().chain(&keywords.one_of).flat_map(|choice| &choice.value);
    let mut parts: Vec<NodeId> = keywords.all_of.iter().chain(choices).copied().collect();
    parts.extend(keywords.reference.iter().map(|reference| reference.value));
    parts.extend(keywords.object.dependent_schemas.iter().map(|(_, node)| *node));
    if let Some(at) = &keywords.conditional {
        parts.extend([Some(at.value.condition), at.value.then, at.value.otherwise].into_iter().flatten());
    }
    parts
}

/// Returns whether a schema that applies to the same value declares the key; `None` if the cap on visits is reached.
fn is_declared(nodes: &[Node], above: &[Vec<NodeId>], one: &UndeclaredKey, looks: &mut usize) -> Option<bool> {
    // Sets, because a list of all nodes would have to be cleared for each key.
    let mut seen = FxHashSet::default();
    let mut open = vec![one.node];
    let mut tops = Vec::new();
    while let Some(node) = open.pop() {
        if seen.insert(node) {
            *looks = looks.checked_sub(1)?;
            tops.push(node);
            open.extend(above.get(node.0 as usize)?);
        }
    }
    seen.clear();
    while let Some(node) = tops.pop() {
        if !seen.insert(node) {
            continue;
        }
        let NodeKind::Keywords(keywords) = &nodes.get(node.0 as usize)?.kind else { continue };
        *looks = looks.checked_sub(1 + keywords.object.properties.len())?;
        if node != one.node && declares(keywords, &one.key) {
            return Some(true);
        }
        tops.extend(parts(keywords));
    }
    Some(false)
}

fn declares(keywords: &Keywords, key: &str) -> bool {
    let object = &keywords.object;
    object.properties.iter().any(|(name, _)| name == key)
        || !object.pattern_properties.is_empty()
        || object.additional_properties.is_some()
}
