//! Searches for a continuation whose items are all new: the proof that a place is no dead end.
//!
//! Where an item can still become an earlier one, the search reads bytes, first those that leave the fewest bytes to a complete text
//! (best-first). It ends where some reading has no such item: from there on, any text of the format is a continuation. The search follows
//! only beginnings of earlier items, so that it ends. Spellings that mean the same (white space, escapes, orders of members, zeros of
//! numbers) are visited once.
//!
//! After `["a", "b", "`, the byte `c` ends the search. In an array whose items are `1` or `2`, `[1, 2,` is a dead end: `1` and `2` can be
//! read, and then neither `,` nor `]`.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashSet;

use super::places::{Arrays, OpenItems, Outlook, readings};
use crate::automaton::Automaton;
use crate::matcher::MatchError;
use crate::step::{BOTTOM, Head, NodeId, Scratch, Stack, can_finish, candidates, describe, ones, step};
use crate::watch;

/// Cap on the places that one search comes to.
const MAX_PLACES: usize = 20_000;

/// A place that the search has come to: a head, and the text since the beginning of the search.
struct Place {
    head: Head,
    text: Vec<u8>,
    items: OpenItems,
}

/// A search from a head of the stack, which it leaves as it was.
pub(super) struct Search<'a> {
    pub(super) automaton: &'a Automaton,
    pub(super) stack: &'a mut Stack,
    pub(super) scratch: &'a mut Scratch,
}

impl Search<'_> {
    /// Returns a text after which some reading goes on as if no item had come before; `None` if there is no such text.
    pub(super) fn way_out(&mut self, head: Head, items: &OpenItems) -> Result<Option<Vec<u8>>, MatchError> {
        if self.is_free(head, items)? {
            return Ok(Some(Vec::new()));
        }
        let (mark, len) = (self.stack.mark(), self.stack.text_len());
        self.stack.describe_new_items();
        let found = self.run(Place { head, text: Vec::new(), items: items.clone() }, len);
        self.stack.truncate(mark);
        found
    }

    /// Returns whether some reading of a head goes on as if no item had come before.
    fn is_free(&self, head: Head, items: &OpenItems) -> Result<bool, MatchError> {
        if head.is_returned() || can_finish(self.automaton, self.stack, head) {
            return Ok(true);
        }
        Ok(readings(self.stack, &head)?.iter().any(|arrays| items.outlook(arrays) == Outlook::Free))
    }

    fn run(&mut self, start: Place, len: usize) -> Result<Option<Vec<u8>>, MatchError> {
        let mut places = vec![start];
        let mut queue = BinaryHeap::from([(Reverse(0), Reverse(0))]);
        let mut seen = FxHashSet::default();
        while let Some((_, Reverse(at))) = queue.pop() {
            let Place { head, text, items } = &places[at];
            let (head, text, items) = (*head, text.clone(), items.clone());
            for byte in ones(candidates(self.automaton, self.stack, &[head])) {
                if watch::spend(1) {
                    return Err(MatchError::STOPPED);
                }
                self.stack.set_text(len, &text);
                let mut heads = Vec::new();
                step(self.automaton, self.stack, self.scratch, &[head], byte, &mut heads);
                if self.stack.take_overflow() {
                    return Err(MatchError::of_overflow(self.stack));
                }
                for head in heads {
                    let arrays = if head.is_returned() { Vec::new() } else { readings(self.stack, &head)? };
                    let items = items.after(self.stack, byte, &arrays);
                    let text: Vec<u8> = text.iter().copied().chain([byte]).collect();
                    if self.is_free(head, &items)? {
                        return Ok(Some(text));
                    }
                    let is_dead = arrays.iter().all(|arrays| items.outlook(arrays) == Outlook::Dead);
                    if is_dead || !seen.insert(self.description(&head, &arrays, &items)) {
                        continue;
                    }
                    let least = text.len() as u32 + self.least_left(&head);
                    queue.push((Reverse(least), Reverse(places.len())));
                    places.push(Place { head, text, items });
                }
            }
            if places.len() > MAX_PLACES {
                let what = "places to look at for an item that has not come before";
                return Err(MatchError::Limit { what, given: places.len() as u64, limit: MAX_PLACES as u64 });
            }
        }
        Ok(None)
    }

    fn description(&self, head: &Head, arrays: &[Arrays], items: &OpenItems) -> Vec<u8> {
        let mut words: Vec<u32> = Vec::new();
        describe(self.stack, head, &mut words);
        let mut out: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        items.describe(arrays, &mut out);
        out
    }

    /// Estimates how many bytes complete the text from a head.
    fn least_left(&self, head: &Head) -> u32 {
        let mut least = self.automaton.min_bytes[head.state.index()];
        let mut node = head.parent;
        while node != BOTTOM {
            let mut next: Option<(u32, NodeId)> = None;
            self.stack.frames(node, |frame, parent| {
                next.get_or_insert((self.automaton.min_bytes[frame.state.index()], parent));
            });
            let Some((own, parent)) = next else { break };
            least = least.saturating_add(own);
            node = parent;
        }
        least
    }
}
