//! Writes values as rules. Each value has one target, made on demand; a queue holds the bodies to write, so nothing
//! recurses.

use std::rc::Rc;

use ogc_regular::LimitError;
use ogc_regular::budget::{self, Spender};
use ogc_runtime::automaton::{OpId, RuleId, StateKind};
use ogc_schema::{ArrayArm, ObjectArm, SchemaError, Shape, ValueId};
use rustc_hash::FxHashSet;

use super::leaf::{LONGEST, countdown};
use super::lowering::{Body, Lowering, Pending};
use super::{JsonPolicy, Space, Target};
use crate::lower::automaton_bytes;
use crate::schema_fault::{SchemaFault, SchemaFaultKind};

/// Maximum number of nesting levels that are written out when each level is indented differently.
const LEVELS: usize = 24;

impl Lowering<'_, '_> {
    /// Writes the rule of the whole text: a value, surrounded by white space if the policy allows any.
    pub(super) fn whole(&mut self, root: ValueId) -> Target {
        let value = self.target(root, 0);
        let Space::Any { max_run } = self.policy.space else { return value };
        let rule = self.builder.rule("root", 0);
        let gap = self.gap(rule);
        let end = self.builder.state(rule, StateKind::Bytes);
        let after = self.builder.state(rule, StateKind::Bytes);
        for state in gap.states() {
            self.builder.call(state, value.call(end, OpId::NONE));
        }
        self.call_white_space(max_run, end, after);
        self.builder.accept(end);
        self.builder.accept(after);
        self.builder.start(rule, gap.enter);
        Target::plain(rule)
    }

    /// Returns the rule of a non-empty value, at a nesting depth.
    pub(super) fn target(&mut self, value: ValueId, depth: u32) -> Target {
        let outer = self.policy;
        self.policy = self.policy_of(value);
        let target = self.target_under_policy(value, depth);
        self.policy = outer;
        target
    }

    /// Returns the policy of a value: its own changes, applied to the policy around it.
    fn policy_of(&self, value: ValueId) -> JsonPolicy {
        if self.own.changes.is_empty() {
            return self.policy;
        }
        let changes = self.algebra.nodes_of(value).filter_map(|node| self.own.changes.get(&node));
        changes.fold(self.policy, |policy, change| change.applied(policy))
    }

    fn target_under_policy(&mut self, value: ValueId, depth: u32) -> Target {
        let is_apart = self.own.alternatives.contains_key(&value);
        let is_indented = is_apart || matches!(self.policy.space, Space::Pretty { .. });
        let depth = if is_indented { depth } else { 0 };
        let key = (value, depth, self.policy);
        if let Some(&known) = self.targets.get(&key) {
            return known;
        }
        let shape = self.algebra.shape(value);
        self.errors.extend(shape.errors.iter().map(|error| SchemaFault::from(&**error)));
        let arms = if is_apart { self.apart(value, depth) } else { self.arms(value, &shape, depth) };
        let target = match arms.as_slice() {
            [] => self.literal(self.policy.words.null()),
            [only] => *only,
            _ => self.choice(&arms, &shape, value),
        };
        self.targets.insert(key, target);
        target
    }

    /// Returns the targets of the non-empty alternatives of a value that is written apart, nested alternatives
    /// included.
    fn apart(&mut self, value: ValueId, depth: u32) -> Vec<Target> {
        let outer = self.policy;
        let (mut open, mut seen, mut targets) = (vec![(value, outer)], FxHashSet::default(), Vec::new());
        while let Some((value, policy)) = open.pop() {
            self.policy = policy;
            if !seen.insert((value, policy)) || !self.algebra.holds_something(value) {
                continue;
            }
            match self.own.alternatives.get(&value) {
                Some(alternatives) => {
                    let under = |alternative: &ValueId| (*alternative, self.policy_of(*alternative));
                    open.extend(alternatives.iter().rev().map(under));
                }
                None => targets.push(self.target_under_policy(value, depth)),
            }
        }
        self.policy = outer;
        targets
    }

