//! `forget_shared`, which drops the automata that compilations of one process share.

use pyo3::prelude::*;

/// Drops the automata of patterns and numbers that compilations of this process share, 48 MiB at most.
///
/// The next compilations make them again. For programs that measure their memory, or have compiled all that they need.
///
/// >>> import ogc
/// >>> ogc.forget_shared()
#[pyfunction]
pub(crate) fn forget_shared(py: Python<'_>) {
    py.detach(ogc_embed::forget_shared);
}
