//! Normalises states to an automaton: sorts edges, drops dead and unreachable states, and numbers the others in
//! breadth-first order.

use crate::state::{DfaState, Edge, StateId};

/// Returns the trim and canonically numbered form of `states`; state 0 is the start.
pub(crate) fn trim(mut states: Vec<DfaState>) -> Vec<DfaState> {
    let count = states.len();
    for state in &mut states {
        normalise_edges(&mut state.edges, count);
    }
    let live = live(&states);
    if !live.first().copied().unwrap_or(false) {
        return vec![DfaState::default()];
    }
    for state in &mut states {
        state.edges.retain(|edge| live[edge.to.index()]);
    }
    renumber(states)
}

/// Normalises a list of edges: sorts them, drops those whose target does not exist, cuts overlaps, merges neighbours.
pub(crate) fn normalise_edges(edges: &mut Vec<Edge>, count: usize) {
    edges.retain(|edge| edge.to.index() < count && edge.lo <= edge.hi);
    edges.sort_by_key(|edge| edge.lo);
    let mut kept: usize = 0;
    for at in 0..edges.len() {
        let mut edge = edges[at];
        if let Some(last) = kept.checked_sub(1).map(|last| &mut edges[last]) {
            if edge.hi <= last.hi {
                continue;
            }
            edge.lo = edge.lo.max(last.hi + 1);
            if last.to == edge.to && last.hi + 1 == edge.lo {
                last.hi = edge.hi;
                continue;
            }
        }
        edges[kept] = edge;
        kept += 1;
    }
    edges.truncate(kept);
}

/// Returns, for each state, whether it can reach acceptance.
fn live(states: &[DfaState]) -> Vec<bool> {
    let sources = Reverse::new(states);
    let mut live: Vec<bool> = states.iter().map(|state| state.accept).collect();
    let mut queue: Vec<u32> = (0..states.len() as u32).filter(|&at| live[at as usize]).collect();
    while let Some(at) = queue.pop() {
        for &from in sources.of(at) {
            if !std::mem::replace(&mut live[from as usize], true) {
                queue.push(from);
            }
        }
    }
    live
}

/// The reversed edges, in one flat table.
pub(crate) struct Reverse {
    starts: Vec<u32>,
    sources: Vec<u32>,
}

impl Reverse {
    /// Reverses the edges of `states`.
    pub(crate) fn new(states: &[DfaState]) -> Self {
        let mut starts = vec![0u32; states.len() + 1];
        for edge in states.iter().flat_map(|state| &state.edges) {
            starts[edge.to.index() + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut sources = vec![0; starts.last().copied().unwrap_or(0) as usize];
        for (from, state) in states.iter().enumerate() {
            for edge in &state.edges {
                let slot = &mut next[edge.to.index()];
                sources[*slot as usize] = from as u32;
                *slot += 1;
            }
        }
        Self { starts, sources }
    }

    /// Returns the states with an edge to `at`, once for each edge.
    pub(crate) fn of(&self, at: u32) -> &[u32] {
        &self.sources[self.starts[at as usize] as usize..self.starts[at as usize + 1] as usize]
    }
}

/// Keeps the states that are reachable from state 0, and numbers them in breadth-first order by byte.
fn renumber(mut states: Vec<DfaState>) -> Vec<DfaState> {
    const NEW: u32 = u32::MAX;
    let mut number = vec![NEW; states.len()];
    let mut order = vec![0usize];
    number[0] = 0;
    let mut next = 0;
    while let Some(&at) = order.get(next) {
        next += 1;
        for edge in &mut states[at].edges {
            let to = edge.to.index();
            if number[to] == NEW {
                number[to] = order.len() as u32;
                order.push(to);
            }
            edge.to = StateId(number[to]);
        }
    }
    order.into_iter().map(|at| std::mem::take(&mut states[at])).collect()
}
