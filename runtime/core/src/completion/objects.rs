//! Splits the completion of an object into parts that do not depend on which keys were seen.
//!
//! An object whose keys may come in any order has a set of seen keys for every subset of its keys. But every member ends in one state, the
//! *hub*, after which `,` or `}` comes. So a cheapest completion goes to the hub; then, for each missing required key, from the hub through
//! that key and its value back to the hub; then from the hub to the end. Each of these parts is a path whose cost does not depend on the
//! other keys: a frame with a [`Goal`] before the end of the rule.
//!
//! With `{"id":1` read and `name` and `age` required, the parts are: nothing (the frame is at the hub); `,"name":""`; `,"age":0`; `}`.
//!
//! A part is followed with the matcher's own operations, on registers that allow no key but its own. Objects that count their members are
//! followed set by set instead, as the keys that can fill them up depend on all keys seen.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

use super::frame::{Frame, Goal};
use super::plan::plan;
use crate::automaton::{Automaton, ObjectShape, Op, OpId, Rule, RuleId, StateId, StateKind};
use crate::step::{Head, KeySet, Seen, Stack, extra_may_come, key_may_come, with_seen};

/// The parts of a completion, in the order in which they are completed.
pub(super) type Parts = SmallVec<[Frame; 2]>;

/// Cap on the declared keys that are tried as the next key, where several are possible.
const TRIED: usize = 8;

/// The weight of an undeclared key in plans: declared keys are preferred where both suffice.
const UNDECLARED: u32 = 64;

/// An object rule whose completions are split.
#[derive(Debug)]
pub(super) struct Split {
    /// The state in which every member ends.
    pub(super) hub: StateId,
    /// Per state inside a key: the declared keys that the text so far can become, ascending.
    spelled: FxHashMap<StateId, Vec<u32>>,
    /// Per declared key, if the object has conditions: the least number of bytes from where the key is taken to the end of the rule,
    /// ignoring guards.
    weights: Vec<u32>,
}

impl Split {
    /// Looks for the hub of an object rule. `None` if the rule is no object, counts its members or has no hub.
    pub(super) fn of(automaton: &Automaton, id: RuleId) -> Option<Self> {
        let rule = &automaton.rules[id.index()];
        let shape = &automaton.objects[rule.object?.index()];
        let op = |op: OpId| &automaton.ops[op.index()];
        let takes = |id: OpId| matches!(op(id), Op::KeyTake { .. } | Op::KeyTakeExtra { .. });
        let in_key = |state: &StateId| is_text(automaton, *state);
        let takes_early = |state: StateId| automaton.edges(state).iter().any(|edge| takes(edge.op));
        let no_split = shape.counted || automaton.derived.threshold(id) != 0;
        if no_split || rule.state_ids().filter(in_key).any(takes_early) {
            return None;
        }
        let all = rule.state_ids().flat_map(|state| ways(automaton, state));
        let taken: Vec<StateId> = all.filter(|(op, _)| takes(*op)).map(|(_, to)| to).collect();
        let ends_member =
            |state: &StateId| ways(automaton, *state).any(|(id, _)| matches!(op(id), Op::ObjectClose { .. }));
        let hub = reached(automaton, *taken.first()?).into_iter().find(ends_member)?;
        let all_reach =
            taken.iter().collect::<FxHashSet<_>>().into_iter().all(|&from| reached(automaton, from).contains(&hub));
        let weights = if shape.conditions.is_empty() { Vec::new() } else { weights(automaton, rule, shape.keys) };
        all_reach.then(|| Split { hub, spelled: spelled(automaton, rule), weights })
    }

    /// Estimates the memory of the lists in bytes, assuming that most have few keys.
    pub(super) fn bytes(&self) -> usize {
        const FEW_KEYS: usize = 4 * size_of::<u32>();
        self.spelled.capacity() * 8 / 7 * (size_of::<(StateId, Vec<u32>)>() + 1)
            + self.spelled.len() * FEW_KEYS
            + size_of_val(self.weights.as_slice())
    }

    /// Returns whether the text in a state can become the key. Always true outside of keys.
    pub(super) fn can_become(&self, automaton: &Automaton, state: StateId, key: u32) -> bool {
        !is_text(automaton, state) || self.spelled.get(&state).is_some_and(|keys| keys.binary_search(&key).is_ok())
    }
}

