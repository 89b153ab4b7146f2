//! Decision diagrams over variables with several options: ordered, reduced, and hash-consed, so that equal conditions
//! have equal ids (Bryant 1986).
//!
//! `a` or `b` over two variables with the options "no" and "yes" is a node of `a` that leads to a node of `b`, and to the end.

use ogc_regular::budget;
use rustc_hash::FxHashMap;

/// Cap on the nodes, and on the steps to make them.
const NODES: usize = 50_000;
const STEPS: usize = 1_000_000;

/// A condition: a terminal, or the index of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct DiagramId(u32);

impl DiagramId {
    /// The terminal of a condition that fails.
    pub(crate) const FAILS: Self = Self(0);
    /// The terminal of a condition that holds.
    pub(crate) const HOLDS: Self = Self(1);

    /// The condition that always holds, or never.
    pub(crate) fn known(holds: bool) -> Self {
        if holds { Self::HOLDS } else { Self::FAILS }
    }
}

/// A choice between the options of a variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct DiagramNode {
    /// The variable. Nodes lead only to greater variables.
    pub(crate) variable: u32,
    /// The condition that is left after each option.
    pub(crate) next: Box<[DiagramId]>,
}

/// There are too many nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TooManyNodes {
    pub(crate) given: usize,
    pub(crate) limit: usize,
}

/// All conditions made so far.
#[derive(Debug, Default)]
pub(crate) struct Diagrams {
    nodes: Vec<DiagramNode>,
    known: FxHashMap<DiagramNode, DiagramId>,
    both: FxHashMap<(DiagramId, DiagramId), DiagramId>,
    opposite: FxHashMap<DiagramId, DiagramId>,
    steps: usize,
}

impl Diagrams {
    /// Returns the node of a condition; `None` for terminals.
    pub(crate) fn node(&self, id: DiagramId) -> Option<&DiagramNode> {
        self.nodes.get(id.0.checked_sub(2)? as usize)
    }

    /// Returns the choice of a variable; if all options lead to the same condition, that condition.
    pub(crate) fn choice(&mut self, variable: u32, next: &[DiagramId]) -> Result<DiagramId, TooManyNodes> {
        self.steps += 1;
        let given = self.nodes.len().max(self.steps / (STEPS / NODES));
        if given >= NODES || budget::work(1).is_err() {
            return Err(TooManyNodes { given: given + 1, limit: NODES });
        }
        if let Some((first, rest)) = next.split_first()
            && rest.iter().all(|way| way == first)
        {
            return Ok(*first);
        }
        let node = DiagramNode { variable, next: next.into() };
        if let Some(&known) = self.known.get(&node) {
            return Ok(known);
        }
        // Stored twice, besides the entries of the tables.
        let _ = budget::keep(128 + 2 * size_of_val(next));
        let made = DiagramId(self.nodes.len() as u32 + 2);
        self.nodes.push(node.clone());
        self.known.insert(node, made);
        Ok(made)
    }

    /// Returns the condition that both hold.
    pub(crate) fn and(&mut self, left: DiagramId, right: DiagramId) -> Result<DiagramId, TooManyNodes> {
        match (left.min(right), left.max(right)) {
            (DiagramId::FAILS, _) => Ok(DiagramId::FAILS),
            (DiagramId::HOLDS, other) => Ok(other),
            (left, right) if left == right => Ok(left),
            pair => match self.both.get(&pair) {
                Some(&known) => Ok(known),
                None => {
                    let made = self.and_nodes(pair)?;
                    self.both.insert(pair, made);
                    Ok(made)
                }
            },
        }
    }

    fn and_nodes(&mut self, (left, right): (DiagramId, DiagramId)) -> Result<DiagramId, TooManyNodes> {
        let variable = [left, right].iter().filter_map(|&id| self.node(id)).map(|node| node.variable).min();
        let variable = variable.unwrap_or_default();
        let ways = |id: DiagramId| self.node(id).filter(|node| node.variable == variable).map(|node| node.next.clone());
        let (of_left, of_right) = (ways(left), ways(right));
        let options = of_left.as_ref().or(of_right.as_ref()).map_or(0, |ways| ways.len());
        let mut next = Vec::with_capacity(options);
        for option in 0..options {
            let way = |ways: &Option<Box<[DiagramId]>>, whole| ways.as_ref().map_or(whole, |ways| ways[option]);
            next.push(self.and(way(&of_left, left), way(&of_right, right))?);
        }
        self.choice(variable, &next)
    }

    /// Returns the condition that `id` does not hold.
    pub(crate) fn not(&mut self, id: DiagramId) -> Result<DiagramId, TooManyNodes> {
        let Some(node) = self.node(id).cloned() else { return Ok(DiagramId::known(id == DiagramId::FAILS)) };
        if let Some(&known) = self.opposite.get(&id) {
            return Ok(known);
        }
        let next = node.next.iter().map(|&way| self.not(way)).collect::<Result<Vec<_>, _>>()?;
        let made = self.choice(node.variable, &next)?;
        self.opposite.insert(id, made);
        self.opposite.insert(made, id);
        Ok(made)
    }

    /// Returns the condition that at least one holds.
    pub(crate) fn or(&mut self, left: DiagramId, right: DiagramId) -> Result<DiagramId, TooManyNodes> {
        let (left, right) = (self.not(left)?, self.not(right)?);
        let neither = self.and(left, right)?;
        self.not(neither)
    }

    /// Returns the nodes that a condition consists of, sorted by variable.
    pub(crate) fn reached(&self, root: DiagramId) -> Vec<DiagramId> {
        let mut found = vec![root];
        let mut seen = rustc_hash::FxHashSet::from_iter([root]);
        let mut at = 0;
        while let Some(&id) = found.get(at) {
            let ways = self.node(id).map(|node| node.next.clone()).unwrap_or_default();
            found.extend(ways.into_iter().filter(|way| seen.insert(*way)));
            at += 1;
        }
        found.retain(|&id| self.node(id).is_some());
        found.sort_by_key(|&id| self.node(id).map(|node| node.variable));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_conditions_have_equal_diagram_ids() {
        let mut all = Diagrams::default();
        let yes = |all: &mut Diagrams, variable| all.choice(variable, &[DiagramId::FAILS, DiagramId::HOLDS]).unwrap();
        let (a, b) = (yes(&mut all, 0), yes(&mut all, 1));
        let (either, both) = (all.or(a, b).unwrap(), all.and(a, b).unwrap());
        let (not_a, not_b) = (all.not(a).unwrap(), all.not(b).unwrap());
        let neither = all.and(not_a, not_b).unwrap();
        assert_eq!(all.not(neither).unwrap(), either);
        assert_eq!(all.and(either, both).unwrap(), both);
        assert_eq!(all.and(a, not_a).unwrap(), DiagramId::FAILS);
        assert_eq!(all.or(b, not_b).unwrap(), DiagramId::HOLDS);
        assert_eq!(all.reached(either).len(), 2);
    }

    #[test]
    fn diagrams_over_the_size_limit_are_refused() {
        // Pairs of distant variables: the diagram needs a node for each subset of the first ones.
        let mut all = Diagrams::default();
        let mut whole = DiagramId::HOLDS;
        let refused = (0..20).any(|at| {
            let mut step = || {
                let first = all.choice(at, &[DiagramId::FAILS, DiagramId::HOLDS])?;
                let second = all.choice(at + 20, &[DiagramId::FAILS, DiagramId::HOLDS])?;
                let pair = all.or(first, second)?;
                all.and(whole, pair)
            };
            step().map(|next| whole = next).is_err()
        });
        assert!(refused);
    }
}
