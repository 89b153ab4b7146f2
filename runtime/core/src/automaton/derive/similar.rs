//! Finds states of one rule that read the same short texts.
//!
//! A pattern such as `(\S+\s+){0,99}\S+` has a hundred states inside of words. All read the same tokens, except the few states near the
//! end, where a long token can go beyond the pattern. So masks compute the row of such a state as a difference from the row of a similar
//! state ([`crate::mask`]'s walks of differences): they skip the subtree of a trie node if the two states reached there agree on all texts
//! up to the length of the longest token below.
//!
//! Rounds of Moore's minimisation (1956) find the texts on which states agree. Before the first round all states agree, on the empty text.
//! After a round, two states agree if each byte has the same effect in both and leads to states that agreed before the round.

use std::ops::Range;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::automaton::derived::Similar;
use crate::automaton::{Automaton, OpId, RuleId, StateId};

/// Cap on the rounds: states are compared on texts of at most this many bytes.
const ROUNDS: usize = 32;
/// States are similar if they agree after this many rounds.
const SIMILAR: usize = 16;
/// Cap on visited states and edges, over all rounds together.
const WORK: usize = 4_000_000;
/// Rules with fewer states are not compared.
const FEW_STATES: usize = 16;

/// Computes, round by round, which states of a rule agree.
pub(super) fn similar_states(automaton: &Automaton, rule: RuleId) -> Similar {
    let range = automaton.rules[rule.index()].states;
    let states = range.first..range.first + range.len;
    let edges = |state: u32| automaton.edges(StateId(state)).len();
    let size = states.clone().map(|state| 1 + edges(state)).sum::<usize>();
    let mut similar = Similar { first: range.first, ..Similar::default() };
    if states.len() < FEW_STATES || size * SIMILAR > WORK {
        return similar;
    }
    let mut sets = Sets::new(automaton, states);
    for _ in 0..ROUNDS.min(WORK / size) {
        similar.rounds.push(sets.of.as_slice().into());
        if !sets.split() {
            similar.is_final = true;
            break;
        }
    }
    similar.rounds.push(sets.of.into());
    similar.representatives = representatives(&similar.rounds[SIMILAR.min(similar.rounds.len() - 1)]);
    similar
}

/// The sets of states that agree. A round describes only states that lead to a state whose set has changed: in long patterns, few do after
/// the first rounds. States are numbered within the rule.
struct Sets<'a> {
    automaton: &'a Automaton,
    /// The first state of the rule.
    first: u32,
    /// For each state: the number of its set.
    of: Vec<u32>,
    /// The number of sets.
    count: u32,
    /// For each state: the states that lead to it.
    sources: Vec<SmallVec<[u32; 4]>>,
    /// For each state: whether the next round has to describe it.
    open: Vec<bool>,
}

impl<'a> Sets<'a> {
    /// Puts all states into one set.
    fn new(automaton: &'a Automaton, states: Range<u32>) -> Self {
        let (first, len) = (states.start, states.len());
        let mut sources = vec![SmallVec::new(); len];
        for state in states {
            let close = automaton.states[state as usize].close.map(|(_, to)| to);
            for to in automaton.edges(StateId(state)).iter().map(|edge| edge.to).chain(close) {
                let known: &mut SmallVec<[u32; 4]> = &mut sources[(to.0 - first) as usize];
                // Edges of one state are visited together.
                if known.last() != Some(&(state - first)) {
                    known.push(state - first);
                }
            }
        }
        Self { automaton, first, of: vec![0; len], count: 1, sources, open: vec![true; len] }
    }

    /// Splits the sets whose states agree no longer after one more round; returns whether there are any.
    fn split(&mut self) -> bool {
        let mut numbers: FxHashMap<Box<[u32]>, u32> = FxHashMap::default();
        let (mut changed, mut effects, mut last) = (Vec::new(), Vec::new(), None);
        for (set, _, state) in self.to_describe() {
            describe_effects(self.automaton, StateId(self.first + state), self.first, &self.of, &mut effects);
            effects.push(set);
            let number = numbers.get(effects.as_slice()).copied().unwrap_or_else(|| {
                // The first state keeps the set's number.
                let number = if last == Some(set) { self.count } else { set };
                self.count += u32::from(number != set);
                numbers.insert(effects.as_slice().into(), number);
                number
            });
            last = Some(set);
            if number != set {
                changed.push((state, number));
            }
        }
        self.open.fill(false);
        for &(state, number) in &changed {
            self.of[state as usize] = number;
            self.sources[state as usize].iter().for_each(|&source| self.open[source as usize] = true);
        }
        !changed.is_empty()
    }

