//! Questions about nodes, for code that writes a graph in another notation.

use crate::algebra::Algebra;
use crate::atom::{Type, TypeSet};
use crate::source::{NodeId, Types};
use crate::table::Table;

impl Table<'_> {
    /// The types of the values that a node may have; a superset. Whole numbers are not distinguished from other
    /// numbers.
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
        types(self.summary(node).may)
    }
}

impl Algebra<'_> {
    /// The types in which two nodes are not proved to have no value in common.
    pub fn common_types(&mut self, left: NodeId, right: NodeId) -> Types {
        types(self.overlap(left, right))
    }
}

fn types(set: TypeSet) -> Types {
    Types {
        null: set.has(Type::Null),
        boolean: set.has(Type::Bool),
        integer: set.has(Type::Number),
        number: set.has(Type::Number),
        string: set.has(Type::String),
        array: set.has(Type::Array),
        object: set.has(Type::Object),
    }
}
