//! Tests of the tree's rules that no compiler checks: the direction of dependencies between crates and between the
//! modules of a crate ([`arrows`]), modules without circles ([`circles`]), the places of `unsafe`, the length of files,
//! and no mention of the machine that wrote them.

#![allow(clippy::disallowed_methods, reason = "the sources are files; see clippy.toml")]

mod arrows;
mod circles;
mod modules;
mod tokens;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Cap on the lines of a source file.
const MAX_LINES: usize = 800;

#[test]
fn every_dependency_is_named_by_a_source() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("packages");
    let mut idle = Vec::new();
    for package in packages {
        let manifest = Path::new(package["manifest_path"].as_str().expect("a path"));
        let files = sources(manifest.parent().expect("a folder"));
        let mut texts = Vec::new();
        for file in &files {
            let text = std::fs::read_to_string(file).expect("a source");
            texts.extend(modules_elsewhere(file, &text));
            texts.push(text);
        }
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            let dependency = dependency["name"].as_str().expect("a name");
            let paths = format!("{}::", library(packages, dependency));
            if !texts.iter().any(|text| text.contains(&paths)) {
                idle.push(format!("{}: no source names {dependency}", manifest.display()));
            }
        }
    }
    assert!(idle.is_empty(), "{}", idle.join("\n"));
}

/// Returns the name of a package in sources.
fn library(packages: &[Value], package: &str) -> String {
    let known = packages.iter().find(|known| known["name"] == package);
    let targets = known.and_then(|known| known["targets"].as_array()).map(Vec::as_slice).unwrap_or_default();
    let library =
        targets.iter().find(|target| target["kind"].as_array().is_some_and(|kinds| kinds.contains(&"lib".into())));
    let name = library.and_then(|library| library["name"].as_str()).unwrap_or(package);
    name.replace('-', "_")
}

/// Returns the sources of other folders that are modules of a source, and the examples that it includes.
fn modules_elsewhere(file: &Path, text: &str) -> Vec<String> {
    let folder = file.parent().expect("a folder");
    let paths = text.lines().filter_map(|line| line.strip_prefix("#[path = \"")?.strip_suffix("\"]"));
    let examples =
        text.lines().filter_map(|line| line.trim_start().strip_prefix("#[doc = include_str!(\"")?.strip_suffix("\")]"));
    paths.chain(examples).map(|path| std::fs::read_to_string(folder.join(path)).expect("a source")).collect()
}

fn metadata() -> Value {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let arguments = ["metadata", "--no-deps", "--format-version", "1", "--offline"];
    let output = Command::new(cargo).args(arguments).current_dir(root()).output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("metadata is JSON")
}

#[test]
fn unsafe_stands_in_the_runtime_only() {
    let code = ["un", "safe"].concat();
    let forms = [format!("{code} {{"), format!("{code} fn"), format!("{code} impl"), format!("allow({code}_code")];
    check(|path, text| {
        let found = forms.iter().find(|form| text.contains(form.as_str()))?;
        (!path.starts_with("runtime")).then(|| format!("`{found}` outside runtime/"))
    });
}

#[test]
fn files_are_not_too_long() {
    check(|_, text| {
        let lines = text.lines().count();
        (lines > MAX_LINES).then(|| format!("{lines} lines; the limit is {MAX_LINES}"))
    });
}

#[test]
fn files_open_with_a_module_comment() {
    check(|_, text| (!text.starts_with("//!")).then(|| "does not open with `//!`".to_owned()));
}

#[test]
fn no_file_names_a_machine() {
    let roots = ["home", "root", "work", "Users", "tmp"].map(|folder| format!("\"/{folder}/"));
    check(|_, text| roots.iter().find(|root| text.contains(root.as_str())).map(|root| format!("names {root}")));
}

/// The roots of the modules of all crates: `src/lib.rs` and `src/main.rs`.
fn roots() -> Vec<PathBuf> {
    let is_root = |path: &Path| path.ends_with("src/lib.rs") || path.ends_with("src/main.rs");
    sources(&root()).into_iter().filter(|path| is_root(path)).collect()
}

/// Calls `fault` with every Rust file, its path relative to the root; fails with all returned faults.
fn check(fault: impl Fn(&Path, &str) -> Option<String>) {
    let root = root();
    let mut faults = Vec::new();
    for file in sources(&root) {
        let text = std::fs::read_to_string(&file).expect("a readable source");
        let path = file.strip_prefix(&root).unwrap_or(&file);
        faults.extend(fault(path, &text).map(|fault| format!("{}: {fault}", path.display())));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the root exists")
}

/// The Rust files below a folder; build outputs and hidden folders are left out.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).expect("a readable folder").flatten() {
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            if path.is_dir() && !name.starts_with('.') && !name.starts_with("target") && name != "node_modules" {
                open.push(path);
            } else if name.ends_with(".rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