    fn arms(&mut self, value: ValueId, shape: &Shape, depth: u32) -> Vec<Target> {
        let mut arms = Vec::new();
        let words = self.policy.words;
        for (text, holds) in
            [(words.null(), shape.null), (words.truth(true), shape.yes), (words.truth(false), shape.no)]
        {
            if holds {
                arms.push(self.literal(text));
            }
        }
        let spelling = if shape.integers { self.integers } else { self.policy.spelling };
        for arm in &shape.numbers {
            arms.extend(self.number(arm, spelling, shape.origin));
        }
        for arm in &shape.strings {
            arms.extend(self.string(arm));
        }
        for (at, arm) in shape.arrays.iter().enumerate() {
            if self.algebra.array_holds(arm) && self.sound(arm.poison.as_ref()) {
                let (a, b) = if self.unique_texts(arm).is_some() {
                    self.countdown(arm.min, arm.max, arm.origin)
                } else {
                    self.array_countdown(arm)
                };
                arms.push(Target { rule: self.declare("array", value, Body::Array(at), depth), a, b });
            }
        }
        for (at, arm) in shape.objects.iter().enumerate() {
            if self.algebra.object_holds(arm) && self.sound(arm.poison.as_ref()) {
                let (a, b) = self.object_countdown(arm);
                arms.push(Target { rule: self.declare("object", value, Body::Object(at), depth), a, b });
            }
        }
        arms
    }

    /// Reports a condition that cannot be expressed; returns whether there is no such condition.
    fn sound(&mut self, poison: Option<&Rc<SchemaError>>) -> bool {
        self.errors.extend(poison.map(|error| SchemaFault::from(&**error)));
        poison.is_none()
    }

    fn declare(&mut self, name: &str, value: ValueId, body: Body, depth: u32) -> RuleId {
        let shape = self.algebra.shape(value);
        let origin = match body {
            Body::Array(at) => shape.arrays[at].origin,
            Body::Object(at) => shape.objects[at].origin,
        };
        let rule = self.builder.rule(name, origin.0);
        // Covers the braces, and the white space around and between them.
        let _ = budget::work(16).and(automaton_bytes(16, 32));
        if let Err(error) = LimitError::check("levels of indented nesting", depth as usize + 1, LEVELS) {
            self.errors.push(SchemaFault::new(origin, SchemaFaultKind::Nesting(error)));
            return rule;
        }
        self.pending.push_back(Pending { rule, value, body, depth: depth + 1, policy: self.policy });
        rule
    }

    fn choice(&mut self, arms: &[Target], shape: &Shape, value: ValueId) -> Target {
        let name = if value == ValueId::ANY { "value" } else { "choice" };
        let rule = self.builder.rule(name, shape.origin.0);
        let start = self.builder.state(rule, StateKind::Bytes);
        let end = self.builder.state(rule, StateKind::Bytes);
        for arm in arms {
            self.builder.call(start, arm.call(end, OpId::NONE));
        }
        self.builder.start(rule, start);
        self.builder.accept(end);
        Target::plain(rule)
    }

    /// Writes the bodies of all pending rules, and of the rules that they declare.
    pub(super) fn write_pending(&mut self) {
        while let Some(next) = self.pending.pop_front() {
            // If the budget is used up, the automaton is discarded anyway.
            if budget::exhausted() {
                return;
            }
            let shape = self.algebra.shape(next.value);
            let _place = budget::at(Spender(shape.origin.0));
            self.policy = next.policy;
            match next.body {
                Body::Array(at) => self.write_array(next.rule, &shape.arrays[at], next.depth),
                Body::Object(at) => self.write_object(next.rule, &shape.objects[at], next.depth),
            }
            let most = self.limits.regular.states * 10;
            if let Err(error) = LimitError::check("states of the automaton", self.builder.state_count(), most) {
                self.errors.push(SchemaFault::limit(shape.origin, error));
                return;
            }
        }
    }

    /// Returns the countdown of the items of an array.
    fn array_countdown(&mut self, arm: &ArrayArm) -> (u32, u32) {
        let (min, max) = self.loop_bounds(arm);
        self.countdown(min, max, arm.origin)
    }

    /// Returns the countdown of the members of an object.
    fn object_countdown(&mut self, arm: &ObjectArm) -> (u32, u32) {
        if arm.min == 0 && arm.max.is_none() {
            return (0, 0);
        }
        self.countdown(arm.min, arm.max, arm.origin)
    }

    pub(super) fn countdown(&mut self, min: u64, max: Option<u64>, origin: ogc_schema::source::Origin) -> (u32, u32) {
        if min == 0 && max.is_none() {
            return (0, 0);
        }
        countdown(min, max).unwrap_or_else(|| {
            let error = LimitError::of_large("least number of items or members", min, LONGEST);
            self.errors.push(SchemaFault::limit(origin, error));
            (0, 0)
        })
    }
}
