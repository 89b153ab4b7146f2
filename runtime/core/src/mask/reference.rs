//! References: states whose base by ways is the starting point for the bases of similar states.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::row::Row;
use crate::automaton::StateId;
use crate::step::WayStep;
use crate::trie::NodeId;

/// One way with its row and exits, outside of a tree.
#[derive(Clone, Debug)]
pub(super) struct WayContent {
    pub(super) steps: Box<[WayStep]>,
    pub(super) row: Row,
    pub(super) exits: Vec<NodeId>,
}

impl WayContent {
    pub(super) fn is_empty(&self) -> bool {
        self.row.view().is_empty() && self.exits.is_empty()
    }
}

/// The base by ways of a reference state: its ways, ascending by steps.
#[derive(Debug)]
pub(super) struct Reference {
    pub(super) ways: Vec<WayContent>,
}

/// The references of one format that a walker has computed, by state; `None` if the computation failed.
pub(super) type References = FxHashMap<StateId, Option<Arc<Reference>>>;
