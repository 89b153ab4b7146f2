//! Finds the equivalent states of a partial deterministic automaton, component by component.
//!
//! Strongly connected components are visited in reverse topological order. A state outside every loop is equivalent to
//! another state if and only if both have the same kind and lead to equivalent states on the same labels. The classes
//! of its successors are known, so its *signature* (kind, and arrows to classes) gives its class by one lookup in a
//! hash table. Only the states of a loop have to be refined, and only among each other. Most automata here are chains
//! and tries that end in a few small loops (keys, bounded lengths, complements), so this is nearly linear.
//!
//! In `a(xy)*|b(xy)*|cx` the components are the two loops and three single states. The second loop turns out to repeat the first
//! one: its states can be paired with the classes of the first.
//!
//! A loop repeats an earlier one as a whole, or shares no class with it: the successors of equivalent states are equivalent, and each
//! state of a loop is reached from each other one.

use rustc_hash::FxHashMap;

use crate::budget::{self, Loan};
use crate::graph::{Arrow, Graph, push_arrow};
use crate::limits::LimitError;
use crate::lists::{Lists, hash};
use crate::refine::{draw, refine};

/// A state whose class is not known.
const UNKNOWN: u32 = u32::MAX;

/// Returns the equivalence class of each state; classes are numbered in the order of their first states.
pub(crate) fn equivalent(graph: &Graph, kinds: &[u32]) -> Result<Vec<u32>, LimitError> {
    let mut loan = Loan::default();
    draw(&mut loan, graph.len(), graph.arrows())?;
    let mut merging = Merging {
        graph,
        kinds,
        class: vec![UNKNOWN; graph.len()],
        local: vec![UNKNOWN; graph.len()],
        classes: Lists::default(),
        loops: FxHashMap::default(),
        waiting: Vec::new(),
        deep: Vec::new(),
        arrows: Vec::new(),
        refused: None,
    };
    graph.components(|states| merging.component(states));
    match merging.refused {
        Some(error) => Err(error),
        None => Ok(in_order(merging.class, merging.classes.len())),
    }
}

/// Numbers classes in the order of their first states.
fn in_order(mut class: Vec<u32>, classes: usize) -> Vec<u32> {
    let mut number = vec![UNKNOWN; classes];
    let mut count = 0;
    for class in &mut class {
        let number = &mut number[*class as usize];
        if *number == UNKNOWN {
            *number = count;
            count += 1;
        }
        *class = *number;
    }
    class
}

/// A fingerprint, which equivalent states share. The hash covers the kind of the state and the kinds of its successors
/// by label; then follow one label, and the class of the successor on that label.
type Fingerprint = (u64, u32, u32);

/// A class within a loop, and its first state.
type LoopClass = (u32, u32);

/// Labels that a deep fingerprint looks ahead.
const DEPTH: usize = 6;

/// Up to this many candidates are compared without deep fingerprints.
const FEW: usize = 3;

/// The classes that were found so far.
struct Merging<'a> {
    graph: &'a Graph,
    kinds: &'a [u32],
    /// Per state: its class.
    class: Vec<u32>,
    /// Per state of the current loop: its index there.
    local: Vec<u32>,
    /// Per class: its kind, and its arrows to classes.
    classes: Lists<Arrow>,
    /// The classes within loops, by fingerprint.
    loops: FxHashMap<Fingerprint, Vec<LoopClass>>,
    /// Classes within loops that are not in `loops` yet. They are added only when another loop is found.
    waiting: Vec<LoopClass>,
    /// Deep fingerprints by state; empty until they are needed.
    deep: Vec<u32>,
    /// Scratch: the arrows of the current state.
    arrows: Vec<Arrow>,
    /// Set once the budget runs out; the result is then discarded.
    refused: Option<LimitError>,
}

