//! The builder's rules grouped by state, and the two passes that decide what lives: costs and reachability.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::build::AutomatonBuilder;
use super::{Call, Edge, RuleId, StateId, StateKind};

/// Items of many states in one list, grouped by state with a counting sort.
#[derive(Debug)]
pub(super) struct Grouped<T> {
    items: Vec<T>,
    starts: Vec<u32>,
}

impl<T: Copy> Grouped<T> {
    fn new(states: usize, list: &[(StateId, T)]) -> Self {
        let mut starts = vec![0u32; states + 1];
        for (state, _) in list {
            starts[state.index() + 1] += 1;
        }
        for i in 0..states {
            starts[i + 1] += starts[i];
        }
        let mut order: Vec<u32> = (0..list.len() as u32).collect();
        order.sort_by_key(|&i| list[i as usize].0);
        Self { items: order.iter().map(|&i| list[i as usize].1).collect(), starts }
    }

    pub(super) fn of(&self, state: usize) -> &[T] {
        &self.items[self.starts[state] as usize..self.starts[state + 1] as usize]
    }
}

/// A view of the builder with its lists grouped.
#[derive(Debug)]
pub(super) struct Draft<'a> {
    builder: &'a AutomatonBuilder,
    pub(super) edges: Grouped<Edge>,
    pub(super) calls: Grouped<Call>,
}

/// Who waits for a state's cost.
#[derive(Clone, Copy)]
enum Waiter {
    /// `from` reaches the state by a byte run of this cost.
    Step { from: u32, cost: u32 },
    /// `from` calls a rule that starts here, or returns here.
    Call { from: u32, callee: u32, ret: u32 },
}

impl<'a> Draft<'a> {
    pub(super) fn new(builder: &'a AutomatonBuilder) -> Self {
        let states = builder.states.len();
        Self { builder, edges: Grouped::new(states, &builder.edges), calls: Grouped::new(states, &builder.calls) }
    }

    pub(super) fn start_of(&self, rule: RuleId) -> Option<StateId> {
        self.builder.rules[rule.index()].start
    }

    /// Least number of bytes from each state to the end of its rule, calls included; `None` where there is no way.
    ///
    /// Knuth's generalisation of Dijkstra's algorithm to grammars ("A generalization of Dijkstra's algorithm", 1977):
    /// states are settled in order of cost, a call when both its callee's start and its return state are.
    pub(super) fn costs(&self) -> Vec<Option<u32>> {
        let waiters = self.waiters();
        let mut settled: Vec<Option<u32>> = vec![None; self.builder.states.len()];
        let mut queue: BinaryHeap<Reverse<(u32, u32)>> = self
            .builder
            .states
            .iter()
            .enumerate()
            .filter(|(_, state)| state.accept)
            .map(|(id, _)| Reverse((0, id as u32)))
            .collect();
        while let Some(Reverse((cost, state))) = queue.pop() {
            if settled[state as usize].is_some() {
                continue;
            }
            settled[state as usize] = Some(cost);
            for waiter in waiters.of(state as usize) {
                match *waiter {
                    Waiter::Step { from, cost: step } => queue.push(Reverse((cost.saturating_add(step), from))),
                    Waiter::Call { from, callee, ret } => {
                        if let (Some(inner), Some(rest)) = (settled[callee as usize], settled[ret as usize]) {
                            queue.push(Reverse((inner.saturating_add(rest), from)));
                        }
                    }
                }
            }
        }
        settled
    }

    fn waiters(&self) -> Grouped<Waiter> {
        let mut list = Vec::with_capacity(self.builder.edges.len() + 2 * self.builder.calls.len());
        for (from, edge) in &self.builder.edges {
            let cost = match self.builder.states[from.index()].kind {
                StateKind::Bytes => 1,
                StateKind::Text => spelling_cost(edge.lo, edge.hi),
            };
            list.push((edge.to, Waiter::Step { from: from.0, cost }));
        }
        for (from, state) in self.builder.states.iter().enumerate() {
            if let Some((_, to)) = state.close {
                list.push((to, Waiter::Step { from: from as u32, cost: 1 }));
            }
        }
        for (from, call) in &self.builder.calls {
            let Some(callee) = self.start_of(call.rule) else {
                continue;
            };
            let waiter = Waiter::Call { from: from.0, callee: callee.0, ret: call.ret.0 };
            list.push((callee, waiter));
            list.push((call.ret, waiter));
        }
        Grouped::new(self.builder.states.len(), &list)
    }

    /// The states that the root reaches through states that have a cost.
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
            for call in self.calls.of(state) {
                if self.call_lives(call, costs) {
                    todo.extend(self.start_of(call.rule).map(|state| state.0));
                    todo.push(call.ret.0);
                }
            }
        }
        kept
    }

    /// A call is kept if its rule accepts something and its return state can end.
    pub(super) fn call_lives(&self, call: &Call, costs: &[Option<u32>]) -> bool {
        costs[call.ret.index()].is_some()
            && self.start_of(call.rule).is_some_and(|start| costs[start.index()].is_some())
    }
}

/// Least bytes that spell one decoded byte of `lo..=hi` inside a JSON string.
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
