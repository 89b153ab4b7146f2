//! Lowers unions whose alternatives have policies of their own. The algebra treats a union as one set and may merge and
//! split its alternatives; here each alternative is a value by itself, written under its own policy.
//!
//! A value is a conjunction of nodes, so `(A | B) & C` is `A & C | B & C`: if one of a value's nodes is such a union,
//! the value's alternatives have one alternative each in the union's place.

use std::collections::BTreeMap;

use ogc_regular::LimitError;
use ogc_schema::source::NodeId;
use ogc_schema::{Algebra, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Policies, PolicyChange};
use crate::SchemaFault;

/// Cap on the alternatives that are written apart.
const ALTERNATIVES: usize = 20_000;

/// The policies of values, taken from their nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Own {
    pub(super) changes: BTreeMap<NodeId, PolicyChange>,
    /// The values that are written apart, with their alternatives.
    pub(super) alternatives: FxHashMap<ValueId, Vec<ValueId>>,
}

impl Own {
    /// Solves the algebra for `roots` and for all alternatives that are written apart.
    ///
    /// # Errors
    ///
    /// As [`Algebra::solve`]; also if there are too many alternatives.
    pub(super) fn solved(
        algebra: &mut Algebra<'_>,
        roots: &[ValueId],
        policies: &Policies,
    ) -> Result<Self, SchemaFault> {
        let mut own = Self { changes: policies.changes.clone(), ..Self::default() };
        let mut roots = roots.to_vec();
        let mut looked_at = 0;
        loop {
            algebra.solve_all(&roots)?;
            let known = roots.len();
            while !policies.apart.is_empty() && looked_at < algebra.value_count() {
                own.part(algebra, ValueId(looked_at as u32), policies, &mut roots)?;
                looked_at += 1;
            }
            if roots.len() == known {
                return Ok(own);
            }
        }
    }

    /// Records the alternatives of a value if they are written apart, and adds them to the roots.
    fn part(
        &mut self,
        algebra: &mut Algebra<'_>,
        value: ValueId,
        policies: &Policies,
        roots: &mut Vec<ValueId>,
    ) -> Result<(), SchemaFault> {
        let Some(node) = algebra.nodes_of(value).find(|node| policies.apart.contains_key(node)) else { return Ok(()) };
        let alternatives = flat(node, policies);
        let given = roots.len() + alternatives.len();
        LimitError::check("alternatives with policies of their own", given, ALTERNATIVES)
            .map_err(|error| SchemaFault::limit(algebra.blame(value), error))?;
        let alternatives: Vec<_> = alternatives.iter().map(|by| algebra.replaced(value, node, by)).collect();
        roots.extend(&alternatives);
        self.alternatives.insert(value, alternatives);
        Ok(())
    }
}

/// Returns the alternatives of a node. An alternative that is a union without a policy of its own is replaced by its
/// own alternatives.
fn flat(node: NodeId, policies: &Policies) -> Vec<&[NodeId]> {
    let (mut flat, mut seen) = (Vec::new(), FxHashSet::from_iter([node]));
    let alternatives = |node: &NodeId| policies.apart.get(node).into_iter().flatten().rev().map(Vec::as_slice);
    let mut open: Vec<&[NodeId]> = alternatives(&node).collect();
    while let Some(alternative) = open.pop() {
        match alternative {
            [inner] if policies.apart.contains_key(inner) && !policies.changes.contains_key(inner) => {
                if seen.insert(*inner) {
                    open.extend(alternatives(inner));
                }
            }
            _ => flat.push(alternative),
        }
    }
    flat
}
