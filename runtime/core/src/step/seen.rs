//! Arrays without duplicate items, and objects in which no undeclared key may come twice: the memory of their frames, and the rule for
//! ending an item or a key.
//!
//! The frame of such an array refers to an entry in an arena, with the complete items and the place in the text where the next item begins.
//! After an item, `,` or `]` adds the item, or is refused if the item is there already. An item that contains an object with a repeated key
//! is refused too, as such an object has no definite value.
//!
//! The frame of such an object refers to an entry in the same way. The closing quote of an undeclared key adds the key, or is refused if
//! the key is there already. The entry also has the memory of the declared keys ([`super::keys`]).
//!
//! Only the stack of a matcher, which reads one text, keeps the text ([`Stack::of_text`]) and does this. Masks are made on stacks that keep
//! no text, as if each item and each key were new; [`crate::matcher`] then removes tokens from them.

use std::sync::Arc;

use super::frame::Head;
use super::memory::{Memory, Remembered, SeenId};
use super::seen_text::SeenText;
use super::stack::{Mark, Stack};
use crate::automaton::{Automaton, Op, StateKind};
use crate::item::ItemReader;

impl Stack {
    /// Makes a stack. It keeps the text if `is_kept`, which formats need that have arrays without duplicate items.
    pub(crate) fn of_text(is_kept: bool) -> Self {
        let mut stack = Self::default();
        stack.set_seen(is_kept.then(SeenText::default));
        stack
    }

    /// Returns whether an item was refused since the last call.
    pub(crate) fn take_refused(&mut self) -> bool {
        self.seen_mut().is_some_and(|seen| std::mem::take(&mut seen.refused))
    }

    /// Returns the number of an object's undeclared keys, if the stack has overflowed because too few new keys may be left for it.
    pub(crate) fn take_too_many(&mut self) -> Option<u32> {
        let many = std::mem::take(&mut self.seen_mut()?.too_many);
        (many != 0).then_some(many)
    }

    /// Returns the length of the kept text.
    pub(crate) fn text_len(&self) -> usize {
        self.seen().map_or(0, |seen| seen.text.len())
    }

    /// Truncates the kept text to `len` bytes, and appends `text`, which other frames have read.
    pub(crate) fn set_text(&mut self, len: usize, text: &[u8]) {
        if let Some(seen) = self.seen_mut() {
            seen.text.truncate(len);
            text.iter().for_each(|byte| seen.text.push(*byte));
        }
    }

    /// Returns the entry to which a frame's memory refers, if it does.
    #[inline]
    pub(crate) fn seen_of(memory: Memory) -> Option<SeenId> {
        match memory.get() {
            Remembered::Seen(id) => Some(id),
            Remembered::Number(_) | Remembered::Keys(_) | Remembered::Way(_) => None,
        }
    }

    /// Returns the memory of a frame without its items: its declared keys, its tokens left, or its way.
    #[inline]
    pub(crate) fn registers(&self, memory: Memory) -> Memory {
        match Self::seen_of(memory) {
            None => memory,
            Some(id) => {
                self.seen().and_then(|seen| seen.seen.get(id.0 as usize)).map_or(Memory::EMPTY, |seen| seen.declared)
            }
        }
    }

    /// Returns the memory of a frame with the items of an entry, and with other registers beside them.
    pub(super) fn with_registers(&mut self, id: SeenId, registers: Memory) -> Memory {
        match self.seen_mut() {
            Some(seen) => Memory::of_seen(seen.set_declared(id, registers)),
            None => Memory::of_seen(id),
        }
    }

    /// Returns whether an item or key of the entry is being read, or may begin.
    pub(crate) fn is_item_open(&self, id: SeenId) -> bool {
        self.seen().is_some_and(|seen| seen.is_open(id))
    }

    /// Returns a reader that has read the item so far.
    pub(crate) fn item(&self, id: SeenId) -> ItemReader {
        let start = self
            .seen()
            .filter(|seen| seen.is_open(id))
            .and_then(|seen| Some((seen, seen.seen.get(id.0 as usize)?.start)));
        start.map_or_else(ItemReader::default, |(seen, start)| seen.reader(start as usize, seen.text.len()))
    }

    /// Returns the items of an entry.
    pub(crate) fn items(&self, id: SeenId) -> impl Iterator<Item = &Arc<[u8]>> {
        let entries = self.seen().into_iter().flat_map(move |seen| seen.chain(id));
        entries.filter_map(|(_, seen)| seen.item.as_ref())
    }

