//! The known and the wanted figures of masks, which all snapshots share.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rustc_hash::FxHashMap;

/// Cost of a format's masks: rows, bytes and time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaskFigures {
    /// The number of different rows.
    pub rows: usize,
    /// The size of the rows, in bytes.
    pub row_bytes: usize,
    /// Time to compute the rows.
    pub build: Duration,
    /// Whether all rows were computed; if not, matchers compute the others on demand.
    pub is_complete: bool,
}

/// A format and a vocabulary whose masks are wanted. They are given by name, because names survive the replacement of
/// the database.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Wanted {
    /// The name of the file.
    pub file: String,
    /// The name of the definition.
    pub definition: Option<Arc<str>>,
    /// The name of the vocabulary.
    pub vocabulary: String,
}

/// The key of figures: an automaton's fingerprint, and the name of a vocabulary.
pub(crate) type MaskKey = (u128, String);

/// The figures that are known and those that are wanted, shared by all snapshots.
#[derive(Debug, Default)]
pub(crate) struct Measured {
    known: Mutex<FxHashMap<MaskKey, Result<MaskFigures, String>>>,
    wanted: Mutex<Vec<Wanted>>,
    /// Whether any answer lacks facts that need a vocabulary.
    lacks_vocabulary: AtomicBool,
}

/// Maximum number of figures kept.
const KEPT: usize = 10_000;

/// Cap on the formats whose masks are wanted; beyond it the oldest is dropped.
const WANTED: usize = 100;

impl Measured {
    /// Returns the figures of masks, or the reason why they cannot be computed; `None` if neither is known.
    pub(crate) fn known(&self, key: &MaskKey) -> Option<Result<MaskFigures, String>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    /// Stores the figures of masks; returns whether they are new.
    pub(crate) fn learn(&self, key: MaskKey, figures: Result<MaskFigures, String>) -> bool {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= KEPT {
            known.clear();
        }
        known.insert(key, figures.clone()) != Some(figures)
    }

    /// Notes that masks are wanted.
    pub(crate) fn want(&self, wanted: Wanted) {
        let mut all = self.wanted.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|one| *one != wanted);
        if all.len() >= WANTED {
            all.remove(0);
        }
        all.push(wanted);
    }

    /// Takes the most recently wanted masks off the list.
    pub(crate) fn next_wanted(&self) -> Option<Wanted> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    /// Records that an answer needs a vocabulary.
    pub(crate) fn want_vocabularies(&self) {
        self.lacks_vocabulary.store(true, Ordering::Relaxed);
    }

    /// Returns whether vocabularies are wanted, and resets that.
    pub(crate) fn take_vocabularies_wanted(&self) -> bool {
        self.lacks_vocabulary.swap(false, Ordering::Relaxed)
    }

    /// Returns whether masks or vocabularies are wanted.
    pub(crate) fn is_any_wanted(&self) -> bool {
        let is_wanted = || !self.wanted.lock().unwrap_or_else(PoisonError::into_inner).is_empty();
        self.lacks_vocabulary.load(Ordering::Relaxed) || is_wanted()
    }
}
