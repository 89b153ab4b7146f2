//! Sets of whole exponents, and the automata of their spellings `[+-]?[0-9]+`.

use rustc_hash::FxHashMap;

use crate::{DfaState, Edge, StateId};

/// A set of whole numbers whose membership changes at finitely many places.
///
/// Invariant: `toggles` ascends strictly; membership flips at each of them, from the toggle itself upwards.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Exponents {
    /// Whether all numbers below the first toggle are members.
    first: bool,
    toggles: Vec<i32>,
}

impl Exponents {
    pub(super) fn all() -> Self {
        Self { first: true, toggles: Vec::new() }
    }

    /// Makes a set from the places at which membership may change (in any order) and a test of membership.
    pub(super) fn piecewise(mut places: Vec<i32>, contains: impl Fn(i32) -> bool) -> Self {
        places.sort_unstable();
        places.dedup();
        let first = places.first().is_none_or(|&place| contains(place - 1));
        let first = if places.is_empty() { contains(0) } else { first };
        let mut inside = first;
        places.retain(|&place| {
            let flips = contains(place) != inside;
            inside ^= flips;
            flips
        });
        Self { first, toggles: places }
    }

    pub(super) fn is_empty(&self) -> bool {
        !self.first && self.toggles.is_empty()
    }

    fn contains(&self, exponent: i32) -> bool {
        let below = self.toggles.partition_point(|&toggle| toggle <= exponent);
        self.first ^ (below % 2 == 1)
    }

    /// Returns the members from zero up.
    fn upward(&self) -> Naturals {
        let toggles = self.toggles.iter().filter(|&&toggle| toggle > 0).map(|&toggle| i64::from(toggle));
        Naturals { zero: self.contains(0), toggles: toggles.collect() }
    }

    /// Returns the negated members from zero down.
    fn downward(&self) -> Naturals {
        let toggles = self.toggles.iter().rev().filter(|&&toggle| toggle <= 0);
        Naturals { zero: self.contains(0), toggles: toggles.map(|&toggle| 1 - i64::from(toggle)).collect() }
    }
}

/// A set of natural numbers whose membership changes at finitely many places (ascending, positive).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Naturals {
    zero: bool,
    toggles: Vec<i64>,
}

impl Naturals {
    fn contains(&self, value: i64) -> bool {
        let below = self.toggles.partition_point(|&toggle| toggle <= value);
        self.zero ^ (below % 2 == 1)
    }

    /// Returns the common membership of all numbers whose digits begin with those of `value` (positive); `None` if they
    /// disagree.
    fn uniform(&self, value: i64) -> Option<bool> {
        let last = self.toggles.last().copied().unwrap_or(0);
        let agreed = self.contains(value);
        let (mut low, mut high) = (value, value);
        loop {
            let next = self.toggles.partition_point(|&toggle| toggle <= low);
            let changes = self.toggles.get(next).is_some_and(|&toggle| toggle <= high);
            if changes || self.contains(low) != agreed {
                return None;
            }
            if low > last {
                return Some(agreed);
            }
            (low, high) = (low * 10, high * 10 + 9);
        }
    }
}

/// Builds exponent automata into one list of states, sharing equal ones.
#[derive(Debug, Default)]
pub(super) struct ExponentBuilder {
    marks: FxHashMap<Exponents, Option<StateId>>,
    zeros: FxHashMap<Naturals, Option<StateId>>,
    shared: FxHashMap<DfaState, StateId>,
    any: Option<StateId>,
}

