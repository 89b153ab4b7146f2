//! Builds a pack: enumerates the frames, computes their bases, then tails in waves until there are no new exits.
//!
//! The store's own functions compute the rows, in parallel; the rows are numbered afterwards, in a fixed order. So the pack is identical to
//! the byte, however the threads were scheduled.
//!
//! The unit of work is a *group*: the frames of one state that differ only in the countdown `b`, or only in the position among keys in
//! declared order (for tails, after the same exits). The answers for a group are one [`GroupAnswers`], for which the [`BuildBudget`] either
//! pays, or which it drops.

use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustc_hash::FxHashSet;

use super::super::exit_set::ExitSet;
use super::super::part::{Base, Tail};
use super::super::runs::answer_runs;
use super::super::store::MaskStore;
use super::super::walk::Walker;
use super::assemble::Assembly;
use super::build_budget::{Answer, BuildBudget, GroupAnswers};
use super::limits::{PackLimit, PackLimits};
use super::reach::{Reach, explore};
use super::registers::is_by_ways;
use super::schedule;
use super::times::Times;
use super::way_table::MOST_WAYS;
use super::{MaskPack, format_identity};
use crate::automaton::{Automaton, StateId};
use crate::container::{Bytes, LoadError, Sections, assemble};
use crate::step::Head;

/// Returns the limit that made the build leave out masks although the budget was not spent: the first one that was reached.
fn limit_of(limits: &PackLimits, reach: &Reach, assembly: &Assembly, tails_beyond: bool) -> Option<PackLimit> {
    if reach.left_out > 0 {
        return Some(PackLimit::Frames { limit: limits.frames });
    }
    if reach.groups.len() > limits.bases as usize {
        return Some(PackLimit::Bases { limit: limits.bases });
    }
    if tails_beyond {
        return Some(PackLimit::Tails { limit: limits.tails });
    }
    if assembly.is_full {
        return Some(PackLimit::Rows { limit: limits.row_bytes });
    }
    (assembly.left_out != [0; 2]).then_some(PackLimit::Ways { limit: MOST_WAYS })
}

/// Computes the rows of a format's frames.
#[derive(Clone, Copy)]
struct RowMaker<'a> {
    automaton: &'a Automaton,
    store: &'a MaskStore,
    reach: &'a Reach,
}

/// A build under way. Each thread has its own walker, which keeps its tables.
struct Workers<'a> {
    rows: RowMaker<'a>,
    walkers: Vec<Walker>,
    budget: BuildBudget,
    times: Times,
    /// Whether there were more tails than the limit allows.
    tails_beyond: bool,
}

impl MaskPack {
    /// Computes the masks of a format ahead of time. Calls `progress` at least a hundred times a second with the number of groups of bases
    /// and tails that are done, and the number known so far. If `progress` panics, the threads stop after their current group.
    ///
    /// # Errors
    ///
    /// [`LoadError::MissingToken`] if the format asks for a token that the vocabulary lacks; any other [`LoadError`] only if
    /// the format's own tables are not valid.
    pub fn build(
        automaton: &Arc<Automaton>,
        store: &Arc<MaskStore>,
        limits: &PackLimits,
        progress: impl Fn(usize, usize),
    ) -> Result<Self, LoadError> {
        store.check_tokens(automaton)?;
        let _guard = store.begin_build();
        let times = Times::begin(automaton.states.len());
        // All formats of the vocabulary share the free row, so that no group pays for it.
        store.warm_up(automaton.escapes);
        let longest = store.trie().max_depth() as u32;
        let reach = explore(automaton, longest, limits);
        let budget = BuildBudget::new(limits);
        let mut workers = Workers {
            rows: RowMaker { automaton, store, reach: &reach },
            walkers: (0..limits.threads.max(1)).map(|_| Walker::limited(budget.part())).collect(),
            budget,
            times,
            tails_beyond: false,
        };
        let mut assembly = Assembly::new(limits);
        workers.bases(&mut assembly, limits, &progress);
        // A share of the budget was reserved for tails, as bases alone could use all of it.
        workers.budget.release();
        workers.tails(&mut assembly, limits, &progress);
        let (mut times, stopped) = (workers.times, workers.budget.stopped);
        reach.lost.iter().for_each(|(&state, &frames)| times.left_out(StateId(state), frames));
        let stopped = stopped.or_else(|| limit_of(limits, &reach, &assembly, workers.tails_beyond));
        assembly.left_out[0] = assembly.left_out[0].saturating_add(reach.left_out);
        let bytes = assemble(&assembly.sections(automaton, store, &reach, format_identity(automaton)));
        let pack = Self::open(&Sections::open(Bytes::new(bytes))?, automaton, None)?;
        Ok(Self { times: Some(times.end()), stopped, ..pack })
    }
}

