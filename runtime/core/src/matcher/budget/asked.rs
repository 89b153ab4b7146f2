//! The format, the vocabulary and the completions that the checks of a budget use.

use crate::automaton::Automaton;
use crate::completion::{Completions, Cutter};
use crate::mask::MaskStore;

/// The format, the vocabulary and the completions that the checks of a budget use.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) automaton: &'a Automaton,
    pub(super) store: &'a MaskStore,
    pub(super) completions: &'a Completions,
}

impl<'a> Asked<'a> {
    /// Returns the cutter of completions into tokens.
    pub(super) fn cutter(&self) -> Cutter<'a> {
        self.completions.cut.cutter(self.store.trie())
    }
}
