//! How long something took: side data, which makes no two answers different.

use std::time::Duration;

/// A time that is equal to any other, so that what it stands beside is compared by what it says.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Took(pub(crate) Duration);

impl PartialEq for Took {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
