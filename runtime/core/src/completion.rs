//! Cheapest completions: the fewest bytes that complete a text, and bounds on how much one token can add to them.
//!
//! # Steps
//!
//! 1. [`moves`] lists the moves of one frame that cheap completions use.
//! 2. [`objects`] splits the completion of an object into parts that do not depend on which keys were seen.
//!    [`plan`] chooses the keys that complete an object with conditions.
//! 3. [`costs`] computes the least number of bytes to the end of a frame, and a text of that length.
//! 4. [`cut`] cuts a completion into tokens.
//!    [`different`] finds [`choices`] of items that must differ; [`scarce`] finds arrays that may run out of new items.
//! 5. [`below`] adds up the costs of the frames of a whole stack, in bytes or in tokens.
//! 6. [`most`] bounds the costs of all frames that a rule can have, for a check that looks at no token.
//!
//! Token budgets ([`crate::matcher::Matcher::set_budget`]) are built on this.

mod below;
mod choices;
mod costs;
mod cut;
mod different;
mod frame;
mod most;
mod moves;
mod objects;
mod plan;
mod scarce;

use std::sync::{Mutex, PoisonError};

pub(crate) use below::Below;
pub(crate) use choices::{ChoiceId, ItemChoices};
pub(crate) use costs::{Costs, MAX_TEXT, NEVER, Piece, SLACK};
pub(crate) use cut::{Cut, Cutter};
pub(crate) use most::Most;
pub(crate) use objects::ended;

use crate::automaton::Automaton;
use crate::trie::TokenTrie;
use crate::vocabulary::Vocabulary;

/// The completions of one format with one vocabulary; shared by all its matchers.
#[derive(Debug)]
pub(crate) struct Completions {
    pub(crate) cut: Cut,
    /// Whether every byte is a token, so that no text needs more tokens than bytes.
    pub(crate) all_bytes: bool,
    /// Bounds on the costs of all frames, and on how much one token can add; `None` if a text may need more tokens than bytes.
    pub(crate) most: Option<Most>,
    /// The listed items of arrays that need several different items.
    pub(crate) choices: ItemChoices,
    memo: Mutex<costs::Memo>,
    size: costs::MemoSize,
}

impl Completions {
    /// Computes the bounds of a format's rules.
    pub(crate) fn new(automaton: &Automaton, vocabulary: &Vocabulary, trie: &TokenTrie) -> Self {
        let cut = Cut::new(automaton, vocabulary);
        let all_bytes = cut.has_all_bytes(automaton, vocabulary);
        let (mut memo, size) = (Mutex::default(), costs::MemoSize::default());
        let choices = different::different_items(automaton);
        let most = || {
            let costs = &mut Costs::new(automaton, &choices, (&memo, &size));
            Most::new(automaton, costs, trie.max_depth() as u32)
        };
        let most = all_bytes.then(most);
        // Empty the memo: the bounds visited all possible frames, but a text comes near its end in few of them.
        let frames: &mut costs::Memo = memo.get_mut().unwrap_or_else(PoisonError::into_inner);
        frames.begin_anew();
        size.set(frames);
        Self { cut, all_bytes, most, choices, memo, size }
    }

    /// Returns the memory of all results in bytes. The memo counts as it was after its last use.
    pub(crate) fn bytes(&self) -> usize {
        let bounds = self.most.as_ref().map_or(0, Most::bytes);
        size_of::<Self>() + self.cut.bytes() + bounds + self.choices.bytes() + self.size.bytes()
    }

    /// Sets the bound on the memo of frames: a use that leaves it with more than `most` bytes empties it.
    pub(crate) fn limit(&mut self, most: usize) {
        self.size.most = most;
    }

    /// Returns the costs of the format's frames, which are computed on demand and kept.
    pub(crate) fn costs<'a>(&'a self, automaton: &'a Automaton) -> Costs<'a> {
        Costs::new(automaton, &self.choices, (&self.memo, &self.size))
    }
}
