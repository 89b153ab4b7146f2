//! Decides which rules are inlined, and which repetitions are copied or counted.
//!
//! A rule becomes part of its caller if it is named once, or if it is small and not recursive. Among rules that the
//! root reaches, a cycle cannot consist only of rules named once, so copying ends. If a rule would take in more states
//! than a deterministic unit may have, it calls the largest inlined rules instead. Only rules that follow something in
//! a sequence are called: the text before them tells which one is meant, so a call decides nothing too early.

use rustc_hash::FxHashSet;

use crate::ir::{ExprId, ExprKind, Grammar, RuleId};
use crate::pass::Limits;
use crate::pass::scc::components;

/// Factor on the size limit for inlining a rule that is named only once.
const ONCE: u64 = 64;
/// Maximum number of states of all copies of a repetition together; a repetition with more is counted.
const COPIED: u64 = 512;

/// The decisions about rules and repetitions.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// For each rule, whether it becomes part of its callers.
    inline: Vec<bool>,
    /// For each expression, its estimated number of nondeterministic states.
    sizes: Vec<u64>,
    /// Bodies of repetitions that must be copied, because counting them would be left-recursive.
    pub(crate) copied: FxHashSet<ExprId>,
    /// Whether everything is copied, because the result must be a regular language.
    whole: bool,
    /// Maximum number of copies of a repetition.
    most: u32,
}

/// Returns the rules that the root reaches.
#[must_use]
pub fn reached(grammar: &Grammar) -> Vec<bool> {
    let references = grammar.references();
    let mut reached = vec![false; grammar.rules.len()];
    let mut open = vec![grammar.root.0];
    while let Some(rule) = open.pop() {
        if !std::mem::replace(&mut reached[rule as usize], true) {
            open.extend(&references[rule as usize]);
        }
    }
    reached
}

impl Plan {
    /// Decides for the rules that are `reached`.
    pub(crate) fn new(grammar: &Grammar, reached: &[bool], limits: &Limits) -> Plan {
        let mut references = grammar.references();
        for (list, reached) in references.iter_mut().zip(reached) {
            if !reached {
                list.clear();
            }
        }
        let mut uses = vec![0u32; grammar.rules.len()];
        references.iter().flatten().for_each(|&rule| uses[rule as usize] += 1);
        uses[grammar.root.index()] = u32::MAX;
        let recursive = components(&references).cyclic;
        // A recursive rule may be inlined only into its single caller. Components of the remaining rules come callees
        // first, so that a rule's size includes the sizes of the rules inlined into it.
        let candidate = |rule: u32| uses[rule as usize] <= 1 || !recursive[rule as usize];
        references.iter_mut().for_each(|list| list.retain(|&rule| candidate(rule)));
        let count = grammar.exprs.len();
        let inline = vec![false; grammar.rules.len()];
        let copied = FxHashSet::default();
        let mut plan = Plan { inline, sizes: vec![0; count], copied, whole: false, most: limits.copies };
        let own = owners(grammar);
        for rule in components(&references).members.into_iter().flatten() {
            own[rule as usize].iter().for_each(|&id| plan.sizes[id.index()] = plan.size(grammar, id));
            // Unreachable rules are not built, and must not influence the others.
            if reached[rule as usize] {
                plan.bound(grammar, &own, RuleId(rule), limits);
            }
            let size = plan.sizes[grammar.rules[rule as usize].body.index()];
            let once = uses[rule as usize] <= 1 && size <= limits.inline_states.saturating_mul(ONCE);
            plan.inline[rule as usize] =
                RuleId(rule) != grammar.root && candidate(rule) && (once || size <= limits.inline_states);
        }
        plan
    }

    /// Makes a rule call the rules that it would have taken in, the largest first, until it has no more states than a
    /// unit may have.
    fn bound(&mut self, grammar: &Grammar, own: &[Vec<ExprId>], rule: RuleId, limits: &Limits) {
        let most = limits.rule_states as u64;
        let of = |plan: &Plan, rule: RuleId| plan.sizes[grammar.rules[rule.index()].body.index()];
        let mut left = of(self, rule);
        if left <= most {
            return;
        }
        let (parts, large) = self.taken_in(grammar, own, rule, limits.inline_states);
        let mut large: Vec<(u64, RuleId)> = large.into_iter().map(|rule| (of(self, rule), rule)).collect();
        large.sort_unstable_by_key(|(size, rule)| (std::cmp::Reverse(*size), *rule));
        for (size, rule) in large {
            if left <= most {
                break;
            }
            self.inline[rule.index()] = false;
            left = left.saturating_sub(size);
        }
        // In this list, callees come after their callers.
        for part in parts.into_iter().rev() {
            own[part.index()].iter().for_each(|&id| self.sizes[id.index()] = self.size(grammar, id));
        }
    }

