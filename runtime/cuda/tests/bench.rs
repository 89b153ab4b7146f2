//! The bench with a fake driver: it prints a line for each case, even for cases that fail.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::fake;

use fake::Behaviour;
use std::process::Command;

/// Runs the bench with arguments; returns whether it succeeded, and its output.
fn bench(test: &str, behaviour: Behaviour, arguments: &[&str]) -> Option<(bool, String)> {
    let mut run = Command::new(env!("CARGO_BIN_EXE_ogc-cuda-bench"));
    run.args(arguments);
    let output = fake::run_with(run, test, behaviour)?;
    let printed = [output.stdout, output.stderr].concat();
    Some((output.status.success(), String::from_utf8_lossy(&printed).into_owned()))
}

/// Returns the number of table lines that contain a piece of text.
fn lines(printed: &str, piece: &str) -> usize {
    printed.lines().filter(|line| line.starts_with("| ") && line.contains(piece)).count()
}

#[test]
fn each_benchmark_case_prints_a_line() {
    let name = "each_benchmark_case_prints_a_line";
    let Some((is_good, printed)) = bench(name, Behaviour::Works, &["--rows", "1,2", "--launches", "1"]) else { return };
    assert!(is_good && lines(&printed, " GB/s | ") == 18 && printed.contains("Copies: "), "{printed}");
    assert!(lines(&printed, "| Bf16 | 2 | 99.9 % | ") == 1, "{printed}");
}

#[test]
fn a_failing_kernel_prints_a_line() {
    let name = "a_failing_kernel_prints_a_line";
    let arguments = ["--rows", "1", "--launches", "1"];
    let Some((is_good, printed)) = bench(name, Behaviour::RefusesLaunches, &arguments) else { return };
    assert!(is_good && lines(&printed, "failed: cuLaunchKernel") == 9, "{printed}");
}

#[test]
fn the_number_of_rows_is_reduced_to_fit_memory() {
    let name = "the_number_of_rows_is_reduced_to_fit_memory";
    let arguments = ["--rows", "8", "--launches", "1"];
    let Some((is_good, printed)) = bench(name, Behaviour::LittleMemory, &arguments) else { return };
    // A mebibyte holds two rows of 32-bit logits, or four of 16-bit logits.
    assert!(is_good && lines(&printed, "F32 | 2 | 50 % (8 do not fit) |") == 1, "{printed}");
    assert!(lines(&printed, "| F16 | 4 | 50 % (8 do not fit) |") == 1, "{printed}");
}

#[test]
fn without_a_device_the_bench_says_so_and_a_dry_run_still_plans() {
    let name = "without_a_device_the_bench_says_so_and_a_dry_run_still_plans";
    let Some((is_good, printed)) = bench(name, Behaviour::NoDevice, &[]) else { return };
    assert!(!is_good && printed == "the CUDA driver finds no device\n", "{printed}");
    let Some((is_good, printed)) = bench(name, Behaviour::NoDevice, &["--dry-run", "--rows", "3"]) else { return };
    let expected = "F32 | 3 | 0.1 %: would launch ogc_apply_f32 in 32 x 3 blocks of 128 threads, ";
    assert!(is_good && printed.starts_with(expected) && printed.lines().count() == 9, "{printed}");
    let Some((is_good, printed)) = bench(name, Behaviour::NoDevice, &["--rows", "0"]) else { return };
    assert!(!is_good && printed.contains("--rows takes numbers from 1 to"), "{printed}");
}
