//! The members that demands still need if the number of members is bounded: guards reserve room for them.
//!
//! With at most two members and two demands that no single member can meet together, the first member must meet one of
//! them: its key must allow a suitable value, and its value must meet the demand.

use ogc_runtime::automaton::{Op, OpId};
use ogc_schema::{Algebra, ObjectArm};

use super::ObjectWriter;
use crate::lower::json::lowering::Lowering;
use crate::lower::json::trie::{Keys, Spelled};

/// The number of members that are owed, that is, required besides required keys.
#[derive(Clone, Debug, Default)]
pub(in crate::lower::json) struct Owing {
    /// By set of met demands: the minimum number of members that meet the others. Empty if the number of members is not
    /// bounded.
    needs: Vec<u32>,
    /// By class of unnamed keys: the sets of demands that a member of the class can meet.
    classes: Vec<Vec<usize>>,
}

/// The numbers of members owed after a declared key, and after an undeclared key.
pub(in crate::lower::json) type Owed = [u32; 2];

impl Owing {
    pub(in crate::lower::json) fn new(algebra: &Algebra<'_>, arm: &ObjectArm) -> Self {
        if arm.demands.all.is_empty() || arm.max.is_none() {
            return Self::default();
        }
        let needs = algebra.key_needs(arm).into_iter();
        let sets = |moves: &Vec<ogc_schema::Move>| {
            let possible = moves.iter().filter(|way| algebra.holds_something(way.value));
            possible.map(|way| way.counted as usize).collect()
        };
        Self {
            needs: needs.map(|need| need.map_or(0, |need| need as u32)).collect(),
            classes: arm.demands.moves.iter().map(sets).collect(),
        }
    }

    /// Returns whether no members are ever owed.
    fn is_none(&self) -> bool {
        self.needs.is_empty()
    }

    fn need(&self, met: usize) -> u32 {
        self.needs.get(met).copied().unwrap_or(0)
    }

    /// Returns the minimum number of members owed after an undeclared key of one of these classes.
    fn after_class(&self, classes: impl Iterator<Item = u32>, met: usize) -> u32 {
        let sets = classes.filter_map(|class| self.classes.get(class as usize)).flatten();
        sets.map(|set| self.need(met | set)).min().unwrap_or_else(|| self.need(met))
    }

    /// Returns the number of members owed after a key whose value may meet demands.
    pub(in crate::lower::json) fn after_key(&self, spelled: Spelled, met: usize) -> Owed {
        match spelled {
            Spelled::Declared(..) => [self.need(met); 2],
            Spelled::Extra(class) => [self.after_class(std::iter::once(class), met); 2],
        }
    }
}

/// The minimum numbers of members owed after undeclared keys, by state of the keys outside the trie, and by trie node.
#[derive(Debug, Default)]
pub(in crate::lower::json) struct Reachable {
    /// By state: the minimum number of members owed after a key that has reached the state.
    pub(in crate::lower::json) base: Vec<u32>,
    pub(in crate::lower::json) nodes: Vec<u32>,
}

impl Lowering<'_, '_> {
    /// Returns `op` with a guard: there must be room for the members that are owed after it.
    pub(in crate::lower::json) fn owing_op(
        &mut self,
        writer: &ObjectWriter,
        op: OpId,
        [declared, undeclared]: Owed,
    ) -> OpId {
        if writer.owing.is_none() || declared == 0 && undeclared == 0 {
            return op;
        }
        self.builder.op(Op::Owing { declared, undeclared, op })
    }

    /// Returns the guard on reading a value after which the demands `met` are met: there must be room for members that
    /// meet the others.
    pub(in crate::lower::json) fn value_op(&mut self, writer: &ObjectWriter, spelled: Spelled, met: usize) -> OpId {
        let need = writer.owing.need(met);
        let [known, _] = writer.owing.after_key(spelled, writer.met);
        if need <= known {
            return OpId::NONE;
        }
        // Room for one more undeclared key after which one member less is owed.
        let one = Op::KeyAlive { object: writer.object, keys: Box::default(), extra: true };
        let one = self.builder.op(one);
        self.owing_op(writer, one, [need - 1; 2])
    }

    /// Returns the guard before a key: at least one key must be allowed.
    pub(in crate::lower::json) fn next_op(&mut self, writer: &ObjectWriter, keys: &Keys<'_>) -> OpId {
        let next = self.builder.op(Op::KeyNext { object: writer.object });
        let root = self.reachable(writer, keys).nodes.first().copied().unwrap_or(0);
        self.owing_op(writer, next, [writer.owing.need(writer.met), root])
    }

    /// Computes the minimum number of members owed after an undeclared key, by the prefix of the key.
    pub(in crate::lower::json) fn reachable(&self, writer: &ObjectWriter, keys: &Keys<'_>) -> Reachable {
        let (owing, met) = (&writer.owing, writer.met);
        if owing.is_none() {
            return Reachable::default();
        }
        let of = |class: Option<u32>| class.map_or(u32::MAX, |class| owing.after_class(std::iter::once(class), met));
        let mut base: Vec<u32> = keys.base.class.iter().map(|&class| of(class)).collect();
        loop {
            let least = |at: usize| {
                let behind = keys.base.edges[at].iter().map(|edge| base[edge.to.index()]);
                behind.fold(base[at], u32::min)
            };
            let better: Vec<u32> = (0..base.len()).map(least).collect();
            if better == base {
                break;
            }
            base = better;
        }
        let mut nodes = vec![u32::MAX; keys.nodes.len()];
        for at in (0..nodes.len()).rev() {
            let node = &keys.nodes[at];
            let exits =
                node.base.into_iter().flat_map(|from| keys.exits(node, from)).map(|(_, _, to)| base[to as usize]);
            let below = node.children.iter().map(|&(_, child)| nodes[child as usize]);
            nodes[at] = exits.chain(below).fold(of(keys.ends(node)), u32::min);
        }
        Reachable { base, nodes }
    }
}

impl Reachable {
    /// Returns the number of members owed after an undeclared key that has reached a state outside the trie.
    pub(in crate::lower::json) fn of_base(&self, at: u32) -> u32 {
        self.base.get(at as usize).copied().unwrap_or(0)
    }

    /// Returns the number of members owed after an undeclared key that has reached a node of the trie.
    pub(in crate::lower::json) fn of_node(&self, at: u32) -> u32 {
        self.nodes.get(at as usize).copied().unwrap_or(0)
    }
}
