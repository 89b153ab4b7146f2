//! Ways as lists of steps: a pack has trees of ways (`runtime/core/src/mask/pack/way_table.rs`), and a device runs each way from its
//! beginning.
//!
//! A step on an escape becomes the guards under which the escape is possible. The guards form several lists, one of which must hold
//! entirely. So a guard that fails leads to the next list, and the last guard of a list leads past all lists. Guards change no register, so
//! that nothing has to be undone.

use std::collections::HashMap;

use ogc_runtime::automaton::{Automaton, KeyOrder, ObjectId, Op, OpId, StateId};
use ogc_runtime::mask::PackTables;

use super::{
    Keys, MaskStep, NO_EXITS, NO_ROW, NO_SHAPE, STEP_ALIVE, STEP_ALIVE_EXTRA, STEP_CLOSE, STEP_COUNT, STEP_HOST,
    STEP_NEXT, STEP_TAKE, STEP_TAKE_EXTRA, STEP_TICK, Span, WAY_ALLOWED, WAY_REFUSED, Way,
};
use crate::format::FormatError;
use crate::slot::MOST_KEYS;

/// Maximum number of lists of guards for one escape; an escape with more is left to the host.
const MOST_GUARDS: usize = 256;

/// Maximum number of steps of all ways of a format.
const MOST_STEPS: u64 = 1 << 24;

/// The ways of a format.
#[derive(Debug, Default)]
pub(super) struct Ways {
    /// For each tree, by its number in the pack: its range of `ways`.
    pub(super) trees: Vec<Span>,
    pub(super) ways: Vec<Way>,
    pub(super) steps: Vec<MaskStep>,
}

/// The step of an entry of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum EntryStep {
    Op(OpId),
    Escape(StateId, u32),
}

/// A step, translated for a device.
enum Lowered {
    /// The step always holds.
    Nothing,
    /// The step never holds.
    Never,
    One(MaskStep),
    /// All guards of at least one of these lists must hold.
    OneOf(Vec<Vec<MaskStep>>),
}

/// The state of laying out the ways.
struct Lowering<'a> {
    automaton: &'a Automaton,
    keys: &'a mut Keys,
    steps: Vec<MaskStep>,
    /// The first step of each way that was laid out already; `None` for a way that is never allowed.
    known: HashMap<Vec<EntryStep>, Option<u32>>,
}

impl Ways {
    /// Lays out the ways of all trees; `row` maps a row of the pack to its number in the pool.
    pub(super) fn new(
        automaton: &Automaton,
        tables: &PackTables<'_>,
        row: impl Fn(u32) -> u32,
        keys: &mut Keys,
    ) -> Result<Self, FormatError> {
        let mut lowering = Lowering { automaton, keys, steps: Vec::new(), known: HashMap::new() };
        let mut ways = Self::default();
        for &[at, len] in tables.trees {
            let first = ways.ways.len() as u32;
            let from = at as usize;
            let entries = tables.way_entries.get(from..from + len as usize).unwrap_or_default();
            for (path, [own, exits]) in paths(entries) {
                if let Some(first_step) = lowering.way(path) {
                    ways.ways.push(Way { first_step, row: row(own), exits });
                }
                let given = lowering.steps.len() as u64;
                if given > MOST_STEPS {
                    return Err(FormatError { given, limit: MOST_STEPS });
                }
            }
            ways.trees.push(Span { first, count: ways.ways.len() as u32 - first });
        }
        ways.steps = lowering.steps;
        Ok(ways)
    }
}

/// For each entry of a tree that has a row or exits, returns the steps that lead to it and its row and exits. Entries are in preorder.
fn paths(entries: &[[u32; 6]]) -> impl Iterator<Item = (Vec<EntryStep>, [u32; 2])> {
    // The entries above the current one, each with the end of its subtree.
    let mut path: Vec<(usize, EntryStep)> = Vec::new();
    entries.iter().enumerate().filter_map(move |(at, &[kind, of, esc, below, row, exits])| {
        while path.last().is_some_and(|(end, _)| *end <= at) {
            path.pop();
        }
        let step = if kind == 0 { EntryStep::Op(OpId(of)) } else { EntryStep::Escape(StateId(of), esc) };
        path.push((at + 1 + below as usize, step));
        let is_empty = row == NO_ROW && exits == NO_EXITS;
        (!is_empty).then(|| (path.iter().map(|(_, step)| *step).collect(), [row, exits]))
    })
}

