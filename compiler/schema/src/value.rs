//! Values: interned conjunctions of possibly negated source nodes. There are finitely many, so recursion ends.

use ogc_regular::budget;
use rustc_hash::FxHashMap;

use crate::source::NodeId;

/// A node, or its complement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Lit(u32);

impl Lit {
    /// The node holds.
    pub(crate) fn yes(node: NodeId) -> Self {
        Self(node.0 << 1)
    }

    /// The node does not hold.
    pub(crate) fn no(node: NodeId) -> Self {
        Self(node.0 << 1 | 1)
    }

    /// The node.
    pub(crate) fn node(self) -> NodeId {
        NodeId(self.0 >> 1)
    }

    /// Whether the node must not hold.
    pub(crate) fn negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The complement.
    pub(crate) fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// A set of JSON values: a conjunction of nodes, interned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValueId(pub u32);

impl ValueId {
    /// Every JSON value.
    pub const ANY: Self = Self(0);
    /// No value at all.
    pub const NONE: Self = Self(1);

    /// The index of the value in tables.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The conjunctions made so far.
#[derive(Debug)]
pub(crate) struct Values {
    sets: Vec<Box<[Lit]>>,
    known: FxHashMap<Box<[Lit]>, ValueId>,
}

impl Values {
    /// Makes a table with only [`ValueId::ANY`] and [`ValueId::NONE`].
    pub(crate) fn new() -> Self {
        let sets = vec![Box::default(), Box::default()];
        Self { sets, known: FxHashMap::from_iter([(Box::default(), ValueId::ANY)]) }
    }

    /// Counts the conjunctions.
    pub(crate) fn len(&self) -> usize {
        self.sets.len()
    }

    /// The literals, in the order of the conjunction that was interned first. This order decides the order of keys, so
    /// it must not depend on the numbering of nodes.
    pub(crate) fn literals(&self, value: ValueId) -> &[Lit] {
        self.sets.get(value.index()).map_or(&[], |set| set)
    }

    /// Interns the conjunction of literals, none of which is always true or always false.
    pub(crate) fn intern(&mut self, literals: Vec<Lit>) -> ValueId {
        let mut sorted = literals.clone();
        sorted.sort_unstable();
        sorted.dedup();
        if sorted.windows(2).any(|pair| pair[0].not() == pair[1]) {
            return ValueId::NONE;
        }
        if let Some(&known) = self.known.get(sorted.as_slice()) {
            return known;
        }
        // Stored twice, besides an entry of the table.
        let _ = budget::keep(96 + 2 * size_of_val(literals.as_slice()));
        let made = ValueId(self.sets.len() as u32);
        self.sets.push(in_order(literals, sorted.len()));
        self.known.insert(sorted.into_boxed_slice(), made);
        made
    }
}

/// Returns each literal once, at its first position. `count` is the number of different literals.
fn in_order(mut literals: Vec<Lit>, count: usize) -> Box<[Lit]> {
    if literals.len() > count {
        let mut seen = rustc_hash::FxHashSet::default();
        literals.retain(|literal| seen.insert(*literal));
    }
    literals.into_boxed_slice()
}
