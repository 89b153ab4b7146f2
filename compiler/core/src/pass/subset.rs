//! Subset construction over bytes and calls: a call, identified by its unit and guard, is a symbol like a byte.
//!
//! States are sets of targets *before* their silent moves, so that a set is closed once. If a unit needs too many
//! states, each target becomes a state by itself: then edges overlap and several heads run, but nothing else changes.

use always_assert::never;
use ogc_regular::LimitError;
use ogc_regular::budget::{self, Loan};
use rustc_hash::FxHashMap;

use crate::pass::Limits;
use crate::pass::nfa::{Closure, END, Guard, Label, Move, Nfa, START, UnitId};

/// A state without epsilon moves.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct SubsetState {
    pub(crate) accept: bool,
    /// Sorted.
    pub(crate) edges: Vec<Edge>,
    /// Sorted.
    pub(crate) calls: Vec<Call>,
}

/// An edge: a range of bytes leads to a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Edge {
    pub(crate) guard: Guard,
    pub(crate) lo: u8,
    pub(crate) hi: u8,
    pub(crate) to: u32,
}

/// A call and the state to which it returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Call {
    pub(crate) guard: Guard,
    pub(crate) unit: UnitId,
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) to: u32,
}

/// A unit's states; state 0 is the start, to which nothing leads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Machine {
    pub(crate) states: Vec<SubsetState>,
    pub(crate) origins: Vec<u32>,
    /// Whether it was too large to be made deterministic, so that several heads may run.
    pub(crate) parallel: bool,
}

/// Total size of the state sets so far, in members.
#[derive(Debug, Default)]
pub(crate) struct Work(usize);

/// Estimates the bytes of a state whose set has `members` members with `moves` moves; its targets are stored twice.
fn set_bytes(members: usize, moves: usize) -> usize {
    2 * size_of::<SubsetState>() + moves.min(members.saturating_mul(4)).saturating_mul(size_of::<Edge>())
}

struct Construction<'n> {
    nfa: &'n Nfa,
    /// Whether all targets of one symbol become one state.
    join: bool,
    known: FxHashMap<Box<[u32]>, u32>,
    sets: Vec<Box<[u32]>>,
    made: Machine,
}

/// Determinises a unit; keeps it nondeterministic if the sets take too much work.
pub(crate) fn determinize(nfa: &Nfa, limits: &Limits, work: &mut Work) -> Result<Machine, LimitError> {
    if let Some(made) = construct(nfa, true, limits, work)? {
        return Ok(made);
    }
    construct(nfa, false, limits, work)?.ok_or(LimitError {
        what: "states of one rule",
        given: nfa.states.len(),
        limit: limits.nfa_states,
    })
}

/// Builds the states of a unit, with targets joined into sets or each by itself. `None` if there are too many states,
/// or if the sets take more than their share of the work.
pub(crate) fn construct(
    nfa: &Nfa,
    join: bool,
    limits: &Limits,
    work: &mut Work,
) -> Result<Option<Machine>, LimitError> {
    let made = Machine { parallel: !join, ..Machine::default() };
    let mut construction = Construction { nfa, join, known: FxHashMap::default(), sets: Vec::new(), made };
    construction.id(vec![START]);
    let mut closure = Closure::default();
    let mut loan = Loan::default();
    let limit = if join { limits.rule_states } else { limits.nfa_states };
    let share = work.0 + limits.work / 4;
    while let Some(set) = construction.sets.get(construction.made.states.len()).cloned() {
        let members = closure.of(nfa, &set);
        work.0 += members.len();
        LimitError::check("members of sets of states", work.0, limits.work)?;
        let moves: usize = members.iter().map(|&member| nfa.states[member as usize].moves.len()).sum();
        budget::work(8 + members.len() + moves)?;
        loan.grow(set_bytes(members.len(), moves))?;
        construction.state(members);
        if construction.sets.len() > limit || join && work.0 > share {
            return Ok(None);
        }
    }
    Ok(Some(construction.made))
}

