//! The language of contiguous runs of chunks of a text.

use rustc_hash::FxHashMap;

use crate::budget::{self, Loan};
use crate::dfa::Dfa;
use crate::limits::LimitError;
use crate::state::{DfaState, Edge, StateId};

/// Cap on the total bytes of the chunks.
const BYTES: usize = 400_000;

/// Returns the language of all contiguous runs of `chunks`, each run joined to one string; the run of no chunks is the
/// empty string.
///
/// Method: a subset construction over the offsets of the joined text. A state is the set of offsets that a reader that
/// began at the start of some chunk may have reached.
///
/// ```
/// let parts = ogc_regular::substring(&["abc", "de", "fg"], 100).unwrap();
/// assert!(["", "abc", "abcde", "defg"].iter().all(|text| parts.contains(text.as_bytes())));
/// assert!(["ab", "cde", "abcfg"].iter().all(|text| !parts.contains(text.as_bytes())));
/// ```
///
/// # Errors
///
/// [`LimitError`] where the chunks are too long, the automaton needs more than `limit` states, or the budget is
/// exhausted.
pub fn substring<S: AsRef<str>>(chunks: &[S], limit: usize) -> Result<Dfa, LimitError> {
    let given = chunks.iter().map(|chunk| chunk.as_ref().len()).sum();
    LimitError::check("bytes of a text whose parts are allowed", given, BYTES)?;
    let mut text = Vec::with_capacity(given);
    let mut is_boundary = vec![false; given + 1];
    for chunk in chunks {
        is_boundary[text.len()] = true;
        text.extend_from_slice(chunk.as_ref().as_bytes());
    }
    is_boundary[given] = true;
    let start: Vec<u32> = (0..).zip(&is_boundary).filter(|(_, is)| **is).map(|(at, _)| at).collect();
    let mut known = FxHashMap::from_iter([(start.clone(), StateId(0))]);
    let (mut sets, mut states, mut loan) = (vec![start], Vec::new(), Loan::default());
    while let Some(set) = sets.get(states.len()).cloned() {
        LimitError::check("states of the parts of a text", sets.len(), limit)?;
        budget::work(1 + set.len())?;
        let mut next: Vec<(u8, u32)> =
            set.iter().filter_map(|&at| text.get(at as usize).map(|&byte| (byte, at + 1))).collect();
        next.sort_unstable();
        let mut edges = Vec::new();
        for group in next.chunk_by(|one, other| one.0 == other.0) {
            let to: Vec<u32> = group.iter().map(|&(_, at)| at).collect();
            let fresh = StateId(sets.len() as u32);
            let id = *known.entry(to).or_insert_with_key(|to| {
                sets.push(to.clone());
                fresh
            });
            if id == fresh {
                loan.grow(8 * group.len() + 128)?;
            }
            edges.push(Edge { lo: group[0].0, hi: group[0].0, to: id });
        }
        states.push(DfaState { accept: set.iter().any(|&at| is_boundary[at as usize]), edges });
    }
    Ok(Dfa::from_states(states))
}

#[cfg(test)]
mod tests {
    use super::substring;

    #[test]
    fn accepts_exactly_the_joined_runs_of_chunks() {
        let lists: [&[&str]; 6] = [
            &[],
            &["a", "", "b", "a", "b"],
            &["ab", "abc", "c"],
            &["aa", "aa", "aa"],
            &["é", "a", "éa"],
            &["ab", "a", "b", "ba"],
        ];
        for chunks in lists {
            let dfa = substring(chunks, 1_000).expect("small");
            let mut allowed = vec![String::new()];
            for from in 0..chunks.len() {
                allowed.extend((from..chunks.len()).map(|to| chunks[from..=to].concat()));
            }
            let letters = ["a", "b", "c", "é"];
            let mut words = vec![String::new()];
            for at in 0..words_up_to(letters.len(), 5) {
                let longer: Vec<String> = letters.iter().map(|letter| words[at].clone() + letter).collect();
                words.extend(longer);
            }
            for word in words.iter().chain(&allowed) {
                assert_eq!(dfa.contains(word.as_bytes()), allowed.contains(word), "{chunks:?} {word:?}");
            }
        }
    }

    /// Returns the number of words shorter than `len` over `letters` letters.
    fn words_up_to(letters: usize, len: u32) -> usize {
        (0..len).map(|len| letters.pow(len)).sum()
    }

    #[test]
    fn refuses_substrings_over_the_state_limit() {
        let error = substring(&["abcdefgh"], 4).expect_err("nine states");
        assert_eq!((error.given, error.limit), (5, 4));
    }
}
