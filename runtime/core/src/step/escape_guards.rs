//! Lists the guards that decide whether an escape inside a string may continue, for engines that cannot search for its characters
//! themselves.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use super::escape::any_range;
use super::wanted::Wanted;
use crate::automaton::{Automaton, OpId, StateId};

/// Cap on visited places for one escape.
const MOST_PLACES: usize = 1 << 16;

impl Automaton {
    /// Returns lists of operations. In this state, some character that the escape can still become may be read if and only if all
    /// operations of one list succeed, in order, on the frame. `None` if there are more lists than `limit`, or too many places to visit.
    ///
    /// `esc` is an escape as in [`ConfigurationHead`](crate::matcher::ConfigurationHead).
    #[doc(hidden)]
    #[must_use]
    pub fn escape_guards(&self, state: StateId, esc: u32, limit: usize) -> Option<Vec<Vec<OpId>>> {
        let mut open = Vec::new();
        any_range(self.escapes, esc, |lo, hi| {
            open.extend(Wanted::by_length(lo, hi).map(|wanted| (state, wanted, Vec::new())));
            false
        });
        let mut seen = FxHashSet::default();
        let mut lists = BTreeSet::new();
        while let Some(place) = open.pop() {
            if !seen.insert(place.clone()) {
                continue;
            }
            let (state, wanted, guards) = place;
            for edge in self.edges(state) {
                let bytes = wanted.bytes_of(edge);
                if bytes.is_empty() {
                    continue;
                }
                let mut guards: Vec<OpId> = guards.clone();
                guards.extend((edge.op != OpId::NONE).then_some(edge.op));
                if wanted.rest == 0 {
                    lists.insert(guards);
                    continue;
                }
                // After the first or the last byte, only some characters are wanted; after any byte between, all of them.
                let (first, last) = bytes.into_inner();
                for byte in [first, last.min(first + 1), last] {
                    open.push((edge.to, wanted.after(byte), guards.clone()));
                }
            }
            if lists.len() > limit || seen.len() > MOST_PLACES {
                return None;
            }
        }
        // The empty list always succeeds, so that the other lists do not matter.
        if lists.contains(&Vec::new()) { Some(vec![Vec::new()]) } else { Some(lists.into_iter().collect()) }
    }
}
