//! The work of computing a row, in counted units. Unlike times, these are the same in every run.

/// The work of computing a row. All values compare equal, so that derived comparisons of bases and tails ignore it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Effort {
    /// Units of work. One unit is a trie node stepped by table, or a word of memory written: a few nanoseconds.
    pub(crate) work: u64,
}

impl PartialEq for Effort {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Effort {
    /// Adds the work of a step by the general function ([`crate::step::step`]) that visited `seen` heads.
    pub(crate) fn step(&mut self, seen: usize) {
        self.work += 8 + 16 * seen as u64;
    }

    /// Adds work.
    pub(crate) fn work(&mut self, units: usize) {
        self.work = self.work.saturating_add(units as u64);
    }
}