    /// Returns the states to describe, set by set, as the set, whether the state is open, and the state. Of the states of a set that are
    /// not open, the first stands for all: they lead to the same sets as before, and so still agree.
    fn to_describe(&self) -> Vec<(u32, bool, u32)> {
        let mut wants_closed = vec![false; self.count as usize];
        let mut states: Vec<(u32, bool, u32)> = Vec::new();
        for (state, (&set, &open)) in (0..).zip(self.of.iter().zip(&self.open)) {
            if open {
                wants_closed[set as usize] = true;
                states.push((set, true, state));
            }
        }
        for (state, (&set, &open)) in (0..).zip(self.of.iter().zip(&self.open)) {
            if !open && std::mem::take(&mut wants_closed[set as usize]) {
                states.push((set, false, state));
            }
        }
        states.sort_unstable();
        states
    }
}

/// Describes the effect of each byte in a state; a target is given as the number of its set in the last round.
fn describe_effects(automaton: &Automaton, id: StateId, first: u32, round: &[u32], effects: &mut Vec<u32>) {
    effects.clear();
    let state = &automaton.states[id.index()];
    if state.calls.len > 0 {
        // Calls are not compared, so that the state agrees with no other. Other descriptions begin with 0 or 1, never with this number.
        return effects.extend([u32::MAX, id.0]);
    }
    let target = |to: StateId| round[(to.0 - first) as usize];
    let (close, closed) = state.close.map_or((u32::MAX, 0), |(op, to)| (op.0, target(to)));
    effects.extend([u32::from(state.accept), state.kind as u32, close, closed]);
    let mut last: Option<(u8, OpId, u32)> = None;
    for edge in automaton.edges(id) {
        let effect = (edge.op, target(edge.to));
        match last {
            Some((hi, op, to)) if (op, to) == effect && u32::from(hi) + 1 == u32::from(edge.lo) => {
                if let Some(end) = effects.last_mut() {
                    *end = u32::from(edge.hi);
                }
            }
            _ => effects.extend([edge.op.0, effect.1, u32::from(edge.lo), u32::from(edge.hi)]),
        }
        last = Some((edge.hi, edge.op, effect.1));
    }
}

/// Returns for each state the first state with the same number.
fn representatives(round: &[u32]) -> Box<[u32]> {
    let mut firsts: FxHashMap<u32, u32> = FxHashMap::default();
    round.iter().zip(0..).map(|(&number, state)| *firsts.entry(number).or_insert(state)).collect()
}

#[cfg(test)]
mod tests {
    use ogc_kit::Random;
    use rustc_hash::FxHashSet;

    use crate::automaton::{Automaton, AutomatonBuilder, Escapes, OpId, StateId, StateKind};

    /// A rule of 30 states in a chain: `a`, `b` and `c` lead from each state a few states on; the last states accept.
    fn random_chain(seed: u64) -> Automaton {
        let mut random = Random::new(seed);
        let mut builder = AutomatonBuilder::new();
        let rule = builder.rule("chain", 0);
        let states: Vec<StateId> = (0..30).map(|_| builder.state(rule, StateKind::Bytes)).collect();
        builder.start(rule, states[0]);
        for at in 0..29 {
            builder.edge(states[at], b'a', b'a', OpId::NONE, states[at + 1]);
            for byte in [b'b', b'c'] {
                let to = (at + random.below(3)).min(29);
                if random.below(8) > 0 {
                    builder.edge(states[at], byte, byte, OpId::NONE, states[to]);
                }
            }
        }
        states[27..].iter().for_each(|&state| builder.accept(state));
        builder.finish((rule, 0, 0), false, Escapes::Any).expect("the chain reaches its end")
    }

    /// Returns whether two states agree on every text of one byte more than those on which the pairs in `agree` agree.
    fn agree_on_longer(automaton: &Automaton, agree: &FxHashSet<(StateId, StateId)>, pair: (StateId, StateId)) -> bool {
        let accepts = |state: StateId| automaton.states[state.index()].accept;
        let step = |state: StateId, byte: u8| {
            automaton.edges(state).iter().find(|edge| edge.lo <= byte && byte <= edge.hi).map(|edge| edge.to)
        };
        accepts(pair.0) == accepts(pair.1)
            && (b'a'..=b'c').all(|byte| match (step(pair.0, byte), step(pair.1, byte)) {
                (None, None) => true,
                (Some(one), Some(other)) => agree.contains(&(one, other)),
                _ => false,
            })
    }

    #[test]
    fn state_similarity_agrees_with_all_short_texts() {
        let mut counts = [0; 2];
        for seed in 0..40 {
            let automaton = random_chain(seed);
            let states = (0..automaton.states.len() as u32).map(StateId);
            let pairs = states.clone().flat_map(|one| states.clone().map(move |other| (one, other)));
            let mut agree: FxHashSet<(StateId, StateId)> = pairs.clone().collect();
            for length in 0..20 {
                for (one, other) in pairs.clone() {
                    let expected = agree.contains(&(one, other));
                    assert_eq!(automaton.agree(one, other, length), expected, "{one:?} {other:?} {length} of {seed}");
                    counts[usize::from(expected)] += usize::from(one != other);
                }
                agree = pairs.clone().filter(|&pair| agree_on_longer(&automaton, &agree, pair)).collect();
            }
        }
        assert!(counts[0] > 1_000 && counts[1] > 1_000, "{counts:?}");
    }
}