    /// Appends a description of the items to which a frame's memory refers: entries that were there at a mark by their numbers, newer ones by
    /// their items.
    pub(super) fn describe_items(&self, mark: Mark, id: SeenId, out: &mut impl Extend<u32>) {
        let Some(seen) = self.seen() else { return };
        for (entry, known) in seen.chain(id) {
            if mark.has_entry(entry) {
                return out.extend([entry.0]);
            }
            let item = known.item.as_deref().unwrap_or_default();
            out.extend([u32::MAX, item.len() as u32]);
            out.extend(item.iter().map(|byte| u32::from(*byte)));
        }
    }
}

/// Updates the memory of heads that have just moved by a byte, if their rule compares items or keys. `before` is the head before the byte.
pub(super) fn pass(
    automaton: &Automaton,
    stack: &mut Stack,
    before: Head,
    byte: u8,
    moved: &mut Vec<Head>,
    first: usize,
) {
    let rule = automaton.rule_of(before.state);
    if !rule.distinct_items || moved.len() == first {
        return;
    }
    if rule.object.is_none() {
        return pass_item(stack, before.memory, byte, moved, first);
    }
    let Some(event) = event(automaton, before, byte) else { return };
    let few_keys = rule.few_keys;
    let mut at = first;
    while let Some(head) = moved.get_mut(at) {
        match remembered(stack, head.memory, event) {
            Some(memory) => {
                head.memory = memory;
                at += 1;
                refuse_many(stack, memory, few_keys);
            }
            None => drop(moved.remove(at)),
        }
    }
}

/// Makes the step overflow if an object has so many undeclared keys that too few new ones may be left for its minimum.
fn refuse_many(stack: &mut Stack, memory: Memory, few_keys: u32) {
    let Some((seen, id)) = stack.seen_mut().zip(Stack::seen_of(memory)).filter(|_| few_keys != 0) else { return };
    let count = seen.count(id);
    if count >= few_keys {
        seen.too_many = count;
        stack.overflow();
    }
}

/// The role of a byte in reading the keys of an object.
#[derive(Clone, Copy, Debug)]
enum KeyEvent {
    Open,
    Next,
    /// The closing quote of a declared key.
    EndDeclared,
    /// The closing quote of an undeclared key.
    EndUndeclared,
    Close,
}

fn event(automaton: &Automaton, before: Head, byte: u8) -> Option<KeyEvent> {
    let state = &automaton.states[before.state.index()];
    match (state.kind, byte) {
        (StateKind::Text, b'"') if before.esc == 0 => state.close.map(|(op, _)| match automaton.plain_op(op) {
            Op::KeyTakeExtra { .. } => KeyEvent::EndUndeclared,
            _ => KeyEvent::EndDeclared,
        }),
        (StateKind::Bytes, b'{') => Some(KeyEvent::Open),
        (StateKind::Bytes, b',') => Some(KeyEvent::Next),
        (StateKind::Bytes, b'}') => Some(KeyEvent::Close),
        _ => None,
    }
}

/// Updates the memory of heads that have just moved by a byte of an array without duplicate items. `memory` is the memory of the array's
/// frame before the byte.
fn pass_item(stack: &mut Stack, memory: Memory, byte: u8, moved: &mut Vec<Head>, first: usize) {
    let Some(seen) = stack.seen_mut() else { return };
    let after = match (byte, Stack::seen_of(memory)) {
        (b'[', None) => Memory::of_seen(seen.begin()),
        (b',' | b']', Some(id)) => match seen.take(id) {
            Some(_) if byte == b']' => Memory::EMPTY,
            Some(after) => Memory::of_seen(after),
            None => {
                seen.refused = true;
                return moved.truncate(first);
            }
        },
        _ => return,
    };
    moved[first..].iter_mut().for_each(|head| head.memory = after);
}

/// Returns the memory of an object's frame after a byte of the object, given the memory before. `None` if the byte ends a key that has come
/// before.
fn remembered(stack: &mut Stack, memory: Memory, event: KeyEvent) -> Option<Memory> {
    let seen = stack.seen_mut()?;
    let after = match (event, Stack::seen_of(memory)) {
        (KeyEvent::Open, None) => seen.begin(),
        (KeyEvent::Next, Some(id)) => seen.begin_key(id),
        (KeyEvent::EndDeclared, Some(id)) => seen.end_key(id),
        (KeyEvent::EndUndeclared, Some(id)) => {
            let taken = seen.take_key(id);
            seen.refused |= taken.is_none();
            taken?
        }
        (KeyEvent::Close, Some(_)) => return Some(Memory::EMPTY),
        (KeyEvent::Open, Some(_)) | (_, None) => return Some(memory),
    };
    Some(Memory::of_seen(after))
}
