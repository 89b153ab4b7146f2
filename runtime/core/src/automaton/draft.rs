//! A view of the builder with edges and calls grouped by state, and the two passes that find the states to keep: those that can reach the
//! end of their rule (costs), and those that the root reaches.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::build::{AutomatonBuilder, StateDraft};
use super::error::BuildError;
use super::grouped::Grouped;
use super::{Call, Edge, RuleId, StateId, StateKind};

/// The state of Dijkstra's search for least costs: settled states with their final costs, and a queue of offers for the others.
#[derive(Debug)]
struct Settling {
    settled: Vec<Option<u32>>,
    /// The least cost offered so far. An offer of `u32::MAX` is always queued.
    best: Vec<u32>,
    queue: Queue,
}

impl Settling {
    fn offer(&mut self, state: u32, cost: u32) {
        let best = &mut self.best[state as usize];
        if cost < *best || cost == u32::MAX {
            *best = cost;
            self.queue.push(cost, state);
        }
    }
}

/// A priority queue of states by cost, least first. Nearly all costs are a few dozen bytes, so each cost below [`BUCKETS`] has a bucket.
/// Nested calls can cost any amount; greater costs go to a heap.
#[derive(Debug, Default)]
struct Queue {
    buckets: Vec<Vec<u32>>,
    /// The first bucket that may be non-empty.
    least: usize,
    dear: BinaryHeap<Reverse<(u32, u32)>>,
}

/// The number of buckets: one for each smaller cost.
const BUCKETS: usize = 4096;

impl Queue {
    fn push(&mut self, cost: u32, state: u32) {
        let bucket = cost as usize;
        if bucket >= BUCKETS {
            self.dear.push(Reverse((cost, state)));
            return;
        }
        if bucket >= self.buckets.len() {
            self.buckets.resize(bucket + 1, Vec::new());
        }
        self.buckets[bucket].push(state);
    }

    /// Removes a state of least cost. Costs that are offered later are never smaller.
    fn pop(&mut self) -> Option<(u32, u32)> {
        while let Some(bucket) = self.buckets.get_mut(self.least) {
            if let Some(state) = bucket.pop() {
                return Some((self.least as u32, state));
            }
            self.least += 1;
        }
        self.dear.pop().map(|Reverse(next)| next)
    }
}

/// A view of the builder with its lists grouped by state.
#[derive(Debug)]
pub(super) struct Draft<'a> {
    builder: &'a AutomatonBuilder,
    pub(super) edges: Grouped<Edge>,
    pub(super) calls: Grouped<Call>,
}

/// An edge or a closing quote that leads from `from` to a state, and its cost.
#[derive(Clone, Copy)]
struct Step {
    from: u32,
    cost: u32,
}

/// A call, in state `from`, of the rule that starts at `callee`; it returns to `ret`.
#[derive(Clone, Copy)]
struct Wait {
    from: u32,
    callee: u32,
    ret: u32,
}

impl<'a> Draft<'a> {
    pub(super) fn new(builder: &'a AutomatonBuilder) -> Self {
        let states = builder.states.len();
        let edges = Grouped::of_list(states, &builder.edges);
        Self { builder, edges, calls: Grouped::of_list(states, &builder.calls) }
    }

    pub(super) fn start_of(&self, rule: RuleId) -> Option<StateId> {
        self.builder.rules[rule.index()].start
    }

    /// Computes the least number of bytes from each state to the end of its rule, calls included; `None` if the end
    /// cannot be reached.
    ///
    /// Knuth's generalisation of Dijkstra's algorithm to grammars ("A generalization of Dijkstra's algorithm", 1977): states are settled in
    /// order of cost. A call counts once both its callee's start and its return state are settled.
    pub(super) fn costs(&self) -> Vec<Option<u32>> {
        let (steps, waits) = (self.steps(), self.waits());
        let states = self.builder.states.len();
        let mut found = Settling { settled: vec![None; states], best: vec![u32::MAX; states], queue: Queue::default() };
        for (id, _) in self.builder.states.iter().enumerate().filter(|(_, state)| state.accept) {
            found.offer(id as u32, 0);
        }
        while let Some((cost, state)) = found.queue.pop() {
            if found.settled[state as usize].is_some() {
                continue;
            }
            found.settled[state as usize] = Some(cost);
            for step in steps.of(state as usize) {
                found.offer(step.from, cost.saturating_add(step.cost));
            }
            for wait in waits.of(state as usize) {
                let both = (found.settled[wait.callee as usize], found.settled[wait.ret as usize]);
                if let (Some(inner), Some(rest)) = both {
                    found.offer(wait.from, inner.saturating_add(rest));
                }
            }
        }
        found.settled
    }

