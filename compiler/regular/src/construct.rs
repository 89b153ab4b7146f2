//! Automata of the simplest languages: nothing, one string, some strings, one character of a set, all text.

use rustc_hash::FxHashMap;

use crate::budget::{self, Loan};
use crate::dfa::Dfa;
use crate::limits::LimitError;
use crate::state::{DfaState, Edge, StateId};
use crate::utf8::{ALL, Suffixes};

impl Dfa {
    /// Makes the automaton of the empty language.
    #[must_use]
    pub fn empty() -> Self {
        Self::from_states(vec![DfaState::default()])
    }

    /// Makes the automaton of the empty string alone.
    #[must_use]
    pub fn epsilon() -> Self {
        Self::literal(b"")
    }

    /// Makes the automaton of one string.
    #[must_use]
    pub fn literal(text: &[u8]) -> Self {
        let mut states: Vec<DfaState> = text.iter().zip(1u32..).map(|(&byte, to)| single(byte, to)).collect();
        states.push(DfaState { accept: true, edges: Vec::new() });
        Self::from_states(states)
    }

    /// Makes the automaton of all strings of Unicode scalar values: no surrogates, no overlong forms.
    #[must_use]
    pub fn any_text() -> Self {
        let mut states = vec![DfaState { accept: true, edges: Vec::new() }];
        let ranges: Vec<_> = ALL.iter().map(|&(lo, hi)| (lo, hi, StateId(0))).collect();
        let edges = Suffixes::default().edges(&ranges, &mut states);
        states[0].edges = edges;
        Self::from_states(states)
    }

    /// Makes the automaton of one character of a union of inclusive ranges.
    #[must_use]
    pub fn char_class(ranges: impl IntoIterator<Item = (char, char)>) -> Self {
        let wanted: Vec<(u32, u32)> = ranges.into_iter().map(|(lo, hi)| (lo.into(), hi.into())).collect();
        let set = crate::charset::CharSet::from_ranges(wanted);
        let mut states = vec![DfaState::default(), DfaState { accept: true, edges: Vec::new() }];
        let ranges: Vec<_> = set.ranges().iter().map(|&(lo, hi)| (lo, hi, StateId(1))).collect();
        let edges = Suffixes::default().edges(&ranges, &mut states);
        states[0].edges = edges;
        Self::from_states(states)
    }

    /// Makes the minimal automaton of these strings.
    #[must_use]
    pub fn finite<S: AsRef<str>>(strings: impl IntoIterator<Item = S>) -> Self {
        let mut trie = vec![DfaState::default()];
        let mut loan = Loan::default();
        for string in strings {
            // Once the budget is exhausted, the result is discarded.
            if insert(&mut trie, string.as_ref().as_bytes(), &mut loan).is_err() {
                return Self::empty();
            }
        }
        Self::from_states(fold(trie))
    }
}

/// Returns a state with one edge, for `byte`.
fn single(byte: u8, to: u32) -> DfaState {
    DfaState { accept: false, edges: vec![Edge { lo: byte, hi: byte, to: StateId(to) }] }
}

/// Bytes of a trie state: its edges, and a second copy of state and edges in the table of equal states.
const TRIE_STATE: usize = 2 * (size_of::<DfaState>() + 4 * size_of::<Edge>());

/// Adds one string to a trie.
fn insert(trie: &mut Vec<DfaState>, text: &[u8], loan: &mut Loan) -> Result<(), LimitError> {
    budget::work(text.len() / 4)?;
    let mut at = 0;
    for &byte in text {
        at = match trie[at].edges.binary_search_by_key(&byte, |edge| edge.lo) {
            Ok(found) => trie[at].edges[found].to.index(),
            Err(slot) => {
                loan.grow(TRIE_STATE)?;
                let to = trie.len();
                trie[at].edges.insert(slot, Edge { lo: byte, hi: byte, to: StateId(to as u32) });
                trie.push(DfaState::default());
                to
            }
        };
    }
    trie[at].accept = true;
    Ok(())
}

/// Merges equal subtrees of a trie, which makes it the minimal automaton. Children are younger than their parents, so
/// one pass from the back sees children first.
fn fold(mut trie: Vec<DfaState>) -> Vec<DfaState> {
    let mut known: FxHashMap<DfaState, u32> = FxHashMap::default();
    let mut becomes = vec![0u32; trie.len()];
    for at in (0..trie.len()).rev() {
        for edge in &mut trie[at].edges {
            edge.to = StateId(becomes[edge.to.index()]);
        }
        let count = becomes.len();
        crate::trim::normalise_edges(&mut trie[at].edges, count);
        becomes[at] = *known.entry(trie[at].clone()).or_insert(at as u32);
    }
    trie
}
