//! The contents of a store's entries: shared rows and exits, and memory of their own.

use std::sync::Arc;

use crate::automaton::ByteSet;
use crate::mask::classes::StateKey;
use crate::mask::effort::Effort;
use crate::mask::exit_set::ExitSet;
use crate::mask::part::{Base, CostGroup, Costed, Tail, Way};
use crate::mask::row::Row;

/// A row or a set of exits that entries share.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shared<'a> {
    Row(&'a Arc<Row>),
    Exits(&'a ExitSet),
}

/// A key or a value of a store.
pub(super) trait Holdings {
    /// Calls `f` with each row and each set of exits in this key or value.
    fn each(&self, f: &mut dyn FnMut(Shared<'_>));

    /// Returns the bytes of its own memory, without its slot in the table and without shared rows and exits.
    fn own_bytes(&self) -> usize {
        0
    }
}

impl Holdings for StateKey {
    fn each(&self, _: &mut dyn FnMut(Shared<'_>)) {}
}

/// The fingerprint of a rule, and the number of a state in the rule.
pub(in crate::mask) type NeedsKey = (u128, u32);

impl Holdings for NeedsKey {
    fn each(&self, _: &mut dyn FnMut(Shared<'_>)) {}
}

/// The exits after which a tail begins (empty for a base), and the class of its frame.
pub(in crate::mask) type AfterKey = (ExitSet, StateKey);

impl Holdings for AfterKey {
    fn each(&self, f: &mut dyn FnMut(Shared<'_>)) {
        f(Shared::Exits(&self.0));
    }
}

/// Exits, and the follow set by which they are filtered.
pub(super) type ContinuedKey = (ExitSet, ByteSet);

impl Holdings for ContinuedKey {
    fn each(&self, f: &mut dyn FnMut(Shared<'_>)) {
        f(Shared::Exits(&self.0));
    }
}

impl Holdings for ExitSet {
    fn each(&self, f: &mut dyn FnMut(Shared<'_>)) {
        f(Shared::Exits(self));
    }
}

/// The hash of heads and their stacks by content.
impl Holdings for u128 {
    fn each(&self, _: &mut dyn FnMut(Shared<'_>)) {}
}

impl Holdings for (bool, Effort) {
    fn each(&self, _: &mut dyn FnMut(Shared<'_>)) {}
}

impl Holdings for Base {
    fn each(&self, f: &mut dyn FnMut(Shared<'_>)) {
        f(Shared::Row(&self.row));
        f(Shared::Exits(&self.exits));
        each_of_ways(self.ways.as_deref(), f);
    }

    fn own_bytes(&self) -> usize {
        self.ways.as_deref().map_or(0, size_of_val)
    }
}

impl Holdings for Tail {
    fn each(&self, f: &mut dyn FnMut(Shared<'_>)) {
        self.row.iter().for_each(|row| f(Shared::Row(row)));
        f(Shared::Exits(&self.exits));
        each_of_ways(self.ways.as_deref(), f);
    }

    fn own_bytes(&self) -> usize {
        self.ways.as_deref().map_or(0, size_of_val)
    }
}

fn each_of_ways(ways: Option<&[Way]>, f: &mut dyn FnMut(Shared<'_>)) {
    for way in ways.into_iter().flatten() {
        way.row.iter().for_each(|row| f(Shared::Row(row)));
        f(Shared::Exits(&way.exits));
    }
}

impl Holdings for Arc<Costed> {
    fn each(&self, f: &mut dyn FnMut(Shared<'_>)) {
        self.groups.iter().for_each(|group| f(Shared::Row(&group.row)));
        f(Shared::Exits(&self.exits));
    }

    fn own_bytes(&self) -> usize {
        2 * size_of::<usize>() + size_of::<Costed>() + self.groups.capacity() * size_of::<CostGroup>()
    }
}

impl Holdings for Arc<[CostGroup]> {
    fn each(&self, f: &mut dyn FnMut(Shared<'_>)) {
        self.iter().for_each(|group| f(Shared::Row(&group.row)));
    }

    fn own_bytes(&self) -> usize {
        2 * size_of::<usize>() + size_of_val(&**self)
    }
}