    /// Groups the edges and the closing quotes by their targets.
    fn steps(&self) -> Grouped<Step> {
        let edges = self.builder.edges.iter().map(|(_, edge)| edge.to);
        let closes = self.closes().map(|(to, _)| to);
        Grouped::placed(self.builder.states.len(), edges.chain(closes), || self.ways().chain(self.closes()))
    }

    /// Returns the edges with their targets.
    fn ways(&self) -> impl Iterator<Item = (StateId, Step)> {
        self.builder.edges.iter().map(|(from, edge)| {
            let cost = match self.builder.states[from.index()].kind {
                StateKind::Bytes => 1,
                StateKind::Text => spelling_cost(edge.lo, edge.hi),
            };
            (edge.to, Step { from: from.0, cost })
        })
    }

    /// Returns the closing quotes with their targets.
    fn closes(&self) -> impl Iterator<Item = (StateId, Step)> {
        let states = (0..).zip(&self.builder.states);
        states.filter_map(|(from, state)| state.close.map(|(_, to)| (to, Step { from, cost: 1 })))
    }

    /// Groups the calls; each appears at the start of its callee and at its return state.
    fn waits(&self) -> Grouped<Wait> {
        Grouped::new(self.builder.states.len(), || {
            self.builder.calls.iter().flat_map(|(from, call)| {
                let callee = self.start_of(call.rule);
                let wait = |callee: StateId| Wait { from: from.0, callee: callee.0, ret: call.ret.0 };
                let both = callee.map(|callee| [(callee, wait(callee)), (call.ret, wait(callee))]);
                both.into_iter().flatten()
            })
        })
    }

    /// Finds the states that the root reaches through states that can reach the end of their rule.
    pub(super) fn reach(&self, root: RuleId, costs: &[Option<u32>]) -> Vec<bool> {
        let mut kept = vec![false; costs.len()];
        let mut todo: Vec<u32> = self.start_of(root).map(|state| state.0).into_iter().collect();
        while let Some(state) = todo.pop() {
            let state = state as usize;
            if kept[state] || costs[state].is_none() {
                continue;
            }
            kept[state] = true;
            todo.extend(self.edges.of(state).iter().map(|edge| edge.to.0));
            todo.extend(self.builder.states[state].close.map(|(_, to)| to.0));
            todo.extend(self.builder.states[state].twin.map(|twin| twin.0));
            for call in self.calls.of(state) {
                if self.call_lives(call, costs) {
                    todo.extend(self.start_of(call.rule).map(|state| state.0));
                    todo.push(call.ret.0);
                }
            }
        }
        kept
    }

    /// Checks that the twin of each kept state belongs to the same rule. A twin of another rule might be neither reached nor laid out.
    pub(super) fn check_twins(&self, kept: &[bool]) -> Result<(), BuildError> {
        let states = &self.builder.states;
        let own = |state: &StateDraft| state.twin.is_none_or(|twin| states[twin.index()].rule == state.rule);
        match states.iter().zip(kept).find(|(state, kept)| **kept && !own(state)) {
            None => Ok(()),
            Some((state, _)) => Err(BuildError::TokenCount {
                rule: self.builder.rules[state.rule.index()].name.clone(),
                what: "a twin is of another rule",
            }),
        }
    }

    /// Returns whether the call's rule accepts something, and its return state can reach the end of the caller.
    pub(super) fn call_lives(&self, call: &Call, costs: &[Option<u32>]) -> bool {
        costs[call.ret.index()].is_some()
            && self.start_of(call.rule).is_some_and(|start| costs[start.index()].is_some())
    }
}

/// Returns the least number of bytes that spell one decoded byte of `lo..=hi` inside a JSON string.
pub(super) fn spelling_cost(lo: u8, hi: u8) -> u32 {
    let raw = |b: u8| b >= 0x20 && b != b'"' && b != b'\\';
    let short = |b: u8| matches!(b, b'"' | b'\\' | 0x08 | 0x09 | 0x0a | 0x0c | 0x0d);
    if (lo..=hi).any(raw) {
        1
    } else if (lo..=hi).any(short) {
        2
    } else {
        6
    }
}
