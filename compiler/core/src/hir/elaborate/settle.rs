//! Settles the policies of single nodes once all nodes are known: nested policies, and policies of a part of a union.
//!
//! - *Nested.* In `type A = @space("any") B` and `@order("any") type B = ...` the node of `A` wraps the node of `B`,
//!   and both policies apply. If both set the same one, the inner one applies.
//! - *Apart.* In `A | @space("any") B | C` the alternatives are written differently, so that the union cannot be
//!   lowered as one set of values. It is written apart: `B` by itself, `A | C` together.
//! - *Misplaced.* In `A & @space("any") B` a value is in both parts, and it is undefined how it is written: an error.

use std::collections::BTreeMap;

use ogc_grammar::{Code, Diagnostic};
use ogc_schema::source::{At, Keywords, NodeId, NodeKind, Schemas};

use super::Elaborator;
use super::policy::MISPLACED;
use crate::lower::json::{Policies, PolicyChange};

/// Maximum nesting of unions in unions, and of bounded depths in bounded depths, through which a policy is passed on.
const NESTED: u32 = 64;

/// The policy changes of single nodes.
pub(super) type Changes = BTreeMap<NodeId, PolicyChange>;

/// The nodes that are written apart, with their alternatives; each alternative is a conjunction of nodes.
type Apart = BTreeMap<NodeId, Vec<Vec<NodeId>>>;

impl Elaborator<'_> {
    /// Settles nested policies, finds the unions that are written apart, and reports misplaced policies.
    pub(super) fn settle_policies(&mut self) -> Policies {
        if self.parts.policies.is_empty() {
            return Policies::default();
        }
        self.settle_nested();
        for _ in 0..NESTED {
            if !self.policies_of_bounded() {
                break;
            }
            self.settle_nested();
        }
        let changes = std::mem::take(&mut self.parts.policies);
        let apart = self.unions_apart(&changes);
        if self.findings.found.iter().all(|found| found.code != Code::MisplacedPolicy) {
            self.misplaced(&changes, &apart);
        }
        Policies { changes, apart }
    }

    /// Merges the policy of each wrapped node into the policy of its wrapper; if both set the same one, the inner one
    /// applies. A cycle of nodes, which is reported elsewhere, is cut.
    fn settle_nested(&mut self) {
        let own = std::mem::take(&mut self.parts.policies);
        let mut settled = Changes::new();
        for &node in own.keys() {
            let (mut chain, mut next) = (Vec::new(), Some(node));
            while let Some((at, change)) = next.and_then(|at| own.get_key_value(&at)) {
                if settled.contains_key(at) {
                    break;
                }
                settled.insert(*at, *change);
                chain.push((*at, *change));
                next = only_part(&self.parts.schemas, *at);
            }
            let mut inner = next.and_then(|at| settled.get(&at)).copied();
            for (at, change) in chain.into_iter().rev() {
                let change = inner.map_or(change, |inner| inner.or(change));
                settled.insert(at, change);
                inner = Some(change);
            }
        }
        self.parts.policies = settled;
    }

    /// Gives each depth-bounding node the policy of the node that it bounds; returns whether there was such a node.
    fn policies_of_bounded(&mut self) -> bool {
        let nodes = (0..self.parts.schemas.nodes.len() as u32)
            .map(NodeId)
            .filter(|node| !self.parts.policies.contains_key(node));
        let found = nodes.filter_map(|node| Some((node, *self.parts.policies.get(&self.bounded_part(node)?.0)?)));
        let found: Vec<_> = found.collect();
        let any = !found.is_empty();
        self.parts.policies.extend(found);
        any
    }

    /// Returns the node whose depth a node bounds, and the bound, if [`Elaborator::bounded`] made the node.
    fn bounded_part(&self, node: NodeId) -> Option<(NodeId, NodeId)> {
        let NodeKind::Keywords(keywords) = &self.parts.schemas.nodes[node.0 as usize].kind else { return None };
        match keywords.all_of.as_slice() {
            [part, bound] if self.instances.depths.binary_search(bound).is_ok() => {
                Some((behind(&self.parts.schemas, *part), *bound))
            }
            _ => None,
        }
    }

    /// Returns the nodes that must be written apart: unions in which a part has a policy or is written apart, and nodes
    /// that wrap such a union.
    fn unions_apart(&mut self, changes: &Changes) -> Apart {
        let mut apart = Apart::default();
        for _ in 0..NESTED {
            let before = apart.len();
            // Inner nodes usually come later, so going backwards finds most nodes in the first round.
            for node in (0..self.parts.schemas.nodes.len() as u32).rev().map(NodeId) {
                if !apart.contains_key(&node)
                    && let Some(alternatives) = self.alternatives(node, changes, &apart)
                {
                    apart.insert(node, alternatives);
                }
            }
            if apart.len() == before {
                break;
            }
        }
        self.join_plain(changes, &mut apart);
        apart
    }

    /// Returns the alternatives of a node that must be written apart; `None` for other nodes.
    fn alternatives(&self, node: NodeId, changes: &Changes, apart: &Apart) -> Option<Vec<Vec<NodeId>>> {
        if let Some((part, bound)) = self.bounded_part(node) {
            return apart.contains_key(&part).then(|| vec![vec![part, bound]]);
        }
        if let Some(part) = only_part(&self.parts.schemas, node) {
            return apart.contains_key(&part).then(|| vec![vec![part]]);
        }
        let parts = plain_union(&self.parts.schemas, node)?;
        let special = parts.iter().any(|part| self.is_special(*part, changes, apart));
        special.then(|| parts.iter().map(|part| vec![behind(&self.parts.schemas, *part)]).collect())
    }

    /// Returns whether a node has a policy of its own or is written apart.
    fn is_special(&self, node: NodeId, changes: &Changes, apart: &Apart) -> bool {
        let node = behind(&self.parts.schemas, node);
        changes.contains_key(&node) || apart.contains_key(&node)
    }

    /// Joins the alternatives without policies into one union: one automaton for all of them is smaller than one for
    /// each.
    fn join_plain(&mut self, changes: &Changes, apart: &mut Apart) {
        let unions: Vec<NodeId> = apart.keys().copied().collect();
        for union in unions {
            let Some(parts) = plain_union(&self.parts.schemas, union).map(<[NodeId]>::to_vec) else { continue };
            let (special, plain): (Vec<_>, Vec<_>) =
                parts.into_iter().partition(|part| self.is_special(*part, changes, apart));
            if plain.len() > 1 {
                let origin = self.parts.schemas.nodes[union.0 as usize].origin;
                let value = vec![At { origin, value: plain }];
                let joined = self.parts.keywords(Keywords { any_of: value, ..Keywords::default() }, origin);
                let parts = special.into_iter().map(|part| behind(&self.parts.schemas, part)).chain([joined]);
                apart.insert(union, parts.map(|part| vec![part]).collect());
            }
        }
    }

    /// Reports policies of parts whose values also belong to other parts.
    fn misplaced(&mut self, changes: &Changes, apart: &Apart) {
        let mut misplaced = Vec::new();
        for node in (0..self.parts.schemas.nodes.len() as u32).map(NodeId) {
            let NodeKind::Keywords(keywords) = &self.parts.schemas.nodes[node.0 as usize].kind else { continue };
            if self.bounded_part(node).is_none() && !apart.contains_key(&node) {
                let parts = parts_beside_others(keywords);
                misplaced.extend(parts.filter(|part| self.is_special(*part, changes, apart)));
            }
        }
        for part in misplaced {
            let message = "a part of `&`, `-` or `oneOf` cannot have a policy of its own: nothing tells its values from the others'";
            let origin = self.parts.schemas.nodes[part.0 as usize].origin;
            self.findings.add(Diagnostic::error(Code::MisplacedPolicy, origin, message).help(MISPLACED));
        }
    }
}

