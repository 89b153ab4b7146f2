//! The command line.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs a command line, the name of the program first; returns its exit code.
#[pyfunction]
pub(crate) fn run_command(py: Python<'_>, words: Vec<OsString>) -> u8 {
    py.detach(|| ogc_cli::run(words))
}
