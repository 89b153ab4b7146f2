//! Hostile files do not stall the compiler: the command reports errors or success within some minutes of processor time
//! and 2 GB of address space.
//!
//! The limits on work and memory end a run; the times only catch a run that escapes all limits. The slowest family
//! takes 45 s of a processor on a quiet machine and 90 s where two threads share a core.
//!
//! The files are generated (see [`families`]). A program without optimisation is too slow for them, so that `OGC_BINARY` names a release
//! build, as in `.ci/run`:
//!
//! ```text
//! cargo build --release && OGC_BINARY=$PWD/target/release/ogc cargo test -p ogc hostile
//! ```
//!
//! `HOSTILE=text` runs only the families with the text in their names.

#![allow(clippy::disallowed_methods, reason = "the command line is about files")]
#![allow(clippy::print_stderr, reason = "long runs are named")]

mod families;

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use families::{FAMILIES, Family};

/// Address space of a run, in KiB.
const MEMORY: u64 = 2_000_000;

/// Seconds of processor time after which a run counts as endless.
const SECONDS: u64 = 240;

/// Seconds of wall time after which a run is killed in any case.
const WAIT: u64 = 480;

/// Number of concurrent runs; each may take 2 GB.
const THREADS: usize = 2;

#[test]
fn hostile_files_end_soon() {
    let Some(program) = program() else {
        return ogc_kit::skip("hostile files are for a release build, which OGC_BINARY names");
    };
    let wanted = std::env::var("HOSTILE").unwrap_or_default();
    let open = Mutex::new(FAMILIES.iter().filter(|family| family.name.contains(&wanted)));
    let failed = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                loop {
                    let Some(family) = open.lock().expect("no test panics").next() else { return };
                    if let Err(fault) = run(&program, family) {
                        failed.lock().expect("no test panics").push(fault);
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().expect("no test panics");
    assert!(failed.is_empty(), "{} of {} fail:\n{}", failed.len(), FAMILIES.len(), failed.join("\n"));
}

/// Returns the program to test: the one in `OGC_BINARY`, or the one next to this test if it was optimised too.
fn program() -> Option<OsString> {
    let built = (!cfg!(debug_assertions)).then(|| env!("CARGO_BIN_EXE_ogc").into());
    std::env::var_os("OGC_BINARY").or(built)
}

/// Runs the command on a family's file; returns a fault if it is killed, panics or ends without a message.
fn run(program: &OsString, family: &Family) -> Result<(), String> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join(family.file);
    std::fs::write(&file, (family.text)()).expect("a file");
    let started = Instant::now();
    let output = limited(program, family, &file).output().expect("a shell");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let took = started.elapsed();
    report(family, took, &err);
    let fault = match output.status.code() {
        Some(0) => return Ok(()),
        Some(1 | 3) if [&out, &err].iter().any(|text| text.contains("error")) => return Ok(()),
        Some(124 | 137) => "does not end in time".to_owned(),
        code => format!("ends with {code:?}: {}", err.lines().next().unwrap_or_default()),
    };
    Err(format!("{}: {fault} ({took:.1?})", family.name))
}

/// Makes the command under limits: the system kills a run that takes too much processor time, and `timeout` ends one
/// that waits, with code 124.
fn limited(program: &OsString, family: &Family, file: &Path) -> Command {
    let mut command = Command::new("sh");
    let script = format!("ulimit -v {MEMORY} && ulimit -t {SECONDS} && exec timeout {WAIT} \"$@\"");
    command.args(["-c", &script, "sh"]).arg(program).args(family.command).arg(file);
    command.env("NO_COLOR", "1");
    command
}

/// Prints the names of long runs, with the error that ended them.
fn report(family: &Family, took: Duration, err: &str) {
    if took > Duration::from_secs(5) {
        let said = err.lines().find(|line| line.contains("limit")).unwrap_or("no limit");
        eprintln!("{}: {took:.1?} ({said})", family.name);
    }
}

#[test]
fn families_of_files_have_unique_names() {
    let names: std::collections::BTreeSet<_> = FAMILIES.iter().map(|family| family.name).collect();
    assert_eq!(names.len(), FAMILIES.len());
}