impl Construction<'_> {
    fn id(&mut self, mut set: Vec<u32>) -> u32 {
        set.sort_unstable();
        set.dedup();
        let fresh = self.sets.len() as u32;
        let set = set.into_boxed_slice();
        if let Some(&known) = self.known.get(&set) {
            return known;
        }
        self.sets.push(set.clone());
        self.known.insert(set, fresh);
        fresh
    }

    /// Returns the states for the targets of one symbol: one state for their set, or one for each if sets are not
    /// joined.
    fn targets(&mut self, targets: &[u32]) -> Vec<u32> {
        if self.join {
            return vec![self.id(targets.to_vec())];
        }
        let mut ids: Vec<u32> = targets.iter().map(|&target| self.id(vec![target])).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    fn state(&mut self, members: &[u32]) {
        let nfa = self.nfa;
        let mut moves: Vec<Move> =
            members.iter().flat_map(|&member| nfa.states[member as usize].moves.iter().copied()).collect();
        moves.sort_unstable_by_key(|step| (step.guard, step.label, step.to));
        let mut state = SubsetState { accept: members.contains(&END), ..SubsetState::default() };
        for same in moves.chunk_by(|a, b| a.guard == b.guard) {
            let calls = same.partition_point(|step| matches!(step.label, Label::Bytes(..)));
            self.edges(&same[..calls], &mut state.edges);
            self.calls(&same[calls..], &mut state.calls);
        }
        state.edges.sort_unstable();
        state.calls.sort_unstable();
        let origin = origin(nfa, members);
        self.made.states.push(state);
        self.made.origins.push(origin);
    }

    /// Adds the edges of one guard; byte ranges are split wherever any range begins or ends.
    fn edges(&mut self, moves: &[Move], edges: &mut Vec<Edge>) {
        let Some(first) = moves.first() else { return };
        let guard = first.guard;
        let mut cuts = [false; 257];
        for (lo, hi) in moves.iter().filter_map(range) {
            cuts[usize::from(lo)] = true;
            cuts[usize::from(hi) + 1] = true;
        }
        let starts: Vec<usize> = (0..257).filter(|&at| cuts[at]).collect();
        let mut buckets: Vec<Vec<u32>> = vec![Vec::new(); starts.len()];
        for step in moves {
            let Some((lo, hi)) = range(step) else {
                never!("a call stands among the bytes: {:?}", step);
                continue;
            };
            let from = starts.partition_point(|&at| at < usize::from(lo));
            let past = starts.partition_point(|&at| at <= usize::from(hi));
            buckets[from..past].iter_mut().for_each(|bucket| bucket.push(step.to));
        }
        for (pair, targets) in starts.windows(2).zip(&buckets) {
            let (lo, hi) = (pair[0] as u8, (pair[1] - 1) as u8);
            if targets.is_empty() {
                continue;
            }
            for to in self.targets(targets) {
                widen(edges, Edge { guard, lo, hi, to });
            }
        }
    }

    fn calls(&mut self, moves: &[Move], calls: &mut Vec<Call>) {
        for same in moves.chunk_by(|x, y| x.label == y.label) {
            let (Some(first), targets) = (same.first(), same.iter().map(|step| step.to).collect::<Vec<_>>()) else {
                continue;
            };
            let Label::Call(unit, a, b) = first.label else {
                never!("bytes stand among the calls: {:?}", first);
                continue;
            };
            let guard = first.guard;
            calls.extend(self.targets(&targets).into_iter().map(|to| Call { guard, unit, a, b, to }));
        }
    }
}

fn range(step: &Move) -> Option<(u8, u8)> {
    match step.label {
        Label::Bytes(lo, hi) => Some((lo, hi)),
        Label::Call(..) => None,
    }
}

/// Adds an edge, or widens an earlier edge that it continues.
fn widen(edges: &mut Vec<Edge>, edge: Edge) {
    let recent = edges.len().saturating_sub(8);
    let continued = |e: &&mut Edge| e.guard == edge.guard && e.to == edge.to && e.hi.checked_add(1) == Some(edge.lo);
    match edges[recent..].iter_mut().find(continued) {
        Some(last) => last.hi = edge.hi,
        None => edges.push(edge),
    }
}

/// Returns the source place of a state: the place of the member whose moves read the most different bytes, so that a
/// state of free text does not belong to the literal that may end it. Of equal members, the first counts.
fn origin(nfa: &Nfa, members: &[u32]) -> u32 {
    let states = members.iter().map(|&member| &nfa.states[member as usize]).filter(|state| state.origin != 0);
    let read = |step: &Move| match step.label {
        Label::Bytes(lo, hi) => usize::from(hi - lo) + 1,
        Label::Call(..) => 1,
    };
    let most = states.rev().max_by_key(|state| state.moves.iter().map(read).sum::<usize>());
    most.map_or(0, |state| state.origin)
}
