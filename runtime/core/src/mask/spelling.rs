//! Finds texts of a format that a vocabulary cannot write: one without all single bytes can leave dead ends.
//!
//! # How
//!
//! What tokens can write are the texts that are put together from them, so that only the tokens count that are not put
//! together from shorter ones: of a usual vocabulary the single bytes, and the characters that have no bytes of their own.
//! The trie of those and the automaton are walked together. A *place* is a frame with a node of the trie, the token that has
//! begun; the frames that a call can enter are explored once for each such node, and what is known of them is where they can
//! return (the summaries of interprocedural analysis: Reps, Horwitz, Sagiv 1995). Then every way of calling is asked for
//! places at the end of a token from which no way leads to the end of the text.
//!
//! Countdowns are told apart as far as the masks tell them apart; how many tokens a limit of tokens leaves is not looked at.

mod places;
mod words;

use crate::automaton::{Automaton, StateId, StateKind};
use crate::vocabulary::Vocabulary;
use places::Places;
use words::Words;

/// The most places that are explored.
const PLACES: usize = 1 << 18;

/// The texts of a format that a vocabulary can write.
///
/// ```
#[doc = include_str!("../example.md")]
/// use ogc_runtime::mask::{Spelling, spelling};
/// assert_eq!(spelling(&format, &vocabulary), Spelling::Whole);
/// let without_b = Vocabulary::from_tokens(&[Some("a")], &[])?;
/// assert!(matches!(spelling(&format, &without_b), Spelling::Nothing(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// Whatever tokens the masks allow, the text can be completed.
    Whole,
    /// No text of the format can be written.
    Nothing(Option<DeadEnd>),
    /// Some texts can be written, and the masks also allow tokens after which none can be completed.
    Parts(Vec<DeadEnd>),
    /// The format has too many places to look at.
    Unknown {
        /// The most places that are explored.
        limit: usize,
    },
}

/// A place of a format from which a vocabulary cannot go on.
///
/// ```
/// use ogc_runtime::automaton::StateId;
/// let end = ogc_runtime::mask::DeadEnd { state: StateId(4), text: "é".into() };
/// assert_eq!(end.text.len(), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadEnd {
    /// The state in which a token ends, and no other goes on.
    pub state: StateId,
    /// A text that the format allows here, and no tokens write.
    pub text: Vec<u8>,
}

/// Looks for texts of a format that a vocabulary cannot write. Does nothing where it has a token for each byte that the
/// format reads.
///
/// Dead ends inside of a format are looked for only where one byte decides on how a text is read: elsewhere what one
/// reading cannot go on with, another can.
///
/// ```
#[doc = include_str!("../example.md")]
/// use ogc_runtime::mask::{Spelling, spelling};
/// // All that is left out is spelled by other tokens.
/// let short = Vocabulary::from_tokens(&[Some("a"), Some("b")], &[])?;
/// assert_eq!(spelling(&format, &short), Spelling::Whole);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn spelling(automaton: &Automaton, vocabulary: &Vocabulary) -> Spelling {
    let words = Words::of(vocabulary, &automaton.tokens);
    if bytes_of(automaton).all(|byte| words.has_byte(byte)) {
        return Spelling::Whole;
    }
    match Places::explore(automaton, &words, PLACES) {
        Some(mut places) => places.judge(is_decided_by_bytes(automaton), PLACES),
        None => Spelling::Unknown { limit: PLACES },
    }
}

/// Returns the bytes that the format reads, those of markers left out.
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

/// Returns whether a byte leads one way in every state: along one edge, into one call, or out of the rule.
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
