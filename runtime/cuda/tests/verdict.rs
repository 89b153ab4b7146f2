//! The verdict on a device (`bench/verdict`) from end to end: packed from the programs that cargo has built, run with a fake driver,
//! without a network and without cargo. Scripts stand in for programs of other crates, and fail, crash and hang.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::process::Command;

use crate::fake::{self, Behaviour};

#[test]
fn a_verdict_on_the_driver_is_given_whatever_fails() {
    let is_new = "import sys; sys.exit(sys.version_info < (3, 10))";
    if !Command::new("python3").args(["-c", is_new]).status().is_ok_and(|status| status.success()) {
        return ogc_kit::skip("the verdict on a device: no Python 3.10");
    }
    let work = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("verdict-{}", std::process::id()));
    let programs = work.join("programs");
    std::fs::create_dir_all(&programs).unwrap();
    let this = std::env::current_exe().unwrap();
    // Some calls of cargo build examples and others do not, so that a script stands in for the example of devices.
    let bench: &Path = env!("CARGO_BIN_EXE_ogc-cuda-bench").as_ref();
    for (name, program) in [("cuda-it", &*this), ("ogc-cuda-bench", bench)] {
        std::fs::copy(program, programs.join(name)).unwrap();
    }
    let mut run = Command::new("python3");
    run.args(["-m", "unittest", "trial.rehearsal"]).current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("bench"));
    run.env("OGC_PROGRAMS", &programs).env("OGC_WORK", &work);
    run.env("PYTHONPYCACHEPREFIX", Path::new(env!("CARGO_TARGET_TMPDIR")).join("pycache"));
    // The driver reserves little memory, so that tests that mirror a device's memory end at once.
    let Some(output) = fake::run_with(run, "verdict", Behaviour::LittleMemory) else { return };
    std::fs::remove_dir_all(&work).unwrap();
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && complaints.ends_with("OK\n"), "{complaints}");
}
