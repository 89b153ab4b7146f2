//! A pool of idle walkers. A matcher that computes a row borrows one. Few walkers are kept, however many matchers there are.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::automaton::Automaton;
use crate::mask::walk::Walker;

/// Cap on idle walkers.
const MOST: usize = 8;

/// Cap on the bytes of an idle walker; larger walkers are dropped on return.
const MOST_BYTES: usize = 2 << 20;

/// An idle walker, and the format of its tables. The weak reference keeps the format's address in use.
#[derive(Debug)]
struct Resting {
    automaton: Weak<Automaton>,
    walker: Box<Walker>,
}

/// The idle walkers of a store, the most recently used last.
#[derive(Debug, Default)]
pub(super) struct Walkers(Mutex<Vec<Resting>>);

impl Walkers {
    /// Lends a walker, preferably one that has the format's tables.
    pub(super) fn lend(&self, automaton: &Arc<Automaton>) -> Box<Walker> {
        let mut resting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = resting.iter().rposition(|resting| resting.automaton.as_ptr() == Arc::as_ptr(automaton));
        let mut walker = known.map_or_else(Box::default, |at| resting.remove(at).walker);
        drop(resting);
        walker.begin_mask();
        walker
    }

    /// Takes back a walker that was lent for this format.
    pub(super) fn take_back(&self, automaton: &Arc<Automaton>, walker: Box<Walker>) {
        if walker.bytes() > MOST_BYTES {
            return;
        }
        let mut resting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        resting.retain(|resting| resting.automaton.strong_count() > 0);
        if resting.len() == MOST {
            resting.remove(0);
        }
        resting.push(Resting { automaton: Arc::downgrade(automaton), walker });
    }
}
