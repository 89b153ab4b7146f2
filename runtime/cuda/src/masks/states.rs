//! The facts about each state that the masks of a format depend on.

use std::collections::HashMap;

use ogc_runtime::automaton::{Automaton, StateId, StateKind};
use ogc_runtime::mask::MaskPack;

use super::{Alike, Keys, MASK_ACCEPTS, MASK_BY_WAYS, MASK_FREE, MASK_KEYS_KNOWN, MaskState, NO_ALIKE, NO_SHAPE, bits};

/// Records of all states, and of the states that they refer to as alike (`Alike`).
#[derive(Debug)]
pub(super) struct States {
    pub(super) all: Vec<MaskState>,
    pub(super) alike: Vec<Alike>,
}

impl States {
    /// Lays out all states, and adds their lists of keys to `keys`.
    pub(super) fn new(automaton: &Automaton, pack: &MaskPack, keys: &mut Keys) -> Self {
        let mut states = Self { all: Vec::with_capacity(automaton.states.len()), alike: Vec::new() };
        let mut known = HashMap::new();
        for id in (0..automaton.states.len() as u32).map(StateId) {
            let alike = automaton.class_facts(id).alike;
            let alike = alike.map_or(NO_ALIKE, |(state, same)| {
                let next = states.alike.len() as u32;
                *known.entry((state, same)).or_insert_with(|| {
                    states.alike.push(Alike { state: state.0, same: halves(same) });
                    next
                })
            });
            states.all.push(state(automaton, pack, keys, id, alike));
        }
        states
    }
}

fn state(automaton: &Automaton, pack: &MaskPack, keys: &mut Keys, id: StateId, alike: u32) -> MaskState {
    let facts = automaton.class_facts(id);
    let is_free = facts.is_free && automaton.states[id.index()].kind == StateKind::Text;
    let possible = facts.possible_keys.unwrap_or_default();
    let [bases, tails] = pack.runs_of(id);
    MaskState {
        bits: bits([
            (MASK_ACCEPTS, automaton.states[id.index()].accept),
            (MASK_FREE, is_free),
            (MASK_BY_WAYS, facts.is_by_ways),
            (MASK_KEYS_KNOWN, facts.possible_keys.is_some()),
        ]),
        threshold: facts.threshold,
        shape: facts.object.map_or(NO_SHAPE, |object| object.0),
        alike,
        first_base_run: bases.start,
        base_run_count: bases.end - bases.start,
        first_tail_run: tails.start,
        tail_run_count: tails.end - tails.start,
        first_key: if possible.is_empty() { 0 } else { keys.list(possible) },
        key_count: possible.len() as u32,
    }
}

/// Returns a set of bytes as words of 32 bits, lowest word first.
fn halves(set: [u64; 4]) -> [u32; 8] {
    let mut words = [0; 8];
    for (pair, word) in words.chunks_exact_mut(2).zip(set) {
        pair.copy_from_slice(&[word as u32, (word >> 32) as u32]);
    }
    words
}
