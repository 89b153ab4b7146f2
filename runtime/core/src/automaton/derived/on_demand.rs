//! A table that is made from the others when it is first asked for, as most formats never ask.

use std::sync::OnceLock;

/// A table that may not have been made yet. It equals any other, as it says nothing that the other tables do not.
#[derive(Clone, Debug, Default)]
pub(in crate::automaton) struct OnDemand<T>(OnceLock<T>);

impl<T> OnDemand<T> {
    /// Returns the table; makes it if nobody has asked before.
    #[inline]
    pub(in crate::automaton) fn get(&self, make: impl FnOnce() -> T) -> &T {
        self.0.get_or_init(make)
    }

    /// Returns the table if somebody has asked for it.
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
