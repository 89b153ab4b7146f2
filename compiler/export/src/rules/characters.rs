//! Turns automata over bytes into graphs over characters: an edge leads from one whole character to the next.

use std::collections::{BTreeMap, HashMap};

use ogc_grammar::rules::{Expr, ExprKind};
use ogc_regular::budget::poll;
use ogc_regular::{Dfa, StateId};

use super::regular::ExportGraph;
use super::{literal, made};

/// A set of characters, as ascending ranges.
pub(super) type Ranges = Vec<(char, char)>;

/// Returns the graph of `dfa`; `label` makes the expressions of its edges.
pub(super) fn graph(dfa: &Dfa, label: &mut dyn FnMut(&Ranges) -> Expr) -> ExportGraph {
    let mut known: HashMap<StateId, usize> = HashMap::from([(dfa.start(), 0)]);
    let mut order = vec![dfa.start()];
    let mut graph = ExportGraph::default();
    while let Some(&from) = order.get(graph.states.len()) {
        poll();
        let mut edges = Vec::new();
        for (to, ranges) in steps(dfa, from) {
            let next = *known.entry(to).or_insert_with(|| {
                order.push(to);
                order.len() - 1
            });
            edges.push((label(&ranges), next));
        }
        graph.states.push((dfa.state(from).accept, edges));
    }
    graph
}

/// Returns a class, or a literal for a single character.
pub(super) fn class(ranges: &Ranges) -> Expr {
    match ranges.as_slice() {
        [(only, last)] if only == last => literal(only.to_string()),
        [('\0', char::MAX)] => made(ExprKind::Any),
        _ => made(ExprKind::Class { negated: false, ranges: ranges.clone() }),
    }
}

/// Returns the states after one character, each with the characters that lead to it.
fn steps(dfa: &Dfa, from: StateId) -> BTreeMap<StateId, Ranges> {
    let mut found: BTreeMap<StateId, Vec<(u32, u32)>> = BTreeMap::new();
    for edge in &dfa.state(from).edges {
        for (lo, hi, rest, bits) in leads(edge.lo, edge.hi) {
            follow(dfa, edge.to, (lo, hi), rest, bits, &mut found);
        }
    }
    found.into_iter().map(|(to, ranges)| (to, joined(ranges))).collect()
}

/// Splits a range of first bytes by the length of the character: returns the payload bits, and the number of
/// continuation bytes.
fn leads(lo: u8, hi: u8) -> impl Iterator<Item = (u32, u32, u32, u32)> {
    let kinds = [(0x00, 0x7F, 0, 0x7F), (0xC2, 0xDF, 1, 0x1F), (0xE0, 0xEF, 2, 0x0F), (0xF0, 0xF4, 3, 0x07)];
    kinds.into_iter().filter_map(move |(first, last, rest, mask)| {
        let (lo, hi) = (lo.max(first), hi.min(last));
        (lo <= hi).then(|| (u32::from(lo) & mask, u32::from(hi) & mask, rest, rest * 6))
    })
}

/// Adds the states that `rest` bytes lead to after a payload in `lo..=hi`. Runs of payloads stay together as long as
/// every continuation is accepted.
fn follow(
    dfa: &Dfa,
    at: StateId,
    (lo, hi): (u32, u32),
    rest: u32,
    bits: u32,
    found: &mut BTreeMap<StateId, Vec<(u32, u32)>>,
) {
    if rest == 0 {
        found.entry(at).or_default().push((lo, hi));
        return;
    }
    if lo < hi && full(dfa, at, rest).is_none() {
        (lo..=hi).for_each(|one| follow(dfa, at, (one, one), rest, bits, found));
        return;
    }
    if let Some(end) = full(dfa, at, rest) {
        found.entry(end).or_default().push((lo << bits, (hi << bits) | ((1 << bits) - 1)));
        return;
    }
    for edge in &dfa.state(at).edges {
        let part = |byte: u8| (lo << 6) | (u32::from(byte) & 0x3F);
        follow(dfa, edge.to, (part(edge.lo), part(edge.hi)), rest - 1, bits - 6, found);
    }
}

/// Returns the state after any `rest` continuation bytes, if it is always the same one.
fn full(dfa: &Dfa, mut at: StateId, rest: u32) -> Option<StateId> {
    for _ in 0..rest {
        match dfa.state(at).edges.as_slice() {
            [edge] if (edge.lo, edge.hi) == (0x80, 0xBF) => at = edge.to,
            _ => return None,
        }
    }
    Some(at)
}

/// Joins ranges of numbers to ascending, non-adjacent ranges of characters. Surrogates, which UTF-8 lacks, do not
/// separate ranges.
fn joined(mut ranges: Vec<(u32, u32)>) -> Ranges {
    ranges.sort_unstable();
    let mut merged: Vec<(u32, u32)> = Vec::new();
    for (lo, hi) in ranges {
        match merged.last_mut() {
            Some(last) if lo <= last.1 + 1 || (last.1 == 0xD7FF && lo == 0xE000) => last.1 = last.1.max(hi),
            _ => merged.push((lo, hi)),
        }
    }
    let chars = merged.into_iter().filter_map(|(lo, hi)| Some((char::from_u32(lo)?, char::from_u32(hi)?)));
    chars.collect()
}
