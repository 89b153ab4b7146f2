//! Determinises a pattern: explores the states of a [`Machine`] as a table over the classes of the alphabet, minimises
//! it, and spells it in bytes.

use rustc_hash::FxHashMap;

use super::alphabet::Alphabet;
use super::machine::{ContextId, Machine, NEVER, ThreadSetId};
use super::program::Program;
use crate::budget::{self, Loan};
use crate::dfa::Dfa;
use crate::equivalence::equivalent;
use crate::graph::Graph;
use crate::limits::{LimitError, Limits};
use crate::state::{DfaState, StateId};
use crate::utf8::{Run, Suffixes};

/// A state of the table: the set of threads, and the context where it matters.
type Key = (Option<ContextId>, ThreadSetId);

/// A deterministic automaton over classes of characters: `rows` has `classes` targets for each state.
struct Table {
    classes: usize,
    rows: Vec<Option<u32>>,
    accept: Vec<bool>,
    loan: Loan,
}

/// Builds the minimal automaton of a program.
pub(super) fn determinize(program: &Program, alphabet: &Alphabet, limits: &Limits) -> Result<Dfa, LimitError> {
    let mut table = explore(program, alphabet, limits)?;
    drop_dead(&mut table);
    if !table.accept.is_empty() && !lives(&table, 0) {
        return Ok(Dfa::empty());
    }
    let blocks = merge(&table)?;
    spell(&table, &blocks, alphabet)
}

/// Explores all states of the machine, breadth first from the empty text.
///
/// Each state is stepped once per class of characters, not per character: `[a-z]+` has two classes, the letters and the rest.
fn explore(program: &Program, alphabet: &Alphabet, limits: &Limits) -> Result<Table, LimitError> {
    let mut machine = Machine::new(program, alphabet, limits);
    let (context, set) = machine.start()?;
    let mut states = vec![(context, set)];
    let mut known: FxHashMap<Key, u32> = FxHashMap::default();
    known.insert(key(&machine, context, set), 0);
    let mut table = Table { classes: alphabet.classes, rows: Vec::new(), accept: Vec::new(), loan: Loan::default() };
    while let Some(&(context, set)) = states.get(table.accept.len()) {
        budget::work(4 + alphabet.classes / 4)?;
        table.loan.grow(64 + alphabet.classes * size_of::<Option<u32>>())?;
        table.accept.push(machine.accepts(set, context));
        let readers = machine.readers(set)?;
        for class in 0..alphabet.classes {
            // No thread reads this class, so the target is dead without computing a step.
            if !readers.may_read(class) {
                table.rows.push(None);
                continue;
            }
            let next_context = machine.next_context(context, class as u32)?;
            let next = machine.step_readers(&readers, set, (context, next_context), class as u32)?;
            let fresh = states.len() as u32;
            table.rows.push((next != NEVER).then(|| {
                *known.entry(key(&machine, next_context, next)).or_insert_with(|| {
                    states.push((next_context, next));
                    fresh
                })
            }));
        }
        LimitError::check("states of a pattern's automaton", states.len(), limits.states)?;
    }
    Ok(table)
}

/// Returns the key of a state. A decided set needs no context, so it is one state under all of them.
fn key(machine: &Machine<'_>, context: ContextId, set: ThreadSetId) -> Key {
    ((!machine.is_decided(set)).then_some(context), set)
}

/// Returns whether the state accepts or leads on.
fn lives(table: &Table, state: usize) -> bool {
    table.accept[state] || table.rows[state * table.classes..][..table.classes].iter().any(Option::is_some)
}

/// Removes transitions to states that cannot reach acceptance.
fn drop_dead(table: &mut Table) {
    let count = table.accept.len();
    let of = |(at, target): (usize, &Option<u32>)| Some(((*target)?, (at / table.classes) as u32));
    let moves: Vec<(u32, u32)> = table.rows.iter().enumerate().filter_map(of).collect();
    let (starts, sources) = by_target(&moves, count);
    let mut live = table.accept.clone();
    let mut open: Vec<u32> = (0..count as u32).filter(|&at| live[at as usize]).collect();
    while let Some(at) = open.pop() {
        for &from in &sources[starts[at as usize] as usize..starts[at as usize + 1] as usize] {
            if !std::mem::replace(&mut live[from as usize], true) {
                open.push(from);
            }
        }
    }
    for target in &mut table.rows {
        *target = target.filter(|&to| live[to as usize]);
    }
}

/// Groups pairs by their first number: returns where each group starts, and the second numbers of all groups in a row.
fn by_target(pairs: &[(u32, u32)], count: usize) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0u32; count + 1];
    for pair in pairs {
        starts[pair.0 as usize + 1] += 1;
    }
    for at in 1..starts.len() {
        starts[at] += starts[at - 1];
    }
    let mut next = starts.clone();
    let mut sources = vec![0; pairs.len()];
    for &(to, from) in pairs {
        sources[next[to as usize] as usize] = from;
        next[to as usize] += 1;
    }
    (starts, sources)
}

/// Returns the equivalence class (block) of each state, with the start in block 0.
fn merge(table: &Table) -> Result<Vec<u32>, LimitError> {
    let mut graph = Graph::with_capacity(table.accept.len(), table.accept.len());
    for row in table.rows.chunks(table.classes) {
        for (label, to) in row.iter().enumerate() {
            to.iter().for_each(|&to| graph.push(label as u32, label as u32, to));
        }
        graph.end();
    }
    let kinds: Vec<u32> = table.accept.iter().map(|&accept| accept.into()).collect();
    equivalent(&graph, &kinds)
}

/// Builds the automaton over bytes: one state for each block, and the states within characters.
fn spell(table: &Table, blocks: &[u32], alphabet: &Alphabet) -> Result<Dfa, LimitError> {
    let count = blocks.iter().max().map_or(0, |&last| last as usize + 1);
    let mut states = vec![DfaState::default(); count];
    let mut done = vec![false; count];
    let mut suffixes = Suffixes::default();
    let number = |state: u32| blocks[state as usize];
    for state in 0..table.accept.len() as u32 {
        let block = number(state) as usize;
        if std::mem::replace(&mut done[block], true) {
            continue;
        }
        let row = &table.rows[state as usize * table.classes..][..table.classes];
        let runs = runs(row, alphabet, number);
        budget::work(1 + (runs.len() + alphabet.runs.len()) / 8)?;
        states[block].edges = suffixes.edges(&runs, &mut states);
        states[block].accept = table.accept[state as usize];
    }
    Ok(Dfa::from_states(states))
}

/// Returns the ranges of characters with one target.
fn runs(row: &[Option<u32>], alphabet: &Alphabet, number: impl Fn(u32) -> u32) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for &(lo, hi, class) in &alphabet.runs {
        let Some(to) = row[class as usize].map(|to| StateId(number(to))) else { continue };
        match runs.last_mut() {
            Some(last) if last.2 == to && last.1 + 1 == lo => last.1 = hi,
            _ => runs.push((lo, hi, to)),
        }
    }
    runs
}
