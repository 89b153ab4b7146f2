//! Chooses names of types: legal, unique, and as close as possible to the names in the source.

use ogc_compiler::hir::Builtin;
use ogc_grammar::ogc::token::TokenKind;
use ogc_grammar::ogc::tokens;
use ogc_schema::source::{Keywords, NodeId, NodeKind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::edges::Uses;
use crate::graph::ExportGraph;

/// Contextual keywords: legal names, but with a meaning in some positions.
const WORDS: [&str; 5] = ["accept", "reject", "because", "with", "as"];

/// The name of the type of a whole schema without a title.
pub(crate) const ROOT: &str = "Root";

/// Greatest length of a title that becomes a name, in characters.
const TITLE: usize = 40;

/// Hands out unique names.
#[derive(Debug, Default)]
pub(super) struct Taken(FxHashSet<String>);

impl Taken {
    /// Returns `wanted`, with a number appended if it is taken.
    pub(super) fn take(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        let mut count = 1;
        while !self.0.insert(name.clone()) {
            count += 1;
            name = format!("{wanted}{count}");
        }
        name
    }
}

/// Returns whether a text can name a definition.
pub(super) fn is_legal(text: &str) -> bool {
    let is_name = matches!(tokens(text).as_slice(), [only] if only.kind == TokenKind::Name);
    is_name && Builtin::of(text).is_none() && !WORDS.contains(&text)
}

/// The names of nodes; more may be added while printing.
#[derive(Debug)]
pub(super) struct Names<'g> {
    pub(super) uses: Uses<'g>,
    of: FxHashMap<NodeId, String>,
    taken: Taken,
}

impl<'g> Names<'g> {
    /// Names the definitions, the root, and shared nodes that are not short.
    pub(super) fn of(graph: &ExportGraph<'g>) -> Names<'g> {
        let mut names = Names { uses: graph.uses(), of: FxHashMap::default(), taken: Taken::default() };
        // Legal names go first, so that no changed name takes them.
        let (legal, odd): (Vec<_>, Vec<_>) = graph.names.iter().copied().partition(|(name, _)| is_legal(name));
        for (name, node) in legal.into_iter().chain(odd) {
            if !names.of.contains_key(&node) {
                names.give(node, name);
            }
        }
        if let Some(root) = graph.schemas.root {
            names.name(graph, root, ROOT);
        }
        for node in names.uses.order.clone() {
            if names.uses.is_shared(node) && matches!(graph.kind(node), NodeKind::Keywords(k) if !is_short(k)) {
                names.name(graph, node, "Type");
            }
        }
        names
    }

    pub(super) fn get(&self, node: NodeId) -> Option<&str> {
        self.of.get(&node).map(String::as_str)
    }

    /// Returns the name of a node. If it has none, makes one from its title, from the key that leads to it, or from
    /// `otherwise`.
    pub(super) fn name(&mut self, graph: &ExportGraph<'_>, node: NodeId, otherwise: &str) -> String {
        if let Some(name) = self.of.get(&node) {
            return name.clone();
        }
        let title = graph.docs(node).and_then(|docs| docs.title.as_deref()).filter(|title| title.len() <= TITLE);
        let key = self.uses.key.get(node.0 as usize).copied().flatten();
        let wanted = [title, key].into_iter().flatten().map(pascal).find(|name| is_legal(name));
        self.give(node, wanted.as_deref().unwrap_or(otherwise))
    }

    /// Returns an unused name.
    pub(super) fn free(&mut self, wanted: &str) -> String {
        self.taken.take(wanted)
    }

    fn give(&mut self, node: NodeId, wanted: &str) -> String {
        let wanted = if is_legal(wanted) { wanted.to_owned() } else { pascal(wanted) };
        let name = self.taken.take(if is_legal(&wanted) { &wanted } else { "Type" });
        self.of.insert(node, name.clone());
        name
    }
}

/// Returns whether a node is so short that it can be repeated instead of named: a type, perhaps with a format.
fn is_short(keywords: &Keywords) -> bool {
    let mut plain = keywords.clone();
    plain.types = None;
    plain.string.formats.truncate(0);
    plain == Keywords::default()
}

/// Writes a name in Pascal case: `ShippingAddress` from `shipping_address`, `shipping address` and `shippingAddress`.
fn pascal(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut out = String::new();
    for word in words {
        let mut chars = word.chars();
        out.extend(chars.next().into_iter().flat_map(char::to_uppercase));
        out.push_str(chars.as_str());
    }
    if out.starts_with(|c: char| c.is_numeric()) { format!("_{out}") } else { out }
}

#[cfg(test)]
mod tests {
    use super::{Taken, is_legal, pascal};

    #[test]
    fn generated_names_are_legal_and_unique() {
        for (text, expected) in
            [("shipping_address", "ShippingAddress"), ("a-b c", "ABC"), ("2nd", "_2nd"), ("type", "Type"), ("é", "É")]
        {
            assert_eq!(pascal(text), expected);
            assert!(is_legal(expected), "{expected}");
        }
        for text in ["", "type", "string", "a-b", "1a", "a b", "//x"] {
            assert!(!is_legal(text), "{text}");
        }
        let mut taken = Taken::default();
        assert_eq!([taken.take("A"), taken.take("A"), taken.take("A2"), taken.take("A")], ["A", "A2", "A22", "A3"]);
    }
}
