//! What searches for new items have learnt about places of the text ([`super::search`]), for all searches from one moment of a matcher.
//!
//! A mask asks of hundreds of tokens whether a text leads on behind them, and most lead to places where another search has been: behind each
//! spelling of white space after `[1,` comes the same `2`.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::places::{Arrays, OpenItems};
use crate::step::{Head, Mark, Stack, describe_since};

/// Cap on the places that are kept for later searches.
const MAX_KEPT: usize = 1 << 16;

/// A place of the text, described by what follows from it: a head, and the items that are being read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct PlaceKey(Rc<[u8]>);

/// What is known of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// Some text leads from it to items that are all new.
    LeadsOut,
    /// It is a dead end, or this search looks further from it already.
    NothingNew,
}

/// A search, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SearchId(u32);

/// What the map holds of a place.
#[derive(Clone, Copy, Debug)]
enum Kept {
    LeadsOut,
    /// The last search that came there. If that search has found nothing, the place is a dead end.
    Visited(SearchId),
}

/// The fates of places, for searches from texts that begin with the text of one moment.
#[derive(Debug)]
pub(super) struct Fates {
    mark: Mark,
    entries: u32,
    /// The items that were being read at that moment.
    begun: OpenItems,
    kept: FxHashMap<PlaceKey, Kept>,
    /// By search: whether it has found nothing.
    found_nothing: Vec<bool>,
}

impl Fates {
    /// Knows nothing yet; `items` are those that are being read in the text that the stack keeps.
    pub(super) fn new(stack: &Stack, items: &OpenItems) -> Self {
        Self {
            mark: stack.mark(),
            entries: stack.seen_len(),
            begun: items.clone(),
            kept: FxHashMap::default(),
            found_nothing: Vec::new(),
        }
    }

    /// Begins a search.
    pub(super) fn begin_search(&mut self, stack: &mut Stack) {
        stack.describe_items_after(self.entries);
        if self.kept.len() > MAX_KEPT {
            self.kept.clear();
        }
    }

    /// Ends the search that was begun last. It `has_found_nothing` if it came to every place there is, and none led out.
    pub(super) fn end_search(&mut self, has_found_nothing: bool) {
        self.found_nothing.push(has_found_nothing);
    }

    /// Returns the search that goes on.
    fn search(&self) -> SearchId {
        SearchId(self.found_nothing.len() as u32)
    }

    /// Describes a place.
    pub(super) fn key(&self, stack: &Stack, head: &Head, arrays: &[Arrays], items: &OpenItems) -> PlaceKey {
        let mut out = Bytes(Vec::new());
        let is_lasting = describe_since(stack, self.mark, head, &mut out);
        // Nodes get new numbers in each search.
        let search = if is_lasting { u32::MAX } else { self.search().0 };
        out.extend([search]);
        items.describe(arrays, &self.begun, &mut out.0);
        PlaceKey(out.0.into())
    }

    /// Comes to a place; returns what is known of it. `None` if this search has to look further from there.
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

    /// Remembers that a text leads out from a place.
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