impl Merging<'_> {
    /// Finds the classes of a component's states.
    fn component(&mut self, states: &[u32]) {
        match *states {
            _ if self.refused.is_some() => {}
            [only] if self.graph.of(only).iter().all(|arrow| arrow.to != only) => {
                self.signature(only);
                self.class[only as usize] = self.classes.number(self.kinds[only as usize], &self.arrows);
            }
            _ => self.refused = self.merge_loop(states).err(),
        }
    }

    /// Fills `arrows` with the arrows of a state to successors of known class.
    fn signature(&mut self, state: u32) {
        self.arrows.clear();
        for arrow in self.graph.of(state) {
            let class = self.class[arrow.to as usize];
            if class != UNKNOWN {
                push_arrow(&mut self.arrows, 0, Arrow { to: class, ..*arrow });
            }
        }
    }

    /// Finds the classes of a loop's states.
    fn merge_loop(&mut self, states: &[u32]) -> Result<(), LimitError> {
        for (at, &state) in states.iter().enumerate() {
            self.local[state as usize] = at as u32;
        }
        if self.known_loop(states)? {
            return Ok(());
        }
        let blocks = self.refine(states)?;
        let base = self.classes.len() as u32;
        for (&state, &block) in states.iter().zip(&blocks) {
            self.class[state as usize] = base + block;
        }
        let mut first = vec![UNKNOWN; states.len()];
        for (&state, &block) in states.iter().zip(&blocks) {
            let first = &mut first[block as usize];
            *first = state.min(*first);
        }
        for state in first.into_iter().take_while(|&state| state != UNKNOWN) {
            self.signature(state);
            let class = self.classes.push(self.kinds[state as usize], &self.arrows);
            self.waiting.push((class, state));
        }
        Ok(())
    }

    /// Returns the block of each state of a loop in the coarsest partition that is stable under the loop's arrows.
    fn refine(&self, states: &[u32]) -> Result<Vec<u32>, LimitError> {
        if let [_] = states {
            return Ok(vec![0]);
        }
        let mut kinds = Lists::default();
        let mut outside = Vec::new();
        let mut inside = Graph::with_capacity(states.len(), states.len());
        let mut kind = Vec::with_capacity(states.len());
        for &state in states {
            outside.clear();
            for arrow in self.graph.of(state) {
                match self.class[arrow.to as usize] {
                    UNKNOWN => inside.push(arrow.lo, arrow.hi, self.local[arrow.to as usize]),
                    class => push_arrow(&mut outside, 0, Arrow { to: class, ..*arrow }),
                }
            }
            inside.end();
            kind.push(kinds.number(self.kinds[state as usize], &outside));
        }
        refine(&inside, kind)
    }

    /// Calls `found` with the fingerprints of a state: one without a label, and one for each label that begins a range
    /// of successors of one kind, provided that the successor's class is known.
    fn fingerprints(&mut self, state: u32, mut found: impl FnMut(Fingerprint)) {
        self.arrows.clear();
        for arrow in self.graph.of(state) {
            push_arrow(&mut self.arrows, 0, Arrow { to: self.kinds[arrow.to as usize], ..*arrow });
        }
        let hash = hash(self.kinds[state as usize], &self.arrows);
        found((hash, UNKNOWN, UNKNOWN));
        let mut own = self.graph.of(state);
        for Arrow { lo, .. } in &self.arrows {
            let at = own.partition_point(|arrow| arrow.hi < *lo);
            own = &own[at..];
            let class = own.first().map_or(UNKNOWN, |arrow| self.class[arrow.to as usize]);
            if class != UNKNOWN {
                found((hash, *lo, class));
            }
        }
    }

    /// Adds the waiting classes to `loops`.
    fn index_loops(&mut self) {
        let mut loops = std::mem::take(&mut self.loops);
        for (class, state) in std::mem::take(&mut self.waiting) {
            self.fingerprints(state, |print| loops.entry(print).or_default().push((class, state)));
        }
        self.loops = loops;
    }

    /// Gives the states of a loop the classes of an earlier loop, if the two are equivalent; returns whether they are.
    fn known_loop(&mut self, states: &[u32]) -> Result<bool, LimitError> {
        self.index_loops();
        let loops = std::mem::take(&mut self.loops);
        let candidates = self.candidates(states, &loops);
        let found = candidates.map_or(Ok(false), |(state, classes)| self.join(states, state, classes));
        self.loops = loops;
        found
    }

    /// Picks the state of the loop that shares a fingerprint with the fewest classes, and returns it with these
    /// classes; `None` if some state shares none.
    fn candidates<'l>(
        &mut self,
        states: &[u32],
        loops: &'l FxHashMap<Fingerprint, Vec<LoopClass>>,
    ) -> Option<(u32, &'l [LoopClass])> {
        let mut fewest: (u32, &'l [LoopClass]) = (UNKNOWN, &[]);
        let mut unlike = loops.is_empty();
        for &state in states {
            if unlike {
                return None;
            }
            self.fingerprints(state, |print| match loops.get(&print) {
                Some(classes) if fewest.0 == UNKNOWN || classes.len() < fewest.1.len() => fewest = (state, classes),
                Some(_) => {}
                None => unlike = true,
            });
        }
        (!unlike).then_some(fewest)
    }

    /// Gives all states of a loop their classes, if `state` is equivalent to one of the candidates; returns whether it
    /// is.
    fn join(&mut self, states: &[u32], state: u32, candidates: &[LoopClass]) -> Result<bool, LimitError> {
        if candidates.len() > FEW {
            self.look_ahead()?;
        }
        for &(class, first) in candidates {
            if self.deep.get(state as usize) != self.deep.get(first as usize) {
                continue;
            }
            if let Some(pairs) = self.pair(state, class, states.len())? {
                for (&state, class) in states.iter().zip(pairs) {
                    self.class[state as usize] = class;
                }
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Computes deep fingerprints: hashes of the part of the automaton within [`DEPTH`] labels of a state.
    fn look_ahead(&mut self) -> Result<(), LimitError> {
        if !self.deep.is_empty() {
            return Ok(());
        }
        budget::work(self.graph.len() + self.graph.arrows())?;
        self.deep = self.kinds.to_vec();
        for _ in 0..DEPTH {
            let seen = (0..self.graph.len() as u32).map(|state| {
                self.arrows.clear();
                for arrow in self.graph.of(state) {
                    push_arrow(&mut self.arrows, 0, Arrow { to: self.deep[arrow.to as usize], ..*arrow });
                }
                let hash = hash(self.kinds[state as usize], &self.arrows);
                (hash ^ hash >> 32) as u32
            });
            self.deep = seen.collect();
        }
        Ok(())
    }

    /// Walks a loop and the automaton of classes in lockstep from one pair that is assumed to be equivalent. Returns
    /// the class of each state by its index in the loop, or `None` if they differ somewhere.
    fn pair(&self, state: u32, class: u32, count: usize) -> Result<Option<Vec<u32>>, LimitError> {
        let mut paired = vec![UNKNOWN; count];
        paired[self.local[state as usize] as usize] = class;
        let mut open = vec![(state, class)];
        while let Some((state, class)) = open.pop() {
            let (kind, theirs) = self.classes.get(class);
            let ours = self.graph.of(state);
            budget::work(1 + ours.len())?;
            let alike = kind == self.kinds[state as usize] && covered(ours) == covered(theirs);
            if !alike || !ours.iter().all(|arrow| self.follow(*arrow, theirs, &mut paired, &mut open)) {
                return Ok(None);
            }
        }
        Ok(Some(paired))
    }

    /// Compares an arrow with the arrows of a class: each of its labels must lead to the class that its target has or
    /// is paired with. A target that has neither becomes paired.
    fn follow(&self, arrow: Arrow, theirs: &[Arrow], paired: &mut [u32], open: &mut Vec<(u32, u32)>) -> bool {
        let first = theirs.partition_point(|other| other.hi < arrow.lo);
        let mut next = arrow.lo;
        for other in theirs[first..].iter().take_while(|other| other.lo <= arrow.hi) {
            let mut class = self.class[arrow.to as usize];
            if class == UNKNOWN {
                let known = &mut paired[self.local[arrow.to as usize] as usize];
                if *known == UNKNOWN {
                    *known = other.to;
                    open.push((arrow.to, other.to));
                }
                class = *known;
            }
            if other.lo > next || class != other.to {
                return false;
            }
            next = other.hi + 1;
        }
        next > arrow.hi
    }
}

/// Returns how many labels the arrows read.
fn covered(arrows: &[Arrow]) -> u64 {
    arrows.iter().map(|arrow| u64::from(arrow.hi - arrow.lo) + 1).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::partition::{Transition, blocks};

    /// A stream of numbers from a seed (xorshift).
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, limit: u32) -> u32 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 33) as u32 % limit
        }
    }

    /// Makes transition tables: for each of `count` states, its target on each of `labels` labels. States lead at most
    /// `back` states back: 0 makes chains, other values small and large loops.
    fn random(numbers: &mut Numbers, count: u32, labels: u32, back: u32) -> Vec<Vec<Option<u32>>> {
        let mut target = |state: u32| {
            let low = state.saturating_sub(back) + u32::from(back == 0);
            let high = (state + 1 + numbers.below(4)).min(count);
            (numbers.below(4) > 0 && low < high).then(|| low + numbers.below(high - low))
        };
        (0..count).map(|state| (0..labels).map(|_| target(state)).collect()).collect()
    }

    /// Appends a copy of the states and lets the last original state lead to it. Loops then occur twice, one of them
    /// perhaps unrolled.
    fn doubled(numbers: &mut Numbers, rows: &mut Vec<Vec<Option<u32>>>) {
        let count = rows.len() as u32;
        for at in 0..count as usize {
            let copy = rows[at].iter().map(|to| to.map(|to| if numbers.below(5) == 0 { to } else { to + count }));
            rows.push(copy.collect());
        }
        let bridge = numbers.below(count) as usize;
        rows[bridge][0] = Some(count + numbers.below(count));
    }

    fn check(rows: &[Vec<Option<u32>>], kinds: &[u32]) {
        let mut graph = Graph::with_capacity(rows.len(), 0);
        let mut moves = Vec::new();
        for (from, row) in rows.iter().enumerate() {
            for (label, to) in row.iter().enumerate() {
                let Some(to) = *to else { continue };
                graph.push(label as u32, label as u32, to);
                moves.push(Transition { from: from as u32, label: label as u32, to });
            }
            graph.end();
        }
        let judge = blocks(rows.len(), &moves, |state| kinds[state as usize]);
        let count = judge.iter().max().map_or(0, |&last| last as usize + 1);
        assert_eq!(equivalent(&graph, kinds).unwrap(), in_order(judge, count), "{rows:?} {kinds:?}");
    }

    #[test]
    fn classes_are_those_of_refining_the_whole() {
        let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
        for round in 0..6000 {
            let (count, labels, back) = (1 + numbers.below(12), 1 + numbers.below(4), numbers.below(5));
            let mut rows = random(&mut numbers, count, labels, back);
            if round % 2 == 0 {
                doubled(&mut numbers, &mut rows);
            }
            let spread = 1 + numbers.below(3);
            let kinds: Vec<u32> = rows.iter().map(|_| numbers.below(spread * 2) / 2 % 3).collect();
            check(&rows, &kinds);
            let repeated: Vec<u32> = (0..rows.len()).map(|at| kinds[at % count as usize]).collect();
            check(&rows, &repeated);
        }
    }

    #[test]
    fn long_cycles_are_refined_by_splitting() {
        for (size, every) in [(100, 100), (120, 30), (120, 7)] {
            let rows: Vec<_> = (0..size).map(|at| vec![Some((at + 1) % size), Some(at / 2)]).collect();
            let kinds: Vec<u32> = (0..size).map(|at| u32::from(at % every == 0)).collect();
            check(&rows, &kinds);
            let plain: Vec<_> = rows.iter().map(|row| vec![row[0], None]).collect();
            check(&plain, &kinds);
        }
    }

    #[test]
    fn loops_that_look_alike_are_told_apart() {
        // Ten counting loops of twelve states. They differ only in the place (three times each) at which one leads on
        // to the next.
        let (loops, size) = (10, 12);
        let state = |at: u32, place: u32| Some(at * size + place % size);
        let mut rows = Vec::new();
        for at in 0..loops * size {
            let (own, place) = (at / size, at % size);
            let leaves = own + 1 < loops && place == own / 3;
            rows.push(vec![state(own, place + 1), state(if leaves { own + 1 } else { own }, 0)]);
        }
        check(&rows, &vec![0; rows.len()]);
        let kinds: Vec<u32> = (0..loops * size).map(|at| u32::from(at == loops * size - 1)).collect();
        check(&rows, &kinds);
        let ends: Vec<u32> = (0..loops * size).map(|at| u32::from(at % size == 5)).collect();
        check(&rows, &ends);
    }

    #[test]
    fn a_loop_that_repeats_another_joins_it() {
        // States 1 and 2 are a loop, 3 and 4 an equal loop, 5 and 6 a loop of another kind; 0 leads to all three.
        let to = |targets: [u32; 3]| targets.map(Some).to_vec();
        let rows =
            [to([1, 3, 5]), to([2, 2, 2]), to([1, 1, 1]), to([4, 2, 4]), to([3, 3, 3]), to([6, 6, 6]), to([5, 5, 5])];
        check(&rows, &[0, 0, 1, 0, 1, 0, 2]);
        check(&rows, &[0; 7]);
    }
}