impl Lowering<'_> {
    /// Lays out a way, unless it was laid out before. Returns its first step; `None` if the way is never allowed.
    fn way(&mut self, path: Vec<EntryStep>) -> Option<u32> {
        if let Some(known) = self.known.get(&path) {
            return *known;
        }
        let steps: Vec<Lowered> = path.iter().map(|step| self.lowered(*step)).collect();
        let is_possible = steps.iter().all(|step| !matches!(step, Lowered::Never));
        let first = is_possible.then(|| self.append(steps));
        self.known.insert(path, first);
        first
    }

    /// Appends steps, each linked to the steps that follow it.
    fn append(&mut self, steps: Vec<Lowered>) -> u32 {
        let first = self.steps.len();
        for step in steps {
            let lists = match step {
                Lowered::Nothing | Lowered::Never => continue,
                Lowered::One(step) => vec![vec![step]],
                Lowered::OneOf(lists) => lists,
            };
            let begin = self.steps.len();
            let end = begin + lists.iter().map(Vec::len).sum::<usize>();
            let count = lists.len();
            for (at, list) in lists.into_iter().enumerate() {
                let next_list = self.steps.len() + list.len();
                let if_fails = if at + 1 < count { next_list as u32 } else { WAY_REFUSED };
                for step in list {
                    let next = self.steps.len() + 1;
                    let if_holds = if next == next_list { end } else { next };
                    self.steps.push(MaskStep { if_holds: if_holds as u32, if_fails, ..step });
                }
            }
        }
        // A step whose successor is the end of the list ends the way.
        let end = self.steps.len() as u32;
        self.steps[first..].iter_mut().filter(|step| step.if_holds == end).for_each(|step| step.if_holds = WAY_ALLOWED);
        if first == self.steps.len() { WAY_ALLOWED } else { first as u32 }
    }

    fn lowered(&mut self, step: EntryStep) -> Lowered {
        match step {
            EntryStep::Op(op) => self.operation(op),
            EntryStep::Escape(state, esc) => self.escape(state, esc),
        }
    }

    fn escape(&mut self, state: StateId, esc: u32) -> Lowered {
        let Some(lists) = self.automaton.escape_guards(state, esc, MOST_GUARDS) else { return Lowered::One(HOST) };
        if lists.iter().flatten().any(|op| !is_guard(&self.automaton.ops[op.index()])) {
            return Lowered::One(HOST);
        }
        if lists.is_empty() {
            return Lowered::Never;
        }
        let mut lowered = Vec::new();
        for list in lists {
            let steps = list.into_iter().map(|op| self.operation(op));
            let guards: Vec<MaskStep> =
                steps.filter_map(|step| if let Lowered::One(step) = step { Some(step) } else { None }).collect();
            if guards.is_empty() {
                return Lowered::Nothing;
            }
            lowered.push(guards);
        }
        Lowered::OneOf(lowered)
    }

    fn operation(&mut self, op: OpId) -> Lowered {
        let step = match &self.automaton.ops[op.index()] {
            Op::None => return Lowered::Nothing,
            Op::Count { tick, max_a, min_total } => {
                let kind = if *tick { STEP_TICK } else { STEP_COUNT };
                MaskStep { kind, first: *max_a, second: *min_total, ..HOST }
            }
            Op::KeyAlive { object, keys, extra } => {
                let kind = if *extra { STEP_ALIVE_EXTRA } else { STEP_ALIVE };
                let first = self.keys.list(keys);
                MaskStep { first, second: keys.len() as u32, ..self.of_object(*object, kind) }
            }
            Op::KeyTake { object, key } => MaskStep { first: *key, ..self.of_object(*object, STEP_TAKE) },
            Op::KeyTakeExtra { object } => self.of_object(*object, STEP_TAKE_EXTRA),
            Op::KeyNext { object } => self.of_object(*object, STEP_NEXT),
            Op::ObjectClose { object } => self.of_object(*object, STEP_CLOSE),
            Op::Owing { .. } => HOST,
        };
        Lowered::One(step)
    }

    /// Returns a step on keys of an object. It is left to the host if a device cannot hold the object's sets.
    fn of_object(&self, object: ObjectId, kind: u32) -> MaskStep {
        let shape = &self.automaton.objects[object.index()];
        let is_wide = shape.order == KeyOrder::Any && shape.keys > MOST_KEYS || !shape.conditions.is_empty();
        MaskStep { kind: if is_wide { STEP_HOST } else { kind }, shape: object.0, ..HOST }
    }
}

/// A step that is left to the host.
const HOST: MaskStep = MaskStep { kind: STEP_HOST, shape: NO_SHAPE, first: 0, second: 0, if_holds: 0, if_fails: 0 };

/// Returns whether an operation changes no register.
fn is_guard(op: &Op) -> bool {
    match op {
        Op::None | Op::KeyAlive { .. } | Op::KeyNext { .. } | Op::ObjectClose { .. } => true,
        Op::Count { tick, .. } => !tick,
        Op::KeyTake { .. } | Op::KeyTakeExtra { .. } | Op::Owing { .. } => false,
    }
}
