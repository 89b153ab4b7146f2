//! The automaton's meaning, spelled out slowly: heads with whole stacks in a set.

use std::collections::{BTreeSet, VecDeque};

use ogc_runtime::automaton::{Automaton, Op, OpId, StateId, UNBOUNDED};

/// A state, its countdowns, and the frames below (innermost last).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Head {
    frame: Frame,
    below: Vec<Frame>,
}

type Frame = (StateId, u32, u32);

pub(crate) struct Simulator<'a> {
    automaton: &'a Automaton,
    pub(crate) heads: BTreeSet<Head>,
    empty: bool,
}

impl<'a> Simulator<'a> {
    pub(crate) fn new(automaton: &'a Automaton) -> Self {
        let (rule, a, b) = automaton.root;
        let frame = (automaton.rules[rule.index()].start, a, b);
        Self { automaton, heads: BTreeSet::from([Head { frame, below: Vec::new() }]), empty: automaton.nullable }
    }

    pub(crate) fn accepts(automaton: &'a Automaton, text: &[u8]) -> bool {
        let mut simulator = Self::new(automaton);
        text.iter().all(|&byte| simulator.step(byte)) && simulator.complete()
    }

    /// Reads one byte; whether anything is left.
    pub(crate) fn step(&mut self, byte: u8) -> bool {
        let mut out = BTreeSet::new();
        for head in &self.heads {
            step(self.automaton, head, byte, &mut out);
        }
        self.heads = out;
        self.empty = false;
        !self.heads.is_empty()
    }

    pub(crate) fn complete(&self) -> bool {
        self.empty || self.heads.iter().any(|head| finished(self.automaton, head))
    }

    /// A head from which no text leads to the end, if the search is short.
    pub(crate) fn stranded(&self, alphabet: &[u8], budget: usize) -> Option<&Head> {
        self.heads.iter().find(|head| stuck(self.automaton, head, alphabet, budget))
    }
}

fn stuck(automaton: &Automaton, head: &Head, alphabet: &[u8], budget: usize) -> bool {
    let mut seen = BTreeSet::from([head.clone()]);
    let mut open = VecDeque::from([head.clone()]);
    while let Some(head) = open.pop_front() {
        if finished(automaton, &head) || seen.len() > budget {
            return false;
        }
        let mut next = BTreeSet::new();
        alphabet.iter().for_each(|&byte| step(automaton, &head, byte, &mut next));
        open.extend(next.into_iter().filter(|head| seen.insert(head.clone())));
    }
    true
}

fn finished(automaton: &Automaton, head: &Head) -> bool {
    head.below.iter().chain([&head.frame]).all(|frame| automaton.states[frame.0.index()].accept)
}

fn apply(automaton: &Automaton, op: OpId, (state, mut a, mut b): Frame) -> Option<Frame> {
    match automaton.ops[op.index()] {
        Op::None => {}
        Op::Count { tick, max_a, min_total } => {
            if tick && a > 0 {
                a -= 1;
            } else if tick && b != UNBOUNDED {
                b = b.checked_sub(1)?;
            }
            if a > max_a || a.saturating_add(b) < min_total {
                return None;
            }
        }
        _ => panic!("grammars have no objects"),
    }
    Some((state, a, b))
}

fn step(automaton: &Automaton, head: &Head, byte: u8, out: &mut BTreeSet<Head>) {
    let state = head.frame.0;
    for edge in automaton.edges(state) {
        if edge.lo <= byte && byte <= edge.hi
            && let Some((_, a, b)) = apply(automaton, edge.op, head.frame)
        {
            out.insert(Head { frame: (edge.to, a, b), below: head.below.clone() });
        }
    }
    for call in automaton.calls(state) {
        if let Some((_, a, b)) = apply(automaton, call.op, head.frame) {
            let mut below = head.below.clone();
            below.push((call.ret, a, b));
            let frame = (automaton.rules[call.rule.index()].start, call.a, call.b);
            step(automaton, &Head { frame, below }, byte, out);
        }
    }
    if automaton.states[state.index()].accept {
        let mut below = head.below.clone();
        if let Some(frame) = below.pop() {
            step(automaton, &Head { frame, below }, byte, out);
        }
    }
}
