//! The headers of `kernels/` compile on the host, all in one program; the record headers assert that records have the same sizes as in the
//! crate.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "what is compiled are files; see clippy.toml")]

use std::process::Command;

#[test]
fn cpp_headers_have_the_layouts_of_the_rust_records() {
    if Command::new("c++").arg("--version").output().is_err() {
        return ogc_kit::skip("layout: no C++ compiler `c++`");
    }
    let source = format!("{}/layout.cpp", env!("CARGO_TARGET_TMPDIR"));
    // All headers in one program, which shows that they can be used together.
    let headers = ["fused", "records/model", "draft", "run"].map(|name| format!("#include \"{name}.cuh\"\n")).concat();
    std::fs::write(&source, headers).unwrap();
    let output = Command::new("c++")
        .args(["-std=c++17", "-fsyntax-only", "-Wall", "-Wextra", "-Werror"])
        .args(["-I", concat!(env!("CARGO_MANIFEST_DIR"), "/kernels"), &source])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
