//! Lowers unions whose alternatives have policies of their own. To the algebra a union is one set, in which it joins
//! and parts the alternatives; here each of them is a value by itself, written under its own policy.
//!
//! A value is a conjunction of nodes, so `(A | B) & C` is `A & C | B & C`: where a value has such a union among its
//! nodes, its alternatives are the values with one of the alternatives in its place.

use std::collections::BTreeMap;

use ogc_regular::LimitError;
use ogc_schema::source::NodeId;
use ogc_schema::{Algebra, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Policies, PolicyChange};
use crate::SchemaFault;

/// The most alternatives that are written apart.
const ALTERNATIVES: usize = 20_000;

/// The policies of values, from those of their nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Own {
    pub(super) changes: BTreeMap<NodeId, PolicyChange>,
    /// The values whose alternatives are written apart.
    pub(super) alternatives: FxHashMap<ValueId, Vec<ValueId>>,
}

impl Own {
    /// Solves the algebra for some roots and all alternatives that are written apart.
    ///
    /// # Errors
    ///
    /// As [`Algebra::solve`]; too many alternatives.
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

/// Returns the alternatives of a node, and instead of unions without a policy of their own the alternatives of these.
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
