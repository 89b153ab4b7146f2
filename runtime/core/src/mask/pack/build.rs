//! Building a pack: the frames that can be, their bases, then tails by exits and return frames until no new ones come.
//!
//! Rows come from the store's own functions, in parallel; numbers are given afterwards in the order of discovery. So the
//! pack is the same to the byte whatever the threads did.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::super::store::{Base, ExitsId, MaskStore, Tail};
use super::super::walk::Walker;
use super::assemble::Assembly;
use super::reach::{Reach, explore};
use super::{MaskPack, format_identity};
use crate::artifact::LoadError;
use crate::artifact::bytes::Bytes;
use crate::artifact::container::{Sections, assemble};
use crate::automaton::Automaton;

/// How much to compute ahead of time. What is beyond a limit is computed at first use.
///
/// ```
/// let limits = ogc_runtime::mask::PackLimits { tails: 1_000, ..Default::default() };
/// assert!(limits.bases > limits.tails);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackLimits {
    /// Frames (states with registers) to follow.
    pub frames: u32,
    /// Bases to compute.
    pub bases: u32,
    /// Tails to compute.
    pub tails: u32,
    /// Bytes of rows to keep.
    pub row_bytes: u64,
    /// Threads to use; does not change the result.
    pub threads: usize,
}

impl Default for PackLimits {
    fn default() -> Self {
        Self {
            frames: 200_000,
            bases: 50_000,
            tails: 200_000,
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
    /// [`LoadError`], only if the format's own tables are not valid.
    pub fn build(
        automaton: &Arc<Automaton>,
        store: &Arc<MaskStore>,
        limits: &PackLimits,
        progress: impl Fn(usize, usize),
    ) -> Result<Self, LoadError> {
        let longest = store.trie().max_depth() as u32;
        let reach = explore(automaton, longest, limits);
        let mut workers = Workers {
            automaton,
            store,
            reach: &reach,
            walkers: (0..limits.threads.max(1)).map(|_| Walker::default()).collect(),
        };
        let mut assembly = Assembly::new(automaton, limits);
        workers.bases(&mut assembly, &progress);
        workers.tails(&mut assembly, limits, &progress);
        assembly.left_out[0] = assembly.left_out[0].saturating_add(reach.left_out);
        let bytes = assemble(&assembly.sections(store, format_identity(automaton)));
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

    fn bases(&mut self, assembly: &mut Assembly, progress: &impl Fn(usize, usize)) {
        let reach = self.reach;
        let total = reach.heads.len();
        let bases: Vec<Option<Base>> = self.run(
            &reach.heads,
            |this, walker, &head| this.store.base(this.automaton, walker, &reach.stack, head),
            |done| progress(done, total),
        );
        for (head, base) in reach.heads.iter().zip(&bases) {
            assembly.add_base(self.automaton, self.store, &reach.stack, head, base.as_ref());
        }
    }

    /// Tails in waves: exits of bases, then exits of the tails before.
    fn tails(&mut self, assembly: &mut Assembly, limits: &PackLimits, progress: &impl Fn(usize, usize)) {
        let reach = self.reach;
        let mut seen: FxHashSet<(ExitsId, u32)> = FxHashSet::default();
        let mut pairs: FxHashSet<(ExitsId, u32)> = FxHashSet::default();
        let mut popped = std::mem::take(&mut assembly.popped);
        let mut done = reach.heads.len();
        while !popped.is_empty() {
            let mut wave: Vec<(ExitsId, u32)> = Vec::new();
            for (exits, rule) in popped.drain(..) {
                if !seen.insert((exits, rule)) {
                    continue;
                }
                for &head in reach.returns.get(rule as usize).into_iter().flatten() {
                    if pairs.contains(&(exits, head)) {
                        continue;
                    }
                    if pairs.len() >= limits.tails as usize {
                        assembly.left_out[1] = assembly.left_out[1].saturating_add(1);
                        continue;
                    }
                    pairs.insert((exits, head));
                    wave.push((exits, head));
                }
            }
            let total = done + wave.len();
            let before = done;
            let tails = self.run(
                &wave,
                |this, walker, &(exits, head)| this.tail(walker, exits, head),
                |part| progress(before + part, total),
            );
            done = total;
            for (&(exits, head), tail) in wave.iter().zip(&tails) {
                let head = reach.heads.get(head as usize);
                if let (Some(head), Some(tail)) = (head, tail) {
                    assembly.add_tail(self.store, &reach.stack, exits, head, tail);
                    let rule = self.automaton.states[head.state.index()].rule.0;
                    popped.extend((tail.exits != ExitsId::NONE).then_some((tail.exits, rule)));
                } else {
                    assembly.left_out[1] = assembly.left_out[1].saturating_add(1);
                }
            }
        }
    }

    fn tail(&self, walker: &mut Walker, exits: ExitsId, head: u32) -> Option<Tail> {
        let head = *self.reach.heads.get(head as usize)?;
        self.store.tail(self.automaton, walker, &self.reach.stack, exits, head)
    }
}
