//! Times that rows took: side data, which makes no two answers different.

use std::time::Duration;

/// A time that equals any other, so that rows are compared without it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Took(pub(crate) Duration);

impl PartialEq for Took {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
