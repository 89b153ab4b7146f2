//! Tests that the names in the table of readers in `SECURITY.md` are right: each test and fuzz target in it exists, and
//! each fuzz target is in it.

#![allow(clippy::disallowed_methods, reason = "the table, the targets and the sources are files; see clippy.toml")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_owned()
}

/// Returns the names in the last column of the table.
fn named() -> BTreeSet<String> {
    let text = fs::read_to_string(root().join("SECURITY.md")).expect("the policy");
    let table = text.split("| Reader |").nth(1).expect("the table of readers");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let last = rows.filter_map(|row| row.trim_end_matches('|').rsplit('|').next());
    let names = last.flat_map(|cell| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>());
    names.collect()
}

/// Returns the names of the fuzz targets.
fn targets() -> BTreeSet<String> {
    let folder = fs::read_dir(root().join("tests/fuzz/fuzz_targets")).expect("the fuzz targets");
    let names = folder.map(|entry| entry.expect("an entry").path());
    let sources = names.filter(|path| path.extension().is_some_and(|ending| ending == "rs"));
    sources.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect()
}

/// Returns the names of the test functions of the workspace.
fn tests() -> BTreeSet<String> {
    let mut open: Vec<PathBuf> =
        ["compiler", "grammar", "lsp", "runtime", "tests"].map(|name| root().join(name)).into();
    let mut found = BTreeSet::new();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(fs::read_dir(&path).expect("a folder").map(|entry| entry.expect("an entry").path()));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(&path).expect("a source");
            let behind = text.split("#[test]").skip(1).filter_map(|rest| rest.split("fn ").nth(1)?.split('(').next());
            found.extend(behind.map(str::to_owned));
        }
    }
    found
}

#[test]
fn the_table_of_readers_names_existing_tests_and_fuzz_targets() {
    let (named, targets, tests) = (named(), targets(), tests());
    assert!(named.len() > 20, "the table is read: {named:?}");
    let missing: Vec<&String> =
        named.iter().filter(|name| !targets.contains(*name) && !tests.contains(*name)).collect();
    assert!(missing.is_empty(), "neither a test nor a fuzz target: {missing:?}");
    let unnamed: Vec<&String> = targets.difference(&named).collect();
    assert!(unnamed.is_empty(), "fuzz targets that no reader names: {unnamed:?}");
}
