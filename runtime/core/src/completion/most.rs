//! Bounds the costs of all frames that a rule can have. If a budget is far above the bound, it cannot run out, and no token has to be
//! looked at.
//!
//! # The bound
//!
//! For each rule, [`Most::of`] is a number of bytes that suffices to end the rule from anywhere inside of it, whatever rules it has called.
//! If an array of records is open and a record takes at most 40 bytes to complete, the bound of the array's rule is 41, however long the
//! array is. To complete a whole stack costs at most, for some frame on it, the bound of the frame's rule plus the cost of the frames below
//! it.
//!
//! A rule that calls itself can nest without end: its bound ignores further nesting, and [`Most::growth`] is how much one token can add to
//! the cost by nesting deeper.
//!
//! # Computation
//!
//! The cost of a frame depends on its registers. For countdowns, all values are tried if they are few. For objects, the worst case is in
//! the middle of the most expensive key, with all required keys missing ([`super::objects`]). In other cases there is no bound ([`NEVER`]).

use std::collections::BTreeSet;

use always_assert::never;
use rustc_hash::{FxHashMap, FxHashSet};

use super::costs::{Costs, NEVER, SLACK};
use super::frame::{Frame, Goal};
use super::objects::{is_text, ways};
use crate::automaton::{Automaton, Call, ObjectId, ObjectShape, Op, OpId, RuleId, StateId};
use crate::step::{BOTTOM, Head, KeySet, Memory, Stack, apply};
use crate::watch;

/// Bound on the bytes that finish a character or an escape in the middle of free text.
const MID_CHARACTER: u32 = 12;

/// Cap on the frames that are visited for the bound of one rule.
const MAX_FRAMES: usize = 1 << 14;

/// Most bytes that one edge can take: those of `\u001f`.
const LONGEST_SPELLING: u32 = 6;

/// Cap on consecutive edges without a tick in a rule that is bounded by its length.
const MAX_UNTICKED: usize = 16;

/// Cap on visited frames with countdowns, over all rules together.
const MAX_COUNTED: usize = 1 << 17;

/// The bounds of a format's rules.
#[derive(Debug)]
pub(crate) struct Most {
    /// Per rule: the number of bytes that suffice to end it from anywhere inside of it.
    rules: Box<[u32]>,
    growth: u32,
}

impl Most {
    /// Computes the bounds. `longest` is the length of the longest token.
    pub(super) fn new(automaton: &Automaton, costs: &mut Costs<'_>, longest: u32) -> Self {
        let entries = entries(automaton);
        let nested = FxHashMap::default();
        let mut bounds = Bounds { automaton, costs, entries, own: Vec::new(), room: MAX_COUNTED, nested };
        bounds.own = (0..automaton.rules.len() as u32).map(|rule| bounds.of_rule(RuleId(rule))).collect();
        let components = components(automaton);
        let (rules, mut growth) = (with_callees(automaton, &bounds.own, &components), 0);
        for (id, state) in automaton.states.iter().enumerate() {
            let component = components[state.rule.index()];
            growth = growth.max(bounds.nesting(StateId(id as u32), &components, component));
        }
        Self { rules, growth: growth.saturating_mul(longest) }
    }

    /// Returns the number of bytes that suffice to end the rule from anywhere inside of it; [`NEVER`] if there is no bound.
    #[inline]
    pub(crate) fn of(&self, rule: RuleId) -> u32 {
        self.rules[rule.index()]
    }

    /// Returns the memory of the bounds in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.rules)
    }

    /// Returns how many bytes one token can add to the cost by nesting deeper into rules that call themselves.
    pub(crate) fn growth(&self) -> u32 {
        self.growth
    }
}

/// Returns for each rule the countdowns with which it is called.
fn entries(automaton: &Automaton) -> Vec<BTreeSet<(u32, u32)>> {
    let mut entries = vec![BTreeSet::new(); automaton.rules.len()];
    let calls = automaton.calls.iter().map(|call| (call.rule, call.a, call.b));
    for (rule, a, b) in calls.chain([(automaton.root.rule, automaton.root.a, automaton.root.b)]) {
        entries[rule.index()].insert((a, b));
    }
    entries
}