pub(super) fn is_text(automaton: &Automaton, state: StateId) -> bool {
    automaton.states[state.index()].kind == StateKind::Text
}

/// Finds for each state the declared keys that its text can become, backwards from the closing quotes.
///
/// The lists of `automaton/derived/possible.rs` cannot be used here: they exist only for objects in declared order, also contain keys that
/// guards name, omit states from which an edge leads out of a key, and may be missing.
fn spelled(automaton: &Automaton, rule: &Rule) -> FxHashMap<StateId, Vec<u32>> {
    let mut before: FxHashMap<StateId, Vec<StateId>> = FxHashMap::default();
    let mut todo = Vec::new();
    for state in rule.state_ids().filter(|&state| is_text(automaton, state)) {
        automaton.edges(state).iter().for_each(|edge| before.entry(edge.to).or_default().push(state));
        let close = automaton.states[state.index()].close;
        let ends = close.map_or(&[][..], |(op, _)| ended(automaton.plain_op(op)));
        todo.extend(ends.iter().map(|&key| (state, key)));
    }
    let mut found: FxHashMap<StateId, Vec<u32>> = FxHashMap::default();
    let mut seen: FxHashSet<(StateId, u32)> = todo.iter().copied().collect();
    while let Some((state, key)) = todo.pop() {
        found.entry(state).or_default().push(key);
        let sources = before.get(&state).into_iter().flatten().map(|&source| (source, key));
        todo.extend(sources.filter(|one| seen.insert(*one)));
    }
    found.values_mut().for_each(|keys| keys.sort_unstable());
    found
}

/// Returns the declared keys that a key's closing quote completes. There are several if keys of the same name are told apart by their
/// values.
pub(crate) fn ended(op: &Op) -> &[u32] {
    match op {
        Op::KeyTake { key, .. } => std::slice::from_ref(key),
        Op::KeyAlive { keys, .. } => keys,
        Op::None
        | Op::Count { .. }
        | Op::KeyTakeExtra { .. }
        | Op::KeyNext { .. }
        | Op::ObjectClose { .. }
        | Op::Owing { .. } => &[],
    }
}

/// Finds for each declared key the least number of bytes from where it is taken to the end of the rule.
fn weights(automaton: &Automaton, rule: &Rule, keys: u32) -> Vec<u32> {
    let mut weights = vec![u32::MAX; keys as usize];
    for (op, to) in rule.state_ids().flat_map(|state| ways(automaton, state)) {
        if let Op::KeyTake { key, .. } = *automaton.plain_op(op) {
            let slot = &mut weights[key as usize];
            *slot = (*slot).min(automaton.min_bytes[to.index()]);
        }
    }
    weights
}

/// Returns the moves from a state within its rule: edges, calls, and the closing quote.
pub(super) fn ways(automaton: &Automaton, state: StateId) -> impl Iterator<Item = (OpId, StateId)> + '_ {
    let edges = automaton.edges(state).iter().map(|edge| (edge.op, edge.to));
    let calls = automaton.calls(state).iter().map(|call| (call.op, call.ret));
    edges.chain(calls).chain(automaton.states[state.index()].close)
}

/// Returns the states that are reached without an operation on keys, nearest first, and `from` itself.
fn reached(automaton: &Automaton, from: StateId) -> Vec<StateId> {
    let mut found = vec![from];
    let mut at = 0;
    while let Some(&state) = found.get(at) {
        at += 1;
        let plain = |op: OpId| matches!(automaton.ops[op.index()], Op::None | Op::Count { .. });
        for (_, to) in ways(automaton, state).filter(|(op, _)| plain(*op)) {
            if !found.contains(&to) {
                found.push(to);
            }
        }
    }
    found
}

