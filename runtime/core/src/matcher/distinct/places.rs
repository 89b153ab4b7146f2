//! The open arrays without duplicate items at a place of the text, and their items.

use std::rc::Rc;
use std::sync::Arc;

use always_assert::never;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::item::ItemReader;
use crate::matcher::MatchError;
use crate::step::{BOTTOM, Head, NodeId, SeenId, Stack};

/// The open arrays and objects of one reading, by the memory of their frames.
pub(super) type Arrays = SmallVec<[SeenId; 4]>;

/// Cap on the readings of one head that are told apart.
const MAX_READINGS: usize = 64;

/// The current item of an open array, or the current key of an open object.
#[derive(Clone, Debug)]
struct OpenItem {
    array: SeenId,
    /// Whether an item is being read or may begin; false in the value after a key.
    is_open: bool,
    text: ItemReader,
    /// The earlier items that the current item can still become.
    left: Rc<[Arc<[u8]>]>,
}

/// The current items of all open arrays at a place of the text.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenItems(Vec<OpenItem>);

/// Whether the current items of a reading can still repeat earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outlook {
    /// The current items are new, whatever they become: the text continues as if no item had come before.
    Free,
    /// Some item can still become an earlier one, or some key an earlier key of its object.
    Watched,
    /// A key has come twice.
    Dead,
}

impl OpenItems {
    /// Reads the items of some arrays from the text that the stack keeps.
    pub(super) fn read(stack: &Stack, arrays: &[Arrays]) -> Self {
        let mut items = Self::default();
        arrays.iter().flatten().for_each(|array| items.add(stack, *array));
        items
    }

    fn item(&self, array: SeenId) -> Option<&OpenItem> {
        self.0.iter().find(|item| item.array == array)
    }

    fn add(&mut self, stack: &Stack, array: SeenId) {
        if self.item(array).is_some() {
            return;
        }
        let (text, is_open) = (stack.item(array), stack.is_item_open(array));
        let left = stack.items(array).filter(|item| is_open && text.could_become(item));
        let left: Vec<Arc<[u8]>> = left.cloned().collect();
        self.0.push(OpenItem { array, is_open, text, left: left.into() });
    }

    /// Returns the items after one more `byte`, the last byte of the text that the stack keeps. `arrays` are the arrays that are open after
    /// it.
    pub(super) fn after(&self, stack: &Stack, byte: u8, arrays: &[Arrays]) -> Self {
        let mut after = Self::default();
        for &array in arrays.iter().flatten() {
            match self.item(array) {
                Some(item) if after.item(array).is_none() => after.0.push(item.after(byte)),
                Some(_) => {}
                None => after.add(stack, array),
            }
        }
        after
    }

    /// Returns the outlook of a reading.
    pub(super) fn outlook(&self, arrays: &Arrays) -> Outlook {
        let mut outlook = Outlook::Free;
        for array in arrays {
            let item = self.item(*array);
            never!(item.is_none(), "the item of {:?} was not read", array);
            let Some(item) = item else { continue };
            if item.text.repeats_key() {
                return Outlook::Dead;
            }
            if !item.left.is_empty() || item.text.may_repeat_key() {
                outlook = Outlook::Watched;
            }
        }
        outlook
    }

    /// Describes the items of some arrays: from places with equal descriptions, searches for new items are alike. `begun` are the items at
    /// an earlier place of the same text; the description omits what they have in common.
    pub(super) fn describe(&self, arrays: &[Arrays], begun: &Self, out: &mut Vec<u8>) {
        let zeros = self.0.iter().flat_map(|item| item.left.iter()).map(|item| item.len()).max().unwrap_or(0);
        out.extend((zeros as u32).to_le_bytes());
        let mut own = Vec::new();
        for array in arrays.iter().flatten() {
            own.clear();
            let nothing = ItemReader::default();
            let begun = begun.item(*array).map_or(&nothing, |item| &item.text);
            self.item(*array).into_iter().for_each(|item| item.text.describe(zeros + MOST_DIGITS, begun, &mut own));
            out.extend((own.len() as u32).to_le_bytes());
            out.extend(&own);
        }
    }
}

/// Cap on the digits of a number that is spelled without an exponent: enough for the greatest double.
const MOST_DIGITS: usize = 340;

impl OpenItem {
    fn after(&self, byte: u8) -> Self {
        if !self.is_open {
            return self.clone();
        }
        let mut text = self.text.clone();
        text.push(byte);
        let stays = |item: &&Arc<[u8]>| text.could_still_become(item);
        let left = match self.left.iter().all(|item| stays(&item)) {
            true => Rc::clone(&self.left),
            false => self.left.iter().filter(stays).cloned().collect(),
        };
        Self { text, left, ..*self }
    }
}

/// Returns the open arrays in each reading of a head, each list once.
pub(super) fn readings(stack: &Stack, head: &Head) -> Result<SmallVec<[Arrays; 1]>, MatchError> {
    let mut arrays: Arrays = Stack::seen_of(head.memory).into_iter().collect();
    let mut node = head.parent;
    while node != BOTTOM {
        let Some((frame, parent)) = stack.frame_or_members(node, |_| {}) else {
            return branching_readings(stack, node, arrays);
        };
        arrays.extend(Stack::seen_of(frame.memory));
        node = parent;
    }
    Ok(SmallVec::from_iter([arrays]))
}

/// Returns the open arrays of each reading of the frames at `node`, each list after `own`.
fn branching_readings(stack: &Stack, node: NodeId, own: Arrays) -> Result<SmallVec<[Arrays; 1]>, MatchError> {
    let mut found = SmallVec::new();
    let mut seen: FxHashSet<(NodeId, Arrays)> = FxHashSet::default();
    let mut todo: Vec<(NodeId, Arrays)> = vec![(node, own)];
    while let Some((node, arrays)) = todo.pop() {
        if node == BOTTOM {
            if !found.contains(&arrays) {
                found.push(arrays);
            }
        } else if seen.insert((node, arrays.clone())) {
            let push = |member: NodeId| todo.push((member, arrays.clone()));
            if let Some((frame, parent)) = stack.frame_or_members(node, push) {
                let mut arrays = arrays;
                arrays.extend(Stack::seen_of(frame.memory));
                todo.push((parent, arrays));
            }
        }
        let given = found.len() + todo.len();
        if given > MAX_READINGS {
            let what = "readings in which other items came before";
            return Err(MatchError::Limit { what, given: given as u64, limit: MAX_READINGS as u64 });
        }
    }
    Ok(found)
}

/// Returns the open arrays in each reading of some heads.
pub(super) fn readings_of(stack: &Stack, heads: &[Head]) -> Result<Vec<Arrays>, MatchError> {
    let mut all = Vec::new();
    for head in heads.iter().filter(|head| !head.is_returned()) {
        all.extend(readings(stack, head)?);
    }
    Ok(all)
}
