//! Lengths in code points: how many more characters a state may, must and can take.
//!
//! A character is counted at its first byte. Lengths of a state are a set: its least and greatest member, and whether
//! everything between occurs, decide what a length keyword beside a pattern can promise.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::dfa::{Dfa, Edge, State, StateId};
use crate::limits::{LimitError, check};

/// With how many further characters a state reaches acceptance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Completion {
    /// The least number. For the only state of the empty language 0, with `max` 0 and not `contiguous`.
    pub min: u32,
    /// The greatest number; `None` if there is none.
    pub max: Option<u32>,
    /// Every number from `min` to `max` occurs. Of languages whose lengths repeat only with a very long period (over
    /// [`PERIOD`] characters) this is not found out, and is `false`.
    pub contiguous: bool,
}

/// How many lengths are tried one by one where intervals do not settle the question.
pub const PERIOD: usize = 4096;

/// The byte begins a character.
#[must_use]
pub fn is_lead(byte: u8) -> bool {
    !(0x80..0xC0).contains(&byte)
}

/// An edge begins a character; edges of UTF-8 automata never mix lead and continuation bytes.
fn weight(edge: &Edge) -> u32 {
    u32::from(is_lead(edge.lo))
}

/// The completions of every state.
#[must_use]
pub fn completions(dfa: &Dfa) -> Vec<Completion> {
    if dfa.is_empty() {
        return vec![Completion { min: 0, max: Some(0), contiguous: false }];
    }
    let least = least(dfa);
    let greatest = greatest(dfa);
    let full = contiguous(dfa, &least, &greatest);
    let joined = least.into_iter().zip(greatest).zip(full);
    joined.map(|((min, max), contiguous)| Completion { min, max, contiguous }).collect()
}

/// The least and greatest length of the language's strings; `(0, Some(0))` for the empty language.
#[must_use]
pub fn length_bounds(dfa: &Dfa) -> (u32, Option<u32>) {
    let bounds = (least(dfa).first().copied(), greatest(dfa).first().copied());
    (bounds.0.filter(|&min| min < u32::MAX).unwrap_or(0), bounds.1.unwrap_or(Some(0)))
}

/// Weighted edges turned around: for each state, who leads to it at what cost.
fn sources(dfa: &Dfa) -> Vec<Vec<(u32, u32)>> {
    let mut sources = vec![Vec::new(); dfa.len()];
    for (from, state) in dfa.states().iter().enumerate() {
        for edge in &state.edges {
            sources[edge.to.index()].push((from as u32, weight(edge)));
        }
    }
    sources
}

fn least(dfa: &Dfa) -> Vec<u32> {
    let sources = sources(dfa);
    let mut least: Vec<u32> = dfa.states().iter().map(|state| if state.accept { 0 } else { u32::MAX }).collect();
    let mut queue: std::collections::VecDeque<u32> =
        (0..dfa.len() as u32).filter(|&at| least[at as usize] == 0).collect();
    while let Some(at) = queue.pop_front() {
        for &(from, cost) in &sources[at as usize] {
            let through = least[at as usize] + cost;
            if through < least[from as usize] {
                least[from as usize] = through;
                if cost == 0 { queue.push_front(from) } else { queue.push_back(from) }
            }
        }
    }
    least
}

