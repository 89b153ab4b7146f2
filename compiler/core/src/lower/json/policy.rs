//! Policies of parts of a value, beside that of the whole.

use std::collections::BTreeMap;

use ogc_regular::number::Spelling;
use ogc_runtime::automaton::KeyOrder;
use ogc_schema::source::NodeId;

use super::{JsonPolicy, Space};

/// Policies that nodes of a graph have of their own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policies {
    /// The changes that nodes make, for themselves and what is in them.
    pub changes: BTreeMap<NodeId, PolicyChange>,
    /// Nodes that are written as alternatives, each under policies of its own; an alternative is a conjunction of nodes.
    pub apart: BTreeMap<NodeId, Vec<Vec<NodeId>>>,
}

/// A change of the policy around a node, for itself and what is in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PolicyChange {
    /// White space.
    pub space: Option<Space>,
    /// The order of keys.
    pub order: Option<KeyOrder>,
    /// The spelling of numbers.
    pub spelling: Option<Spelling>,
}

impl PolicyChange {
    /// Returns the policy with the changes.
    #[must_use]
    pub fn applied(self, policy: JsonPolicy) -> JsonPolicy {
        JsonPolicy {
            space: self.space.unwrap_or(policy.space),
            order: self.order.unwrap_or(policy.order),
            spelling: self.spelling.unwrap_or(policy.spelling),
            ..policy
        }
    }

    /// Returns these changes, and for what they do not change those of `outer`.
    #[must_use]
    pub fn or(self, outer: PolicyChange) -> PolicyChange {
        PolicyChange {
            space: self.space.or(outer.space),
            order: self.order.or(outer.order),
            spelling: self.spelling.or(outer.spelling),
        }
    }
}
