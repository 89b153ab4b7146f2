//! Build times: of the whole build, and each state's share.
//!
//! Times are part of neither a pack's bytes nor its fingerprints, and a pack that was loaded from an artifact has no times.

use std::time::{Duration, Instant};

use super::MaskPack;
use crate::automaton::StateId;

/// The time that the masks of some states took to build.
///
/// ```
/// assert!(ogc_runtime::mask::PartTime::default().build.is_zero());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartTime {
    /// The states' share of the build's wall time. The shares of all states add up to the whole.
    ///
    /// The build measures the time for computing and numbering the rows of each state, on any thread. The rest of the build (finding
    /// frames, writing tables, the vocabulary's free text) is distributed in the same proportion. If several states use a row, the first is
    /// charged for computing it. A row that the store already had, because another format of the process needed it, takes no time.
    pub build: Duration,
    /// The longest time that one row takes to compute on demand: the longest wait of a step without an artifact. It was measured when the
    /// row was computed, perhaps for another format.
    pub slowest: Duration,
    /// The number of bases and tails that were left out.
    pub left_out: usize,
}

impl PartTime {
    fn add(&mut self, other: PartTime) {
        self.build += other.build;
        self.slowest = self.slowest.max(other.slowest);
        self.left_out += other.left_out;
    }
}

/// The times of a build.
#[derive(Clone, Debug)]
pub(super) struct Times {
    begin: Instant,
    whole: Duration,
    states: Vec<PartTime>,
}

impl Times {
    /// Begins to measure a build.
    pub(super) fn begin(states: usize) -> Self {
        Self { begin: Instant::now(), whole: Duration::ZERO, states: vec![PartTime::default(); states] }
    }

    /// Adds time to a state's share.
    pub(super) fn add(&mut self, state: StateId, build: Duration) {
        if let Some(part) = self.states.get_mut(state.index()) {
            part.build += build;
        }
    }

    /// Counts masks of a state that were left out.
    pub(super) fn left_out(&mut self, state: StateId, masks: usize) {
        if let Some(part) = self.states.get_mut(state.index()) {
            part.left_out += masks;
        }
    }

    /// Records the time that a row of a state takes if it is computed alone.
    pub(super) fn row(&mut self, state: StateId, took: Duration) {
        if let Some(part) = self.states.get_mut(state.index()) {
            part.slowest = part.slowest.max(took);
        }
    }

    /// Ends the measurement, and scales the states' shares so that they add up to the wall time.
    pub(super) fn end(mut self) -> Self {
        self.whole = self.begin.elapsed();
        let measured: Duration = self.states.iter().map(|part| part.build).sum();
        if !measured.is_zero() {
            let scale = self.whole.as_secs_f64() / measured.as_secs_f64();
            self.states.iter_mut().for_each(|part| part.build = part.build.mul_f64(scale));
        }
        self
    }
}

impl MaskPack {
    /// Returns the wall time of the build; `None` for a pack that was loaded.
    ///
    /// ```
    #[doc = include_str!("../../example.md")]
    /// let masks = MaskPack::build(&format, &store, &PackLimits::default(), |_, _| {})?;
    /// assert!(masks.build_time().is_some_and(|time| !time.is_zero()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn build_time(&self) -> Option<Duration> {
        self.times.as_ref().map(|times| times.whole)
    }

    /// Sums the build times of some states; `None` for a pack that was loaded.
    ///
    /// ```
    #[doc = include_str!("../../example.md")]
    /// let masks = MaskPack::build(&format, &store, &PackLimits::default(), |_, _| {})?;
    /// let (all, one) = (masks.part_time((0..3).map(StateId)), masks.part_time([StateId(0)]));
    /// assert!(all.zip(one).is_some_and(|(all, one)| all.build >= one.build && all.slowest >= one.slowest));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn part_time(&self, states: impl IntoIterator<Item = StateId>) -> Option<PartTime> {
        let times = &self.times.as_ref()?.states;
        let mut part = PartTime::default();
        states.into_iter().filter_map(|state| times.get(state.index())).for_each(|time| part.add(*time));
        Some(part)
    }
}
