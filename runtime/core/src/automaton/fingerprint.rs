//! Content hashes of rules: rules with equal fingerprints behave equally, so that formats share masks.
//!
//! A rule's hash covers its tables and the hashes of the rules that it calls. Rules that call each other in a cycle are hashed together (a
//! strongly connected component, found with Tarjan's algorithm) and told apart by their position in it. The hash is cryptographic because
//! formats come from outside, and a collision would be a wrong mask.

use always_assert::never;

use super::{Automaton, Escapes, Op, OpId, RuleId, StateId, StateKind};

impl Automaton {
    /// Returns the hash of a rule's content and of everything it calls: rules with equal fingerprints behave equally, in any format. The
    /// first call computes the fingerprints of all rules.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// let again = Arc::new((*format).clone());
    /// assert_eq!(format.fingerprint(RuleId(0)), again.fingerprint(RuleId(0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn fingerprint(&self, rule: RuleId) -> u128 {
        let known = self.derived.fingerprints.get(|| fingerprints(self));
        let found = known.get(rule.index()).copied();
        never!(found.is_none(), "the automaton has no rule {}", rule.0);
        found.unwrap_or_default()
    }
}

/// Computes the fingerprints of all rules.
fn fingerprints(automaton: &Automaton) -> Vec<u128> {
    let mut writer = Writer::new(automaton);
    let mut found = vec![0; automaton.rules.len()];
    for component in components(automaton) {
        writer.out.clear();
        writer.out.push(u8::from(automaton.escapes == Escapes::Canonical));
        for &rule in &component {
            writer.rule(automaton, rule, &component, &found);
        }
        let whole = blake3::hash(&writer.out);
        for (place, &rule) in component.iter().enumerate() {
            let own = if component.len() == 1 {
                whole
            } else {
                blake3::Hasher::new().update(whole.as_bytes()).update(&(place as u64).to_le_bytes()).finalize()
            };
            let mut bytes = [0; 16];
            bytes.copy_from_slice(&own.as_bytes()[..16]);
            found[rule] = u128::from_le_bytes(bytes);
        }
    }
    found
}

/// Writes the content of rules without ids that are local to the automaton: an operation is numbered at its first use within the rule, and
/// its content follows there.
struct Writer {
    out: Vec<u8>,
    /// For each operation of the automaton: its number in the current rule, `u32::MAX` if not used yet.
    numbers: Vec<u32>,
    used: Vec<OpId>,
    objects: Vec<[u8; 32]>,
}

impl Writer {
    fn new(automaton: &Automaton) -> Self {
        let objects = automaton.objects.iter().map(|shape| *blake3::hash(format!("{shape:?}").as_bytes()).as_bytes());
        Self {
            out: Vec::new(),
            numbers: vec![u32::MAX; automaton.ops.len()],
            used: Vec::new(),
            objects: objects.collect(),
        }
    }

    fn put(&mut self, value: u32) {
        self.out.extend_from_slice(&value.to_le_bytes());
    }

    fn rule(&mut self, automaton: &Automaton, rule: usize, component: &[usize], found: &[u128]) {
        let rule = &automaton.rules[rule];
        let base = rule.states.first;
        self.put(rule.states.len);
        self.put(rule.start.0 - base);
        for state in base..base + rule.states.len {
            self.state(automaton, StateId(state), base, component, found);
        }
        for op in std::mem::take(&mut self.used) {
            self.numbers[op.index()] = u32::MAX;
            self.op_content(automaton, op);
        }
    }