/// Runs a closure; returns its result and how long it took.
fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begin = Instant::now();
    let done = work();
    (done, begin.elapsed())
}

impl Workers<'_> {
    /// Processes the items until the budget closes. Returns results in the items' order, `None` for items that the budget did not pay for.
    fn run<T: Sync, R: Send + Answer>(
        &mut self,
        items: &[T],
        work: impl Fn(RowMaker<'_>, &mut Walker, &T) -> GroupAnswers<R> + Sync,
        done: impl Fn(usize),
    ) -> Vec<Option<GroupAnswers<R>>> {
        let rows = self.rows;
        let one = |walker: &mut Walker, item: &T| {
            walker.begin_part();
            let (part, took) = timed(|| work(rows, walker, item));
            let cut = walker.is_spent() && part.answers.iter().any(Option::is_none);
            GroupAnswers { work: walker.spent(), cut, took, ..part }
        };
        schedule::run(&mut self.walkers, items, &mut self.budget, one, done)
    }

    /// Orders the groups of heads by the size of their rule, smallest first. If the budget is spent early, only the largest rule lacks
    /// masks, and not every rule after it.
    fn order(&self, limits: &PackLimits) -> Vec<usize> {
        let rule =
            |group: &Range<usize>| self.rows.automaton.states[self.rows.reach.heads[group.start].state.index()].rule;
        let mut sizes = vec![0_u32; self.rows.automaton.rules.len()];
        self.rows.reach.groups.iter().for_each(|group| sizes[rule(group).index()] += 1);
        let mut order: Vec<usize> = (0..self.rows.reach.groups.len().min(limits.bases as usize)).collect();
        order.sort_by_key(|&group| sizes[rule(&self.rows.reach.groups[group]).index()]);
        order
    }

    fn bases(&mut self, assembly: &mut Assembly, limits: &PackLimits, progress: &impl Fn(usize, usize)) {
        let reach = self.rows.reach;
        let order = self.order(limits);
        let work = |rows: RowMaker<'_>, walker: &mut Walker, group: &usize| {
            rows.bases_of(walker, &reach.heads[reach.groups[*group].clone()])
        };
        let parts = self.run(&order, work, |done| progress(done, order.len()));
        // Bases are computed in the order of `order`, but added in the order of the heads, so that numbers do not depend on the sizes of
        // rules.
        let mut made: Vec<Option<GroupAnswers<Base>>> = Vec::new();
        made.resize_with(reach.groups.len(), || None);
        order.iter().zip(parts).for_each(|(&group, part)| made[group] = part);
        for (group, part) in reach.groups.iter().zip(made) {
            let state = reach.heads[group.start].state;
            let (walks, answers) = part.map(|part| (part.took, part.answers)).unwrap_or_default();
            answers.iter().flatten().for_each(|base| self.times.row(state, base.took.0));
            let mut bases = answers.iter();
            let mut add = |index: usize| {
                let base = bases.next().and_then(Option::as_ref);
                assembly.add_base(self.rows.automaton, reach, index, base)
            };
            let (added, numbers) = timed(|| group.clone().filter(|&index| add(index)).count());
            self.times.add(state, walks + numbers);
            self.times.left_out(state, group.len() - added);
        }
    }

    /// Computes tails in waves: first after the exits of bases, then after the exits that the previous wave's tails add.
    ///
    /// The token `"}]` leaves the string by `"`, with an exit there; the object reads `}` and returns, with an exit in
    /// its tail; the array reads `]` in a tail after that exit. So the token is found in the second wave. Each pair of
    /// exits and a return frame is computed once, and there are finitely many pairs, so the waves end.
    fn tails(&mut self, assembly: &mut Assembly, limits: &PackLimits, progress: &impl Fn(usize, usize)) {
        // `seen` has exits with the rule that returns there; `pairs` has exits with a frame to which the rule may return. A rule that is
        // called in 50 places has 50 or more pairs for each entry in `seen`.
        let mut seen: FxHashSet<(ExitSet, u32)> = FxHashSet::default();
        let mut pairs: FxHashSet<(ExitSet, u32)> = FxHashSet::default();
        let mut exits_of_rules = std::mem::take(&mut assembly.exits_of_rules);
        let mut done = self.rows.reach.groups.len();
        while !exits_of_rules.is_empty() {
            let mut wave: Vec<(ExitSet, u32)> = Vec::new();
            for (exits, rule) in exits_of_rules.drain(..).filter(|one| seen.insert(one.clone())) {
                let heads = self.rows.reach.returns.get(rule as usize).map_or(&[][..], Vec::as_slice);
                let room = (limits.tails as usize).saturating_sub(pairs.len()).min(heads.len());
                let (kept, beyond) = heads.split_at(room);
                wave.extend(kept.iter().map(|&head| (exits.clone(), head)).filter(|pair| pairs.insert(pair.clone())));
                assembly.left_out[1] = assembly.left_out[1].saturating_add(beyond.len() as u32);
                self.tails_beyond |= !beyond.is_empty();
                for head in beyond.iter().filter_map(|&head| self.rows.reach.heads.get(head as usize)) {
                    self.times.left_out(head.state, 1);
                }
            }
            exits_of_rules = self.wave(assembly, &wave, &mut done, progress);
        }
    }

    /// Computes one wave of tails; returns the exits for the next wave.
    fn wave(
        &mut self,
        assembly: &mut Assembly,
        wave: &[(ExitSet, u32)],
        done: &mut usize,
        progress: &impl Fn(usize, usize),
    ) -> Vec<(ExitSet, u32)> {
        let reach = self.rows.reach;
        let groups = reach.groups_of(wave);
        let work =
            |rows: RowMaker<'_>, walker: &mut Walker, group: &Range<usize>| rows.tails_of(walker, &wave[group.clone()]);
        let all = *done + groups.len();
        let parts = self.run(&groups, work, |part| progress(*done + part, all));
        *done = all;
        let mut exits_of_rules = Vec::new();
        for (group, part) in groups.into_iter().zip(parts) {
            let state = reach.heads[wave[group.start].1 as usize].state;
            let (walks, tails) = part.map(|part| (part.took, part.answers)).unwrap_or_default();
            tails.iter().flatten().for_each(|tail| self.times.row(state, tail.took.0));
            let (added, numbers) = timed(|| self.add_tails(assembly, &wave[group.clone()], tails, &mut exits_of_rules));
            self.times.add(state, walks + numbers);
            self.times.left_out(state, group.len() - added);
        }
        exits_of_rules
    }

    /// Adds the tails of a group to the assembly, and collects the exits for the next wave.
    fn add_tails(
        &self,
        assembly: &mut Assembly,
        group: &[(ExitSet, u32)],
        tails: Vec<Option<Tail>>,
        exits_of_rules: &mut Vec<(ExitSet, u32)>,
    ) -> usize {
        let mut tails = tails.into_iter();
        let mut added = 0;
        for (exits, head) in group {
            let Some(tail) = tails.next().flatten() else {
                assembly.left_out[1] = assembly.left_out[1].saturating_add(1);
                continue;
            };
            added += usize::from(assembly.add_tail(self.rows.automaton, self.rows.reach, exits, *head as usize, &tail));
            let rule = self.rows.automaton.states[self.rows.reach.heads[*head as usize].state.index()].rule.0;
            exits_of_rules.extend(tail.all_exits().map(|exits| (exits.clone(), rule)));
        }
        added
    }
}

