//! Checks all invariants of an [`Automaton`] whose tables come from outside, and computes everything that is derived
//! from the tables. Afterwards stepping cannot index outside a table, loop or strand.

use super::derive::{derive, fill_follow};
use super::draft::spelling_cost;
use super::{Automaton, MAX_ITEM_CHOICES, ObjectShape, Op, OpId, RuleId, StateId, StateKind, TableRange};

/// The name of a table, and what is wrong with it.
pub(crate) type Invalid = (&'static str, &'static str);

/// Cap on the declared keys of an object.
const MAX_KEYS: u32 = 1 << 20;

/// The least cost that is rejected: no text of that length is ever written.
const MAX_COST: u32 = 1 << 31;

fn check(holds: bool, table: &'static str, what: &'static str) -> Result<(), Invalid> {
    if holds { Ok(()) } else { Err((table, what)) }
}

impl Automaton {
    /// Checks every invariant and computes the derived facts: first sets, [`Derived`](super::Derived).
    pub(crate) fn validate(&mut self) -> Result<(), Invalid> {
        self.check_objects()?;
        self.check_rules()?;
        self.check_states()?;
        self.check_twins()?;
        self.derived = derive(self);
        super::first::check_and_fill(self).map_err(|_| ("rules", "nullable, left-recursive or nested too deeply"))?;
        fill_follow(self);
        self.check_costs()?;
        Ok(())
    }

    fn check_objects(&self) -> Result<(), Invalid> {
        for shape in &self.objects {
            check(shape.keys <= MAX_KEYS, "objects", "too many keys")?;
            check(ascending_below(&shape.required, shape.keys), "objects", "required keys")?;
            shape.conditions.check(shape.keys, shape.extra).map_err(|what| ("objects", what))?;
            check(shape.conditions.is_empty() || !shape.counted, "objects", "conditions beside a count")?;
        }
        check(self.tokens.is_sorted_by(|a, b| a < b), "tokens", "they do not ascend")?;
        check(self.ops.first() == Some(&Op::None), "operations", "the first is not empty")?;
        for op in &self.ops {
            if let Op::Owing { op, .. } = op {
                let inner = self.ops.get(op.index());
                let of_key = inner.is_some_and(|inner| {
                    matches!(
                        inner,
                        Op::KeyAlive { .. } | Op::KeyTake { .. } | Op::KeyTakeExtra { .. } | Op::KeyNext { .. }
                    )
                });
                check(of_key, "operations", "owed behind no key")?;
            }
            let Some(object) = object_of(op) else { continue };
            let shape = self.objects.get(object);
            let shape = shape.ok_or(("operations", "an unknown object"))?;
            check(keys_fit(op, shape), "operations", "an unknown key")?;
        }
        Ok(())
    }

    fn check_rules(&self) -> Result<(), Invalid> {
        let mut next = 0u32;
        for (id, rule) in self.rules.iter().enumerate() {
            let TableRange { first, len } = rule.states;
            check(first == next && len > 0, "rules", "states are not contiguous")?;
            next = first.checked_add(len).ok_or(("rules", "too many states"))?;
            check(next as usize <= self.states.len(), "rules", "an unknown state")?;
            check((first..next).contains(&rule.start.0), "rules", "the start is not its own")?;
            let is_bytes = self.states[rule.start.index()].kind == StateKind::Bytes;
            check(is_bytes, "rules", "the start is inside a string")?;
            let owned = &self.states[first as usize..next as usize];
            let own = owned.iter().all(|state| state.rule == RuleId(id as u32));
            check(own, "states", "a state of another rule")?;
            let known = rule.object.is_none_or(|object| object.index() < self.objects.len());
            check(known, "rules", "an unknown object")?;
            check(!(rule.counts_tokens && rule.distinct_items), "rules", "distinct items beside tokens")?;
            let of_object = rule.object.is_some() && rule.distinct_items;
            check(rule.few_keys <= MAX_FEW_KEYS, "rules", "too large a number of keys that may repeat")?;
            check(rule.few_keys == 0 || of_object, "rules", "a number of keys that may repeat")?;
            let of_items = rule.object.is_none() && rule.distinct_items;
            check(rule.item_choices <= MAX_ITEM_CHOICES, "rules", "too large a number of items to choose from")?;
            check(rule.item_choices == 0 || of_items, "rules", "a number of items to choose from")?;
        }
        check(next as usize == self.states.len(), "rules", "states without a rule")?;
        check(self.root.rule.index() < self.rules.len(), "format", "an unknown root")
    }

    /// Checks the states. The decoder placed their spans one after the other, so that only the last span can have a wrong end.
    fn check_states(&self) -> Result<(), Invalid> {
        let last = self.states.last().ok_or(("states", "there are none"))?;
        let ends = |range: TableRange, len: usize| range.indexes().end == len;
        check(ends(last.edges, self.edges.len()), "edges", "not one state's each")?;
        check(ends(last.calls, self.calls.len()), "calls", "not one state's each")?;
        check(self.origins.len() == self.states.len(), "states", "origins")?;
        check(self.min_bytes.len() == self.states.len(), "states", "costs")?;
        for id in 0..self.states.len() as u32 {
            self.check_edges(StateId(id))?;
            self.check_calls(StateId(id))?;
        }
        Ok(())
    }

