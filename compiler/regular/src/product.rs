//! Products of automata that read one text in parallel: boolean combinations, and automata that label each string with
//! the languages that contain it.
//!
//! A product state is a sorted list of the component automata that are still live, each with its state. Dead components
//! take no space, so a product of hundreds of short keys stays cheap.

use rustc_hash::FxHashMap;

use crate::budget::{self, Loan};
use crate::dfa::{Dfa, text};
use crate::limits::LimitError;
use crate::lists::Lists;
use crate::minimize::{equivalent, quotient};
use crate::state::{DfaState, Edge, StateId};
use crate::utf8::push_edge;

/// A configuration: the live automata of a product state, each by its index and its state.
type Config = [(u32, StateId)];

/// A product automaton without accepting states: configurations, and the edges between them.
struct Product {
    configs: Lists<(u32, StateId)>,
    edges: Vec<Vec<Edge>>,
    loan: Loan,
}

/// Live component automata visited per unit of budget.
const LIVING_OF_A_STEP: usize = 16;

/// Returns the bytes of a configuration with `living` automata: its entry in a table, the entry of another one, and a
/// list of edges.
fn config_bytes(living: usize) -> usize {
    128 + 2 * living * size_of::<(u32, StateId)>()
}

impl Product {
    /// Explores the configurations that are reachable from the starts; those that `keep` rejects are dead.
    fn explore(inputs: &[&Dfa], mut keep: impl FnMut(&Config) -> bool, limit: usize) -> Result<Self, LimitError> {
        let start: Vec<(u32, StateId)> = (0..inputs.len() as u32).map(|at| (at, StateId(0))).collect();
        let mut made = Self { configs: Lists::default(), edges: Vec::new(), loan: Loan::default() };
        made.configs.push(0, &start);
        let mut sweep = Sweep::default();
        let mut edges = Vec::new();
        while made.edges.len() < made.configs.len() {
            sweep.begin(inputs, made.configs.get(made.edges.len() as u32).1);
            edges.clear();
            while let Some((lo, hi)) = sweep.next() {
                budget::work(2 + sweep.edges.len() / LIVING_OF_A_STEP)?;
                if !keep(&sweep.config) {
                    continue;
                }
                let known = made.configs.len();
                let to = made.configs.number(0, &sweep.config);
                if made.configs.len() > known {
                    made.loan.grow(config_bytes(sweep.config.len()))?;
                }
                push_edge(&mut edges, lo, hi, StateId(to));
            }
            made.loan.grow(edges.len() * size_of::<Edge>())?;
            made.edges.push(edges.clone());
            LimitError::check("states of a product of automata", made.configs.len(), limit)?;
        }
        Ok(made)
    }
}

/// Iterates over the successors of a configuration: ascending ranges of bytes on which every live automaton keeps one
/// target, each with the configuration that follows.
///
/// Most states of a product have only one or two new successors. A list with a box for each successor would cost more
/// than all other work, so the sweep updates one configuration in place.
#[derive(Default)]
struct Sweep<'a> {
    /// The live automata, each with its edges that end at `at` or later.
    edges: Vec<(u32, &'a [Edge])>,
    at: u16,
    /// The configuration after the range last returned by [`Sweep::next`]; never empty.
    config: Vec<(u32, StateId)>,
}

impl<'a> Sweep<'a> {
    /// Restarts at a configuration.
    fn begin(&mut self, inputs: &[&'a Dfa], config: &Config) {
        self.edges.clear();
        let edges = |&(which, state): &(u32, StateId)| (which, inputs[which as usize].state(state).edges.as_slice());
        self.edges.extend(config.iter().map(edges));
        self.at = 0;
    }

    /// Moves to the next range. With edges `a-m` of one automaton and `c-z` of another, the ranges are `a-b` (only the
    /// first is live after it), `c-m` (both) and `n-z` (only the second).
    fn next(&mut self) -> Option<(u8, u8)> {
        let at = self.at;
        for (_, edges) in &mut self.edges {
            while let [Edge { hi, .. }, rest @ ..] = edges
                && u16::from(*hi) < at
            {
                *edges = rest;
            }
        }
        let firsts = || self.edges.iter().filter_map(|(which, edges)| Some((*which, edges.first()?)));
        let lo = firsts().map(|(_, edge)| u16::from(edge.lo).max(at)).min()?;
        let mut hi = u16::from(u8::MAX);
        self.config.clear();
        for (which, edge) in firsts() {
            if u16::from(edge.lo) <= lo {
                hi = hi.min(edge.hi.into());
                self.config.push((which, edge.to));
            } else {
                hi = hi.min(u16::from(edge.lo) - 1);
            }
        }
        self.at = hi + 1;
        Some((lo as u8, hi as u8))
    }
}

/// A state of a [`Labelled`] automaton.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LabelledState {
    /// Whether the text so far ends between characters; `labels` is meaningful only then.
    pub complete: bool,
    /// Indices of the inputs that contain the text so far, ascending.
    pub labels: Vec<u32>,
    /// The transitions, as in [`DfaState`].
    pub edges: Vec<Edge>,
}

