//! Runs a test of the running binary with a driver that uses the host (`cuda.c`), so that calls of a driver are tested without one.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::{Command, Output};

/// Behaviour of the fake driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(dead_code, reason = "each test takes what it needs")]
pub(crate) enum Behaviour {
    /// Works as a real driver.
    Works,
    /// Lacks a function.
    Incomplete,
    /// Finds no device at start.
    NoDevice,
    /// Fails to start with an error that only newer drivers know.
    NewError,
    /// Reports zero devices.
    Empty,
    /// Supports CUDA 12.0: it takes no code that CUDA 13 packed, and no newer PTX.
    OldDriver,
    /// Supports CUDA 11.8.
    TooOldDriver,
    /// Has a device of compute capability 7.5.
    OldDevice,
    /// Has a device of compute capability 12.0, for which there is no code.
    NewDevice,
    /// Takes only PTX, no code.
    RefusesCode,
    /// Takes neither code nor PTX.
    RefusesKernels,
    /// Reserves at most a mebibyte at a time.
    LittleMemory,
    /// Launches no kernel.
    RefusesLaunches,
    /// Refuses to allocate, load and copy unless the thread has relaxed the capture mode, as if another thread were capturing.
    AnotherRecords,
}

/// The environment variable that is set in processes with the fake driver.
const VARIABLE: &str = "OGC_FAKE_DRIVER";

/// Returns whether this process has the fake driver.
#[allow(dead_code, reason = "each test takes what it needs")]
pub(crate) fn is_here() -> bool {
    std::env::var_os(VARIABLE).is_some()
}

/// Runs a test, by its path in this program, with the fake driver; `None`, counted as skipped, if the driver cannot be compiled.
#[allow(dead_code, reason = "each test takes what it needs")]
pub(crate) fn run(test: &str, behaviour: Behaviour) -> Option<Output> {
    let mut run = Command::new(std::env::current_exe().unwrap());
    run.args(["--exact", test, "--nocapture", "--test-threads=1"]);
    run_with(run, test, behaviour)
}

/// Runs a program with the fake driver, for a test.
pub(crate) fn run_with(mut run: Command, test: &str, behaviour: Behaviour) -> Option<Output> {
    if !cfg!(target_os = "linux") {
        ogc_kit::skip("fake driver: libraries are found otherwise on this system");
        return None;
    }
    if Command::new("cc").arg("--version").output().is_err() {
        ogc_kit::skip("fake driver: no C compiler `cc`");
        return None;
    }
    let (root, name) = (env!("CARGO_TARGET_TMPDIR"), test.replace("::", "-"));
    let folder = format!("{root}/fake-driver-{behaviour:?}-{}-{name}", env!("CARGO_CRATE_NAME"));
    std::fs::create_dir_all(&folder).unwrap();
    let mut compiler = Command::new("cc");
    compiler.args(["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o"]);
    compiler.args([&format!("{folder}/libcuda.so"), concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fake/cuda.c")]);
    if behaviour == Behaviour::Incomplete {
        compiler.arg("-DINCOMPLETE");
    }
    let compiled = compiler.output().unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    // Programs other than ours load the driver by this name.
    std::fs::copy(format!("{folder}/libcuda.so"), format!("{folder}/libcuda.so.1")).unwrap();
    run.env("LD_LIBRARY_PATH", &folder).env(VARIABLE, format!("{behaviour:?}")).env_remove("OGC_SKIPPED");
    Some(run.output().unwrap())
}