    fn check_twins(&self) -> Result<(), Invalid> {
        check(self.twins.is_sorted_by(|a, b| a.0 < b.0), "twins", "they do not ascend")?;
        let known = |state: StateId| state.index() < self.states.len();
        check(self.twins.iter().all(|&(state, twin)| known(state) && known(twin)), "twins", "an unknown state")?;
        super::twins::check(self).map_err(|(_, what)| ("twins", what))
    }

    fn check_edges(&self, id: StateId) -> Result<(), Invalid> {
        let edges = self.edges(id);
        check(edges.is_sorted_by_key(|edge| edge.lo), "edges", "not in order")?;
        for edge in edges {
            check(edge.lo <= edge.hi, "edges", "an empty range of bytes")?;
            check(self.in_rule_of(id, edge.to), "edges", "they leave their rule")?;
            check(self.fits(id, edge.op), "edges", "an operation of another object")?;
        }
        let state = &self.states[id.index()];
        if let Some((op, to)) = state.close {
            check(state.kind == StateKind::Text, "states", "a quote outside strings")?;
            check(self.in_rule_of(id, to), "states", "a quote leaves its rule")?;
            check(self.fits(id, op), "states", "an operation of another object")?;
        }
        Ok(())
    }

    fn check_calls(&self, id: StateId) -> Result<(), Invalid> {
        let calls = self.calls(id);
        let is_bytes = self.states[id.index()].kind == StateKind::Bytes;
        check(calls.is_empty() || is_bytes, "calls", "a call inside a string")?;
        for call in calls {
            check(call.rule.index() < self.rules.len(), "calls", "an unknown rule")?;
            check(self.in_rule_of(id, call.ret), "calls", "they return elsewhere")?;
            check(self.fits(id, call.op), "calls", "an operation of another object")?;
        }
        Ok(())
    }

    fn in_rule_of(&self, id: StateId, to: StateId) -> bool {
        let TableRange { first, len } = self.rule_of(id).states;
        to.0 >= first && to.0 - first < len
    }

    /// Returns whether the operation exists, and is on no object but that of the state's own rule.
    fn fits(&self, id: StateId, op: OpId) -> bool {
        let object = self.rule_of(id).object.map(super::ObjectId::index);
        let fits = |op: OpId| object_of(self.plain_op(op)).is_none_or(|wanted| object == Some(wanted));
        op.index() < self.ops.len() && fits(op)
    }

    /// Checks that every state's cost is the minimum over its moves. Steps cost at least one byte and calls cannot be left-recursive, so
    /// that only the true costs satisfy this; and finite costs prove that every state reaches its rule's end.
    fn check_costs(&self) -> Result<(), Invalid> {
        for id in 0..self.states.len() as u32 {
            let cost = self.min_bytes[id as usize];
            check(cost < MAX_COST, "states", "a cost that cannot be")?;
            check(self.cost(StateId(id)) == Some(cost), "states", "a cost is not the least")?;
        }
        Ok(())
    }

    fn cost(&self, id: StateId) -> Option<u32> {
        let state = &self.states[id.index()];
        if state.accept {
            return Some(0);
        }
        let to = |state: StateId| self.min_bytes[state.index()];
        let edges = self.edges(id).iter().map(|edge| {
            let own = match state.kind {
                StateKind::Bytes => 1,
                StateKind::Text => spelling_cost(edge.lo, edge.hi),
            };
            to(edge.to).saturating_add(own)
        });
        let close = state.close.map(|(_, after)| to(after).saturating_add(1));
        let calls = self.calls(id).iter().map(|call| {
            let start = self.rules[call.rule.index()].start;
            to(start).saturating_add(to(call.ret))
        });
        edges.chain(close).chain(calls).min()
    }
}

/// Cap on the `few_keys` of a rule: artifacts store it in 30 bits, beside two flags.
const MAX_FEW_KEYS: u32 = (1 << 30) - 1;

fn ascending_below(list: &[u32], limit: u32) -> bool {
    list.is_sorted_by(|a, b| a < b) && list.last().is_none_or(|&last| last < limit)
}

fn object_of(op: &Op) -> Option<usize> {
    match op {
        Op::None | Op::Count { .. } | Op::Owing { .. } => None,
        Op::KeyAlive { object, .. }
        | Op::KeyTake { object, .. }
        | Op::KeyTakeExtra { object }
        | Op::KeyNext { object }
        | Op::ObjectClose { object } => Some(object.index()),
    }
}

fn keys_fit(op: &Op, shape: &ObjectShape) -> bool {
    match op {
        Op::KeyAlive { keys, .. } => ascending_below(keys, shape.keys),
        Op::KeyTake { key, .. } => *key < shape.keys,
        Op::None
        | Op::Count { .. }
        | Op::KeyTakeExtra { .. }
        | Op::KeyNext { .. }
        | Op::ObjectClose { .. }
        | Op::Owing { .. } => true,
    }
}
