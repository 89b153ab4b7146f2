//! The last step of building: renumbers the kept states, lays out the tables, checks first calls, and derives the rest.

use always_assert::never;

use super::build::{AutomatonBuilder, RuleDraft};
use super::derive::{derive, fill_follow};
use super::derived::Derived;
use super::draft::Draft;
use super::error::BuildError;
use super::{Automaton, AutomatonState, Call, Edge, Escapes, Root, Rule, RuleId, StateId, TableRange};

/// The properties of the format as a whole.
#[derive(Clone, Copy, Debug)]
pub(super) struct Whole {
    pub(super) root: Root,
    pub(super) nullable: bool,
    pub(super) escapes: Escapes,
}

/// The new numbers of rules and states; `u32::MAX` for dropped ones.
struct Numbers {
    rules: Vec<u32>,
    states: Vec<u32>,
    /// Kept builder states, grouped by rule, in new order.
    order: Vec<u32>,
}

impl Numbers {
    fn new(builder: &AutomatonBuilder, kept: &[bool]) -> Self {
        let order = by_rule(builder, kept);
        let mut rules = vec![u32::MAX; builder.rules.len()];
        let mut states = vec![u32::MAX; builder.states.len()];
        let mut count = 0;
        for (new, &old) in order.iter().enumerate() {
            states[old as usize] = new as u32;
            let rule = &mut rules[builder.states[old as usize].rule.index()];
            if *rule == u32::MAX {
                *rule = count;
                count += 1;
            }
        }
        Self { rules, states, order }
    }

    fn state(&self, old: StateId) -> StateId {
        StateId(self.states[old.index()])
    }

    fn rule(&self, old: RuleId) -> RuleId {
        RuleId(self.rules[old.index()])
    }
}

/// Returns the kept states grouped by rule, within a rule in the order in which they were made.
fn by_rule(builder: &AutomatonBuilder, kept: &[bool]) -> Vec<u32> {
    let states = || (0..).zip(&builder.states).filter(|(state, _)| kept[*state as usize]);
    // For each rule: the position of its next state.
    let mut next = vec![0u32; builder.rules.len() + 1];
    states().for_each(|(_, state)| next[state.rule.index() + 1] += 1);
    for rule in 1..next.len() {
        next[rule] += next[rule - 1];
    }
    let mut order = vec![0; next.last().copied().unwrap_or(0) as usize];
    for (id, state) in states() {
        let slot = &mut next[state.rule.index()];
        order[*slot as usize] = id;
        *slot += 1;
    }
    order
}

/// Writes the final tables of the automaton.
pub(super) fn lay_out(
    builder: &AutomatonBuilder,
    draft: &Draft<'_>,
    kept: &[bool],
    costs: &[Option<u32>],
    whole: Whole,
) -> Result<Automaton, BuildError> {
    let numbers = Numbers::new(builder, kept);
    let mut automaton = Automaton {
        states: Vec::with_capacity(numbers.order.len()),
        edges: Vec::with_capacity(builder.edges.len()),
        calls: Vec::with_capacity(builder.calls.len()),
        ops: builder.ops.clone(),
        objects: builder.objects.clone(),
        rules: Vec::new(),
        root: Root { rule: numbers.rule(whole.root.rule), ..whole.root },
        nullable: whole.nullable,
        tokens: builder.tokens.iter().cloned().collect(),
        twins: twins(builder, draft, &numbers),
        origins: Vec::with_capacity(numbers.order.len()),
        escapes: whole.escapes,
        token_policy: None,
        min_bytes: Vec::with_capacity(numbers.order.len()),
        derived: Derived::default(),
    };
    for &old in &numbers.order {
        push_rule_of(&mut automaton, builder, &numbers, old);
        push_state(&mut automaton, builder, draft, &numbers, costs, old);
    }
    automaton.edges.shrink_to_fit();
    automaton.calls.shrink_to_fit();
    automaton.rules.shrink_to_fit();
    super::twins::drop_unused(&mut automaton);
    super::twins::check(&automaton).map_err(|(rule, what)| BuildError::TokenCount { rule: rule.name.clone(), what })?;
    automaton.derived = derive(&automaton);
    super::first::check_and_fill(&mut automaton)?;
    fill_follow(&mut automaton);
    Ok(automaton)
}

