//! Filters exits by the bytes that can come after a rule.

use crate::automaton::{Automaton, StateId, has};
use crate::mask::exit_set::ExitSet;
use crate::mask::store::MaskStore;
use crate::trie::NodeId;

/// Fewer exits than this are not filtered by [`MaskStore::exits_with_follow_if_many`].
const FEW_EXITS: usize = 8_192;

impl MaskStore {
    /// Keeps only the exits of a state at which some token continues with a byte of the rule's follow set (as in LL parsing: the bytes that
    /// can come after the rule). Does nothing if there are fewer than [`FEW_EXITS`].
    ///
    /// A text that can end at every character has an exit at nearly every trie node, but mostly only a few bytes can
    /// come next, such as `,` or `"`. If exits are few, walking from them costs less than filtering.
    pub(crate) fn exits_with_follow_if_many(&self, automaton: &Automaton, state: StateId, exits: ExitSet) -> ExitSet {
        let few = exits.nodes().len() < FEW_EXITS;
        if few { exits } else { self.exits_with_follow(automaton, state, exits) }
    }

    /// Filters exits like [`MaskStore::exits_with_follow_if_many`], but however few there are; used when building packs.
    pub(crate) fn exits_with_follow(&self, automaton: &Automaton, state: StateId, exits: ExitSet) -> ExitSet {
        if exits == ExitSet::NONE {
            return exits;
        }
        let follow = automaton.derived.follow(automaton.states[state.index()].rule);
        if let Some(known) = self.known_continued(&exits, follow) {
            return known;
        }
        // Folded to the lowest six bits, like the bytes of children: a quick test that never rejects wrongly.
        let any = follow.iter().fold(0, |all, word| all | word);
        let trie = self.trie();
        let goes_on = |node: &NodeId| {
            let wanted = |child: NodeId| has(follow, trie.byte(child));
            self.children_of(*node) & any != 0 && trie.children(*node).any(wanted)
        };
        let kept: Vec<NodeId> = exits.nodes().iter().copied().filter(goes_on).collect();
        self.keep_continued(&exits, follow, &kept)
    }
}
