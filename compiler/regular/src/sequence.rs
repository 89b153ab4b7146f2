//! Concatenation and repetition of languages, by way of a nondeterministic automaton.

use rustc_hash::FxHashMap;

use crate::budget::{self, Loan};
use crate::dfa::Dfa;
use crate::limits::LimitError;
use crate::state::{DfaState, Edge, StateId, step};
use crate::utf8::push_edge;

/// A nondeterministic automaton: copies of deterministic ones, and joints, which lead on without reading.
#[derive(Default)]
struct Nfa {
    edges: Vec<Vec<Edge>>,
    free: Vec<Vec<u32>>,
}

impl Nfa {
    fn joint(&mut self) -> u32 {
        self.edges.push(Vec::new());
        self.free.push(Vec::new());
        self.free.len() as u32 - 1
    }

    fn link(&mut self, from: u32, to: u32) {
        self.free[from as usize].push(to);
    }

    /// Adds a copy of `part` between two joints.
    fn copy(&mut self, part: &Dfa, from: u32, to: u32) {
        let base = self.edges.len() as u32;
        for state in part.states() {
            let moved = state.edges.iter().map(|edge| Edge { to: StateId(edge.to.0 + base), ..*edge });
            self.edges.push(moved.collect());
            self.free.push(if state.accept { vec![to] } else { Vec::new() });
        }
        self.link(from, base);
    }

    /// Returns the epsilon closure of `open`, sorted.
    fn closed(&self, mut open: Vec<u32>) -> Vec<u32> {
        let mut set: Vec<u32> = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(at) = open.pop() {
            if seen.insert(at) {
                set.push(at);
                open.extend(&self.free[at as usize]);
            }
        }
        set.sort_unstable();
        set
    }

    /// Determinises the automaton from joint `from` to joint `to`, by subset construction, and minimises it.
    fn determinize(&self, from: u32, to: u32, limit: usize) -> Result<Dfa, LimitError> {
        let start = self.closed(vec![from]);
        let mut known = FxHashMap::from_iter([(start.clone(), StateId(0))]);
        let mut sets = vec![start];
        let mut states: Vec<DfaState> = Vec::new();
        let mut loan = Loan::default();
        while let Some(set) = sets.get(states.len()).cloned() {
            let mut edges = Vec::new();
            for (lo, hi, next) in self.successors(&set) {
                budget::work(1 + (set.len() + next.len()) / 2)?;
                loan.grow(16 + 2 * size_of_val(next.as_slice()))?;
                let fresh = StateId(sets.len() as u32);
                let to = *known.entry(next).or_insert_with_key(|key| {
                    sets.push(key.clone());
                    fresh
                });
                push_edge(&mut edges, lo, hi, to);
            }
            states.push(DfaState { accept: set.binary_search(&to).is_ok(), edges });
            LimitError::check("states of a sequence of automata", sets.len(), limit)?;
        }
        Ok(Dfa::from_states(states).minimize())
    }

    /// Returns the closed sets that a set leads to, each with a range of bytes.
    fn successors(&self, set: &[u32]) -> Vec<(u8, u8, Vec<u32>)> {
        // The bytes at which some edge begins or has just ended cut all bytes into ranges with one target set each.
        let mut starts = [false; 257];
        for edge in set.iter().flat_map(|&at| &self.edges[at as usize]) {
            starts[edge.lo as usize] = true;
            starts[edge.hi as usize + 1] = true;
        }
        let cuts: Vec<usize> = (0..257).filter(|&at| starts[at]).collect();
        let targets = |byte| set.iter().filter_map(|&at| step(&self.edges[at as usize], byte)).map(|to| to.0).collect();
        let runs =
            cuts.windows(2).map(|pair| (pair[0] as u8, (pair[1] - 1) as u8, self.closed(targets(pair[0] as u8))));
        runs.filter(|run| !run.2.is_empty()).collect()
    }
}

/// Makes the automaton of the concatenation of all parts. Minimal.
///
/// # Errors
///
/// More than `limit` states.
pub fn concat_all(parts: &[&Dfa], limit: usize) -> Result<Dfa, LimitError> {
    let mut nfa = Nfa::default();
    let first = nfa.joint();
    let mut last = first;
    for part in parts {
        let next = nfa.joint();
        nfa.copy(part, last, next);
        last = next;
        LimitError::check("states of a sequence of automata", nfa.edges.len(), limit.saturating_mul(4))?;
    }
    nfa.determinize(first, last, limit)
}

impl Dfa {
    /// Makes the automaton of the concatenation: a string of `self`, then one of `other`. Minimal.
    ///
    /// # Errors
    ///
    /// More than `limit` states.
    pub fn concat(&self, other: &Self, limit: usize) -> Result<Self, LimitError> {
        concat_all(&[self, other], limit)
    }

    /// Makes the automaton of any number of strings of `self` one after another. Minimal.
    ///
    /// # Errors
    ///
    /// More than `limit` states.
    pub fn star(&self, limit: usize) -> Result<Self, LimitError> {
        self.repeat(0, None, limit)
    }

    /// Makes the automaton of `min` to `max` strings of `self` one after another; of no string at all if `max` is under
    /// `min`. Minimal.
    ///
    /// # Errors
    ///
    /// More than `limit` states.
    pub fn repeat(&self, min: u32, max: Option<u32>, limit: usize) -> Result<Self, LimitError> {
        if max.is_some_and(|max| max < min) {
            return Ok(Self::empty());
        }
        let mut nfa = Nfa::default();
        let mut joints = vec![nfa.joint()];
        for at in 0..max.unwrap_or(min.max(1)) as usize {
            joints.push(nfa.joint());
            nfa.copy(self, joints[at], joints[at + 1]);
            LimitError::check("states of a sequence of automata", nfa.edges.len(), limit.saturating_mul(4))?;
        }
        let last = joints.len() - 1;
        if max.is_none() {
            nfa.link(joints[last], joints[last - 1]);
        }
        for &joint in joints.iter().skip(min as usize) {
            nfa.link(joint, joints[last]);
        }
        nfa.determinize(joints[0], joints[last], limit)
    }
}
