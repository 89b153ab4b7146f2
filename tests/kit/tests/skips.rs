//! Tests that a test without its corpus is one line of a report, whether or not the harness captures its output.

use std::process::Command;

#[test]
#[ignore = "run by the test below"]
fn looks_for_two_corpora() {
    assert_eq!(ogc_kit::corpora::find("first"), None);
    assert_eq!(ogc_kit::corpora::find("second"), None);
}

#[test]
#[allow(clippy::disallowed_methods, reason = "the report is a file")]
fn a_skipped_test_is_reported_in_one_line() {
    let report = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("skipped");
    let _ = std::fs::remove_file(&report);
    let run = Command::new(std::env::current_exe().expect("this binary"))
        .args(["--ignored", "--exact", "looks_for_two_corpora"])
        .env("OGC_CORPORA", "/nowhere")
        .env("OGC_SKIPPED", &report)
        .output()
        .expect("this binary runs");
    assert!(run.status.success(), "{run:?}");
    let line = "skipped: skips looks_for_two_corpora: no corpus first\n";
    assert_eq!(String::from_utf8_lossy(&run.stderr), line);
    assert_eq!(std::fs::read_to_string(&report).expect("a report"), line);
}
