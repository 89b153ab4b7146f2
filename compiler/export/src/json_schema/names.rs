//! Chooses the nodes that go to `$defs`, and their names.

use crate::edges::Uses;
use crate::graph::ExportGraph;
use ogc_grammar::json::pointer_token;
use ogc_schema::source::{NodeId, NodeKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// The names of nodes; more may be added while writing.
#[derive(Debug)]
pub(super) struct Names<'g> {
    uses: Uses<'g>,
    of: FxHashMap<NodeId, String>,
    taken: FxHashSet<String>,
}

impl<'g> Names<'g> {
    /// Names the nodes that have a name or are shared. Booleans are short enough to be repeated.
    pub(super) fn of(graph: &ExportGraph<'g>) -> Names<'g> {
        let mut names = Names { uses: graph.uses(), of: FxHashMap::default(), taken: FxHashSet::default() };
        for (name, node) in &graph.names {
            if !names.of.contains_key(node) {
                names.take(*node, name);
            }
        }
        for (node, name) in graph.targets {
            if graph.schemas.root != Some(*node) && !names.of.contains_key(node) {
                names.take(*node, name);
            }
        }
        for node in names.uses.order.clone() {
            let is_root = graph.schemas.root == Some(node);
            if names.uses.is_shared(node) && !is_root && matches!(graph.kind(node), NodeKind::Keywords(_)) {
                names.name(node);
            }
        }
        names
    }

    /// Adds a second name to a node; returns whether it was free.
    pub(super) fn alias(&mut self, name: &str) -> bool {
        self.taken.insert(name.to_owned())
    }

    pub(super) fn get(&self, node: NodeId) -> Option<&str> {
        self.of.get(&node).map(String::as_str)
    }

    /// Gives a name to a schema that is referred to; the root needs none, as it has its own reference.
    pub(super) fn name_unless_root(&mut self, graph: &ExportGraph<'g>, node: NodeId) {
        if graph.schemas.root != Some(node) && matches!(graph.kind(node), NodeKind::Keywords(_)) {
            self.name(node);
        }
    }

    /// Returns the name of a node, and makes one if it has none.
    pub(super) fn name(&mut self, node: NodeId) -> String {
        if let Some(name) = self.of.get(&node) {
            return name.clone();
        }
        let key = self.uses.key.get(node.0 as usize).copied().flatten().filter(|key| !key.is_empty());
        self.take(node, key.unwrap_or("schema"))
    }

    /// Reserves a name for a node, with a number if the name is taken.
    fn take(&mut self, node: NodeId, base: &str) -> String {
        let mut name = base.to_owned();
        let mut count = 1;
        while !self.taken.insert(name.clone()) {
            count += 1;
            name = format!("{base}{count}");
        }
        self.of.insert(node, name.clone());
        name
    }
}

/// Returns the reference to a definition.
pub(super) fn reference(name: &str) -> String {
    let mut out = String::from("#/$defs/");
    for byte in pointer_token(name).bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'$' => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}
