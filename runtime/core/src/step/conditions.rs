//! Objects with conditions on their keys: decides which keys may come so that all conditions can still be met.
//!
//! The frame of such an object remembers the set of seen keys, even in declared order, where all keys before the last seen one are past.
//! Two bits follow the bits of the declared keys. One is set once an undeclared key has come ([`others`]). The other turns off all checks
//! ([`unasked`]), for parts of completions that are followed separately from the rest of their object.
//!
//! No key is in two diagrams, so that all conditions can be met together if each can be met. A diagram can be met if some path through it
//! agrees with the keys that have come and the keys that are past.

use smallvec::{SmallVec, smallvec};

use super::stack::KeySet;
use crate::automaton::{KeyChoice, KeyDiagram, KeyOrder, ObjectShape};

/// The bit that is set once an undeclared key has come.
pub(super) fn others(shape: &ObjectShape) -> u32 {
    shape.keys
}

/// The bit that turns off the checks of conditions and of the order.
pub(crate) fn unasked(shape: &ObjectShape) -> u32 {
    shape.keys + 1
}

/// The keys that have come (possibly with one more assumed), and the least declared key that is not past.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen<'s> {
    set: &'s [u64],
    more: Option<u32>,
    from: u32,
}

impl<'s> Seen<'s> {
    /// Makes the seen keys from a set.
    pub(crate) fn of(shape: &ObjectShape, set: Option<&'s KeySet>) -> Self {
        let set = set.map(|set| set.as_slice()).unwrap_or_default();
        let mut seen = Self { set, more: None, from: 0 };
        if shape.order == KeyOrder::Declared && !seen.has(unasked(shape)) {
            seen.from = if seen.has(others(shape)) { shape.keys } else { seen.behind_last() };
        }
        seen
    }

    /// Returns whether the key has come.
    pub(crate) fn has(&self, key: u32) -> bool {
        self.more == Some(key) || self.set.get(key as usize / 64).is_some_and(|word| word >> (key % 64) & 1 == 1)
    }

    /// Returns the least declared key that is not past.
    pub(crate) fn from(&self) -> u32 {
        self.from
    }

    fn behind_last(&self) -> u32 {
        let last = self.set.iter().rposition(|&word| word != 0);
        last.map_or(0, |at| 64 * at as u32 + 64 - self.set[at].leading_zeros())
    }

    /// Returns the seen keys, with all declared keys before `from` counted as past.
    fn up_to(self, from: u32) -> Self {
        Self { from, ..self }
    }

    /// Returns the option that a choice has taken, if that is decided: 0 for none of its keys, `i + 1` for its `i`-th key.
    pub(crate) fn option(&self, choice: &KeyChoice) -> Option<u32> {
        let came = (0..choice.options()).find(|option| self.has(choice.first + option));
        came.map(|option| option + 1).or((choice.first < self.from).then_some(0))
    }

    /// Returns the target of a choice, if its option is decided.
    fn decided(&self, choice: &KeyChoice) -> Option<u32> {
        choice.next.get(self.option(choice)? as usize).copied()
    }

    /// Returns whether some path through a diagram agrees with the keys.
    fn can_meet(&self, diagram: &KeyDiagram) -> bool {
        let mut reached: SmallVec<[bool; 32]> = smallvec![false; diagram.choices.len()];
        let mut holds = false;
        reached.iter_mut().take(1).for_each(|first| *first = true);
        for (at, choice) in diagram.choices.iter().enumerate() {
            if !reached[at] {
                continue;
            }
            let mut go = |next: u32| match reached.get_mut(next as usize) {
                Some(slot) => *slot = true,
                None => holds |= next == KeyDiagram::HOLDS,
            };
            match self.decided(choice) {
                Some(next) => go(next),
                None => choice.next.iter().for_each(|&next| go(next)),
            }
            if holds {
                return true;
            }
        }
        false
    }

