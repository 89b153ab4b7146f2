//! The results of searches for new items ([`super::search`]), by place of the text, for all searches from one moment of a matcher.
//!
//! A mask searches behind hundreds of tokens, and most of these searches reach places that an earlier search has visited: after `[1,`, each
//! spelling of white space is followed by the same `2`.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::places::{Arrays, OpenItems};
use crate::step::{Head, Mark, Stack, describe_since};

/// Cap on the places that are kept for later searches.
const MAX_KEPT: usize = 1 << 16;

/// A place of the text, described by what follows from it: a head, and the items that are being read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct PlaceKey(Rc<[u8]>);

/// The known result at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// Some text leads from it to items that are all new.
    LeadsOut,
    /// It is a dead end, or this search has already visited it.
    NothingNew,
}

/// A search, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SearchId(u32);

/// The entry of a place in the map.
#[derive(Clone, Copy, Debug)]
enum Kept {
    LeadsOut,
    /// The last search that visited the place. If that search has found nothing, the place is a dead end.
    Visited(SearchId),
}

/// The results at places, for searches from texts that begin with the text of one moment.
#[derive(Debug)]
pub(super) struct Fates {
    /// The stack at that moment.
    mark: Mark,
    /// The current items at that moment.
    begun: OpenItems,
    kept: FxHashMap<PlaceKey, Kept>,
    /// By search: whether it has found nothing.
    found_nothing: Vec<bool>,
}

impl Fates {
    /// Creates an empty memory; `items` are the current items of the text that the stack keeps.
    pub(super) fn new(stack: &Stack, items: &OpenItems) -> Self {
        Self { mark: stack.mark(), begun: items.clone(), kept: FxHashMap::default(), found_nothing: Vec::new() }
    }

    /// Begins a search.
    pub(super) fn begin_search(&mut self) {
        if self.kept.len() > MAX_KEPT {
            self.kept.clear();
        }
    }

    /// Ends the current search. It `has_found_nothing` if it visited every reachable place, and none led out.
    pub(super) fn end_search(&mut self, has_found_nothing: bool) {
        self.found_nothing.push(has_found_nothing);
    }

    /// Returns the current search.
    fn search(&self) -> SearchId {
        SearchId(self.found_nothing.len() as u32)
    }

    /// Describes a place.
    pub(super) fn key(&self, stack: &Stack, head: &Head, arrays: &[Arrays], items: &OpenItems) -> PlaceKey {
        let mut out = Bytes(Vec::new());
        describe_since(stack, self.mark, head, &mut out);
        items.describe(arrays, &self.begun, &mut out.0);
        PlaceKey(out.0.into())
    }

    /// Visits a place. Returns its known result, or `None` if this search must continue from there.
    pub(super) fn visit(&mut self, key: &PlaceKey) -> Option<Fate> {
        let search = self.search();
        match self.kept.get(key) {
            Some(Kept::LeadsOut) => return Some(Fate::LeadsOut),
            Some(Kept::Visited(other)) if *other == search || self.has_found_nothing(*other) => {
                return Some(Fate::NothingNew);
            }
            Some(Kept::Visited(_)) | None => {}
        }
        self.kept.insert(key.clone(), Kept::Visited(search));
        None
    }

    fn has_found_nothing(&self, search: SearchId) -> bool {
        self.found_nothing.get(search.0 as usize).copied().unwrap_or(false)
    }

    /// Records that a text leads out from a place.
    pub(super) fn leads_out(&mut self, key: &PlaceKey) {
        self.kept.insert(key.clone(), Kept::LeadsOut);
    }
}

/// Bytes to which words are added.
struct Bytes(Vec<u8>);

impl Extend<u32> for Bytes {
    fn extend<T: IntoIterator<Item = u32>>(&mut self, words: T) {
        words.into_iter().for_each(|word| self.0.extend(word.to_le_bytes()));
    }
}