/// An automaton of all text that labels each string with the set of languages that contain it. State 0 is the start;
/// minimal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labelled {
    /// The states.
    pub states: Vec<LabelledState>,
}

impl Labelled {
    /// Returns the state after `text`; `None` only if `text` is no prefix of valid UTF-8.
    #[must_use]
    pub fn walk(&self, text: &[u8]) -> Option<StateId> {
        text.iter()
            .try_fold(StateId(0), |state, &byte| crate::state::step(&self.states.get(state.index())?.edges, byte))
    }

    /// Makes the automaton of the strings whose set of labels `wanted` accepts.
    #[must_use]
    pub fn select(&self, wanted: impl Fn(&[u32]) -> bool) -> Dfa {
        let select = |state: &LabelledState| DfaState {
            accept: state.complete && wanted(&state.labels),
            edges: state.edges.clone(),
        };
        Dfa::from_states(self.states.iter().map(select).collect()).minimized()
    }
}

/// Builds one automaton over all text that labels each string with the `inputs` that contain it.
///
/// # Errors
///
/// More than `limit` product states.
pub fn product_labels(inputs: &[&Dfa], limit: usize) -> Result<Labelled, LimitError> {
    // The automaton of all text is the last input, with the label `domain`. Where it accepts, the text ends between
    // characters.
    let domain = inputs.len() as u32;
    let all: Vec<&Dfa> = inputs.iter().copied().chain([text()]).collect();
    let product = Product::explore(&all, |config| config.last().is_some_and(|last| last.0 == domain), limit)?;
    let label = |config: &Config| -> Vec<u32> {
        let held = config.iter().filter(|(which, state)| all[*which as usize].state(*state).accept);
        held.map(|&(which, _)| which).collect()
    };
    let labels: Vec<Vec<u32>> = product.configs.iter().map(label).collect();
    let mut loan = Loan::default();
    loan.grow(labels.iter().map(|set| size_of_val(set.as_slice())).sum())?;
    Ok(Labelled { states: merge(labels, product.edges, domain) })
}

/// Merges equivalent states and numbers them canonically.
fn merge(labels: Vec<Vec<u32>>, edges: Vec<Vec<Edge>>, domain: u32) -> Vec<LabelledState> {
    let mut kinds: FxHashMap<&[u32], u32> = FxHashMap::default();
    let mut kind = Vec::with_capacity(labels.len());
    for set in &labels {
        let fresh = kinds.len() as u32;
        kind.push(*kinds.entry(set).or_insert(fresh));
    }
    let slices: Vec<&[Edge]> = edges.iter().map(Vec::as_slice).collect();
    let blocks = equivalent(&slices, &kind);
    let joined: Vec<(Vec<u32>, Vec<Edge>)> = labels.into_iter().zip(edges).collect();
    let make = |(labels, _): &(Vec<u32>, Vec<Edge>), edges| LabelledState {
        complete: labels.last() == Some(&domain),
        labels: labels.iter().copied().filter(|&label| label != domain).collect(),
        edges,
    };
    quotient(&blocks, &joined, make, |(_, edges)| edges)
}

/// Makes a boolean combination of languages. `accept` gets the membership of a string in each of `inputs`, in their
/// order, and returns whether the result contains the string.
///
/// Strings outside every input belong to the result too if `accept` says so; the result is confined to UTF-8 only if
/// the inputs are. Minimal.
///
/// # Errors
///
/// More than `limit` product states.
pub fn combine(inputs: &[&Dfa], accept: impl Fn(&[bool]) -> bool, limit: usize) -> Result<Dfa, LimitError> {
    let count = inputs.len();
    let mut all = inputs.to_vec();
    let outside = accept(&vec![false; count]);
    if outside {
        all.push(text());
    }
    let mut members = vec![false; count];
    let hopeful = |config: &Config| {
        (!outside || config.last().is_some_and(|last| last.0 as usize == count))
            && possible(config, &mut members, &accept)
    };
    let product = Product::explore(&all, hopeful, limit)?;
    let mut members = vec![false; all.len()];
    let holds = |config: &Config| {
        members.fill(false);
        for &(which, state) in config {
            members[which as usize] = all[which as usize].state(state).accept;
        }
        members.get(count).copied().unwrap_or(true) && accept(&members[..count])
    };
    let accepts: Vec<bool> = product.configs.iter().map(holds).collect();
    let states = accepts.into_iter().zip(product.edges).map(|(accept, edges)| DfaState { accept, edges });
    Ok(Dfa::from_states(states.collect()).minimized())
}

