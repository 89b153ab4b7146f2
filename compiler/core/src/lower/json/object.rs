//! Writes the rules of objects: braces, the key automaton, and one path through `:` and the value for each distinct
//! kind of value.
//!
//! If unnamed keys must meet demands ([`ogc_schema::KeyDemands`]), all of that is written once for each set of met
//! demands, and the object may close only when all demands are met. In such objects, and in objects whose unnamed keys
//! count for a minimum, a key must not occur twice, because readers keep only the last of two equal keys. The runtime
//! remembers the keys. If only few keys can meet a demand, it rejects a text that may have used them up.
//!
//! With one demand, `{` leads to the key automaton of the empty set. A value that does not meet the demand leads back
//! to that automaton. A value that meets it leads to the white space before `,` and `}` of the set with the demand.

mod owing;

use std::ops::Range;

use ogc_runtime::automaton::{KeyConditions, KeyOrder, ObjectId, ObjectShape, Op, OpId, RuleId, StateId, StateKind};
use ogc_schema::{Move, ObjectArm, ValueId};
use rustc_hash::FxHashMap;

use super::Target;
use super::conditions::{Declared, conditions};
use super::lowering::Lowering;
use super::space::Gap;
use super::trie::{Keys, Spelled};
use crate::schema_fault::{SchemaFault, SchemaFaultKind};
use owing::Owing;
pub(super) use owing::Reachable;

/// An object rule while it is being written.
pub(super) struct ObjectWriter {
    pub(super) rule: RuleId,
    pub(super) object: ObjectId,
    depth: u32,
    end: StateId,
    /// The values of the declared keys, by declared index.
    pub(super) values: Vec<ValueId>,
    /// The values of the classes of other keys, each with the demands that the value meets.
    pub(super) classes: Vec<Vec<Move>>,
    /// The number of members that demands still need, if the number of members is bounded.
    pub(super) owing: Owing,
    /// The set of met demands for which states are being written.
    pub(super) met: usize,
    /// By set of met demands, the gap after a member.
    after: Vec<Option<Gap>>,
    /// Sets of met demands whose states are still to be written.
    todo: Vec<usize>,
    /// The state before `:`, by the ways to read the value. Each way has a guard and the demands that are met after it.
    colons: FxHashMap<Vec<(Target, OpId, usize)>, StateId>,
    /// Whether an undeclared key may be refused, because of its position or because there are too many.
    pub(super) extra_can_fail: bool,
}

impl ObjectWriter {
    fn is_done(&self) -> bool {
        self.met + 1 == self.after.len()
    }
}

impl Lowering<'_, '_> {
    pub(super) fn write_object(&mut self, rule: RuleId, arm: &ObjectArm, depth: u32) {
        let possible = self.algebra.possible_keys(arm);
        let declared: Vec<_> =
            arm.keys.iter().zip(&possible).filter(|(_, possible)| **possible).map(|(key, _)| key).collect();
        let required: Vec<u32> =
            (0u32..).zip(&declared).filter(|(_, key)| key.required.is_some()).map(|(at, _)| at).collect();
        let keys = self.keys(arm, &possible);
        let conditions = match arm.conditions.is_empty() {
            true => KeyConditions::default(),
            false => conditions(arm, &Declared::of(arm, &possible), keys.has_extra()),
        };
        if !self.check_object(arm, declared.len(), keys.has_extra()) {
            return;
        }
        let counted = arm.min > 0 || arm.max.is_some();
        let conditions_on_extra = match self.policy.order {
            KeyOrder::Declared => !conditions.is_empty(),
            KeyOrder::Any => conditions.speak_of(declared.len() as u32),
        };
        let extra_can_fail =
            counted || conditions_on_extra || self.policy.order == KeyOrder::Declared && !required.is_empty();
        if !arm.demands.all.is_empty() || keys.has_extra() && arm.min > required.len() as u64 + 1 {
            self.builder.distinct_items(rule);
        }
        if let Some(fewest) = arm.demands.fewest {
            self.builder.few_keys(rule, u32::try_from(fewest).unwrap_or(0));
        }
        let shape = ObjectShape {
            keys: declared.len() as u32,
            required: required.into(),
            order: self.policy.order,
            extra: keys.has_extra(),
            counted,
            conditions,
        };
        let object = self.builder.object(rule, shape);
        let values = declared.iter().map(|key| key.value).collect();
        let classes = self.moves_of_classes(arm);
        let owing = Owing::new(self.algebra, arm);
        let mut after = vec![None; 1 << arm.demands.all.len()];
        after[0] = Some(self.gap(rule));
        let [start, end] = [(); 2].map(|()| self.builder.state(rule, StateKind::Bytes));
        let (met, todo, colons) = (0, vec![0], FxHashMap::default());
        let mut writer =
            ObjectWriter { rule, object, depth, end, values, classes, owing, met, after, todo, colons, extra_can_fail };
        self.braces(&mut writer, &keys, start);
    }

    /// Returns the ways to read an unnamed key's value, by class.
    fn moves_of_classes(&self, arm: &ObjectArm) -> Vec<Vec<Move>> {
        if arm.demands.all.is_empty() {
            return arm.rest.classes.iter().map(|&value| vec![Move { counted: 0, value }]).collect();
        }
        let holds = |way: &&Move| self.algebra.holds_something(way.value);
        arm.demands.moves.iter().map(|moves| moves.iter().filter(holds).cloned().collect()).collect()
    }

