//! Searches for a continuation whose items are all new, which proves that a place is not a dead end.
//!
//! Where an item can still become an earlier one, the search reads bytes, first those that leave the fewest bytes to a complete text
//! (best-first). It ends where some reading has no such item: from there on, any text of the format is a valid continuation. The search
//! follows only prefixes of earlier items, so that it ends. Spellings with the same meaning (white space, escapes, orders of members, zeros
//! of numbers) are visited once.
//!
//! After `["a", "b", "`, the byte `c` ends the search. In an array whose items are `1` or `2`, `[1, 2,` is a dead end: `1` or `2` can be
//! read, but neither `,` nor `]` after it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use smallvec::SmallVec;

use super::fates::{Fate, Fates, PlaceKey};
use super::places::{OpenItems, Outlook, readings};
use crate::automaton::Automaton;
use crate::matcher::MatchError;
use crate::step::{BOTTOM, Head, NodeId, Scratch, Stack, bytes_left_of_escape, can_finish, candidates, ones, step};
use crate::watch;

/// Cap on the places that one search reaches.
const MAX_PLACES: usize = 20_000;

/// A place that the search has reached.
struct Place {
    head: Head,
    items: OpenItems,
    key: PlaceKey,
    /// The place from which the search reached this one, by its position in the list of places, and the byte between them.
    above: Option<(usize, u8)>,
    /// The number of bytes since the beginning of the search.
    len: u32,
}

/// The places that one search has reached, and the order in which it continues from them.
#[derive(Default)]
struct Reached {
    places: Vec<Place>,
    /// First the places that leave the fewest bytes to a complete text; among them the longest text, then the earliest place.
    queue: BinaryHeap<(Reverse<u32>, u32, Reverse<usize>)>,
}

impl Reached {
    /// Adds a place; `least_left` estimates the bytes from there to a complete text.
    fn add(&mut self, place: Place, least_left: u32) {
        let least = place.len.saturating_add(least_left);
        self.queue.push((Reverse(least), place.len, Reverse(self.places.len())));
        self.places.push(place);
    }

    /// Returns a place and the places on the way to it, the last first.
    fn path(&self, at: usize) -> impl Iterator<Item = &Place> {
        std::iter::successors(self.places.get(at), |place| self.places.get(place.above?.0))
    }

    /// Returns the text from the beginning of the search to a place.
    fn text(&self, at: usize) -> Vec<u8> {
        let mut text: Vec<u8> = self.path(at).filter_map(|place| place.above.map(|(_, byte)| byte)).collect();
        text.reverse();
        text
    }
}

/// A search from a head of the stack, which it leaves as it was.
pub(super) struct Search<'a> {
    pub(super) automaton: &'a Automaton,
    pub(super) stack: &'a mut Stack,
    pub(super) scratch: &'a mut Scratch,
}

impl Search<'_> {
    /// Returns a text after which some reading continues as if no item had come before; `None` if there is no such text.
    pub(super) fn way_out(&mut self, head: Head, items: &OpenItems) -> Result<Option<Vec<u8>>, MatchError> {
        if self.is_free(head, items)? {
            return Ok(Some(Vec::new()));
        }
        // With the results of other searches, the text could end before it leads out.
        let mut fates = Fates::new(self.stack, items);
        self.search(head, items, &mut fates)
    }

    /// Returns whether there is a way out ([`Self::way_out`]). Several searches from texts with a common prefix share `fates`.
    pub(super) fn leads_out(&mut self, head: Head, items: &OpenItems, fates: &mut Fates) -> Result<bool, MatchError> {
        Ok(self.is_free(head, items)? || self.search(head, items, fates)?.is_some())
    }

    /// Returns whether some reading of a head continues as if no item had come before.
    fn is_free(&self, head: Head, items: &OpenItems) -> Result<bool, MatchError> {
        if head.is_returned() || can_finish(self.automaton, self.stack, head) {
            return Ok(true);
        }
        Ok(readings(self.stack, &head)?.iter().any(|arrays| items.outlook(arrays) == Outlook::Free))
    }

    /// Returns a text that leads out, or that reaches a place from which an earlier search has found a way out.
    fn search(&mut self, head: Head, items: &OpenItems, fates: &mut Fates) -> Result<Option<Vec<u8>>, MatchError> {
        let (mark, len) = (self.stack.mark(), self.stack.text_len());
        fates.begin_search();
        let found = self.run(head, items, len, fates);
        self.stack.truncate(mark);
        fates.end_search(matches!(found, Ok(None)));
        found
    }

    fn run(
        &mut self,
        head: Head,
        items: &OpenItems,
        len: usize,
        fates: &mut Fates,
    ) -> Result<Option<Vec<u8>>, MatchError> {
        let key = fates.key(self.stack, &head, &readings(self.stack, &head)?, items);
        match fates.visit(&key) {
            Some(Fate::LeadsOut) => return Ok(Some(Vec::new())),
            Some(Fate::NothingNew) => return Ok(None),
            None => {}
        }
        let mut reached = Reached::default();
        reached.add(Place { head, items: items.clone(), key, above: None, len: 0 }, 0);
        while let Some((_, _, Reverse(at))) = reached.queue.pop() {
            let mut text = reached.text(at);
            self.stack.set_text(len, &text);
            // White space comes last, because it leads to no other place.
            let (spaces, others): (Vec<u8>, Vec<u8>) =
                ones(candidates(self.automaton, self.stack, &[reached.places[at].head]))
                    .partition(u8::is_ascii_whitespace);
            for byte in others.into_iter().chain(spaces) {
                self.stack.set_text(len + text.len(), &[]);
                if self.visit_after(&mut reached, at, byte, fates)? {
                    reached.path(at).for_each(|place| fates.leads_out(&place.key));
                    text.push(byte);
                    return Ok(Some(text));
                }
            }
            let given = reached.places.len();
            if given > MAX_PLACES {
                let what = "places to look at for an item that has not come before";
                return Err(MatchError::Limit { what, given: given as u64, limit: MAX_PLACES as u64 });
            }
        }
        Ok(None)
    }

    /// Visits the places after `byte`, which follows the place `at`. Returns whether one of them leads out.
    fn visit_after(
        &mut self,
        reached: &mut Reached,
        at: usize,
        byte: u8,
        fates: &mut Fates,
    ) -> Result<bool, MatchError> {
        if watch::spend(1) {
            return Err(MatchError::STOPPED);
        }
        let mut heads = Vec::new();
        step(self.automaton, self.stack, self.scratch, &[reached.places[at].head], byte, &mut heads);
        if self.stack.take_overflow() {
            return Err(MatchError::of_overflow(self.stack));
        }
        for head in heads {
            let arrays = if head.is_returned() { SmallVec::new() } else { readings(self.stack, &head)? };
            let items = reached.places[at].items.after(self.stack, byte, &arrays);
            if self.is_free(head, &items)? {
                return Ok(true);
            }
            if arrays.iter().all(|arrays| items.outlook(arrays) == Outlook::Dead) {
                continue;
            }
            let key = fates.key(self.stack, &head, &arrays, &items);
            match fates.visit(&key) {
                Some(Fate::LeadsOut) => return Ok(true),
                Some(Fate::NothingNew) => continue,
                None => {}
            }
            let len = reached.places[at].len + 1;
            reached.add(Place { head, items, key, above: Some((at, byte)), len }, self.least_left(&head));
        }
        Ok(false)
    }

    /// Estimates the number of bytes that complete the text from a head.
    fn least_left(&self, head: &Head) -> u32 {
        let mut least = self.automaton.min_bytes[head.state.index()].saturating_add(bytes_left_of_escape(head.esc));
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
