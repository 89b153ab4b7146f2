//! Finds texts of a format that no sequence of a vocabulary's tokens spells, and the dead ends to which masks then lead.
//!
//! A vocabulary with a token for every byte spells everything. Another vocabulary, such as one of characters, may have `"` and `caf` but no
//! token for `é`: after `caf`, a format that requires `café` allows no token.
//!
//! # Algorithm
//!
//! Only *words* matter: tokens that are not sequences of shorter tokens. All texts that tokens spell, words spell too. In most
//! vocabularies, the words are the single bytes, and characters whose bytes are not tokens. The search walks the trie of words and the
//! automaton together. A *place* is a frame and a node of this trie, which represents an unfinished word.
//!
//! There are infinitely many stacks below frames. So the search explores the places that a call can reach once for each *entry* (the frame
//! and the node with which the call begins), and summarises them by the nodes with which the call can return (summary edges of
//! interprocedural data-flow analysis; Reps, Horwitz and Sagiv 1995). Then, for every way of calling an entry, it looks for places at the
//! end of a word from which the end of the text cannot be reached.
//!
//! Countdowns are classified as for masks. Limits on the number of tokens are ignored.

mod irreducible;
mod places;

use crate::automaton::{Automaton, StateId, StateKind};
use crate::vocabulary::Vocabulary;
use irreducible::IrreducibleTokens;
use places::Places;

/// Cap on explored places.
const PLACES: usize = 1 << 18;

/// The extent to which a vocabulary can write the texts of a format.
///
/// ```
#[doc = include_str!("../example.md")]
/// use ogc_runtime::mask::{SpelledTexts, spelling};
/// assert_eq!(spelling(&format, &vocabulary), SpelledTexts::Whole);
/// let without_b = Vocabulary::from_tokens(&[Some("a")], &[])?;
/// assert!(matches!(spelling(&format, &without_b), SpelledTexts::Nothing(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpelledTexts {
    /// Every text can be written: whatever tokens masks allow, the text can be completed.
    Whole,
    /// No text of the format can be written.
    Nothing(Option<DeadEnd>),
    /// Some texts can be written, but masks also allow tokens after which no text can be completed.
    Parts(Vec<DeadEnd>),
    /// The format has too many places to explore.
    Unknown {
        /// Cap on the places that are explored.
        limit: usize,
    },
}

/// A state after which the vocabulary has no token that the format allows.
///
/// ```
/// use ogc_runtime::automaton::StateId;
/// let end = ogc_runtime::mask::DeadEnd { state: StateId(4), text: "é".into() };
/// assert_eq!(end.text.len(), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadEnd {
    /// The state in which a token ends and no token can follow.
    pub state: StateId,
    /// A text that the format allows here and that no tokens spell.
    pub text: Vec<u8>,
}

/// Looks for texts of a format that a vocabulary cannot write. Returns [`SpelledTexts::Whole`] at once if the vocabulary has a token for
/// each byte that the format reads.
///
/// Dead ends inside a format are reported only if it is deterministic (one byte decides how a text continues). Otherwise one reading of the
/// text can be at a dead end while another continues.
///
/// ```
#[doc = include_str!("../example.md")]
/// use ogc_runtime::mask::{SpelledTexts, spelling};
/// // The token `ab` is missing, but the other tokens spell it.
/// let short = Vocabulary::from_tokens(&[Some("a"), Some("b")], &[])?;
/// assert_eq!(spelling(&format, &short), SpelledTexts::Whole);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn spelling(automaton: &Automaton, vocabulary: &Vocabulary) -> SpelledTexts {
    let words = IrreducibleTokens::of(vocabulary, &automaton.tokens);
    if bytes_of(automaton).all(|byte| words.has_byte(byte)) {
        return SpelledTexts::Whole;
    }
    match Places::explore(automaton, &words, PLACES) {
        Some(mut places) => places.judge(is_decided_by_bytes(automaton), PLACES),
        None => SpelledTexts::Unknown { limit: PLACES },
    }
}

/// Returns the bytes that the format reads, except those of markers.
fn bytes_of(automaton: &Automaton) -> impl Iterator<Item = u8> {
    let mut read = [false; 256];
    for (at, state) in automaton.states.iter().enumerate() {
        for edge in automaton.edges(StateId(at as u32)) {
            read[usize::from(edge.lo)..=usize::from(edge.hi)].fill(true);
        }
        if state.kind == StateKind::Text {
            b"\\\"/bfnrtu0123456789abcdefABCDEF".iter().for_each(|&byte| read[usize::from(byte)] = true);
        }
    }
    (0..crate::vocabulary::MARKER_START).filter(move |&byte| read[usize::from(byte)])
}

/// Returns whether the format is deterministic: in every state a byte allows at most one move, which is along one edge, into one call, or
/// out of the rule.
fn is_decided_by_bytes(automaton: &Automaton) -> bool {
    (0..automaton.states.len() as u32).map(StateId).all(|id| {
        let state = &automaton.states[id.index()];
        let mut ways = [0_u32; 256];
        for edge in automaton.edges(id) {
            ways[usize::from(edge.lo)..=usize::from(edge.hi)].iter_mut().for_each(|ways| *ways += 1);
        }
        let calls = automaton.calls(id).iter().map(|call| automaton.rules[call.rule.index()].first);
        let follow = state.accept.then(|| *automaton.derived.follow(state.rule));
        for set in calls.chain(follow) {
            (0..=u8::MAX)
                .filter(|&byte| crate::automaton::has(&set, byte))
                .for_each(|byte| ways[usize::from(byte)] += 1);
        }
        ways.iter().all(|&ways| ways <= 1)
    })
}