    /// Returns whether the condition holds for the keys that have come, if no more come.
    fn meets(&self, diagram: &KeyDiagram) -> bool {
        let mut at = 0;
        while let Some(choice) = diagram.choices.get(at as usize) {
            let none = || choice.next.first().copied();
            let Some(next) = self.decided(choice).or_else(none) else { return false };
            at = next;
        }
        at == KeyDiagram::HOLDS
    }
}

/// Returns whether the conditions allow the object to end.
pub(super) fn are_met(shape: &ObjectShape, seen: Seen<'_>) -> bool {
    seen.has(unasked(shape)) || shape.conditions.diagrams().iter().all(|diagram| seen.meets(diagram))
}

/// Returns the last declared key that may come next, in declared order: all keys from [`Seen::from`] up to it can be skipped. Returns
/// `shape.keys` if all keys can be skipped.
pub(super) fn last_reachable(shape: &ObjectShape, seen: Seen<'_>) -> u32 {
    let next = shape.required.partition_point(|&key| key < seen.from);
    let required = shape.required.get(next).copied().unwrap_or(shape.keys);
    let ahead = shape.conditions.groups().skip_while(|group| group.start < seen.from);
    let mut groups = ahead.take_while(|group| group.start < required.min(shape.keys));
    // For each group in turn: check whether all keys up to its end can be skipped. Only the group's own diagram has changed.
    let blocks = |group: &std::ops::Range<u32>| {
        let diagram = shape.conditions.of(group.start).map(|(_, diagram)| diagram);
        diagram.is_some_and(|diagram| !seen.up_to(group.end).can_meet(diagram))
    };
    // Only one key of a group may come, so that the last of them may still be the next key.
    groups.find(blocks).map_or(required, |group| group.end - 1)
}

/// Returns whether the declared key may come; in declared order, only up to `last`, the result of [`last_reachable`].
pub(super) fn may_come(shape: &ObjectShape, seen: Seen<'_>, key: u32, last: u32) -> bool {
    if seen.has(key) {
        return false;
    }
    if seen.has(unasked(shape)) {
        return true;
    }
    let found = shape.conditions.of(key);
    let rivals = found.as_ref().map_or(key..key + 1, |(rivals, _)| rivals.clone());
    let in_order = shape.order == KeyOrder::Any || seen.from <= rivals.start && key <= last;
    if !in_order || rivals.into_iter().any(|rival| seen.has(rival)) {
        return false;
    }
    let from = if shape.order == KeyOrder::Any { 0 } else { key + 1 };
    found.is_none_or(|(_, diagram)| Seen { more: Some(key), from, ..seen }.can_meet(diagram))
}

/// Returns [`last_reachable`], or `shape.keys` if the order is not checked.
pub(super) fn last(shape: &ObjectShape, seen: Seen<'_>) -> u32 {
    if shape.order == KeyOrder::Any || seen.has(unasked(shape)) { shape.keys } else { last_reachable(shape, seen) }
}

/// Returns whether an undeclared key may come: in declared order, only if no declared key has to come before it.
pub(super) fn others_may_come(shape: &ObjectShape, seen: Seen<'_>) -> bool {
    if seen.has(unasked(shape)) || seen.has(others(shape)) {
        return true;
    }
    let after = match shape.order {
        KeyOrder::Declared if last_reachable(shape, seen) < shape.keys => return false,
        KeyOrder::Declared => Seen { more: Some(others(shape)), from: shape.keys, ..seen },
        KeyOrder::Any => Seen { more: Some(others(shape)), ..seen },
    };
    shape.conditions.of(others(shape)).is_none_or(|(_, diagram)| after.can_meet(diagram))
}

/// Returns whether later keys may depend on the bit of undeclared keys.
pub(super) fn remembers_others(shape: &ObjectShape) -> bool {
    shape.order == KeyOrder::Declared || shape.conditions.of(others(shape)).is_some()
}
