//! The meaning of an automaton, computed slowly in two ways: by where calls can end (polynomial, for whole texts), and
//! by sets of heads with whole stacks (for prefixes; exponential for ambiguous grammars).

use std::collections::{BTreeSet, HashMap, VecDeque};

use ogc_runtime::automaton::{Automaton, Op, OpId, Root, RuleId, StateId, UNBOUNDED};

/// A call, and the position where it begins.
type Begun = (RuleId, u32, u32, usize);

struct Recogniser<'a> {
    automaton: &'a Automaton,
    text: &'a [u8],
    known: HashMap<Begun, BTreeSet<usize>>,
}

/// Returns whether `text` is in the automaton's language.
pub(crate) fn accepts(automaton: &Automaton, text: &[u8]) -> bool {
    let Root { rule, a, b } = automaton.root;
    let mut recogniser = Recogniser { automaton, text, known: HashMap::new() };
    text.is_empty() && automaton.nullable || recogniser.ends((rule, a, b, 0)).contains(&text.len())
}

impl Recogniser<'_> {
    /// Returns where the call can end. First calls are not cyclic, so this terminates.
    fn ends(&mut self, begun: Begun) -> BTreeSet<usize> {
        if let Some(known) = self.known.get(&begun) {
            return known.clone();
        }
        let (rule, a, b, at) = begun;
        let start = ((self.automaton.rules[rule.index()].start, a, b), at);
        let (mut seen, mut open, mut ends) = (BTreeSet::from([start]), vec![start], BTreeSet::new());
        while let Some((frame, at)) = open.pop() {
            if self.automaton.states[frame.0.index()].accept {
                ends.insert(at);
            }
            open.extend(self.moves(frame, at).into_iter().filter(|next| seen.insert(*next)));
        }
        self.known.insert(begun, ends.clone());
        ends
    }

    fn moves(&mut self, frame: Frame, at: usize) -> Vec<(Frame, usize)> {
        let mut moves = Vec::new();
        let automaton = self.automaton;
        let Some(&byte) = self.text.get(at) else { return moves };
        for edge in automaton.edges(frame.0).iter().filter(|edge| edge.lo <= byte && byte <= edge.hi) {
            moves.extend(apply(automaton, edge.op, frame).map(|(_, a, b)| ((edge.to, a, b), at + 1)));
        }
        for call in automaton.calls(frame.0) {
            let Some((_, a, b)) = apply(automaton, call.op, frame) else { continue };
            let ends = self.ends((call.rule, call.a, call.b, at));
            moves.extend(ends.into_iter().map(|end| ((call.ret, a, b), end)));
        }
        moves
    }
}

/// A state, its countdowns, and the frames below (innermost last).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Head {
    frame: Frame,
    below: Vec<Frame>,
}

type Frame = (StateId, u32, u32);

pub(crate) struct Simulator<'a> {
    automaton: &'a Automaton,
    heads: BTreeSet<Head>,
    empty: bool,
}

impl<'a> Simulator<'a> {
    pub(crate) fn new(automaton: &'a Automaton) -> Self {
        let Root { rule, a, b } = automaton.root;
        let frame = (automaton.rules[rule.index()].start, a, b);
        Self { automaton, heads: BTreeSet::from([Head { frame, below: Vec::new() }]), empty: automaton.nullable }
    }

    /// Reads one byte; returns whether any head is left.
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

    /// Returns the number of heads.
    pub(crate) fn width(&self) -> usize {
        self.heads.len()
    }

    /// Returns a head from which no text leads to the end, if a short search finds one.
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
        if edge.lo <= byte
            && byte <= edge.hi
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
