//! A table that is computed from the others on first use, as most formats never need it.

use std::sync::OnceLock;

/// A table that may not have been computed yet. It compares equal to any other, as it follows from the other tables.
#[derive(Clone, Debug, Default)]
pub(in crate::automaton) struct OnDemand<T>(OnceLock<T>);

impl<T> OnDemand<T> {
    /// Returns the table; computes it on first use.
    #[inline]
    pub(in crate::automaton) fn get(&self, make: impl FnOnce() -> T) -> &T {
        self.0.get_or_init(make)
    }

    /// Returns the table if it has been computed.
    pub(in crate::automaton) fn made(&self) -> Option<&T> {
        self.0.get()
    }
}

impl<T> PartialEq for OnDemand<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T> Eq for OnDemand<T> {}