    fn braces(&mut self, writer: &mut ObjectWriter, keys: &Keys, start: StateId) {
        let (rule, end) = (writer.rule, writer.end);
        self.builder.start(rule, start);
        self.builder.accept(end);
        let open = self.gap_after_open(rule, writer.depth);
        self.builder.edge(start, b'{', b'{', OpId::NONE, open.enter);
        let close = self.builder.op(Op::ObjectClose { object: writer.object });
        if writer.is_done() {
            self.close_empty(open, close, b'}', end);
        }
        if !keys.alive() {
            return;
        }
        while let Some(met) = writer.todo.pop() {
            writer.met = met;
            let before = if met == 0 { Some(open) } else { None };
            self.write_members(writer, keys, before, close);
        }
    }

    /// Writes the members that follow once the writer's demands are met, or that follow `{`.
    fn write_members(&mut self, writer: &mut ObjectWriter, keys: &Keys, open: Option<Gap>, close: OpId) {
        let (rule, end) = (writer.rule, writer.end);
        let root = self.write_keys(writer, keys);
        let next = self.next_op(writer, keys);
        for state in open.into_iter().flat_map(Gap::states) {
            self.builder.edge(state, b'"', b'"', next, root);
        }
        let again = self.gap_after_comma(rule, writer.depth);
        for state in again.states() {
            self.builder.edge(state, b'"', b'"', OpId::NONE, root);
        }
        let Some(after) = writer.after[writer.met] else { return };
        for state in after.states() {
            self.builder.edge(state, b',', b',', next, again.enter);
            if writer.is_done() {
                self.close(rule, state, close, b'}', end, writer.depth);
            }
        }
    }

    /// Reports an object that cannot be expressed; returns whether it can be expressed.
    fn check_object(&mut self, arm: &ObjectArm, declared: usize, extra: bool) -> bool {
        // No declared key may follow an undeclared one, so undeclared keys must suffice for the minimum.
        let few_others = extra && self.policy.order == KeyOrder::Declared && self.algebra.others(arm) < arm.min;
        if few_others {
            self.errors.push(SchemaFault::new(arm.origin, SchemaFaultKind::FewUndeclaredKeys));
            return false;
        }
        if !extra && arm.min > declared as u64 {
            self.errors.push(SchemaFault::new(arm.origin, SchemaFaultKind::TooFewKeys));
            return false;
        }
        true
    }

    /// Returns the continuation of a complete key: the operation, and the state before `:`.
    pub(super) fn key_end(&mut self, writer: &mut ObjectWriter, spelled: Spelled) -> (OpId, StateId) {
        let object = writer.object;
        let (take, moves) = match spelled {
            Spelled::Declared(first, options @ 2..) => return self.fork(writer, first..first + options),
            Spelled::Declared(key, _) => {
                let moves = vec![Move { counted: 0, value: writer.values[key as usize] }];
                (Op::KeyTake { object, key }, moves)
            }
            Spelled::Extra(class) => (Op::KeyTakeExtra { object }, writer.classes[class as usize].clone()),
        };
        let ways = moves.iter().map(|way| {
            let met = writer.met | way.counted as usize;
            (self.target(way.value, writer.depth), self.value_op(writer, spelled, met), met)
        });
        let ways = ways.collect();
        let op = self.builder.op(take);
        let op = self.owing_op(writer, op, writer.owing.after_key(spelled, writer.met));
        (op, self.colon(writer, ways))
    }

    /// Returns the continuation of a key whose value depends on conditions. The text is read as every allowed key of
    /// that name at once; `:` decides which of them are possible.
    fn fork(&mut self, writer: &mut ObjectWriter, keys: Range<u32>) -> (OpId, StateId) {
        let (object, met) = (writer.object, writer.met);
        let after = self.after(writer, met);
        let before = self.gap(writer.rule);
        for key in keys.clone() {
            let target = self.target(writer.values[key as usize], writer.depth);
            let behind = self.gap_after_colon(writer.rule);
            let take = self.builder.op(Op::KeyTake { object, key });
            for state in before.states() {
                self.builder.edge(state, b':', b':', take, behind.enter);
            }
            for state in behind.states() {
                self.builder.call(state, target.call(after.enter, OpId::NONE));
            }
        }
        (self.builder.op(Op::KeyAlive { object, keys: keys.collect(), extra: false }), before.enter)
    }

    /// Returns the state before `:` for a list of ways to read a value; at the first request, makes it.
    fn colon(&mut self, writer: &mut ObjectWriter, ways: Vec<(Target, OpId, usize)>) -> StateId {
        if let Some(&known) = writer.colons.get(&ways) {
            return known;
        }
        let before = self.gap(writer.rule);
        let behind = self.gap_after_colon(writer.rule);
        for state in before.states() {
            self.builder.edge(state, b':', b':', OpId::NONE, behind.enter);
        }
        for &(target, op, met) in &ways {
            let after = self.after(writer, met);
            for state in behind.states() {
                self.builder.call(state, target.call(after.enter, op));
            }
        }
        writer.colons.insert(ways, before.enter);
        before.enter
    }

    /// Returns the gap after a member for a set of met demands; at the first request, makes it.
    fn after(&mut self, writer: &mut ObjectWriter, met: usize) -> Gap {
        if let Some(known) = writer.after[met] {
            return known;
        }
        let made = self.gap(writer.rule);
        writer.after[met] = Some(made);
        writer.todo.push(met);
        made
    }
}