impl ExponentBuilder {
    /// Returns the state after `e`; `None` if no exponent is a member.
    pub(super) fn mark(&mut self, exponents: Exponents, states: &mut Vec<DfaState>) -> Option<StateId> {
        if exponents.is_empty() {
            return None;
        }
        if let Some(&known) = self.marks.get(&exponents) {
            return known;
        }
        let up = self.first_digit(exponents.upward(), states);
        let down = self.first_digit(exponents.downward(), states);
        let mut edges: Vec<Edge> = up.as_ref().map_or_else(Vec::new, |up| up.edges.clone());
        for (sign, side) in [(b'-', down), (b'+', up)] {
            if let Some(side) = side {
                edges.insert(0, edge(sign, self.share(side, states)));
            }
        }
        let mark = (!edges.is_empty()).then(|| self.share(DfaState { accept: false, edges }, states));
        self.marks.insert(exponents, mark);
        mark
    }

    /// Returns the state before the first digit.
    fn first_digit(&mut self, set: Naturals, states: &mut Vec<DfaState>) -> Option<DfaState> {
        let zero = self.leading_zero(&set, states);
        let mut edges: Vec<Edge> = zero.map(|to| edge(b'0', to)).into_iter().collect();
        edges.extend(self.digits(&set, 0, 1, states));
        (!edges.is_empty()).then_some(DfaState { accept: false, edges: merged(edges) })
    }

    /// Returns the state after leading zeros only.
    fn leading_zero(&mut self, set: &Naturals, states: &mut Vec<DfaState>) -> Option<StateId> {
        if set.toggles.is_empty() {
            return set.zero.then(|| self.any(states));
        }
        if let Some(&known) = self.zeros.get(set) {
            return known;
        }
        let mut edges: Vec<Edge> = self.digits(set, 0, 1, states).collect();
        let alive = set.zero || !edges.is_empty();
        let own = StateId(states.len() as u32);
        edges.insert(0, edge(b'0', own));
        if alive {
            states.push(DfaState { accept: set.zero, edges: merged(edges) });
        }
        let zero = alive.then_some(own);
        self.zeros.insert(set.clone(), zero);
        zero
    }

    /// Returns the edges that append a digit, from `least` up, to the digits of `value`.
    fn digits(
        &mut self,
        set: &Naturals,
        value: i64,
        least: u8,
        states: &mut Vec<DfaState>,
    ) -> std::vec::IntoIter<Edge> {
        let mut edges = Vec::new();
        for digit in least..10 {
            if let Some(to) = self.after(set, value * 10 + i64::from(digit), states) {
                edges.push(edge(b'0' + digit, to));
            }
        }
        merged(edges).into_iter()
    }

    /// Returns the state after the digits of `value` (positive). The recursion is as deep as the last toggle has
    /// digits.
    fn after(&mut self, set: &Naturals, value: i64, states: &mut Vec<DfaState>) -> Option<StateId> {
        match set.uniform(value) {
            Some(true) => Some(self.any(states)),
            Some(false) => None,
            None => {
                let edges = self.digits(set, value, 0, states).collect();
                Some(self.share(DfaState { accept: set.contains(value), edges }, states))
            }
        }
    }

    /// Returns the accepting state that loops on all digits.
    fn any(&mut self, states: &mut Vec<DfaState>) -> StateId {
        *self.any.get_or_insert_with(|| {
            let own = StateId(states.len() as u32);
            states.push(DfaState { accept: true, edges: vec![Edge { lo: b'0', hi: b'9', to: own }] });
            own
        })
    }

    fn share(&mut self, state: DfaState, states: &mut Vec<DfaState>) -> StateId {
        *self.shared.entry(state).or_insert_with_key(|state| {
            states.push(state.clone());
            StateId(states.len() as u32 - 1)
        })
    }
}

fn edge(byte: u8, to: StateId) -> Edge {
    Edge { lo: byte, hi: byte, to }
}

/// Merges neighbouring edges with one target.
pub(super) fn merged(edges: Vec<Edge>) -> Vec<Edge> {
    let mut joined: Vec<Edge> = Vec::with_capacity(edges.len());
    for edge in edges {
        match joined.last_mut() {
            Some(last) if last.to == edge.to && last.hi + 1 == edge.lo => last.hi = edge.hi,
            _ => joined.push(edge),
        }
    }
    joined
}
