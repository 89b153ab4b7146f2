//! Finds the arms of an `unevaluated` keyword by a walk over the neighbours that apply to the same value.

use super::{Arm, Condition, Pending, Seen, Stuck, UnevaluatedKind};
use ogc_schema::source::{Keywords, Node, NodeId, NodeKind};

/// Cap on the schemas visited by the walk of one keyword, repeated visits included.
const STEPS: usize = 10_000;
/// Cap on the depth of the walk, in schemas.
const DEPTH: usize = 128;

struct Trace<'n> {
    nodes: &'n [Node],
    pending: &'n Pending,
    kind: UnevaluatedKind,
    limit: usize,
    steps: usize,
    open: Vec<NodeId>,
}

/// Finds the arms of the keyword of `kind` at `node`; the keyword's own evaluation does not count.
pub(super) fn arms(
    nodes: &[Node],
    pending: &Pending,
    node: NodeId,
    kind: UnevaluatedKind,
    limit: usize,
) -> Result<Vec<Arm>, Stuck> {
    let mut trace = Trace { nodes, pending, kind, limit, steps: 0, open: vec![node] };
    trace.inside(node)
}

impl Trace<'_> {
    /// Finds the arms of a neighbour.
    fn of(&mut self, id: NodeId) -> Result<Vec<Arm>, Stuck> {
        self.steps += 1;
        if self.steps > STEPS {
            return Err(Stuck::Many { limit: STEPS });
        }
        if self.open.contains(&id) || self.open.len() > DEPTH {
            return Err(Stuck::Cycle);
        }
        if self.pending.present.contains(&(id, self.kind)) {
            return Ok(vec![Arm { conditions: Vec::new(), seen: Seen::everything() }]);
        }
        self.open.push(id);
        let arms = self.inside(id);
        self.open.pop();
        arms
    }

    fn inside(&mut self, id: NodeId) -> Result<Vec<Arm>, Stuck> {
        let node = self.nodes.get(id.0 as usize);
        let Some(NodeKind::Keywords(keywords)) = node.map(|node| &node.kind) else {
            return Ok(vec![Arm::default()]);
        };
        let mut arms = vec![Arm { conditions: Vec::new(), seen: self.own(id, keywords) }];
        let always = keywords.reference.iter().map(|r| r.value).chain(keywords.all_of.iter().copied());
        for child in always {
            let child = self.of(child)?;
            arms = self.both(&arms, &child)?;
        }
        for group in keywords.any_of.iter().chain(&keywords.one_of) {
            let is_exclusive = keywords.one_of.iter().any(|one| std::ptr::eq(one, group));
            arms = self.choice(arms, &group.value, is_exclusive)?;
        }
        arms = self.conditional(arms, keywords)?;
        if self.kind == UnevaluatedKind::Properties {
            for (name, schema) in &keywords.object.dependent_schemas {
                let option = self.under(Condition::Has(name.value.clone()), *schema)?;
                arms = self.perhaps(arms, option)?;
            }
        }
        Ok(arms)
    }

    /// Returns the properties and items that a schema's own keywords evaluate.
    fn own(&self, id: NodeId, keywords: &Keywords) -> Seen {
        let mut seen = Seen::default();
        match self.kind {
            UnevaluatedKind::Properties => {
                seen.everything = keywords.object.additional_properties.is_some();
                seen.names = keywords.object.properties.iter().map(|(name, _)| name.clone()).collect();
                seen.patterns = keywords.object.pattern_properties.iter().map(|(p, _)| p.value.clone()).collect();
            }
            UnevaluatedKind::Items => {
                seen.everything = keywords.array.items.is_some();
                seen.prefix = keywords.array.prefix_items.len();
                let counts = !self.pending.silent_contains.contains(&id);
                seen.matching = keywords.array.contains.iter().filter(|_| counts).map(|c| c.value.0).collect();
            }
        }
        seen
    }

    /// Returns the conjunction of two lists of arms: every pair, with the conditions of both.
    fn both(&self, left: &[Arm], right: &[Arm]) -> Result<Vec<Arm>, Stuck> {
        if left.len().saturating_mul(right.len()) > self.limit {
            return Err(Stuck::Many { limit: self.limit });
        }
        let mut arms = Vec::with_capacity(left.len() * right.len());
        for (a, b) in left.iter().flat_map(|a| right.iter().map(move |b| (a, b))) {
            let mut arm = a.clone();
            arm.conditions.extend(b.conditions.iter().cloned());
            arm.seen.merge(&b.seen);
            arms.push(arm);
        }
        Ok(arms)
    }

    /// Returns every arm alone, and together with each option: options have conditions of their own, so they may hold
    /// or not.
    fn perhaps(&self, arms: Vec<Arm>, mut options: Vec<Arm>) -> Result<Vec<Arm>, Stuck> {
        options.retain(|option| !arms.iter().all(|arm| option.seen.is_within(&arm.seen)));
        if options.is_empty() {
            return Ok(arms);
        }
        options.insert(0, Arm::default());
        self.both(&arms, &options)
    }

    /// Finds the arms of a neighbour, each with one more condition.
    fn under(&mut self, condition: Condition, id: NodeId) -> Result<Vec<Arm>, Stuck> {
        let mut arms = self.of(id)?;
        arms.iter_mut().for_each(|arm| arm.conditions.insert(0, condition.clone()));
        Ok(arms)
    }

    fn choice(&mut self, mut arms: Vec<Arm>, branches: &[NodeId], is_exclusive: bool) -> Result<Vec<Arm>, Stuck> {
        let mut traced = Vec::with_capacity(branches.len());
        for branch in branches {
            traced.push(self.of(*branch)?);
        }
        if let Some(common) = same_in_all(&traced) {
            return self.both(&arms, &[Arm { conditions: Vec::new(), seen: common }]);
        }
        let mut exclusive = Vec::new();
        for (branch, mut options) in branches.iter().zip(traced) {
            options.iter_mut().for_each(|arm| arm.conditions.insert(0, Condition::Holds(*branch)));
            if is_exclusive {
                exclusive.extend(options);
            } else {
                arms = self.perhaps(arms, options)?;
            }
        }
        self.perhaps(arms, exclusive)
    }

    fn conditional(&mut self, arms: Vec<Arm>, keywords: &Keywords) -> Result<Vec<Arm>, Stuck> {
        let Some(conditional) = keywords.conditional.as_ref().map(|c| c.value) else {
            return Ok(arms);
        };
        let condition = conditional.condition;
        let mut options = self.under(Condition::Holds(condition), condition)?;
        if let Some(then) = conditional.then {
            let then = self.of(then)?;
            options = self.both(&options, &then)?;
        }
        if let Some(otherwise) = conditional.otherwise {
            options.extend(self.under(Condition::Fails(condition), otherwise)?);
        }
        self.perhaps(arms, options)
    }
}

/// Returns what every branch evaluates, if all branches evaluate the same without conditions.
fn same_in_all(branches: &[Vec<Arm>]) -> Option<Seen> {
    let first = &branches.first()?.first()?.seen;
    let same = |arms: &Vec<Arm>| matches!(arms.as_slice(), [arm] if arm.conditions.is_empty() && arm.seen == *first);
    branches.iter().all(same).then(|| first.clone())
}