struct Bounds<'a, 'c> {
    automaton: &'a Automaton,
    costs: &'a mut Costs<'c>,
    entries: Vec<BTreeSet<(u32, u32)>>,
    /// Number of frames with countdowns that may still be visited, over all rules together.
    room: usize,
    /// Results of [`Bounds::of_rule`].
    own: Vec<u32>,
    /// Results of [`Bounds::nesting`] for the starts of rules.
    nested: FxHashMap<RuleId, u32>,
}

impl Bounds<'_, '_> {
    /// Bounds the cost of the frames of one rule, without the frames of rules that it has called.
    fn of_rule(&mut self, id: RuleId) -> u32 {
        let rule = &self.automaton.rules[id.index()];
        let inside_character =
            if rule.state_ids().any(|state| is_text(self.automaton, state)) { MID_CHARACTER } else { 0 };
        let most = match (rule.object, self.costs.split(rule.start)) {
            (Some(_), Some(split)) => self.of_object(id, split.hub),
            (Some(object), None) if self.has_no_keys(object) => self.of_countdowns(id),
            (Some(_), None) => NEVER,
            (None, _) => self.of_countdowns(id),
        };
        most.saturating_add(inside_character)
    }

    fn has_no_keys(&self, object: ObjectId) -> bool {
        let shape = &self.automaton.objects[object.index()];
        shape.keys == 0 && !shape.extra && !shape.counted
    }

    /// Returns the greatest cost of the frames of a rule without keys, if there are few frames; else [`Bounds::of_length`].
    fn of_countdowns(&mut self, id: RuleId) -> u32 {
        let Some(frames) = self.frames(id) else { return self.of_length(id) };
        if self.automaton.derived.threshold(id) > 0 {
            self.room = self.room.saturating_sub(frames.len());
        }
        frames.into_iter().map(|(state, a, b)| self.cost(plain(state, a, b))).max().unwrap_or(0)
    }

    /// Bounds the cost of a rule without calls: the length of its longest text between two ticks, times the number of ticks. [`NEVER`] if
    /// there are calls, or endless texts without a tick.
    fn of_length(&self, id: RuleId) -> u32 {
        let automaton = self.automaton;
        let rule = &automaton.rules[id.index()];
        let calls = rule.state_ids().any(|state| !automaton.calls(state).is_empty());
        let ticks = |op: OpId| matches!(automaton.ops[op.index()], Op::Count { tick: true, .. });
        let ticked = self.entries[id.index()].iter().map(|&(a, b)| a.saturating_add(b)).max().unwrap_or(0);
        // For each state: the bytes of the longest path without a tick from it, computed backwards from the ends in MAX_UNTICKED rounds. A
        // path that still grows after them counts as endless.
        let first = rule.states.first;
        let mut longest = vec![0u32; rule.states.len as usize];
        for _ in 0..MAX_UNTICKED {
            let mut grew = false;
            for state in rule.state_ids() {
                let plain = ways(automaton, state).filter(|(op, _)| !ticks(*op));
                let most = plain.map(|(_, to)| longest[(to.0 - first) as usize] + LONGEST_SPELLING).max().unwrap_or(0);
                let slot = &mut longest[(state.0 - first) as usize];
                grew |= most > *slot;
                *slot = most.max(*slot);
            }
            if !grew {
                let between = longest.into_iter().max().unwrap_or(0);
                let most = ticked.saturating_add(1).saturating_mul(between + LONGEST_SPELLING);
                return if calls { NEVER } else { most };
            }
        }
        NEVER
    }

