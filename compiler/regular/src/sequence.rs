//! Concatenation and repetition of languages through a nondeterministic automaton.

use crate::budget::{self, Loan};
use crate::dfa::Dfa;
use crate::limits::LimitError;
use crate::lists::Lists;
use crate::state::{DfaState, Edge, StateId};
use crate::utf8::push_edge;

/// A nondeterministic automaton: copies of deterministic automata, and joints (states with epsilon transitions only).
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

    /// Adds a copy of `part` between the joints `from` and `to`.
    fn copy(&mut self, part: &Dfa, from: u32, to: u32) {
        let base = self.edges.len() as u32;
        for state in part.states() {
            let moved = state.edges.iter().map(|edge| Edge { to: StateId(edge.to.0 + base), ..*edge });
            self.edges.push(moved.collect());
            self.free.push(if state.accept { vec![to] } else { Vec::new() });
        }
        self.link(from, base);
    }

    /// Determinises the automaton from joint `from` to joint `to`, by subset construction, and minimises it.
    fn determinize(&self, from: u32, to: u32, limit: usize) -> Result<Dfa, LimitError> {
        let mut subsets = Subsets::new(self, to);
        subsets.reached(&[from])?;
        let mut states: Vec<DfaState> = Vec::new();
        while states.len() < subsets.sets.len() {
            let number = states.len() as u32;
            let edges = subsets.edges(number)?;
            let accept = subsets.sets.get(number).1.contains(&to);
            states.push(DfaState { accept, edges });
            LimitError::check("states of a sequence of automata", subsets.sets.len(), limit)?;
        }
        Ok(Dfa::from_states(states).minimized())
    }
}

/// The sets of states that some text can lead to, as far as they are explored. Of the joints, a set keeps only the
/// last.
struct Subsets<'n> {
    nfa: &'n Nfa,
    to: u32,
    sets: Lists<u32>,
    /// Interned sets before their epsilon closure: most bytes lead to few different ones.
    targets: Lists<u32>,
    set_of: Vec<u32>,
    /// Per state: the last set that it was found in.
    stamps: Vec<u32>,
    stamp: u32,
    loan: Loan,
}

impl<'n> Subsets<'n> {
    fn new(nfa: &'n Nfa, to: u32) -> Self {
        Self {
            nfa,
            to,
            sets: Lists::default(),
            targets: Lists::default(),
            set_of: Vec::new(),
            stamps: vec![0; nfa.edges.len()],
            stamp: 0,
            loan: Loan::default(),
        }
    }

    /// Returns the number of the epsilon closure of `targets`.
    fn reached(&mut self, targets: &[u32]) -> Result<u32, LimitError> {
        let number = self.targets.number(0, targets);
        if let Some(&known) = self.set_of.get(number as usize) {
            return Ok(known);
        }
        let set = self.closed(targets);
        budget::work(1 + set.len())?;
        self.loan.grow(64 + size_of_val(targets) + size_of_val(set.as_slice()))?;
        let set = self.sets.number(0, &set);
        self.set_of.push(set);
        Ok(set)
    }

    /// Returns the epsilon closure of `targets`, sorted.
    fn closed(&mut self, targets: &[u32]) -> Vec<u32> {
        self.stamp += 1;
        let mut open = targets.to_vec();
        let mut set = Vec::new();
        while let Some(at) = open.pop() {
            if std::mem::replace(&mut self.stamps[at as usize], self.stamp) == self.stamp {
                continue;
            }
            if at == self.to || !self.nfa.edges[at as usize].is_empty() {
                set.push(at);
            }
            open.extend(&self.nfa.free[at as usize]);
        }
        set.sort_unstable();
        set
    }

    /// Returns the edges of a set; their targets are sets.
    fn edges(&mut self, number: u32) -> Result<Vec<Edge>, LimitError> {
        let nfa = self.nfa;
        let set = self.sets.get(number).1;
        let mut rest: Vec<&[Edge]> = set.iter().map(|&at| nfa.edges[at as usize].as_slice()).collect();
        // The bytes at which some edge begins, or has just ended, cut all bytes into ranges with one target set each.
        let mut starts = [false; 257];
        for edge in rest.iter().copied().flatten() {
            starts[edge.lo as usize] = true;
            starts[edge.hi as usize + 1] = true;
        }
        let mut cuts = (0..257).filter(|&at| starts[at as usize]).peekable();
        let (mut edges, mut targets) = (Vec::new(), Vec::new());
        while let (Some(lo), Some(&next)) = (cuts.next(), cuts.peek()) {
            targets.clear();
            for edges in &mut rest {
                while let [Edge { hi, .. }, later @ ..] = edges
                    && u16::from(*hi) < lo
                {
                    *edges = later;
                }
                targets.extend(edges.first().filter(|edge| u16::from(edge.lo) <= lo).map(|edge| edge.to.0));
            }
            budget::work(1 + (rest.len() + targets.len()) / 2)?;
            if !targets.is_empty() {
                push_edge(&mut edges, lo as u8, (next - 1) as u8, StateId(self.reached(&targets)?));
            }
        }
        self.loan.grow(16 + size_of_val(edges.as_slice()))?;
        Ok(edges)
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

    /// Makes the automaton of zero or more strings of `self` in a row. Minimal.
    ///
    /// # Errors
    ///
    /// More than `limit` states.
    pub fn star(&self, limit: usize) -> Result<Self, LimitError> {
        self.repeat(0, None, limit)
    }

    /// Makes the automaton of `min` to `max` strings of `self` in a row; the empty language if `max` is below `min`.
    /// Minimal.
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
