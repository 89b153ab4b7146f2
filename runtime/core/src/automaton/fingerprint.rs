//! Content hashes of rules: equal fingerprints behave equally, so that masks are shared between formats.
//!
//! A rule's hash covers its tables and the hashes of what it calls. Rules that call each other in a cycle are hashed
//! together (a strongly connected component, found with Tarjan's algorithm) and told apart by their place in it. The
//! hash is cryptographic: formats come from outside, and a collision would be a wrong mask.

use super::{Automaton, Escapes, Op, State, StateKind};

/// Fills `Rule::fingerprint` of every rule.
pub(super) fn fill(automaton: &mut Automaton) {
    let ops: Vec<[u8; 32]> = automaton
        .ops
        .iter()
        .map(|op| op_hash(automaton, op))
        .collect();
    for component in components(automaton) {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&[u8::from(automaton.escapes == Escapes::Canonical)]);
        let mut text = Vec::new();
        for &rule in &component {
            write_rule(automaton, rule, &component, &ops, &mut text);
        }
        hasher.update(&text);
        let whole = hasher.finalize();
        for (place, &rule) in component.iter().enumerate() {
            let own = if component.len() == 1 {
                whole
            } else {
                blake3::Hasher::new()
                    .update(whole.as_bytes())
                    .update(&(place as u64).to_le_bytes())
                    .finalize()
            };
            let mut bytes = [0; 16];
            bytes.copy_from_slice(&own.as_bytes()[..16]);
            automaton.rules[rule].fingerprint = u128::from_le_bytes(bytes);
        }
    }
}

fn op_hash(automaton: &Automaton, op: &Op) -> [u8; 32] {
    let mut text = format!("{op:?}");
    let object = match op {
        Op::None | Op::Count { .. } => None,
        Op::KeyAlive { object, .. }
        | Op::KeyTake { object, .. }
        | Op::KeyTakeExtra { object }
        | Op::KeyNext { object }
        | Op::ObjectClose { object } => Some(object),
    };
    if let Some(object) = object {
        // The id is local to the automaton; the shape is what counts.
        text = text.replace(
            &format!("{object:?}"),
            &format!("{:?}", automaton.objects[object.index()]),
        );
    }
    *blake3::hash(text.as_bytes()).as_bytes()
}

fn write_rule(
    automaton: &Automaton,
    rule: usize,
    component: &[usize],
    ops: &[[u8; 32]],
    out: &mut Vec<u8>,
) {
    let rule = &automaton.rules[rule];
    let base = rule.states.0;
    let mut put = |value: u32| out.extend_from_slice(&value.to_le_bytes());
    put(rule.states.1);
    put(rule.start.0 - base);
    for state in base..base + rule.states.1 {
        let state = &automaton.states[state as usize];
        write_state(automaton, state, base, component, ops, out);
    }
}

fn write_state(
    automaton: &Automaton,
    state: &State,
    base: u32,
    component: &[usize],
    ops: &[[u8; 32]],
    out: &mut Vec<u8>,
) {
    let flags = u8::from(state.accept)
        | u8::from(state.kind == StateKind::Text) << 1
        | u8::from(state.close.is_some()) << 2;
    out.push(flags);
    out.extend_from_slice(&state.edges.1.to_le_bytes());
    out.extend_from_slice(&state.calls.1.to_le_bytes());
    let edges = &automaton.edges[state.edges.0 as usize..(state.edges.0 + state.edges.1) as usize];
    for edge in edges {
        out.extend_from_slice(&[edge.lo, edge.hi]);
        out.extend_from_slice(&(edge.to.0 - base).to_le_bytes());
        out.extend_from_slice(&ops[edge.op.index()][..16]);
    }
    if let Some((op, to)) = state.close {
        out.extend_from_slice(&(to.0 - base).to_le_bytes());
        out.extend_from_slice(&ops[op.index()][..16]);
    }
    let calls = &automaton.calls[state.calls.0 as usize..(state.calls.0 + state.calls.1) as usize];
    for call in calls {
        out.extend_from_slice(&ops[call.op.index()][..16]);
        for value in [call.ret.0 - base, call.a, call.b] {
            out.extend_from_slice(&value.to_le_bytes());
        }
        match component
            .iter()
            .position(|&member| member == call.rule.index())
        {
            Some(place) => out.extend_from_slice(&(place as u128).to_le_bytes()),
            None => {
                out.extend_from_slice(&automaton.rules[call.rule.index()].fingerprint.to_le_bytes())
            }
        }
    }
}

/// Strongly connected components of the call graph, callees before callers; members in order of number.
fn components(automaton: &Automaton) -> Vec<Vec<usize>> {
    let callees: Vec<Vec<u32>> = automaton
        .rules
        .iter()
        .map(|rule| {
            let states = rule.states.0..rule.states.0 + rule.states.1;
            let mut list: Vec<u32> = states
                .flat_map(|state| {
                    automaton
                        .calls(super::StateId(state))
                        .iter()
                        .map(|call| call.rule.0)
                })
                .collect();
            list.sort_unstable();
            list.dedup();
            list
        })
        .collect();
    Tarjan::new(&callees).run()
}

/// Tarjan's algorithm with an explicit stack.
struct Tarjan<'a> {
    callees: &'a [Vec<u32>],
    index: Vec<u32>,
    low: Vec<u32>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    next: u32,
    found: Vec<Vec<usize>>,
}

impl<'a> Tarjan<'a> {
    fn new(callees: &'a [Vec<u32>]) -> Self {
        let n = callees.len();
        Self {
            callees,
            index: vec![u32::MAX; n],
            low: vec![0; n],
            on_stack: vec![false; n],
            stack: Vec::new(),
            next: 0,
            found: Vec::new(),
        }
    }

    fn run(mut self) -> Vec<Vec<usize>> {
        for root in 0..self.callees.len() {
            if self.index[root] == u32::MAX {
                self.visit(root);
            }
        }
        self.found
    }

    fn enter(&mut self, node: usize) {
        self.index[node] = self.next;
        self.low[node] = self.next;
        self.next += 1;
        self.stack.push(node);
        self.on_stack[node] = true;
    }

    fn visit(&mut self, root: usize) {
        self.enter(root);
        let mut work = vec![(root, 0usize)];
        while let Some((node, position)) = work.pop() {
            if let Some(&callee) = self.callees[node].get(position) {
                let callee = callee as usize;
                work.push((node, position + 1));
                if self.index[callee] == u32::MAX {
                    self.enter(callee);
                    work.push((callee, 0));
                } else if self.on_stack[callee] {
                    self.low[node] = self.low[node].min(self.index[callee]);
                }
            } else {
                self.leave(node);
                if let Some(&(parent, _)) = work.last() {
                    self.low[parent] = self.low[parent].min(self.low[node]);
                }
            }
        }
    }

    fn leave(&mut self, node: usize) {
        if self.low[node] != self.index[node] {
            return;
        }
        let mut component = Vec::new();
        while let Some(member) = self.stack.pop() {
            self.on_stack[member] = false;
            component.push(member);
            if member == node {
                break;
            }
        }
        component.sort_unstable();
        self.found.push(component);
    }
}
