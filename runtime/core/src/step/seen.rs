//! Arrays in which no two items may be equal: what their frames remember, and when an item may end.
//!
//! The frame of such an array remembers an entry of an arena: the items that are complete, and the place in the text at which the next
//! one begins. Behind an item, `,` and `]` add it, or are refused if it is there already. A key that comes twice in one object of an item
//! is refused too: such an object is no certain value.
//!
//! Only a stack that keeps the text does so ([`Stack::of_text`]): a matcher's, which reads one text. Masks are made on stacks that do
//! not, as if each item were a new one; [`crate::matcher`] then takes tokens away.

use std::sync::Arc;

use super::frame::Head;
use super::memory::{Memory, Remembered, SeenId};
use super::seen_text::SeenText;
use super::stack::Stack;
use crate::item::ItemReader;

impl Stack {
    /// Makes a stack that keeps the text, if the format has arrays in which no two items may be equal.
    pub(crate) fn of_text(is_kept: bool) -> Self {
        let mut stack = Self::default();
        stack.set_seen(is_kept.then(SeenText::default));
        stack
    }

    /// Returns whether an item was refused since this was asked.
    pub(crate) fn take_refused(&mut self) -> bool {
        self.seen_mut().is_some_and(|seen| std::mem::take(&mut seen.refused))
    }

    /// Returns the length of the text that is kept.
    pub(crate) fn text_len(&self) -> usize {
        self.seen().map_or(0, |seen| seen.text.len())
    }

    /// Drops the kept text behind `len` bytes and adds another, which other frames have read.
    pub(crate) fn set_text(&mut self, len: usize, text: &[u8]) {
        if let Some(seen) = self.seen_mut() {
            seen.text.truncate(len);
            text.iter().for_each(|byte| seen.text.push(*byte));
        }
    }

    /// Returns the entry that a frame remembers, if it is one of an array in which no two items may be equal.
    #[inline]
    pub(crate) fn seen_of(memory: Memory) -> Option<SeenId> {
        match memory.get() {
            Remembered::Seen(id) => Some(id),
            Remembered::Number(_) | Remembered::Keys(_) | Remembered::Way(_) => None,
        }
    }

    /// Returns the text of the item that is being read.
    pub(crate) fn item(&self, id: SeenId) -> ItemReader {
        let start = self.seen().and_then(|seen| Some((seen, seen.seen.get(id.0 as usize)?.start)));
        start.map_or_else(ItemReader::default, |(seen, start)| seen.reader(start as usize, seen.text.len()))
    }

    /// Returns the items of an entry.
    pub(crate) fn items(&self, id: SeenId) -> impl Iterator<Item = &Arc<[u8]>> {
        let entries = self.seen().into_iter().flat_map(move |seen| seen.chain(id));
        entries.filter_map(|(_, seen)| seen.item.as_ref())
    }

    /// Describes entries that are made from now on by their items, wherever in the text these stand.
    pub(crate) fn describe_new_items(&mut self) {
        if let Some(seen) = self.seen_mut() {
            seen.described = seen.seen.len() as u32;
        }
    }

    /// Appends a description of the items that a frame remembers.
    pub(super) fn describe_items(&self, id: SeenId, out: &mut impl Extend<u32>) {
        let Some(seen) = self.seen() else { return };
        for (entry, known) in seen.chain(id) {
            if entry.0 < seen.described {
                return out.extend([entry.0]);
            }
            let item = known.item.as_deref().unwrap_or_default();
            out.extend([u32::MAX, item.len() as u32]);
            out.extend(item.iter().map(|byte| u32::from(*byte)));
        }
    }
}

/// Runs a byte of an array in which no two items may be equal on heads that have just moved by it; `memory` is what its frame remembered
/// before.
pub(super) fn pass(stack: &mut Stack, memory: Memory, byte: u8, moved: &mut Vec<Head>, first: usize) {
    if moved.len() == first {
        return;
    }
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
