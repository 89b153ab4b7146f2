//! Building a pack: the frames that can be, their bases, then tails by exits and return frames until no new ones come.
//!
//! Rows come from the store's own functions, in parallel; numbers are given afterwards in the order of discovery. So the
//! pack is the same to the byte whatever the threads did.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::super::runs::settle;
use super::super::store::{ExitsId, MaskStore, Tail};
use super::super::walk::Walker;
use super::assemble::Assembly;
use super::reach::{Reach, explore};
use super::{MaskPack, format_identity};
use crate::artifact::bytes::Bytes;
use crate::artifact::container::{Sections, assemble};
use crate::artifact::{LoadError, check_tokens};
use crate::automaton::Automaton;

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
        let longest = store.trie().max_depth() as u32;
        let reach = explore(automaton, longest, limits);
        let mut workers = Workers {
            automaton,
            store,
            reach: &reach,
            walkers: (0..limits.threads.max(1)).map(|_| Walker::default()).collect(),
        };
        let mut assembly = Assembly::new(limits);
        workers.bases(&mut assembly, limits, &progress);
        workers.tails(&mut assembly, limits, &progress);
        assembly.left_out[0] = assembly.left_out[0].saturating_add(reach.left_out);
        let bytes = assemble(&assembly.sections(automaton, store, &reach, format_identity(automaton)));
        Self::open(&Sections::open(Bytes::new(bytes))?, automaton)
    }
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
        let bases = self.run(
            groups,
            |this, walker, group| this.store.bases(this.automaton, walker, &reach.stack, &reach.heads[group.clone()]),
            |done| progress(done, groups.len()),
        );
        let mut bases = bases.into_iter().flatten();
        for index in 0..reach.heads.len() {
            assembly.add_base(self.automaton, self.store, reach, index, bases.next().flatten().as_ref());
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
        let tails = self.run(
            &groups,
            |this, walker, group| {
                let wave = &wave[group.clone()];
                settle(wave.len(), |item| this.tail(walker, wave[item].0, wave[item].1))
            },
            |part| progress(*done + part, *done + groups.len()),
        );
        *done += groups.len();
        let mut popped = Vec::new();
        for (&(exits, head), tail) in wave.iter().zip(tails.into_iter().flatten()) {
            let Some(tail) = tail else {
                assembly.left_out[1] = assembly.left_out[1].saturating_add(1);
                continue;
            };
            assembly.add_tail(self.store, reach, exits, head as usize, &tail);
            let rule = self.automaton.states[reach.heads[head as usize].state.index()].rule.0;
            popped.extend((tail.exits != ExitsId::NONE).then_some((tail.exits, rule)));
        }
        popped
    }

    fn tail(&self, walker: &mut Walker, exits: ExitsId, head: u32) -> Option<Tail> {
        let head = *self.reach.heads.get(head as usize)?;
        self.store.tail(self.automaton, walker, &self.reach.stack, exits, head)
    }
}
