//! Questions about nodes, for whoever writes a graph in another notation.

use crate::algebra::Algebra;
use crate::atom::Type;
use crate::source::{NodeId, Types};
use crate::table::Table;

impl Table<'_> {
    /// The types of which a node may hold values: never too few. Whole numbers are not told apart from others.
    ///
    /// ```
    /// use ogc_schema::Table;
    /// use ogc_schema::source::{Node, NodeId, NodeKind, Origin, Schemas};
    /// let node = Node { origin: Origin(0), kind: NodeKind::Bool(false) };
    /// let schemas = Schemas { nodes: vec![node], root: Some(NodeId(0)) };
    /// assert!(!Table::new(&schemas).types(NodeId(0)).object);
    /// ```
    #[must_use]
    pub fn types(&self, node: NodeId) -> Types {
        let may = self.summary(node).may;
        Types {
            null: may.has(Type::Null),
            boolean: may.has(Type::Bool),
            integer: may.has(Type::Number),
            number: may.has(Type::Number),
            string: may.has(Type::String),
            array: may.has(Type::Array),
            object: may.has(Type::Object),
        }
    }
}

impl Algebra<'_> {
    /// Whether two nodes are proved to have no value in common.
    pub fn are_disjoint(&mut self, left: NodeId, right: NodeId) -> bool {
        self.overlap(left, right).is_empty()
    }
}
