//! Decides when a database has kept so many results that it should be replaced by a new one, although everything must
//! then be computed again.
//!
//! The measure is the compiler's estimate of the bytes of all results since the database was made. Before the first
//! edit, the files need all of them; later, the count includes results for old versions.

/// Bytes of results that an editor's database may always gain.
const GAIN: u64 = 256 << 20;

/// The growth of a database since its first edit.
#[derive(Debug, Default)]
pub(crate) struct Growth {
    /// Bytes that were kept at the first edit.
    first: Option<u64>,
}

impl Growth {
    /// Records an edit; `kept` is the number of bytes kept before it, 0 if there was no text yet.
    pub(crate) fn edited(&mut self, kept: u64) {
        if kept > 0 {
            self.first.get_or_insert(kept);
        }
    }

    /// Returns whether a new database is worth while: the kept bytes have at least doubled since the first edit, and
    /// grown by at least [`GAIN`]. Before the first edit it is unknown what the files need; then the limit is four
    /// times [`GAIN`].
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
    fn results_may_double_before_the_database_is_replaced() {
        let mut growth = Growth::default();
        assert!(!growth.is_too_much(GAIN) && growth.is_too_much(4 * GAIN + 1));
        growth.edited(2 * GAIN);
        growth.edited(3 * GAIN);
        assert!(!growth.is_too_much(4 * GAIN) && growth.is_too_much(4 * GAIN + 1));
    }

    #[test]
    fn few_results_may_grow_by_a_fixed_amount_before_the_database_is_replaced() {
        let mut growth = Growth::default();
        growth.edited(10);
        assert!(!growth.is_too_much(GAIN) && growth.is_too_much(GAIN + 11));
    }
}
