//! Lengths of strings in characters (code points): the least and the greatest number of characters that lead from a
//! state to acceptance.
//!
//! A character is counted at its first byte. The lengths of a state form a set. Its least member, its greatest member
//! and its widest gap decide which bounds a length keyword can add to a pattern.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::budget::{self, Loan};
use crate::dfa::Dfa;
use crate::limits::LimitError;
use crate::state::{DfaState, Edge, StateId};

/// The numbers of further characters with which a state reaches acceptance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Completion {
    /// The least number. The only state of the empty language has `min` 0, `max` 0 and an unknown `gap`.
    pub min: u32,
    /// The greatest number; `None` if there is none.
    pub max: Option<u32>,
    /// Length of the longest run of numbers between `min` and `max` that do not occur: 0 if all occur, 1 for `a?(bb)*`.
    /// [`u32::MAX`] (unknown) for languages whose lengths repeat only with a very long period, over [`PERIOD`]
    /// characters.
    pub gap: u32,
}

/// Cap on the lengths that are tried one by one when intervals do not settle the question.
pub const PERIOD: usize = 4096;

/// Returns whether the byte begins a character.
#[must_use]
pub fn is_lead(byte: u8) -> bool {
    !(0x80..0xC0).contains(&byte)
}

/// Returns 1 if an edge begins a character, else 0; edges of UTF-8 automata never mix lead and continuation bytes.
fn weight(edge: &Edge) -> u32 {
    u32::from(is_lead(edge.lo))
}

/// Returns the completions of every state.
#[must_use]
pub fn completions(dfa: &Dfa) -> Vec<Completion> {
    if dfa.is_empty() {
        return vec![Completion { min: 0, max: Some(0), gap: u32::MAX }];
    }
    let sources = Sources::new(dfa);
    let least = least(dfa, &sources);
    let greatest = greatest(dfa, &sources);
    let gaps = gaps(dfa, &sources, &least, &greatest);
    let joined = least.into_iter().zip(greatest).zip(gaps);
    joined.map(|((min, max), gap)| Completion { min, max, gap }).collect()
}

/// Returns the least and greatest length of the language's strings; `(0, Some(0))` for the empty language.
#[must_use]
pub fn length_bounds(dfa: &Dfa) -> (u32, Option<u32>) {
    let sources = Sources::new(dfa);
    let bounds = (least(dfa, &sources).first().copied(), greatest(dfa, &sources).first().copied());
    (bounds.0.filter(|&min| min < u32::MAX).unwrap_or(0), bounds.1.unwrap_or(Some(0)))
}

/// The reversed edges with their costs in characters: for each state, the states that lead to it, in one flat table.
struct Sources {
    starts: Vec<u32>,
    items: Vec<(u32, u32)>,
}

