//! Walkers that rest: buffers and tables of walks, lent to whoever computes a row. Few are kept, however many matchers there are.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::automaton::Automaton;
use crate::mask::walk::Walker;

/// The most walkers that rest at a time.
const MOST: usize = 8;

/// The most bytes of a walker that rests; one that has grown larger is dropped.
const MOST_BYTES: usize = 2 << 20;

/// A walker and the format whose tables it has, which keeps its address as long as this is here.
#[derive(Debug)]
struct Resting {
    automaton: Weak<Automaton>,
    walker: Box<Walker>,
}

/// The walkers of a store that nobody uses, those that were used last behind.
#[derive(Debug, Default)]
pub(super) struct Walkers(Mutex<Vec<Resting>>);

impl Walkers {
    /// Lends a walker, one with the format's tables if there is one.
    pub(super) fn lend(&self, automaton: &Arc<Automaton>) -> Box<Walker> {
        let mut resting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = resting.iter().rposition(|resting| resting.automaton.as_ptr() == Arc::as_ptr(automaton));
        let mut walker = known.map_or_else(Box::default, |at| resting.remove(at).walker);
        drop(resting);
        walker.begin_mask();
        walker
    }

    /// Lets a walker rest that was lent for this format.
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