/// Returns the parts of a node that share values with other parts: those of `&`, `oneOf`, conditions and the like.
fn parts_beside_others(keywords: &Keywords) -> impl Iterator<Item = NodeId> {
    let unions = keywords.any_of.iter().chain(&keywords.one_of);
    let unions = unions.flat_map(|choice| choice.value.iter().copied());
    let beside = *keywords != Keywords { reference: keywords.reference.clone(), ..Keywords::default() };
    let reference = keywords.reference.iter().filter(move |_| beside).map(|part| part.value);
    let alone = Keywords { all_of: keywords.all_of.clone(), ..Keywords::default() };
    let joined = keywords.all_of.len() > 1 || *keywords != alone;
    let all = keywords.all_of.iter().copied().filter(move |_| joined);
    let conditional = keywords.conditional.iter().flat_map(|one| [one.value.then, one.value.otherwise]).flatten();
    let dependent = keywords.object.dependent_schemas.iter().map(|(_, part)| *part);
    unions.chain(reference).chain(all).chain(conditional).chain(dependent)
}

/// Returns the parts of a node that is a union and nothing else.
fn plain_union(schemas: &Schemas, node: NodeId) -> Option<&[NodeId]> {
    let NodeKind::Keywords(keywords) = &schemas.nodes[node.0 as usize].kind else { return None };
    let plain = Keywords { any_of: keywords.any_of.clone(), ..Keywords::default() };
    match keywords.any_of.as_slice() {
        [union] if **keywords == plain => Some(&union.value),
        _ => None,
    }
}

/// Follows plain references from a node to the first node that is more than a reference.
fn behind(schemas: &Schemas, mut node: NodeId) -> NodeId {
    for _ in 0..64 {
        let NodeKind::Keywords(keywords) = &schemas.nodes[node.0 as usize].kind else { break };
        let plain = Keywords { reference: keywords.reference.clone(), ..Keywords::default() };
        match &keywords.reference {
            Some(next) if **keywords == plain => node = next.value,
            _ => break,
        }
    }
    node
}

/// Returns the single part of a conjunction; such a node wraps its part to carry a policy.
fn only_part(schemas: &Schemas, node: NodeId) -> Option<NodeId> {
    let NodeKind::Keywords(keywords) = &schemas.nodes[node.0 as usize].kind else { return None };
    match keywords.all_of.as_slice() {
        [part] => Some(behind(schemas, *part)),
        _ => None,
    }
}