    /// Returns the states and countdowns that frames of the rule can have, one of each set of equal costs; `None` if there are many.
    fn frames(&self, id: RuleId) -> Option<FxHashSet<(StateId, u32, u32)>> {
        let automaton = self.automaton;
        let rule = &automaton.rules[id.index()];
        let threshold = automaton.derived.threshold(id);
        if threshold == 0 {
            return Some(rule.state_ids().map(|state| (state, 0, 0)).collect());
        }
        let limit = threshold.saturating_add(SLACK);
        let mut stack = Stack::default();
        let a = |a: u32| if rule.counts_tokens { 0 } else { a };
        let mut todo: Vec<(StateId, u32, u32)> =
            self.entries[id.index()].iter().map(|entry| (rule.start, a(entry.0), entry.1.min(limit))).collect();
        let mut found: FxHashSet<(StateId, u32, u32)> = todo.iter().copied().collect();
        while let Some((state, a, b)) = todo.pop() {
            let twin = automaton.derived.twin(state).map(|twin| (twin, a, b));
            todo.extend(twin.filter(|frame| found.insert(*frame)));
            for (op, to) in ways(automaton, state) {
                let mut head = Head { state, a, b, memory: Memory::EMPTY, esc: 0, parent: BOTTOM };
                if !apply(automaton, &mut stack, op, &mut head) {
                    continue;
                }
                // A countdown at the limit stands for all greater ones, so that it may still be at the limit after a tick.
                let still = (b == limit && head.b < b).then_some(b);
                let next = still.into_iter().chain([head.b]).map(|b| (to, head.a, b));
                todo.extend(next.filter(|frame| found.insert(*frame)));
            }
            if watch::spend(1) || found.len() > MAX_FRAMES.min(self.room) {
                return None;
            }
        }
        Some(found)
    }

    /// Bounds the cost over all states and sets of seen keys: to the next place between members, then through the most expensive key, then
    /// through all required keys.
    fn of_object(&mut self, id: RuleId, hub: StateId) -> u32 {
        let automaton = self.automaton;
        let rule = &automaton.rules[id.index()];
        let Some(shape) = rule.object.map(|object| &automaton.objects[object.index()]) else { return NEVER };
        let all_missing = self.cost(Frame { goal: Goal::Rest, ..plain(hub, 0, 0) });
        let keys = (0..shape.keys).map(Goal::Key).chain([Goal::Extra]);
        let mut through_key = 0;
        for goal in keys {
            let cost = self.cost(goal.from(shape, hub, 0));
            through_key = if cost == NEVER { through_key } else { through_key.max(cost) };
        }
        // From a state before a key, any key's first letter that can be reached will do; from there on, the cost of the key counts.
        let mut to_place = 0;
        for state in rule.state_ids().filter(|&state| !is_text(automaton, state)) {
            for goal in [Goal::Hub, Goal::Close, Goal::Key(0), Goal::Extra] {
                let exists = goal != Goal::Key(0) || shape.keys > 0;
                let cost = if exists { self.cost(goal.from(shape, state, 0)) } else { NEVER };
                to_place = if cost == NEVER { to_place } else { to_place.max(cost) };
            }
        }
        let conditions = self.of_conditions(shape, hub);
        all_missing.saturating_add(conditions).saturating_add(through_key).saturating_add(to_place)
    }

    /// Bounds the cost of all keys that conditions may require: each once, and only the most expensive of keys that exclude each other.
    fn of_conditions(&mut self, shape: &ObjectShape, hub: StateId) -> u32 {
        let mut sum = 0u32;
        for group in shape.conditions.groups().filter(|group| group.end <= shape.keys) {
            let costs = group.map(|key| self.cost(Goal::Key(key).from(shape, hub, 0))).filter(|&cost| cost != NEVER);
            sum = sum.saturating_add(costs.max().unwrap_or(0));
        }
        sum
    }

    fn cost(&mut self, frame: Frame) -> u32 {
        let id = self.costs.solved(frame);
        self.costs.cost(id)
    }

    /// Returns how much one byte in a state can add to the cost by calls within a component: the costs of the frames that are pushed. Calls
    /// without a byte between them nest, but only to a finite depth.
    fn nesting(&mut self, state: StateId, components: &[u32], component: u32) -> u32 {
        let automaton = self.automaton;
        let mut most = 0;
        for call in automaton.calls(state).iter().filter(|call| components[call.rule.index()] == component) {
            let pushed = self.behind(call);
            let start = automaton.rules[call.rule.index()].start;
            let nested = match self.nested.get(&call.rule) {
                Some(&known) => known,
                None => self.nesting(start, components, component),
            };
            self.nested.insert(call.rule, nested);
            most = most.max(pushed.saturating_add(nested));
        }
        most
    }