/// Returns whether `accept` could hold for some memberships in the live inputs, with dead inputs set to false. If too
/// many are live to try, the answer is `true`. `members` has an element for each input.
fn possible(config: &Config, members: &mut [bool], accept: &impl Fn(&[bool]) -> bool) -> bool {
    let living = config.partition_point(|entry| (entry.0 as usize) < members.len());
    if living > 4 {
        return true;
    }
    members.fill(false);
    (0..1u32 << living).rev().any(|choice| {
        for (bit, &(which, _)) in config[..living].iter().enumerate() {
            members[which as usize] = choice >> bit & 1 == 1;
        }
        accept(members)
    })
}

/// Makes the automaton of the strings in all of `inputs`; all text if there are none.
///
/// # Errors
///
/// More than `limit` product states.
pub fn intersect_all(inputs: &[&Dfa], limit: usize) -> Result<Dfa, LimitError> {
    match inputs {
        [] => Ok(text().clone()),
        [only] => Ok((*only).clone()),
        _ => {
            let product = Product::explore(inputs, |config| config.len() == inputs.len(), limit)?;
            let holds = |config: &Config| {
                config.len() == inputs.len()
                    && config.iter().all(|&(which, state)| inputs[which as usize].state(state).accept)
            };
            let accepts: Vec<bool> = product.configs.iter().map(holds).collect();
            let states = accepts.into_iter().zip(product.edges).map(|(accept, edges)| DfaState { accept, edges });
            Ok(Dfa::from_states(states.collect()).minimized())
        }
    }
}

/// Makes the automaton of the strings in at least one of `inputs`.
///
/// # Errors
///
/// More than `limit` product states.
pub fn union_all(inputs: &[&Dfa], limit: usize) -> Result<Dfa, LimitError> {
    combine(inputs, |members| members.contains(&true), limit)
}

impl Dfa {
    /// Makes the automaton of the intersection. Minimal.
    ///
    /// # Errors
    ///
    /// More than `limit` product states, as in all operations here.
    pub fn intersect(&self, other: &Self, limit: usize) -> Result<Self, LimitError> {
        intersect_all(&[self, other], limit)
    }

    /// Makes the automaton of the union. Minimal.
    ///
    /// # Errors
    ///
    /// More than `limit` product states.
    pub fn union(&self, other: &Self, limit: usize) -> Result<Self, LimitError> {
        union_all(&[self, other], limit)
    }

    /// Makes the automaton of the difference: the strings of `self` that are not in `other`. Minimal.
    ///
    /// # Errors
    ///
    /// More than `limit` product states.
    pub fn difference(&self, other: &Self, limit: usize) -> Result<Self, LimitError> {
        combine(&[self, other], |members| members[0] && !members[1], limit)
    }

    /// Makes the automaton of the complement: all text that is not in `self`. Minimal.
    ///
    /// # Errors
    ///
    /// More than `limit` product states.
    pub fn complement(&self, limit: usize) -> Result<Self, LimitError> {
        combine(&[self], |members| !members[0], limit)
    }

    /// Returns whether every string of `self` is one of `other`.
    #[must_use]
    pub fn is_subset(&self, other: &Self) -> bool {
        let inputs = [self, other];
        let found = |config: &Config| {
            let accepts =
                |which: u32| config.iter().any(|&(at, state)| at == which && inputs[at as usize].state(state).accept);
            let gone = config.iter().all(|&(at, _)| at == 0) && !self.is_empty();
            gone || accepts(0) && !accepts(1)
        };
        !search(&inputs, |config| config.first().is_some_and(|first| first.0 == 0), found)
    }

    /// Returns whether no string is in both.
    #[must_use]
    pub fn is_disjoint(&self, other: &Self) -> bool {
        let inputs = [self, other];
        let both = |config: &Config| {
            config.len() == 2 && config.iter().all(|&(at, state)| inputs[at as usize].state(state).accept)
        };
        !search(&inputs, |config| config.len() == 2, both)
    }
}

/// Returns whether the product reaches a configuration that `found` accepts, by a path on which `keep` accepts every
/// configuration.
fn search(inputs: &[&Dfa], keep: impl Fn(&Config) -> bool, found: impl Fn(&Config) -> bool) -> bool {
    let start: Box<Config> = (0..inputs.len() as u32).map(|at| (at, StateId(0))).collect();
    let mut seen = rustc_hash::FxHashSet::from_iter([start.clone()]);
    let mut open = vec![start];
    let mut sweep = Sweep::default();
    let mut loan = Loan::default();
    while let Some(config) = open.pop() {
        // Once the budget is exhausted, the result is discarded.
        if found(&config) || budget::exhausted() {
            return true;
        }
        sweep.begin(inputs, &config);
        while sweep.next().is_some() {
            let _ = budget::work(1);
            if keep(&sweep.config) && !seen.contains(sweep.config.as_slice()) {
                let _ = loan.grow(config_bytes(sweep.config.len()));
                seen.insert(sweep.config.as_slice().into());
                open.push(sweep.config.as_slice().into());
            }
        }
    }
    false
}
