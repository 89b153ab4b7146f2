//! Holds back requests until something changes: an editor requests the findings of the whole workspace again as soon as
//! it has an answer.

use std::time::{Duration, Instant};

use crate::job::{Asked, Parking};

/// Time without changes before the whole workspace is checked.
const QUIET: Duration = Duration::from_millis(500);

/// Maximum time that a request waits.
const LONGEST: Duration = Duration::from_secs(30);

/// Work in progress that requests wait for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Busy {
    /// Roots are being read.
    pub(super) is_scanning: bool,
    /// Vocabularies are being read.
    pub(super) is_loading: bool,
}

/// The requests that wait.
#[derive(Default)]
pub(super) struct Waiting {
    parked: Vec<(Instant, Asked)>,
    /// Time of the last text change since the last such request was answered.
    changed: Option<Instant>,
}

impl Waiting {
    /// Holds a request back.
    pub(super) fn park(&mut self, asked: Asked, now: Instant) {
        self.parked.push((now, asked));
    }

    /// Notes that some text changed.
    pub(super) fn changed(&mut self, now: Instant) {
        self.changed = Some(now);
    }

    /// Returns whether some request needs vocabularies.
    pub(super) fn waits_for_vocabularies(&self) -> bool {
        self.parked.iter().any(|(_, asked)| asked.parking == Parking::Vocabularies)
    }

    /// Returns the earliest time at which a request may be due.
    pub(super) fn deadline(&self) -> Option<Instant> {
        let quiet = self.changed.filter(|_| !self.parked.is_empty()).map(|changed| changed + QUIET);
        let longest = self.parked.iter().map(|(since, _)| *since + LONGEST).min();
        quiet.into_iter().chain(longest).min()
    }

    /// Takes out the requests that are due now.
    pub(super) fn ready(&mut self, now: Instant, busy: Busy) -> Vec<Asked> {
        let has_changed = self.changed.is_some_and(|changed| changed + QUIET <= now);
        let is_ready = |since: Instant, parking: Parking| {
            since + LONGEST <= now
                || match parking {
                    Parking::Never => true,
                    Parking::Scan => !busy.is_scanning,
                    Parking::Change => !busy.is_scanning && has_changed,
                    Parking::Vocabularies => !busy.is_loading,
                }
        };
        let all = std::mem::take(&mut self.parked);
        let (ready, parked): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|(since, asked)| is_ready(*since, asked.parking));
        self.parked = parked;
        if !ready.is_empty() {
            self.changed = None;
        }
        ready.into_iter().map(|(_, asked)| asked).collect()
    }
}