    /// Returns the rules that a rule consists of: itself first, each rule after its caller. The second list has those
    /// that are large and follow something in a sequence.
    fn taken_in(&self, grammar: &Grammar, own: &[Vec<ExprId>], rule: RuleId, small: u64) -> (Vec<RuleId>, Vec<RuleId>) {
        let (mut parts, mut large, mut at) = (vec![rule], Vec::new(), 0);
        let mut seen = FxHashSet::from_iter([rule]);
        while let Some(part) = parts.get(at).copied() {
            at += 1;
            let mut behind: FxHashSet<ExprId> = FxHashSet::default();
            for id in &own[part.index()] {
                if let ExprKind::Sequence(items) = grammar.kind(*id) {
                    behind.extend(items.iter().skip(1));
                }
            }
            for id in &own[part.index()] {
                let ExprKind::Rule(callee) = grammar.kind(*id) else { continue };
                let size = self.sizes[grammar.rules[callee.index()].body.index()];
                if !self.inline[callee.index()] || size <= small || !seen.insert(*callee) {
                    continue;
                }
                if behind.contains(id) { large.push(*callee) } else { parts.push(*callee) }
            }
        }
        (parts, large)
    }

    /// Returns the plan that copies everything, for expressions without recursion.
    pub(crate) fn whole(grammar: &Grammar) -> Plan {
        let (inline, sizes) = (vec![true; grammar.rules.len()], vec![0; grammar.exprs.len()]);
        Plan { inline, sizes, copied: FxHashSet::default(), whole: true, most: u32::MAX }
    }

    /// Returns whether the rule becomes part of its callers.
    pub(crate) fn inlines(&self, rule: RuleId) -> bool {
        self.inline[rule.index()]
    }

    /// Returns whether `count` repetitions of `body` are copied instead of counted.
    pub(crate) fn copies(&self, body: ExprId, count: u32) -> bool {
        let total = self.sizes[body.index()].saturating_mul(count.into());
        self.whole || count <= 1 || (count <= self.most && total <= COPIED) || self.copied.contains(&body)
    }

    /// Returns the size of an expression whose children's sizes are known.
    fn size(&self, grammar: &Grammar, id: ExprId) -> u64 {
        let of = |id: &ExprId| self.sizes[id.index()];
        let sum = |ids: &[ExprId]| ids.iter().fold(1u64, |sum, id| sum.saturating_add(of(id)));
        match grammar.kind(id) {
            ExprKind::Literal(text) => text.len() as u64,
            ExprKind::Machine(machine) => grammar.machines[machine.index()].len() as u64,
            ExprKind::Rule(rule) if self.inline[rule.index()] => of(&grammar.rules[rule.index()].body),
            ExprKind::Rule(_) => 1,
            ExprKind::Sequence(items) | ExprKind::Alternation(items) => sum(items),
            ExprKind::Repeat { body, min, max } => self.repeat_size(*body, *min, *max),
            ExprKind::Limited { .. } | ExprKind::External(_) => 1,
            ExprKind::Exception(..) | ExprKind::Intersection(..) | ExprKind::Lazy(_) | ExprKind::Free { .. } => 0,
        }
    }

    fn repeat_size(&self, body: ExprId, min: u32, max: Option<u32>) -> u64 {
        let size = self.sizes[body.index()];
        let times = |count: u32| if self.copies(body, count) { size.saturating_mul(count.into()) } else { 1 };
        let optional = max.map_or(size, |max| times(max - min));
        times(min).saturating_add(optional).saturating_add(2)
    }
}

/// Returns the expressions of each rule's body, children before parents.
fn owners(grammar: &Grammar) -> Vec<Vec<ExprId>> {
    let mut owner = vec![u32::MAX; grammar.exprs.len()];
    for (rule, at) in grammar.rules.iter().zip(0..) {
        owner[rule.body.index()] = at;
    }
    for (id, expr) in grammar.exprs.iter().enumerate().rev() {
        let rule = owner[id];
        expr.kind.children(|child| owner[child.index()] = rule);
    }
    let mut own = vec![Vec::new(); grammar.rules.len()];
    for (rule, id) in owner.into_iter().zip(0..) {
        if let Some(list) = own.get_mut(rule as usize) {
            list.push(ExprId(id));
        }
    }
    own
}
