//! Writes the key automaton of an object: text states for the trie of its keys and for all other keys.
//!
//! A guard is written only where the set of possible keys changes, and only if the guard can fail.

use always_assert::never;
use ogc_runtime::automaton::{Op, OpId, StateId, StateKind};
use ogc_schema::{ObjectArm, ValueId};

use super::lowering::Lowering;
use super::object::{ObjectWriter, Reachable};
use super::trie::{Base, Keys, Name, Spelled};

/// The states of keys outside the trie, made when they are first reached.
struct Others {
    states: Vec<Option<StateId>>,
    todo: Vec<u32>,
    /// The numbers of members that are owed after these keys.
    reachable: Reachable,
}

impl Lowering<'_, '_> {
    /// Returns the keys of an object arm. `possible` says for each key whether it is possible; its last entry is for
    /// undeclared keys.
    pub(super) fn keys<'k>(&self, arm: &'k ObjectArm, possible: &[bool]) -> Keys<'k> {
        let holds = |value: ValueId| self.algebra.holds_something(value);
        let base = match &arm.rest.keys {
            _ if possible.last() == Some(&false) => Base::closed(),
            _ if !arm.rest.classes.iter().any(|&class| holds(class)) => Base::closed(),
            None => Base::any(),
            Some(keys) => {
                let possible = |class: &u32| arm.rest.classes.get(*class as usize).is_some_and(|&value| holds(value));
                Base::classes(&keys.edges, keys.class.iter().map(|class| class.filter(possible)).collect())
            }
        };
        let (mut next, mut at) = (0, 0);
        // Neighbouring keys with the same name are one key of the trie.
        let names = arm.keys.chunk_by(|key, other| key.name == other.name).map(|keys| {
            let own = possible.iter().skip(at).take(keys.len());
            at += keys.len();
            let options = own.filter(|possible| **possible).count() as u32;
            let name = if options > 0 { Name::Declared(next, options) } else { Name::Forbidden };
            next += options;
            (keys[0].name.as_str(), name)
        });
        Keys::new(names, base)
    }

    /// Writes the key automaton; returns its root.
    pub(super) fn write_keys(&mut self, writer: &mut ObjectWriter, keys: &Keys<'_>) -> StateId {
        let states = self.states(writer.rule, StateKind::Text, keys.nodes.len());
        let plain_leave = self.leave_op(writer, 0);
        let reachable = self.reachable(writer, keys);
        let mut others = Others { states: vec![None; keys.base.edges.len()], todo: Vec::new(), reachable };
        for (at, (node, &from)) in (0..).zip(keys.nodes.iter().zip(&states)) {
            for &(byte, child) in &node.children {
                let below = &keys.nodes[child as usize];
                if below.below > 0 || below.extra {
                    let owed = others.reachable.of_node(child);
                    let same = below.below == node.below && below.extra == node.extra;
                    let same = same && owed == others.reachable.of_node(at);
                    let op = if same { OpId::NONE } else { self.alive_op(writer, keys, child, owed) };
                    self.builder.edge(from, byte, byte, op, states[child as usize]);
                }
            }
            if let Some(base) = node.base {
                for (lo, hi, to) in keys.exits(node, base) {
                    let owed = others.reachable.of_base(to);
                    let same = node.below == 0 && owed == others.reachable.of_node(at);
                    let leave = match owed {
                        _ if same => OpId::NONE,
                        0 => plain_leave,
                        _ => self.leave_op(writer, owed),
                    };
                    let to = self.other(writer, &mut others, to);
                    self.builder.edge(from, lo, hi, leave, to);
                }
            }
            let spelled = match node.name {
                Name::Declared(key, options) => Some(Spelled::Declared(key, options)),
                Name::Forbidden => None,
                Name::Other => keys.ends(node).map(Spelled::Extra),
            };
            self.end_key(writer, from, spelled);
        }
        self.write_others(writer, keys, &mut others);
        states[0]
    }

    fn end_key(&mut self, writer: &mut ObjectWriter, from: StateId, spelled: Option<Spelled>) {
        if let Some(spelled) = spelled {
            let (op, to) = self.key_end(writer, spelled);
            self.builder.close(from, op, to);
        }
    }

    fn other(&mut self, writer: &ObjectWriter, others: &mut Others, at: u32) -> StateId {
        if let Some(known) = others.states[at as usize] {
            return known;
        }
        let made = self.builder.state(writer.rule, StateKind::Text);
        others.states[at as usize] = Some(made);
        others.todo.push(at);
        made
    }

    fn write_others(&mut self, writer: &mut ObjectWriter, keys: &Keys<'_>, others: &mut Others) {
        while let Some(at) = others.todo.pop() {
            let Some(from) = others.states[at as usize] else {
                never!("other keys have no state for {}", at);
                continue;
            };
            for edge in keys.base.edges[at as usize].iter().filter(|edge| keys.base.alive[edge.to.index()]) {
                let owed = others.reachable.of_base(edge.to.0);
                let same = owed == others.reachable.of_base(at);
                let op = if same { OpId::NONE } else { self.leave_op(writer, owed) };
                let to = self.other(writer, others, edge.to.0);
                self.builder.edge(from, edge.lo, edge.hi, op, to);
            }
            self.end_key(writer, from, keys.base.class[at as usize].map(Spelled::Extra));
        }
    }

    /// Returns the guard on leaving the trie: an undeclared key must be allowed now, after which `owed` members are
    /// still owed.
    fn leave_op(&mut self, writer: &ObjectWriter, owed: u32) -> OpId {
        if !writer.extra_can_fail {
            return OpId::NONE;
        }
        let op = self.builder.op(Op::KeyAlive { object: writer.object, keys: Box::default(), extra: true });
        self.owing_op(writer, op, [owed; 2])
    }

    /// Returns the guard on entering a trie node; `owed` members are owed after the undeclared keys below it.
    fn alive_op(&mut self, writer: &ObjectWriter, keys: &Keys<'_>, at: u32, owed: u32) -> OpId {
        let node = &keys.nodes[at as usize];
        if node.extra && !writer.extra_can_fail {
            return OpId::NONE;
        }
        let declared = keys.declared_below(at).into_boxed_slice();
        let op = self.builder.op(Op::KeyAlive { object: writer.object, keys: declared, extra: node.extra });
        self.owing_op(writer, op, [writer.owing.after_key(Spelled::Declared(0, 1), writer.met)[0], owed])
    }
}
