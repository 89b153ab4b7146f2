//! Tests that the shipped PTX and code are those that the kernels compile to.

use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn shipped_ptx_is_up_to_date_with_the_kernel_sources() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    if !target.join("cuda/13.0.88/installed").exists() {
        ogc_kit::skip("no compiler of kernels (runtime/cuda/kernels/build installs it)");
        return;
    }
    let run = Command::new(root.join("runtime/cuda/kernels/build")).output().expect("the script runs");
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success(), "{said}{}", String::from_utf8_lossy(&run.stderr));
    assert!(said.contains("ogc_apply_f32") && said.contains("code of all kernels"), "{said}");
}
