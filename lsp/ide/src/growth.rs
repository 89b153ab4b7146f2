//! Decides when a database has kept so much that a new one takes less memory, though everything is computed again.
//!
//! It counts the bytes of all results since the database was made, as the compiler estimates them. Before the first edit the files need
//! all of them; later results of old versions are among them.

/// The bytes of results that an editor's database may gain in any case.
const GAIN: u64 = 256 << 20;

/// The growth of a database since its first edit.
#[derive(Debug, Default)]
pub(crate) struct Growth {
    /// The bytes that were kept when the first edit came.
    first: Option<u64>,
}

impl Growth {
    /// Notes that an edit comes, before which so many bytes were kept; none before the first text is there.
    pub(crate) fn edited(&mut self, kept: u64) {
        if kept > 0 {
            self.first.get_or_insert(kept);
        }
    }

    /// Returns whether a new database is worth while: as much was kept as the files needed at first, once more, and at least
    /// [`GAIN`]. Until an edit comes it is not known what they need; then four times [`GAIN`] are too much.
    pub(crate) fn is_too_much(&self, kept: u64) -> bool {
        match self.first {
            Some(first) => kept.saturating_sub(first) > GAIN.max(first),
            None => kept > 4 * GAIN,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_may_double() {
        let mut growth = Growth::default();
        assert!(!growth.is_too_much(GAIN) && growth.is_too_much(4 * GAIN + 1));
        growth.edited(2 * GAIN);
        growth.edited(3 * GAIN);
        assert!(!growth.is_too_much(4 * GAIN) && growth.is_too_much(4 * GAIN + 1));
    }

    #[test]
    fn few_results_may_grow_by_a_fixed_amount() {
        let mut growth = Growth::default();
        growth.edited(10);
        assert!(!growth.is_too_much(GAIN) && growth.is_too_much(GAIN + 11));
    }
}
