//! Turns transitions on characters into transitions on bytes of UTF-8: an edge for the lead byte, and shared states for
//! the continuation bytes.
//!
//! Characters U+00A0 to U+00FF (C2 A0 to C3 BF) that lead to a state `t` become the edge C2 to a state that reads A0 to BF, and
//! the edge C3 to a state that reads 80 to BF; both then lead to `t`.
//!
//! An automaton that is minimal over characters stays minimal over bytes. States between characters read only lead
//! bytes, and states within a character only continuation bytes, so none of the former equals one of the latter; and
//! equal states within characters are made once.

use rustc_hash::FxHashMap;

use crate::state::{DfaState, Edge, StateId};

/// All scalar values.
pub(crate) const ALL: [(u32, u32); 2] = [(0, 0xD7FF), (0xE000, 0x10_FFFF)];

/// A run of characters that lead to one state.
pub(crate) type Run = (u32, u32, StateId);

/// A length of UTF-8 sequences: the range of its scalar values, the fixed bits of the lead byte, and the number of
/// continuation bytes.
struct Form {
    lo: u32,
    hi: u32,
    mark: u8,
    follow: u32,
}

const LONG: [Form; 3] = [
    Form { lo: 0x80, hi: 0x7FF, mark: 0xC0, follow: 1 },
    Form { lo: 0x800, hi: 0xFFFF, mark: 0xE0, follow: 2 },
    Form { lo: 0x1_0000, hi: 0x10_FFFF, mark: 0xF0, follow: 3 },
];

/// The states within characters that were made so far, so that equal ones are shared.
#[derive(Default)]
pub(crate) struct Suffixes {
    known: FxHashMap<Vec<Edge>, StateId>,
    full: FxHashMap<(u32, StateId), StateId>,
}

impl Suffixes {
    /// Returns the edges of a state from which `runs` (sorted, disjoint, without surrogates) lead on; new states go to
    /// `states`.
    pub(crate) fn edges(&mut self, runs: &[Run], states: &mut Vec<DfaState>) -> Vec<Edge> {
        let mut edges = Vec::new();
        for &(lo, hi, to) in runs.iter().take_while(|run| run.0 < 0x80) {
            push_edge(&mut edges, lo as u8, hi.min(0x7F) as u8, to);
        }
        for form in LONG.iter().take_while(|form| runs.last().is_some_and(|run| run.1 >= form.lo)) {
            let part = clip(runs, form.lo, form.hi);
            let window = Window { base: 0, mark: form.mark, follow: form.follow };
            self.level(&part, window, states, &mut edges);
        }
        edges
    }

    /// Adds the edges that `runs` have at a byte with `window.follow` more bytes after it.
    fn level(&mut self, runs: &[Run], window: Window, states: &mut Vec<DfaState>, edges: &mut Vec<Edge>) {
        let mut at = 0;
        let mut from = 0;
        while let Some(&(lo, hi, to)) = runs.get(at) {
            let lo = lo.max(from);
            let first = window.align(lo);
            let last = first + window.size() - 1;
            // If the run covers all characters of one or several lead bytes, every continuation will do. Otherwise the
            // byte gets a state of its own, for the characters of the runs.
            if lo == first && hi >= last {
                from = window.align(hi + 1);
                let target = self.all(window.follow, to, states);
                push_edge(edges, window.byte(lo), window.byte(from - 1), target);
            } else {
                from = last + 1;
                let inner = Window { base: first, mark: 0x80, follow: window.follow.saturating_sub(1) };
                let target = self.node(&clip(&runs[at..], lo, last), inner, states);
                push_edge(edges, window.byte(lo), window.byte(lo), target);
            }
            at += runs[at..].partition_point(|run| run.1 < from);
        }
    }

    /// Returns the state that reads the rest of the characters of `window`.
    fn node(&mut self, runs: &[Run], window: Window, states: &mut Vec<DfaState>) -> StateId {
        let mut edges = Vec::new();
        self.level(runs, window, states, &mut edges);
        self.intern(edges, states)
    }

    /// Returns a state that reads any `follow` continuation bytes and then leads to `to`.
    fn all(&mut self, follow: u32, to: StateId, states: &mut Vec<DfaState>) -> StateId {
        if follow == 0 {
            return to;
        }
        if let Some(&known) = self.full.get(&(follow, to)) {
            return known;
        }
        let inner = self.all(follow - 1, to, states);
        let made = self.intern(vec![Edge { lo: 0x80, hi: 0xBF, to: inner }], states);
        self.full.insert((follow, to), made);
        made
    }

    fn intern(&mut self, edges: Vec<Edge>, states: &mut Vec<DfaState>) -> StateId {
        if let Some(&known) = self.known.get(&edges) {
            return known;
        }
        let made = StateId(states.len() as u32);
        states.push(DfaState { accept: false, edges: edges.clone() });
        self.known.insert(edges, made);
        made
    }
}

/// The characters at one byte position: `base` is the first character, and each value of the byte covers `size`
/// characters.
#[derive(Clone, Copy)]
struct Window {
    base: u32,
    mark: u8,
    follow: u32,
}

impl Window {
    fn size(self) -> u32 {
        1 << (6 * self.follow)
    }

    /// Returns the first character covered by the byte value that covers `value`.
    fn align(self, value: u32) -> u32 {
        value & !(self.size() - 1)
    }

    fn byte(self, value: u32) -> u8 {
        self.mark | ((value - self.base) >> (6 * self.follow)) as u8
    }
}

/// Appends an edge, or extends the last edge if the new one continues it.
pub(crate) fn push_edge(edges: &mut Vec<Edge>, lo: u8, hi: u8, to: StateId) {
    match edges.last_mut() {
        Some(last) if last.to == to && last.hi.checked_add(1) == Some(lo) => last.hi = hi,
        _ => edges.push(Edge { lo, hi, to }),
    }
}

/// Returns the part of `runs` within `lo..=hi`.
fn clip(runs: &[Run], lo: u32, hi: u32) -> Vec<Run> {
    let from = runs.partition_point(|run| run.1 < lo);
    let inside = runs[from..].iter().take_while(|run| run.0 <= hi);
    inside.map(|&(a, b, to)| (a.max(lo), b.min(hi), to)).collect()
}