impl Sources {
    fn new(dfa: &Dfa) -> Self {
        let mut starts = vec![0u32; dfa.len() + 1];
        for edge in dfa.states().iter().flat_map(|state| &state.edges) {
            starts[edge.to.index() + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut items = vec![(0, 0); starts.last().copied().unwrap_or(0) as usize];
        for (from, state) in dfa.states().iter().enumerate() {
            for edge in &state.edges {
                let slot = &mut next[edge.to.index()];
                items[*slot as usize] = (from as u32, weight(edge));
                *slot += 1;
            }
        }
        Self { starts, items }
    }

    fn of(&self, at: u32) -> &[(u32, u32)] {
        &self.items[self.starts[at as usize] as usize..self.starts[at as usize + 1] as usize]
    }
}

/// Computes the shortest completions by a search backwards from the accepting states. An edge costs 1 if its byte
/// begins a character, else 0, so a double-ended queue replaces Dijkstra's heap.
fn least(dfa: &Dfa, sources: &Sources) -> Vec<u32> {
    let mut least: Vec<u32> = dfa.states().iter().map(|state| if state.accept { 0 } else { u32::MAX }).collect();
    let mut queue: std::collections::VecDeque<u32> =
        (0..dfa.len() as u32).filter(|&at| least[at as usize] == 0).collect();
    while let Some(at) = queue.pop_front() {
        for &(from, cost) in sources.of(at) {
            let through = least[at as usize] + cost;
            if through < least[from as usize] {
                least[from as usize] = through;
                if cost == 0 { queue.push_front(from) } else { queue.push_back(from) }
            }
        }
    }
    least
}

/// Computes the longest completions in reverse topological order; a state that leads to a cycle is never settled and
/// gets `None`.
fn greatest(dfa: &Dfa, sources: &Sources) -> Vec<Option<u32>> {
    let mut open: Vec<usize> = dfa.states().iter().map(|state| state.edges.len()).collect();
    let mut longest = vec![0u32; dfa.len()];
    let mut order: Vec<u32> = (0..dfa.len() as u32).filter(|&at| open[at as usize] == 0).collect();
    while let Some(at) = order.pop() {
        for &(from, cost) in sources.of(at) {
            let from = from as usize;
            longest[from] = longest[from].max(longest[at as usize].saturating_add(cost));
            open[from] -= 1;
            if open[from] == 0 {
                order.push(from as u32);
            }
        }
    }
    longest.into_iter().zip(open).map(|(longest, open)| (open == 0).then_some(longest)).collect()
}

/// A set of lengths as sorted, disjoint, non-adjacent intervals. `u32::MAX` as the end of the last one stands for
/// infinity.
type Lengths = Vec<(u32, u32)>;

/// Computes per state the widest gap between its lengths: for `(ab)*`, whose lengths are 0, 2, 4, ..., it is 1.
fn gaps(dfa: &Dfa, sources: &Sources, least: &[u32], greatest: &[Option<u32>]) -> Vec<u32> {
    if let Some(lengths) = settle(dfa, sources, least) {
        return lengths.iter().map(widest).collect();
    }
    one_by_one(dfa, sources, greatest)
}

/// Returns the widest gap between intervals; [`u32::MAX`] if there are none.
fn widest(lengths: &Lengths) -> u32 {
    let gaps = lengths.windows(2).map(|pair| pair[1].0 - pair[0].1 - 1);
    if lengths.is_empty() { u32::MAX } else { gaps.max().unwrap_or(0) }
}

/// Computes the lengths of every state as intervals, by iteration to a fixpoint; `None` if it takes too long.
///
/// A state that returns to itself with one character has every length from its least on; the rest follows from what a
/// state leads to. Loops of several characters without such a state may never come to rest.
fn settle(dfa: &Dfa, sources: &Sources, least: &[u32]) -> Option<Vec<Lengths>> {
    let mut lengths: Vec<Lengths> = (0..dfa.len()).map(|at| seed(dfa, at, least[at])).collect();
    let mut waiting = vec![true; dfa.len()];
    let mut queue: std::collections::VecDeque<u32> = (0..dfa.len() as u32).rev().collect();
    let (mut all, mut now) = (Lengths::new(), Lengths::new());
    let mut left = dfa.len().saturating_mul(64).saturating_add(4096);
    while let Some(at) = queue.pop_front() {
        waiting[at as usize] = false;
        let _ = budget::work(1);
        left = left.checked_sub(1 + dfa.state(StateId(at)).edges.len())?;
        gather(dfa, at as usize, &lengths, &mut all, &mut now);
        if now == lengths[at as usize] {
            continue;
        }
        left = left.checked_sub(now.len())?;
        lengths[at as usize].clone_from(&now);
        for &(from, _) in sources.of(at) {
            if !std::mem::replace(&mut waiting[from as usize], true) {
                queue.push_back(from);
            }
        }
    }
    Some(lengths)
}

/// Returns the lengths of a state that are known before those of its successors.
fn seed(dfa: &Dfa, at: usize, least: u32) -> Lengths {
    if returns(dfa, at) {
        return vec![(least, u32::MAX)];
    }
    if dfa.states()[at].accept { vec![(0, 0)] } else { Vec::new() }
}

/// Returns whether one character leads from the state back to it.
fn returns(dfa: &Dfa, at: usize) -> bool {
    let inside = |state: &StateId| dfa.state(*state).edges.first().is_some_and(|edge| weight(edge) == 0);
    let behind = |state: StateId, cost: u32| dfa.state(state).edges.iter().filter(move |edge| weight(edge) == cost);
    let from = StateId(at as u32);
    if behind(from, 1).any(|edge| edge.to == from) {
        return true;
    }
    let mut open: Vec<StateId> = behind(from, 1).map(|edge| edge.to).filter(inside).collect();
    let mut seen: FxHashSet<StateId> = FxHashSet::default();
    while let Some(state) = open.pop() {
        if behind(state, 0).any(|edge| edge.to == from) {
            return true;
        }
        if seen.insert(state) {
            open.extend(behind(state, 0).map(|edge| edge.to).filter(inside));
        }
    }
    false
}

/// Computes the lengths of a state from those of its successors into `merged`; `all` is scratch space.
fn gather(dfa: &Dfa, at: usize, lengths: &[Lengths], all: &mut Lengths, merged: &mut Lengths) {
    all.clear();
    all.extend_from_slice(&lengths[at]);
    for edge in &dfa.states()[at].edges {
        let cost = weight(edge);
        all.extend(lengths[edge.to.index()].iter().map(|&(lo, hi)| (lo + cost, hi.saturating_add(cost))));
    }
    all.sort_unstable();
    merged.clear();
    for &(lo, hi) in all.iter() {
        match merged.last_mut() {
            Some(last) if lo <= last.1.saturating_add(1) => last.1 = last.1.max(hi),
            _ => merged.push((lo, hi)),
        }
    }
}

/// Finds the widest gaps by trying length after length. Stops when the set of states that have the current length
/// repeats, and then goes on for one more period: after that everything recurs.
fn one_by_one(dfa: &Dfa, sources: &Sources, greatest: &[Option<u32>]) -> Vec<u32> {
    let mut gaps = vec![0; dfa.len()];
    let mut last: Vec<Option<u32>> = vec![None; dfa.len()];
    let accepting: Vec<u32> = (0..dfa.len() as u32).filter(|&at| dfa.state(StateId(at)).accept).collect();
    let mut held = vec![false; dfa.len()];
    let mut now = spread(accepting, sources, &mut held);
    let mut seen: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
    let mut end = None;
    for length in 0..PERIOD as u32 {
        // Once the budget is exhausted, the result is discarded.
        if budget::work(dfa.len() / 16 + now.len() / 4).is_err() || end == Some(length) {
            return gaps;
        }
        for &at in &now {
            let before = last[at as usize].replace(length).unwrap_or(length);
            gaps[at as usize] = gaps[at as usize].max((length - before).saturating_sub(1));
        }
        let first = *seen.entry(now.clone()).or_insert(length);
        end = end.or((first < length).then_some(2 * length - first));
        let before = now.iter().flat_map(|&at| sources.of(at)).filter(|source| source.1 == 1);
        let before = before.map(|source| source.0).collect();
        now = spread(before, sources, &mut held);
    }
    let is_known = |max: &Option<u32>| max.is_some_and(|max| max < PERIOD as u32);
    gaps.into_iter().zip(greatest).map(|(gap, max)| if is_known(max) { gap } else { u32::MAX }).collect()
}

/// Returns `open` and all states that reach it within a character, sorted; `held` marks the same states.
fn spread(mut open: Vec<u32>, sources: &Sources, held: &mut [bool]) -> Vec<u32> {
    held.fill(false);
    let mut all: Vec<u32> = Vec::new();
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut held[at as usize], true) {
            all.push(at);
            open.extend(sources.of(at).iter().filter(|source| source.1 == 0).map(|source| source.0));
        }
    }
    all.sort_unstable();
    all
}