    /// Bounds the cost of the frame after a call, whatever its registers: if its rule has countdowns, by the bound of the rule.
    fn behind(&mut self, call: &Call) -> u32 {
        let automaton = self.automaton;
        if automaton.derived.is_bare(call.ret) {
            return 0;
        }
        let rule = automaton.states[call.ret.index()].rule;
        if automaton.derived.threshold(rule) > 0 {
            return self.own[rule.index()];
        }
        self.cost(plain(call.ret, 0, 0))
    }
}

/// Makes a frame without keys.
fn plain(state: StateId, a: u32, b: u32) -> Frame {
    Frame { state, a, b, esc: 0, position: 0, keys: KeySet::new(), goal: Goal::End, any_key: false }
}

/// Adds to each rule's bound the greatest bound of the rules in other components that its component calls.
fn with_callees(automaton: &Automaton, own: &[u32], components: &[u32]) -> Box<[u32]> {
    let count = components.iter().max().map_or(0, |last| *last as usize + 1);
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); count];
    components.iter().zip(0..).for_each(|(&component, rule)| members[component as usize].push(rule));
    let mut most = vec![0u32; own.len()];
    // Components are numbered callees first.
    for (component, members) in (0..).zip(&members) {
        let mut all = 0;
        for &rule in members {
            let states = automaton.rules[rule as usize].state_ids();
            let callees = states.flat_map(|state| automaton.calls(state)).map(|call| call.rule.index());
            let beyond = callees.filter(|&callee| components[callee] != component).map(|callee| most[callee]).max();
            all = all.max(own[rule as usize].saturating_add(beyond.unwrap_or(0)));
        }
        members.iter().for_each(|&rule| most[rule as usize] = all);
    }
    most.into()
}

/// Numbers the strongly connected components of the call graph, callees before callers, and returns each rule's component (Tarjan 1972,
/// with an explicit stack in place of recursion).
fn components(automaton: &Automaton) -> Vec<u32> {
    const NEW: u32 = u32::MAX;
    let rules = automaton.rules.len();
    let callees: Vec<Vec<u32>> = (automaton.rules.iter())
        .map(|rule| rule.state_ids().flat_map(|state| automaton.calls(state)).map(|call| call.rule.0).collect())
        .collect();
    let (mut order, mut low) = (vec![NEW; rules], vec![NEW; rules]);
    let (mut component, mut components, mut next) = (vec![NEW; rules], 0, 0);
    let mut open: Vec<u32> = Vec::new();
    for root in 0..rules as u32 {
        // Each entry is a rule and the number of its callees that have been visited.
        let mut path = if order[root as usize] == NEW { vec![(root, 0)] } else { Vec::new() };
        while let Some(&(rule, seen)) = path.last() {
            let at = rule as usize;
            if seen == 0 {
                (order[at], low[at]) = (next, next);
                next += 1;
                open.push(rule);
            }
            if let Some(&callee) = callees[at].get(seen) {
                path.last_mut().into_iter().for_each(|top| top.1 += 1);
                if order[callee as usize] == NEW {
                    path.push((callee, 0));
                } else if component[callee as usize] == NEW {
                    low[at] = low[at].min(order[callee as usize]);
                }
                continue;
            }
            path.pop();
            if let Some(&(caller, _)) = path.last() {
                low[caller as usize] = low[caller as usize].min(low[at]);
            }
            if low[at] == order[at] {
                let from = open.iter().rposition(|&member| member == rule);
                never!(from.is_none(), "rule {} is the root of a component and is not open", rule);
                let from = from.unwrap_or(0);
                open.drain(from..).for_each(|member| component[member as usize] = components);
                components += 1;
            }
        }
    }
    component
}