impl RowMaker<'_> {
    /// Computes the tails for pairs of one group.
    fn tails_of(&self, walker: &mut Walker, pairs: &[(ExitSet, u32)]) -> GroupAnswers<Tail> {
        let tail = |item: usize| {
            let (exits, head) = &pairs[item];
            let head = *self.reach.heads.get(*head as usize).filter(|_| !walker.is_spent())?;
            if is_by_ways(self.automaton, head.state) {
                return self.store.tail_by_ways(self.automaton, walker, exits, head);
            }
            self.store.tail(self.automaton, walker, &self.reach.stack, exits.clone(), head)
        };
        let found = answer_runs(pairs.len(), tail);
        let head = |item: usize| self.reach.heads[pairs[item].1 as usize];
        self.part(found, head)
    }

    /// Computes the bases of heads of one group.
    fn bases_of(&self, walker: &mut Walker, heads: &[Head]) -> GroupAnswers<Base> {
        let by_ways = heads.first().is_some_and(|head| is_by_ways(self.automaton, head.state));
        let bases = match by_ways {
            true => heads.iter().map(|head| self.store.base_by_ways(self.automaton, walker, *head)).collect(),
            false => self.store.bases(self.automaton, walker, &self.reach.stack, heads),
        };
        self.part(bases, |item| heads[item])
    }

    /// Makes the answers of a group, and drops exits at which no token can continue after the rule.
    fn part<R: Answer>(&self, mut answers: Vec<Option<R>>, head: impl Fn(usize) -> Head) -> GroupAnswers<R> {
        let mut found: Vec<(ExitSet, usize)> = Vec::new();
        for (item, answer) in answers.iter_mut().enumerate() {
            let Some(answer) = answer else { continue };
            answer.change_exits(&mut |all| {
                // Neighbours mostly have the same exits, so that comparing with the last set suffices here: the budget pays for each set
                // once.
                if found.last().is_none_or(|(last, _)| *last != all) {
                    found.push((all.clone(), all.nodes().len()));
                }
                self.store.exits_with_follow(self.automaton, head(item).state, all)
            });
        }
        GroupAnswers { answers, exits: found, work: 0, cut: false, took: Duration::ZERO }
    }
}