    fn state(&mut self, automaton: &Automaton, id: StateId, base: u32, component: &[usize], found: &[u128]) {
        let state = &automaton.states[id.index()];
        let text = u8::from(state.kind == StateKind::Text);
        let rule = &automaton.rules[state.rule.index()];
        let (counts, distinct) = (u8::from(rule.counts_tokens), u8::from(rule.distinct_items));
        let closes = u8::from(state.close.is_some());
        self.out.push(u8::from(state.accept) | text << 1 | closes << 2 | counts << 3 | distinct << 4);
        if rule.few_keys != 0 {
            self.put(rule.few_keys);
        }
        if rule.item_choices != 0 {
            self.put(rule.item_choices);
        }
        if counts == 1 {
            let twin = automaton.derived.twin(id).map_or(0, |twin| twin.0 - base + 1);
            self.put(twin);
        }
        self.put(state.edges.len);
        self.put(state.calls.len);
        for edge in &automaton.edges[state.edges.indexes()] {
            let ([a, b, c, d], [e, f, g, h]) = ((edge.to.0 - base).to_le_bytes(), self.number(edge.op).to_le_bytes());
            self.out.extend_from_slice(&[edge.lo, edge.hi, a, b, c, d, e, f, g, h]);
        }
        if let Some((op, to)) = state.close {
            self.put(to.0 - base);
            self.op(op);
        }
        for call in &automaton.calls[state.calls.indexes()] {
            self.op(call.op);
            [call.ret.0 - base, call.a, call.b].into_iter().for_each(|value| self.put(value));
            let callee = match component.binary_search(&call.rule.index()) {
                Ok(place) => place as u128,
                Err(_) => found[call.rule.index()],
            };
            self.out.extend_from_slice(&callee.to_le_bytes());
        }
    }

    fn op(&mut self, op: OpId) {
        let number = self.number(op);
        self.put(number);
    }

    /// Returns the number of an operation in the rule.
    fn number(&mut self, op: OpId) -> u32 {
        let slot = &mut self.numbers[op.index()];
        if *slot == u32::MAX {
            *slot = self.used.len() as u32;
            self.used.push(op);
        }
        *slot
    }

    fn op_content(&mut self, automaton: &Automaton, op: OpId) {
        if let Op::Owing { declared, undeclared, .. } = automaton.ops[op.index()] {
            self.out.push(7);
            [declared, undeclared].into_iter().for_each(|owed| self.put(owed));
        }
        let op = automaton.plain_op(op);
        let (tag, object) = match op {
            Op::None | Op::Owing { .. } => (0, None),
            Op::Count { .. } => (1, None),
            Op::KeyAlive { object, .. } => (2, Some(object)),
            Op::KeyTake { object, .. } => (3, Some(object)),
            Op::KeyTakeExtra { object } => (4, Some(object)),
            Op::KeyNext { object } => (5, Some(object)),
            Op::ObjectClose { object } => (6, Some(object)),
        };
        self.out.push(tag);
        if let Some(object) = object {
            self.out.extend_from_slice(&self.objects[object.index()]);
        }
        match op {
            Op::Count { tick, max_a, min_total } => {
                self.out.push(u8::from(*tick));
                self.put(*max_a);
                self.put(*min_total);
            }
            Op::KeyAlive { keys, extra, .. } => {
                self.out.push(u8::from(*extra));
                self.put(keys.len() as u32);
                keys.iter().for_each(|&key| self.put(key));
            }
            Op::KeyTake { key, .. } => self.put(*key),
            Op::None | Op::KeyTakeExtra { .. } | Op::KeyNext { .. } | Op::ObjectClose { .. } | Op::Owing { .. } => {}
        }
    }
}

/// Computes the strongly connected components of the call graph, callees before callers. The members of a component ascend.
fn components(automaton: &Automaton) -> Vec<Vec<usize>> {
    let callees: Vec<Vec<u32>> = automaton
        .rules
        .iter()
        .map(|rule| {
            let calls = rule.state_ids().flat_map(|state| automaton.calls(state));
            let mut list: Vec<u32> = calls.map(|call| call.rule.0).collect();
            list.sort_unstable();
            list.dedup();
            list
        })
        .collect();
    Tarjan::new(&callees).run()
}

/// The state of Tarjan's algorithm ("Depth-first search and linear graph algorithms", 1972), with an explicit stack.
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
