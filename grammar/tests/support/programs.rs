//! The programs of a folder, for tests over all of them. Tests of other crates use it too.

use std::path::{Path, PathBuf};

/// The files in a folder, sorted.
pub(crate) fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder of programs").flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// The `.ogc` files in a folder, sorted.
pub(crate) fn programs(folder: &Path) -> Vec<PathBuf> {
    let is_program = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "ogc");
    entries(folder).into_iter().filter(is_program).collect()
}