/// Returns the possible completions of an object's frame, each as its parts.
pub(super) fn alternatives(
    automaton: &Automaton,
    stack: &Stack,
    head: &Head,
    frame: &Frame,
    split: &Split,
) -> Vec<Parts> {
    let Some(object) = automaton.rule_of(frame.state).object else { return Vec::new() };
    let shape = &automaton.objects[object.index()];
    let towards = |goal: Goal| goal.from(shape, frame.state, frame.esc);
    let missing = missing(shape, frame, Some(split));
    let rest = |position, keys| {
        let (state, goal) = (split.hub, Goal::Rest);
        Frame { state, esc: 0, position, keys, goal, any_key: false, ..frame.clone() }
    };
    let mut found = Vec::new();
    if automaton.states[frame.state.index()].kind == StateKind::Bytes {
        found.push(smallvec![towards(Goal::Hub), rest(frame.position, frame.keys.clone())]);
        if missing.is_empty() {
            found.push(smallvec![towards(Goal::Close)]);
        }
    }
    for key in next_keys(stack, head, shape, frame, split, &missing) {
        let (position, keys) = with_key(shape, frame, key);
        found.push(smallvec![towards(Goal::Key(key)), rest(position, keys)]);
    }
    if extra_may_come(shape, stack, head) {
        let (position, keys) = with_others(shape, frame);
        found.push(smallvec![towards(Goal::Extra), rest(position, keys)]);
    }
    found
}

/// Returns the parts of the completion from the hub: the missing required keys, then the end.
pub(super) fn rest(automaton: &Automaton, frame: &Frame, split: Option<&Split>) -> Parts {
    let Some(object) = automaton.rule_of(frame.state).object else { return Parts::new() };
    let shape = &automaton.objects[object.index()];
    let goal = |key: u32| if key < shape.keys { Goal::Key(key) } else { Goal::Extra };
    let goals = missing(shape, frame, split).into_iter().map(goal).chain([Goal::Close]);
    goals.map(|goal| goal.from(shape, frame.state, 0)).collect()
}

/// Returns the keys that still have to come to complete the object, ascending: missing required keys, and keys that meet its conditions.
/// `shape.keys` stands for an undeclared key.
pub(super) fn missing(shape: &ObjectShape, frame: &Frame, split: Option<&Split>) -> Vec<u32> {
    if !shape.conditions.is_empty() {
        let weight = |key: u32| split.and_then(|split| split.weights.get(key as usize)).copied().unwrap_or(UNDECLARED);
        return plan(shape, &frame.keys, weight);
    }
    shape.required.iter().copied().filter(|&key| !past(shape, frame, key)).collect()
}

/// Returns whether the key was seen or can no longer come.
pub(super) fn past(shape: &ObjectShape, frame: &Frame, key: u32) -> bool {
    if !shape.keeps_set() {
        return key < frame.position;
    }
    let seen = Seen::of(shape, Some(&frame.keys));
    seen.has(key) || key < seen.from()
}

/// Returns the declared keys to try next: the first missing one, and some others that are possible.
fn next_keys(
    stack: &Stack,
    head: &Head,
    shape: &ObjectShape,
    frame: &Frame,
    split: &Split,
    missing: &[u32],
) -> Vec<u32> {
    let may_come = |key: &u32| key_may_come(shape, stack, head, *key);
    let spelled = split.spelled.get(&frame.state);
    let first = missing
        .iter()
        .copied()
        .filter(|&key| key < shape.keys)
        .find(|key| spelled.is_none_or(|keys| keys.binary_search(key).is_ok()));
    let mut found: Vec<u32> = match spelled {
        Some(keys) => keys.iter().copied().filter(may_come).take(TRIED).collect(),
        // Before a key, any key is possible. If required keys are missing, only the first of them is tried.
        None if first.is_some() => Vec::new(),
        None => (0..shape.keys).filter(may_come).take(TRIED).collect(),
    };
    found.extend(first.filter(|key| may_come(key) && !found.contains(key)));
    found
}

/// Returns the registers after a key.
fn with_key(shape: &ObjectShape, frame: &Frame, key: u32) -> (u32, KeySet) {
    if !shape.keeps_set() {
        return (key + 1, KeySet::new());
    }
    (0, with_seen(frame.keys.clone(), key))
}

/// Returns the registers after an undeclared key.
fn with_others(shape: &ObjectShape, frame: &Frame) -> (u32, KeySet) {
    if !shape.keeps_set() {
        return (shape.keys, KeySet::new());
    }
    if shape.conditions.is_empty() {
        return (0, frame.keys.clone());
    }
    // The bit after the declared keys; it matters only if the order or a condition checks it.
    (0, with_seen(frame.keys.clone(), shape.keys))
}
