//! The walker of a matcher: buffers of some hundred kilobytes, held only while it computes rows that its store lacks.

use std::sync::Arc;

use super::Matcher;
use crate::automaton::Automaton;
use crate::mask::{MaskStore, Walker};

/// A walker of the store, borrowed for the first walk that a mask or a completion needs. Between two steps a matcher holds none.
#[derive(Debug, Default)]
pub(super) struct BorrowedWalker(Option<Box<Walker>>);

impl BorrowedWalker {
    /// Returns the walker. All walks until it is given back share one limit, [`MASK_WORK`](crate::mask::MASK_WORK).
    pub(super) fn get(&mut self, store: &MaskStore, automaton: &Arc<Automaton>) -> &mut Walker {
        self.0.get_or_insert_with(|| store.lend_walker(automaton))
    }

    /// Gives the walker back, if it was borrowed.
    #[inline]
    pub(super) fn give_back(&mut self, store: &MaskStore, automaton: &Arc<Automaton>) {
        if let Some(walker) = self.0.take() {
            store.take_walker_back(automaton, walker);
        }
    }
}

impl Matcher {
    /// Gives the walker back, if one was borrowed.
    #[inline]
    pub(super) fn give_walker_back(&mut self) {
        self.walker.give_back(&self.store, &self.automaton);
    }
}