/// The longest completions: states are settled once all they lead to is; what is never settled leads to a cycle.
fn greatest(dfa: &Dfa) -> Vec<Option<u32>> {
    let sources = sources(dfa);
    let mut open: Vec<usize> = dfa.states().iter().map(|state| state.edges.len()).collect();
    let mut longest = vec![0u32; dfa.len()];
    let mut order: Vec<u32> = (0..dfa.len() as u32).filter(|&at| open[at as usize] == 0).collect();
    while let Some(at) = order.pop() {
        for &(from, cost) in &sources[at as usize] {
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

/// Sorted, disjoint, not adjacent intervals; `u32::MAX` at the end of the last stands for infinity.
type Lengths = Vec<(u32, u32)>;

fn contiguous(dfa: &Dfa, least: &[u32], greatest: &[Option<u32>]) -> Vec<bool> {
    if let Some(lengths) = settle(dfa, least) {
        return lengths.iter().map(|lengths| lengths.len() == 1).collect();
    }
    one_by_one(dfa, least, greatest)
}

/// The lengths of every state as intervals, if they come to rest.
///
/// A state that returns to itself with one character has every length from its least on; the rest follows from what a
/// state leads to. Loops of several characters without such a state may never come to rest.
fn settle(dfa: &Dfa, least: &[u32]) -> Option<Vec<Lengths>> {
    let sources = sources(dfa);
    let mut lengths: Vec<Lengths> = (0..dfa.len()).map(|at| seed(dfa, at, least[at])).collect();
    let mut waiting = vec![true; dfa.len()];
    let mut queue: std::collections::VecDeque<u32> = (0..dfa.len() as u32).rev().collect();
    let mut budget = dfa.len().saturating_mul(64).saturating_add(4096);
    while let Some(at) = queue.pop_front() {
        waiting[at as usize] = false;
        budget = budget.checked_sub(1 + dfa.state(StateId(at)).edges.len())?;
        let now = gather(dfa, at as usize, &lengths);
        if now == lengths[at as usize] {
            continue;
        }
        budget = budget.checked_sub(now.len())?;
        lengths[at as usize] = now;
        for &(from, _) in &sources[at as usize] {
            if !std::mem::replace(&mut waiting[from as usize], true) {
                queue.push_back(from);
            }
        }
    }
    Some(lengths)
}

fn seed(dfa: &Dfa, at: usize, least: u32) -> Lengths {
    if returns(dfa, at) {
        return vec![(least, u32::MAX)];
    }
    if dfa.states()[at].accept { vec![(0, 0)] } else { Vec::new() }
}

/// One character leads from the state back to it.
fn returns(dfa: &Dfa, at: usize) -> bool {
    let mut open: Vec<StateId> =
        dfa.states()[at].edges.iter().filter(|edge| weight(edge) == 1).map(|edge| edge.to).collect();
    let mut seen: FxHashSet<StateId> = FxHashSet::default();
    while let Some(state) = open.pop() {
        if state.index() == at {
            return true;
        }
        if seen.insert(state) {
            open.extend(dfa.state(state).edges.iter().filter(|edge| weight(edge) == 0).map(|edge| edge.to));
        }
    }
    false
}

/// What follows from the lengths of the successors.
fn gather(dfa: &Dfa, at: usize, lengths: &[Lengths]) -> Lengths {
    let mut all = lengths[at].clone();
    for edge in &dfa.states()[at].edges {
        let cost = weight(edge);
        all.extend(lengths[edge.to.index()].iter().map(|&(lo, hi)| (lo + cost, hi.saturating_add(cost))));
    }
    all.sort_unstable();
    let mut merged: Lengths = Vec::with_capacity(all.len());
    for (lo, hi) in all {
        match merged.last_mut() {
            Some(last) if lo <= last.1.saturating_add(1) => last.1 = last.1.max(hi),
            _ => merged.push((lo, hi)),
        }
    }
    merged
}

/// Length by length: which states reach acceptance with exactly so many characters, until that repeats.
fn one_by_one(dfa: &Dfa, least: &[u32], greatest: &[Option<u32>]) -> Vec<bool> {
    let sources = sources(dfa);
    let mut full = vec![true; dfa.len()];
    let accepting: Vec<u32> = (0..dfa.len() as u32).filter(|&at| dfa.state(StateId(at)).accept).collect();
    let mut now = spread(accepting, &sources);
    let mut seen: FxHashSet<Vec<u32>> = FxHashSet::default();
    for length in 0..PERIOD as u32 {
        let held: FxHashSet<u32> = now.iter().copied().collect();
        for at in 0..dfa.len() {
            let due = least[at] <= length && greatest[at].is_none_or(|max| length <= max);
            full[at] &= !due || held.contains(&(at as u32));
        }
        if !seen.insert(now.clone()) {
            return full;
        }
        let before = now.iter().flat_map(|&at| &sources[at as usize]).filter(|source| source.1 == 1);
        now = spread(before.map(|source| source.0).collect(), &sources);
    }
    full.into_iter().zip(greatest).map(|(full, max)| full && max.is_some()).collect()
}

/// `states` and all that lead to them within a character, sorted.
fn spread(mut open: Vec<u32>, sources: &[Vec<(u32, u32)>]) -> Vec<u32> {
    let mut seen: FxHashSet<u32> = FxHashSet::default();
    while let Some(at) = open.pop() {
        if seen.insert(at) {
            open.extend(sources[at as usize].iter().filter(|source| source.1 == 0).map(|source| source.0));
        }
    }
    let mut all: Vec<u32> = seen.into_iter().collect();
    all.sort_unstable();
    all
}

/// The strings of `dfa` with at least `min` and at most `max` characters. Minimal.
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
    let least = least(dfa);
    let cap = max.map_or(min, |max| max.saturating_add(1));
    let mut known = FxHashMap::from_iter([((StateId(0), 0u32), StateId(0))]);
    let mut places = vec![(StateId(0), 0u32)];
    let mut states: Vec<State> = Vec::new();
    while let Some(&(at, read)) = places.get(states.len()) {
        let state = dfa.state(at);
        let mut edges = Vec::new();
        for edge in &state.edges {
            let read = (read + weight(edge)).min(cap);
            if max.is_some_and(|max| read.saturating_add(least[edge.to.index()]) > max) {
                continue;
            }
            let to = *known.entry((edge.to, read)).or_insert_with(|| {
                places.push((edge.to, read));
                StateId(places.len() as u32 - 1)
            });
            crate::utf8::push(&mut edges, edge.lo, edge.hi, to);
        }
        states.push(State { accept: state.accept && read >= min, edges });
        check("states with a length", places.len(), limit)?;
    }
    Ok(Dfa::from_states(states).minimize())
}