/// Makes the automaton of the strings of `dfa` with at least `min` and at most `max` characters. Minimal.
///
/// # Errors
///
/// More than `limit` states before minimisation.
pub fn with_length(dfa: &Dfa, min: u32, max: Option<u32>, limit: usize) -> Result<Dfa, LimitError> {
    let bounds = length_bounds(dfa);
    let max = max.filter(|&max| bounds.1.is_none_or(|greatest| greatest > max));
    if bounds.0 >= min && max.is_none() {
        return Ok(dfa.clone());
    }
    let least = least(dfa, &Sources::new(dfa));
    // A state of the result is a pair: a state of `dfa` and the number of characters read so far. All counts from `cap`
    // on are equivalent.
    let cap = max.map_or(min, |max| max.saturating_add(1));
    let mut known = FxHashMap::from_iter([((StateId(0), 0u32), StateId(0))]);
    let mut places = vec![(StateId(0), 0u32)];
    let mut states: Vec<DfaState> = Vec::new();
    let mut loan = Loan::default();
    let mut edges = Vec::new();
    while let Some(&(at, read)) = places.get(states.len()) {
        let state = dfa.state(at);
        budget::work(1 + state.edges.len())?;
        loan.grow(64 + state.edges.len() * size_of::<Edge>())?;
        edges.clear();
        for edge in &state.edges {
            let read = (read + weight(edge)).min(cap);
            if max.is_some_and(|max| read.saturating_add(least[edge.to.index()]) > max) {
                continue;
            }
            let to = *known.entry((edge.to, read)).or_insert_with(|| {
                places.push((edge.to, read));
                StateId(places.len() as u32 - 1)
            });
            crate::utf8::push_edge(&mut edges, edge.lo, edge.hi, to);
        }
        states.push(DfaState { accept: state.accept && read >= min, edges: edges.clone() });
        LimitError::check("states that count characters", places.len(), limit)?;
    }
    Ok(Dfa::from_states(states).minimized())
}
