//! Finds the corpora of tests, and reports the tests that are skipped without one.
//!
//! The folder of the corpora is named by `OGC_CORPORA`, by default `shared/data` beside the repository. The test harness
//! cannot count a test as skipped while it runs, so a test that returns early calls [`skip`], or [`find`] does: one line
//! for each test goes to standard error, also where the harness captures it, and to the end of the file that `OGC_SKIPPED`
//! names. `.ci/run` counts these lines.
//!
//! Every crate tests with this one, so it depends on none.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Returns the folder of the corpora; it may not exist.
#[must_use]
pub fn folder() -> PathBuf {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    std::env::var_os("OGC_CORPORA").map_or_else(|| PathBuf::from(beside), PathBuf::from)
}

/// Returns the path of a file or folder of the corpora; if it is not there, reports that the running test is skipped.
#[must_use]
pub fn find(name: &str) -> Option<PathBuf> {
    let path = folder().join(name);
    let found = path.exists();
    if !found {
        skip(&format!("no corpus {name}"));
    }
    found.then_some(path)
}

/// Returns the path of a model that `tests/models/fetch` installed; if it is not there, reports that the running test is skipped.
///
/// The folder of the models is named by `OGC_MODELS`, by default `models` in cargo's target folder.
#[must_use]
pub fn find_model(name: &str) -> Option<PathBuf> {
    let target = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from(target), PathBuf::from);
    let path = std::env::var_os("OGC_MODELS").map_or_else(|| target.join("models"), PathBuf::from).join(name);
    let found = path.exists();
    if !found {
        skip(&format!("no model {name} (tests/models/fetch installs it)"));
    }
    found.then_some(path)
}

/// Reports that the running test is skipped, and why; further reports of the same test are dropped.
///
/// # Panics
/// The file that `OGC_SKIPPED` names cannot be written.
pub fn skip(why: &str) {
    static REPORTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let name = running_test();
    if !REPORTED.lock().unwrap_or_else(PoisonError::into_inner).insert(name.clone()) {
        return;
    }
    let line = format!("skipped: {name}: {why}\n");
    // The harness captures what macros print; who cannot be told by this stream may be told by the file.
    let _ = std::io::stderr().write_all(line.as_bytes());
    if let Some(path) = std::env::var_os("OGC_SKIPPED") {
        let file = OpenOptions::new().create(true).append(true).open(path);
        file.and_then(|mut file| file.write_all(line.as_bytes())).expect("the file of OGC_SKIPPED is writable");
    }
}

/// Returns the name of the test binary and of the test, which is that of its thread.
fn running_test() -> String {
    let binary = std::env::current_exe().unwrap_or_default();
    let stem = binary.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    // Cargo puts a hash behind the name of a test binary.
    let binary = stem.rsplit_once('-').map_or(stem.as_str(), |(name, _)| name);
    let thread = std::thread::current();
    format!("{binary} {}", thread.name().unwrap_or("a thread without a name"))
}
