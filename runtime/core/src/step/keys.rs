//! The keys of an object: guards that decide which keys may come, and registers that remember which have come.
//!
//! In declared order, the frame remembers `from`, the least declared index that may still come. A key `k` is allowed if no required key is
//! skipped: `from <= k <= first required >= from`. An undeclared key may come when no required key is left; no declared key may come after
//! it. In any order, the frame remembers the set of declared keys seen.
//!
//! Objects with conditions remember the set in both orders ([`super::conditions`]).
//!
//! Objects that count members also use the countdowns `a` and `b`. Every guard is a reachability test: after it, all required keys can
//! still come, and there is room for them.

use super::conditions::{self, Seen};
use super::frame::Head;
use super::memory::Memory;
use super::stack::{KeySet, Stack};
use crate::automaton::{KeyOrder, ObjectShape};

/// Returns the registers after key `key`, if it may come now.
fn taken(shape: &ObjectShape, stack: &Stack, head: &Head, key: u32) -> Option<Head> {
    let mut next = *head;
    if !shape.conditions.is_empty() {
        let seen = Seen::of(shape, stack.set(head.memory));
        return conditions::may_come(shape, seen, key, conditions::last(shape, seen)).then_some(next);
    }
    if shape.counted && !next.tick() {
        return None;
    }
    let allowed = match shape.order {
        KeyOrder::Declared => {
            let (from, to) = window(shape, head.memory.word());
            from <= key && key <= to
        }
        KeyOrder::Any => !contains(stack.set(head.memory), key),
    };
    (allowed && (!shape.counted || room_after(shape, stack, &next, key))).then_some(next)
}

/// Returns whether an object that counts members has, after this key, room for the required keys, and enough keys left for its minimum.
fn room_after(shape: &ObjectShape, stack: &Stack, next: &Head, key: u32) -> bool {
    let (required_left, declared_left) = match shape.order {
        KeyOrder::Declared => {
            let left = shape.required.len() - shape.required.partition_point(|&r| r <= key);
            (left as u32, shape.keys - key - 1)
        }
        KeyOrder::Any => {
            let set = stack.set(next.memory);
            let own = u32::from(shape.required.binary_search(&key).is_ok());
            (missing_required(shape, set).saturating_sub(own), shape.keys.saturating_sub(seen(set) + 1))
        }
    };
    room(shape, next, required_left, declared_left)
}

/// Returns whether an object that counts members has room for the remaining required keys, and enough keys left for its minimum.
fn room(shape: &ObjectShape, head: &Head, required_left: u32, declared_left: u32) -> bool {
    head.a.saturating_add(head.b) >= required_left && (shape.extra || head.a <= declared_left)
}

/// Returns the declared keys that may come now, as an inclusive range; the upper end is `shape.keys` if no required key is left.
fn window(shape: &ObjectShape, from: u32) -> (u32, u32) {
    let next = shape.required.partition_point(|&r| r < from);
    (from, shape.required.get(next).copied().unwrap_or(shape.keys))
}

fn contains(set: Option<&KeySet>, key: u32) -> bool {
    set.and_then(|set| set.get(key as usize / 64)).is_some_and(|word| word >> (key % 64) & 1 == 1)
}

fn seen(set: Option<&KeySet>) -> u32 {
    set.map_or(0, |set| set.iter().map(|word| word.count_ones()).sum())
}

fn missing_required(shape: &ObjectShape, set: Option<&KeySet>) -> u32 {
    shape.required.iter().filter(|&&key| !contains(set, key)).count() as u32
}

/// Returns the registers after an undeclared key, if one may come now. The set of seen keys does not contain the key yet.
fn extra_taken(shape: &ObjectShape, stack: &Stack, head: &Head) -> Option<Head> {
    if !shape.extra {
        return None;
    }
    let mut next = *head;
    if !shape.conditions.is_empty() {
        let seen = Seen::of(shape, stack.set(head.memory));
        return conditions::others_may_come(shape, seen).then_some(next);
    }
    if shape.counted && !next.tick() {
        return None;
    }
    match shape.order {
        KeyOrder::Declared => {
            let none_required = shape.required.last().is_none_or(|&last| last < head.memory.word());
            next.memory = Memory::of_number(shape.keys);
            none_required.then_some(next)
        }
        KeyOrder::Any => {
            let required_left = || missing_required(shape, stack.set(head.memory));
            (!shape.counted || room(shape, &next, required_left(), u32::MAX)).then_some(next)
        }
    }
}

/// Returns whether the declared key may be the next one.
pub(crate) fn key_may_come(shape: &ObjectShape, stack: &Stack, head: &Head, key: u32) -> bool {
    if shape.order == KeyOrder::Any && !shape.counted && shape.conditions.is_empty() {
        return !contains(stack.set(head.memory), key);
    }
    taken(shape, stack, head, key).is_some()
}

/// Returns whether the declared key or, in declared order, a later one has come.
pub(crate) fn key_is_past(shape: &ObjectShape, stack: &Stack, head: &Head, key: u32) -> bool {
    if shape.keeps_set() {
        let seen = Seen::of(shape, stack.set(head.memory));
        return seen.has(key) || key < seen.from();
    }
    key < head.memory.word()
}

