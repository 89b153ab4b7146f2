//! Building a pack: the frames that can be, their bases, then tails by exits and return frames until no new ones come.
//!
//! Rows come from the store's own functions, in parallel; numbers are given afterwards in the order of discovery. So the
//! pack is the same to the byte whatever the threads did.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rustc_hash::FxHashSet;

use super::super::runs::settle;
use super::super::store::{Base, ExitsId, MaskStore, Tail};
use super::super::walk::Walker;
use super::assemble::Assembly;
use super::reach::{Reach, explore};
use super::times::Times;
use super::{MaskPack, format_identity};
use crate::artifact::bytes::Bytes;
use crate::artifact::container::{Sections, assemble};
use crate::artifact::{LoadError, check_tokens};
use crate::automaton::Automaton;
use crate::step::Head;

/// How much to compute ahead of time. What is beyond a limit is computed at first use.
///
/// ```
/// let limits = ogc_runtime::mask::PackLimits { tails: 1_000, ..Default::default() };
/// assert!(limits.frames > limits.bases);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackLimits {
    /// Frames (states with registers) to follow.
    pub frames: u32,
    /// States and registers to compute bases for; those that differ in a countdown are one.
    pub bases: u32,
    /// Tails to compute or to infer.
    pub tails: u32,
    /// Bytes of rows to keep.
    pub row_bytes: u64,
    /// Threads to use; does not change the result.
    pub threads: usize,
}

impl Default for PackLimits {
    fn default() -> Self {
        Self {
            frames: 1 << 20,
            bases: 100_000,
            tails: 1 << 20,
            row_bytes: 1 << 28,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

/// One walker a thread, kept for its tables.
struct Workers<'a> {
    automaton: &'a Automaton,
    store: &'a MaskStore,
    reach: &'a Reach,
    walkers: Vec<Walker>,
    times: Times,
}

impl MaskPack {
    /// Computes the masks of a format ahead of time. `progress` is told how many bases and tails are done, of how many that
    /// are known so far.
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
        check_tokens(automaton, store.vocabulary())?;
        let times = Times::begin(automaton.states.len());
        // What every format of the vocabulary shares is no state's work.
        store.warm_up(automaton.escapes);
        let longest = store.trie().max_depth() as u32;
        let reach = explore(automaton, longest, limits);
        let mut workers = Workers {
            automaton,
            store,
            reach: &reach,
            walkers: (0..limits.threads.max(1)).map(|_| Walker::default()).collect(),
            times,
        };
        let mut assembly = Assembly::new(limits);
        workers.bases(&mut assembly, limits, &progress);
        workers.tails(&mut assembly, limits, &progress);
        let times = workers.times;
        assembly.left_out[0] = assembly.left_out[0].saturating_add(reach.left_out);
        let bytes = assemble(&assembly.sections(automaton, store, &reach, format_identity(automaton)));
        let pack = Self::open(&Sections::open(Bytes::new(bytes))?, automaton)?;
        Ok(Self { times: Some(times.end()), ..pack })
    }
}

/// What something gives, and how long it takes.
fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begin = Instant::now();
    let done = work();
    (done, begin.elapsed())
}

/// Items that all threads do before progress is told.
const ROUND: usize = 64;