/// Lists the kept states with their kept twins. A twin without a twin is its own, and so is every state that it leads to.
fn twins(builder: &AutomatonBuilder, draft: &Draft<'_>, numbers: &Numbers) -> Vec<(StateId, StateId)> {
    let lives = |state: &StateId| numbers.states[state.index()] != u32::MAX;
    let mut twins: Vec<Option<StateId>> = builder.states.iter().map(|state| state.twin.filter(lives)).collect();
    let mut todo: Vec<StateId> = twins.iter().copied().flatten().collect();
    if todo.is_empty() {
        return Vec::new();
    }
    while let Some(spent) = todo.pop() {
        if twins[spent.index()].is_none() {
            twins[spent.index()] = Some(spent);
            todo.extend(draft.edges.of(spent.index()).iter().map(|edge| edge.to).filter(lives));
        }
    }
    let own = |&old: &u32| twins[old as usize].map(|twin| (numbers.state(StateId(old)), numbers.state(twin)));
    numbers.order.iter().filter_map(own).collect()
}

/// Appends the rule of `old` if this is the rule's first kept state, and counts the state into its rule.
fn push_rule_of(automaton: &mut Automaton, builder: &AutomatonBuilder, numbers: &Numbers, old: u32) {
    let rule_id = builder.states[old as usize].rule;
    let rule = &builder.rules[rule_id.index()];
    if numbers.rule(rule_id).index() == automaton.rules.len() {
        automaton.rules.push(Rule {
            name: rule.name.clone(),
            origin: rule.origin,
            start: numbers.state(start_of(rule, old)),
            states: TableRange { first: automaton.states.len() as u32, len: 0 },
            object: rule.object,
            counts_tokens: rule.counts_tokens,
            distinct_items: rule.distinct_items,
            few_keys: rule.few_keys,
            item_choices: rule.item_choices,
            first: [0; 4],
        });
    }
    if let Some(last) = automaton.rules.last_mut() {
        last.states.len += 1;
    }
}

/// Returns the start of a rule that has a kept state: the state was reached from there.
fn start_of(rule: &RuleDraft, kept: u32) -> StateId {
    rule.start.unwrap_or_else(|| {
        never!("rule `{}` has a kept state and no start", rule.name);
        StateId(kept)
    })
}

fn push_state(
    automaton: &mut Automaton,
    builder: &AutomatonBuilder,
    draft: &Draft<'_>,
    numbers: &Numbers,
    costs: &[Option<u32>],
    old: u32,
) {
    let state = &builder.states[old as usize];
    let lives = |to: StateId| numbers.states[to.index()] != u32::MAX;
    let first_edge = automaton.edges.len();
    let kept_edges = draft.edges.of(old as usize).iter().filter(|edge| lives(edge.to));
    automaton.edges.extend(kept_edges.map(|edge| Edge { to: numbers.state(edge.to), ..*edge }));
    let edges = &mut automaton.edges[first_edge..];
    if !edges.is_sorted_by_key(|edge| edge.lo) {
        edges.sort_by_key(|edge| edge.lo);
    }
    let first_call = automaton.calls.len();
    let kept_calls = draft.calls.of(old as usize).iter().filter(|call| draft.call_lives(call, costs));
    automaton.calls.extend(kept_calls.map(|call| Call {
        rule: numbers.rule(call.rule),
        ret: numbers.state(call.ret),
        ..*call
    }));
    automaton.states.push(AutomatonState {
        rule: numbers.rule(state.rule),
        kind: state.kind,
        accept: state.accept,
        edges: range_from(first_edge, automaton.edges.len()),
        calls: range_from(first_call, automaton.calls.len()),
        close: state.close.filter(|(_, to)| lives(*to)).map(|(op, to)| (op, numbers.state(to))),
    });
    automaton.origins.push(state.origin);
    let cost = costs[old as usize];
    never!(cost.is_none(), "state {} is kept and cannot be completed", old);
    automaton.min_bytes.push(cost.unwrap_or(u32::MAX));
}

/// Returns the range from `first` to the end of a table.
fn range_from(first: usize, end: usize) -> TableRange {
    TableRange { first: first as u32, len: (end - first) as u32 }
}