/// Returns whether an undeclared key may be the next one.
pub(crate) fn extra_may_come(shape: &ObjectShape, stack: &Stack, head: &Head) -> bool {
    extra_taken(shape, stack, head).is_some()
}

pub(super) fn alive(shape: &ObjectShape, stack: &Stack, head: &Head, keys: &[u32], extra: bool) -> bool {
    if !shape.conditions.is_empty() {
        return (extra && extra_taken(shape, stack, head).is_some()) || some_may_come(shape, stack, head, keys);
    }
    // In declared order, keys before the position are past; the first key that is not past decides quickly.
    let from = match shape.order {
        KeyOrder::Declared => keys.partition_point(|&key| key < head.memory.word()),
        KeyOrder::Any => 0,
    };
    (extra && extra_taken(shape, stack, head).is_some())
        || keys[from..].iter().any(|&key| taken(shape, stack, head, key).is_some())
}

/// Returns whether one of the declared keys may come in an object with conditions. `keys` ascends.
fn some_may_come(shape: &ObjectShape, stack: &Stack, head: &Head, keys: &[u32]) -> bool {
    let seen = Seen::of(shape, stack.set(head.memory));
    let last = conditions::last(shape, seen);
    let within = keys.iter().take_while(|&&key| key <= last);
    within.into_iter().any(|&key| conditions::may_come(shape, seen, key, last))
}

/// Adds a key to a set of seen keys.
pub(crate) fn with_seen(mut set: KeySet, key: u32) -> KeySet {
    let word = key as usize / 64;
    if set.len() <= word {
        set.resize(word + 1, 0);
    }
    set[word] |= 1 << (key % 64);
    set
}

pub(super) fn take(shape: &ObjectShape, stack: &mut Stack, head: &mut Head, key: u32) -> bool {
    let Some(next) = taken(shape, stack, head, key) else {
        return false;
    };
    *head = next;
    head.memory = match shape.keeps_set() {
        false => Memory::of_number(key + 1),
        true => with_key(stack, head, key),
    };
    true
}

fn with_key(stack: &mut Stack, head: &Head, key: u32) -> Memory {
    let set = stack.set(head.memory).cloned().unwrap_or_default();
    stack.add_set(with_seen(set, key))
}

pub(super) fn take_extra(shape: &ObjectShape, stack: &mut Stack, head: &mut Head) -> bool {
    let Some(next) = extra_taken(shape, stack, head) else {
        return false;
    };
    *head = next;
    let others = conditions::others(shape);
    if !shape.conditions.is_empty() && conditions::remembers_others(shape) && !contains(stack.set(head.memory), others)
    {
        head.memory = with_key(stack, head, others);
    }
    true
}

/// Returns whether some key may come next.
pub(super) fn next(shape: &ObjectShape, stack: &Stack, head: &Head) -> bool {
    extra_taken(shape, stack, head).is_some() || declared_may_come(shape, stack, head)
}

/// Returns whether some declared key may come next.
pub(super) fn declared_may_come(shape: &ObjectShape, stack: &Stack, head: &Head) -> bool {
    if !shape.conditions.is_empty() {
        let seen = Seen::of(shape, stack.set(head.memory));
        let last = conditions::last(shape, seen);
        let keys = seen.from()..shape.keys.min(last.saturating_add(1));
        return keys.into_iter().any(|key| conditions::may_come(shape, seen, key, last));
    }
    match shape.order {
        KeyOrder::Declared => {
            let (from, to) = window(shape, head.memory.word());
            (from..shape.keys.min(to.saturating_add(1))).any(|key| taken(shape, stack, head, key).is_some())
        }
        KeyOrder::Any => (0..shape.keys).any(|key| taken(shape, stack, head, key).is_some()),
    }
}

pub(super) fn close(shape: &ObjectShape, stack: &Stack, head: &Head) -> bool {
    let complete = match shape.keeps_set() {
        false => shape.required.last().is_none_or(|&last| last < head.memory.word()),
        true => {
            let set = stack.set(head.memory);
            shape.required.iter().all(|&key| contains(set, key)) && conditions::are_met(shape, Seen::of(shape, set))
        }
    };
    complete && (!shape.counted || head.a == 0)
}

/// For declared order only: maps a position inside a key, which can become one of `keys` or an undeclared key, to a canonical position that
/// allows the same of these keys. Positions that allow the same of them are mapped to one.
///
/// The canonical position is the first of `keys` that may come. No key between `position` and it is required (or it could not come), so
/// that the same keys may come from there, and an undeclared one if it could before. If none of `keys` may come but an undeclared key may,
/// all declared keys count as past. If no key may come, the position stays.
pub(crate) fn canonical_position(shape: &ObjectShape, position: u32, keys: &[u32]) -> u32 {
    let (from, to) = window(shape, position);
    let next = keys.partition_point(|&key| key < from);
    match keys.get(next) {
        Some(&key) if key <= to => key,
        _ if to == shape.keys => shape.keys,
        _ => position,
    }
}
