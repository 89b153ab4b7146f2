//! Writes the rules of objects: braces, the key automaton, and one path of `:` and value for each distinct kind of
//! value.

use std::ops::Range;

use ogc_runtime::automaton::{KeyConditions, KeyOrder, ObjectId, ObjectShape, Op, OpId, RuleId, StateId, StateKind};
use ogc_schema::{ObjectArm, ValueId};
use rustc_hash::FxHashMap;

use super::Target;
use super::conditions::{Declared, conditions};
use super::lowering::Lowering;
use super::space::Gap;
use super::trie::{Keys, Spelled};
use crate::schema_fault::{SchemaFault, SchemaFaultKind};

/// An object rule while it is written.
pub(super) struct ObjectWriter {
    pub(super) rule: RuleId,
    pub(super) object: ObjectId,
    depth: u32,
    /// The white space behind a member.
    after: Gap,
    /// The values of the declared keys, by declared index.
    pub(super) values: Vec<ValueId>,
    /// The values of the classes of other keys.
    pub(super) classes: Vec<ValueId>,
    /// The state before `:`, by kind of value.
    colons: FxHashMap<Target, StateId>,
    /// Whether an undeclared key may be refused for its time or number.
    pub(super) extra_can_fail: bool,
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
        if !self.check_object(arm, required.len(), declared.len(), keys.has_extra()) {
            return;
        }
        let counted = arm.min > 0 || arm.max.is_some();
        let conditions_on_extra = match self.policy.order {
            KeyOrder::Declared => !conditions.is_empty(),
            KeyOrder::Any => conditions.speak_of(declared.len() as u32),
        };
        let extra_can_fail =
            counted || conditions_on_extra || self.policy.order == KeyOrder::Declared && !required.is_empty();
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
        let after = self.gap(rule);
        let classes = arm.rest.classes.clone();
        let colons = FxHashMap::default();
        let mut writer = ObjectWriter { rule, object, depth, after, values, classes, colons, extra_can_fail };
        self.braces(&mut writer, &keys);
    }

    fn braces(&mut self, writer: &mut ObjectWriter, keys: &Keys) {
        let rule = writer.rule;
        let start = self.builder.state(rule, StateKind::Bytes);
        let end = self.builder.state(rule, StateKind::Bytes);
        self.builder.start(rule, start);
        self.builder.accept(end);
        let open = self.gap_after_open(rule, writer.depth);
        self.builder.edge(start, b'{', b'{', OpId::NONE, open.enter);
        let close = self.builder.op(Op::ObjectClose { object: writer.object });
        self.close_empty(open, close, b'}', end);
        if !keys.alive() {
            return;
        }
        let root = self.write_keys(writer, keys);
        let next = self.builder.op(Op::KeyNext { object: writer.object });
        for state in open.states() {
            self.builder.edge(state, b'"', b'"', next, root);
        }
        let again = self.gap_after_comma(rule, writer.depth);
        for state in again.states() {
            self.builder.edge(state, b'"', b'"', OpId::NONE, root);
        }
        for state in writer.after.states() {
            self.builder.edge(state, b',', b',', next, again.enter);
            self.close(rule, state, close, b'}', end, writer.depth);
        }
    }

    /// Reports an object that cannot be expressed; returns whether it can.
    fn check_object(&mut self, arm: &ObjectArm, required: usize, declared: usize, extra: bool) -> bool {
        if extra && arm.min > required as u64 + 1 {
            self.errors.push(SchemaFault::new(arm.origin, SchemaFaultKind::UndeclaredKeysCounted));
            return false;
        }
        if !extra && arm.min > declared as u64 {
            self.errors.push(SchemaFault::new(arm.origin, SchemaFaultKind::TooFewKeys));
            return false;
        }
        true
    }

    /// Returns the way on from a complete key: the operation, and the state before `:`.
    pub(super) fn key_end(&mut self, writer: &mut ObjectWriter, spelled: Spelled) -> (OpId, StateId) {
        let object = writer.object;
        let (op, value) = match spelled {
            Spelled::Declared(first, options @ 2..) => return self.fork(writer, first..first + options),
            Spelled::Declared(key, _) => (Op::KeyTake { object, key }, writer.values[key as usize]),
            Spelled::Extra(class) => (Op::KeyTakeExtra { object }, writer.classes[class as usize]),
        };
        let target = self.target(value, writer.depth);
        (self.builder.op(op), self.colon(writer, target))
    }

    /// Returns the way on from a key whose values are told apart: the text is read as each of the keys of that name that may come, which
    /// is known behind `:`.
    fn fork(&mut self, writer: &ObjectWriter, keys: Range<u32>) -> (OpId, StateId) {
        let object = writer.object;
        let before = self.gap(writer.rule);
        for key in keys.clone() {
            let target = self.target(writer.values[key as usize], writer.depth);
            let behind = self.gap_after_colon(writer.rule);
            let take = self.builder.op(Op::KeyTake { object, key });
            for state in before.states() {
                self.builder.edge(state, b':', b':', take, behind.enter);
            }
            for state in behind.states() {
                self.builder.call(state, target.call(writer.after.enter, OpId::NONE));
            }
        }
        (self.builder.op(Op::KeyAlive { object, keys: keys.collect(), extra: false }), before.enter)
    }

    /// Returns the state before `:` of a kind of value, which is made if it is new.
    fn colon(&mut self, writer: &mut ObjectWriter, target: Target) -> StateId {
        if let Some(&known) = writer.colons.get(&target) {
            return known;
        }
        let before = self.gap(writer.rule);
        let behind = self.gap_after_colon(writer.rule);
        for state in before.states() {
            self.builder.edge(state, b':', b':', OpId::NONE, behind.enter);
        }
        for state in behind.states() {
            self.builder.call(state, target.call(writer.after.enter, OpId::NONE));
        }
        writer.colons.insert(target, before.enter);
        before.enter
    }
}
