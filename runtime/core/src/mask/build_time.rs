//! The time that a row took to compute, which comparisons ignore.

use std::time::Duration;

/// A duration that compares equal to any other, so that derived comparisons of bases and tails ignore it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BuildTime(pub(crate) Duration);

impl PartialEq for BuildTime {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
