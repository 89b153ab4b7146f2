//! References: states from whose base by ways those of similar states are computed.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::row::Row;
use crate::automaton::StateId;
use crate::step::WayStep;
use crate::trie::NodeId;

/// The content of one way, by itself.
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

/// The base of a state that others are computed from: its ways, ascending by their steps.
#[derive(Debug)]
pub(super) struct Reference {
    pub(super) ways: Vec<WayContent>,
}

/// The references that a walker has computed, by state; `None` for those that could not be. Of one format.
pub(super) type References = FxHashMap<StateId, Option<Arc<Reference>>>;
