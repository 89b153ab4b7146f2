//! The states and edges that automata are made of.

/// Index of a state in a [`Dfa`](crate::Dfa).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(pub u32);

impl StateId {
    /// Returns the state's position in [`Dfa::states`](crate::Dfa::states).
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One transition: every byte in `lo..=hi` leads to `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Edge {
    /// Least byte.
    pub lo: u8,
    /// Greatest byte.
    pub hi: u8,
    /// Target.
    pub to: StateId,
}

/// A state: whether it accepts, and its transitions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct DfaState {
    /// Whether the text read so far is in the language.
    pub accept: bool,
    /// Sorted by `lo`, disjoint, adjacent edges with one target merged. A byte without an edge is rejected.
    pub edges: Vec<Edge>,
}

impl DfaState {
    /// Returns the state that `byte` leads to.
    #[must_use]
    pub fn step(&self, byte: u8) -> Option<StateId> {
        step(&self.edges, byte)
    }
}

/// Returns the target of `byte` among sorted, disjoint `edges`.
pub(crate) fn step(edges: &[Edge], byte: u8) -> Option<StateId> {
    let at = edges.partition_point(|edge| edge.hi < byte);
    edges.get(at).filter(|edge| edge.lo <= byte).map(|edge| edge.to)
}