impl Workers<'_> {
    /// Does the items in rounds; results in the items' order.
    fn run<T: Sync, R: Send>(
        &mut self,
        items: &[T],
        work: impl Fn(&Self, &mut Walker, &T) -> R + Sync,
        mut done: impl FnMut(usize),
    ) -> Vec<R> {
        let mut walkers = std::mem::take(&mut self.walkers);
        let mut results = Vec::with_capacity(items.len());
        for round in items.chunks(ROUND * walkers.len().max(1)) {
            let share = round.len().div_ceil(walkers.len().max(1));
            let (this, work) = (&*self, &work);
            let parts = std::thread::scope(|scope| {
                let handles: Vec<_> = walkers
                    .iter_mut()
                    .zip(round.chunks(share))
                    .map(|(walker, part)| {
                        scope.spawn(move || {
                            let results = part.iter().map(|item| work(this, walker, item));
                            results.collect::<Vec<R>>()
                        })
                    })
                    .collect();
                let join = |handle: std::thread::ScopedJoinHandle<'_, Vec<R>>| match handle.join() {
                    Ok(results) => results,
                    Err(panic) => std::panic::resume_unwind(panic),
                };
                handles.into_iter().map(join).collect::<Vec<_>>()
            });
            results.extend(parts.into_iter().flatten());
            done(results.len());
        }
        self.walkers = walkers;
        results
    }

    fn bases(&mut self, assembly: &mut Assembly, limits: &PackLimits, progress: &impl Fn(usize, usize)) {
        let reach = self.reach;
        let groups = &reach.groups[..reach.groups.len().min(limits.bases as usize)];
        let work = |this: &Self, walker: &mut Walker, group: &std::ops::Range<usize>| {
            timed(|| this.bases_of(walker, &reach.heads[group.clone()]))
        };
        let mut bases = self.run(groups, work, |done| progress(done, groups.len())).into_iter();
        for group in &reach.groups {
            let (bases, walks) = bases.next().unwrap_or_default();
            let state = reach.heads[group.start].state;
            bases.iter().flatten().for_each(|base| self.times.row(state, base.took.0));
            let mut bases = bases.into_iter();
            let add = |index| {
                assembly.add_base(self.automaton, self.store, reach, index, bases.next().flatten().as_ref());
            };
            let ((), numbers) = timed(|| group.clone().for_each(add));
            self.times.add(state, walks + numbers);
        }
    }

    /// Tails in waves: exits of bases, then exits of the tails before.
    fn tails(&mut self, assembly: &mut Assembly, limits: &PackLimits, progress: &impl Fn(usize, usize)) {
        let mut seen: FxHashSet<(ExitsId, u32)> = FxHashSet::default();
        let mut pairs: FxHashSet<(ExitsId, u32)> = FxHashSet::default();
        let mut popped = std::mem::take(&mut assembly.popped);
        let mut done = self.reach.groups.len();
        while !popped.is_empty() {
            let mut wave: Vec<(ExitsId, u32)> = Vec::new();
            for (exits, rule) in popped.drain(..) {
                if !seen.insert((exits, rule)) {
                    continue;
                }
                for &head in self.reach.returns.get(rule as usize).into_iter().flatten() {
                    if pairs.len() >= limits.tails as usize && !pairs.contains(&(exits, head)) {
                        assembly.left_out[1] = assembly.left_out[1].saturating_add(1);
                    } else if pairs.insert((exits, head)) {
                        wave.push((exits, head));
                    }
                }
            }
            popped = self.wave(assembly, &wave, &mut done, progress);
        }
    }

    /// One wave; the exits that its tails lead on to.
    fn wave(
        &mut self,
        assembly: &mut Assembly,
        wave: &[(ExitsId, u32)],
        done: &mut usize,
        progress: &impl Fn(usize, usize),
    ) -> Vec<(ExitsId, u32)> {
        let reach = self.reach;
        let groups = reach.groups_of(wave);
        let work = |this: &Self, walker: &mut Walker, group: &std::ops::Range<usize>| {
            let wave = &wave[group.clone()];
            timed(|| settle(wave.len(), |item| this.tail(walker, wave[item].0, wave[item].1)))
        };
        let tails = self.run(&groups, work, |part| progress(*done + part, *done + groups.len()));
        *done += groups.len();
        let mut popped = Vec::new();
        for (group, (tails, walks)) in groups.into_iter().zip(tails) {
            let state = reach.heads[wave[group.start].1 as usize].state;
            tails.iter().flatten().for_each(|tail| self.times.row(state, tail.took.0));
            let ((), numbers) = timed(|| self.add_tails(assembly, &wave[group], tails, &mut popped));
            self.times.add(state, walks + numbers);
        }
        popped
    }

    /// Numbers the tails of a group, and notes the exits that they lead on to.
    fn add_tails(
        &self,
        assembly: &mut Assembly,
        group: &[(ExitsId, u32)],
        tails: Vec<Option<Tail>>,
        popped: &mut Vec<(ExitsId, u32)>,
    ) {
        for (&(exits, head), tail) in group.iter().zip(tails) {
            let Some(tail) = tail else {
                assembly.left_out[1] = assembly.left_out[1].saturating_add(1);
                continue;
            };
            assembly.add_tail(self.store, self.reach, exits, head as usize, &tail);
            let rule = self.automaton.states[self.reach.heads[head as usize].state.index()].rule.0;
            popped.extend((tail.exits != ExitsId::NONE).then_some((tail.exits, rule)));
        }
    }

    fn tail(&self, walker: &mut Walker, exits: ExitsId, head: u32) -> Option<Tail> {
        let head = *self.reach.heads.get(head as usize)?;
        let tail = self.store.tail(self.automaton, walker, &self.reach.stack, exits, head)?;
        Some(Tail { exits: self.store.followed(self.automaton, head.state, tail.exits), ..tail })
    }

    /// The bases of heads that differ in the countdown `b` alone.
    fn bases_of(&self, walker: &mut Walker, heads: &[Head]) -> Vec<Option<Base>> {
        let bases = self.store.bases(self.automaton, walker, &self.reach.stack, heads);
        let followed = |(base, head): (Option<Base>, &Head)| {
            let base = base?;
            Some(Base { exits: self.store.followed(self.automaton, head.state, base.exits), ..base })
        };
        bases.into_iter().zip(heads).map(followed).collect()
    }
}
