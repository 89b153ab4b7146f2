//! The graph that is exported, with its names and annotations.

use always_assert::never;
use ogc_compiler::frontend::docs::{Docs, DocsByNode};
use ogc_compiler::frontend::json_schema::Imported;
use ogc_compiler::hir::Module;
use ogc_grammar::Span;
use ogc_schema::source::{Node, NodeId, NodeKind, Origin, Schemas};
use rustc_hash::FxHashSet;

use super::edges::Uses;

/// A graph of schemas with the names and annotations of its nodes.
///
/// ```
/// use ogc_export::ExportGraph;
/// use ogc_compiler::frontend::json_schema::{ReadOptions, read};
/// let options = ReadOptions { definitions: true, ..ReadOptions::default() };
/// let imported = read(r#"{"$defs": {"Age": {"type": "integer"}}}"#, &options);
/// assert_eq!(ExportGraph::of(&imported).names[0].0, "Age");
/// ```
#[derive(Clone, Debug)]
pub struct ExportGraph<'g> {
    /// The nodes.
    pub schemas: &'g Schemas,
    /// Nodes with names, also those that the root does not reach.
    pub names: Vec<(&'g str, NodeId)>,
    /// The names by which references in the source call nodes.
    pub targets: &'g [(NodeId, String)],
    /// The annotations of nodes.
    pub docs: &'g DocsByNode,
    /// The source span of each origin, for findings; may be empty.
    pub origins: &'g [Span],
}

impl<'g> ExportGraph<'g> {
    /// Returns the graph of an imported schema with its definitions.
    #[must_use]
    pub fn of(imported: &'g Imported) -> ExportGraph<'g> {
        ExportGraph {
            schemas: &imported.schemas,
            names: imported.definitions.iter().map(|one| (one.name.as_str(), one.node)).collect(),
            targets: &imported.targets,
            docs: &imported.docs,
            origins: &imported.origins,
        }
    }

    /// Returns the graph of the values of a definition, with the names that it reaches.
    #[must_use]
    pub fn of_module(module: &'g Module, schemas: &'g Schemas) -> ExportGraph<'g> {
        let docs = &module.docs;
        let reached: FxHashSet<NodeId> = Uses::of(schemas, []).order.into_iter().collect();
        let names = module.names.iter().filter(|(node, _)| reached.contains(node));
        let names = names.map(|(node, name)| (name.as_str(), *node)).collect();
        ExportGraph { schemas, names, targets: &[], docs, origins: &[] }
    }

    /// Counts the uses of the nodes that the root and the names reach.
    pub(super) fn uses(&self) -> Uses<'g> {
        Uses::of(self.schemas, self.names.iter().map(|(_, node)| *node))
    }

    pub(super) fn node(&self, id: NodeId) -> Option<&'g Node> {
        self.schemas.nodes.get(id.0 as usize)
    }

    pub(super) fn kind(&self, id: NodeId) -> &'g NodeKind {
        let Some(node) = self.node(id) else {
            // A node that constrains nothing; no front end makes an id without a node.
            never!("{:?} is no node of the graph", id);
            return &NodeKind::Bool(true);
        };
        &node.kind
    }

    pub(super) fn docs(&self, id: NodeId) -> Option<&'g Docs> {
        self.docs.get(&id)
    }

    pub(super) fn span(&self, origin: Origin) -> Span {
        self.origins.get(origin.0 as usize).or(self.origins.first()).copied().unwrap_or_default()
    }
}
