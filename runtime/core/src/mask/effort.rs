//! The work that rows take: figures that are the same in every run, unlike times.

/// The work that a row takes, and the most parallel heads on the way. Side data: equal to any other, so that rows are
/// compared without it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Effort {
    /// Units of work. One is a trie node by a table, or a word of memory that is written: a few nanoseconds.
    pub(crate) work: u64,
    /// The most parallel heads at one time; see [`crate::step::Scratch::width`].
    pub(crate) heads: u32,
}

impl PartialEq for Effort {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Effort {
    /// Adds a step by the general function, which looked at `seen` heads.
    pub(crate) fn step(&mut self, seen: usize, heads: usize) {
        self.work += 8 + 16 * seen as u64;
        self.heads = self.heads.max(u32::try_from(heads).unwrap_or(u32::MAX));
    }

    /// Adds work.
    pub(crate) fn work(&mut self, units: usize) {
        self.work = self.work.saturating_add(units as u64);
    }
}
