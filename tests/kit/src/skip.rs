//! Reports the tests that are skipped.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::Write;
use std::sync::{Mutex, PoisonError};

/// Reports that the running test is skipped, with the reason; further reports of the same test are dropped.
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
    // The harness captures the output of macros, but not of this stream; readers without this stream have the file.
    let _ = std::io::stderr().write_all(line.as_bytes());
    if let Some(path) = std::env::var_os("OGC_SKIPPED") {
        let file = OpenOptions::new().create(true).append(true).open(path);
        file.and_then(|mut file| file.write_all(line.as_bytes())).expect("the file of OGC_SKIPPED is writable");
    }
}

/// Returns the name of the test binary and of the test; the test's thread has its name.
fn running_test() -> String {
    let binary = std::env::current_exe().unwrap_or_default();
    let stem = binary.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    // Cargo puts a hash behind the name of a test binary.
    let binary = stem.rsplit_once('-').map_or(stem.as_str(), |(name, _)| name);
    let thread = std::thread::current();
    format!("{binary} {}", thread.name().unwrap_or("a thread without a name"))
}
