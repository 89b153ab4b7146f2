//! Tests of the crates that the product links: their licences are allowed, each crate has one version, and none is only
//! for tests. The licences and the exceptions are in `deny.toml`, which cargo-deny reads, too; this test needs only
//! cargo.

#![allow(clippy::disallowed_methods, reason = "deny.toml is a file; see clippy.toml")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use spdx::{Expression, ParseMode};

/// The packages that users build and link.
const PRODUCTS: [&str; 4] = ["ogc", "ogc-capi", "ogc-preload", "ogc-python"];

/// The kinds of dependencies that count: linked ones, and those that run while a product is built.
const KINDS: [&str; 2] = ["normal", "build"];

#[test]
fn every_licence_is_allowed() {
    let allowed = strings(&denied()["licenses"]["allow"]);
    let graph = Graph::of_all_features();
    let mut wrong = Vec::new();
    for package in graph.reached(&PRODUCTS, &KINDS).iter().map(|id| &graph.packages[*id]) {
        let licence = package["license"].as_str().unwrap_or("(none)");
        let holds = Expression::parse_mode(licence, ParseMode::LAX)
            .is_ok_and(|parsed| parsed.evaluate(|wanted| allowed.contains(&wanted.to_string())));
        if !holds {
            wrong.push(format!("{} {}: {licence}", package["name"], package["version"]));
        }
    }
    assert!(wrong.is_empty(), "not allowed by deny.toml:\n{}", wrong.join("\n"));
}

#[test]
fn products_link_one_version_of_each_crate() {
    let skipped = denied()["bans"]["skip"].as_array().expect("a list").clone();
    let is_skipped = |name: &str, version: &str| {
        let spelled = format!("{name}@{version}");
        skipped.iter().any(|entry| entry["crate"].as_str() == Some(&spelled))
    };
    let graph = Graph::of_all_features();
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for package in graph.reached(&PRODUCTS, &["normal"]).iter().map(|id| &graph.packages[*id]) {
        let text = |key: &str| package[key].as_str().expect("a text");
        if !is_skipped(text("name"), text("version")) {
            versions.entry(text("name")).or_default().insert(text("version"));
        }
    }
    versions.retain(|_, versions| versions.len() > 1);
    assert!(versions.is_empty(), "not skipped by deny.toml: {versions:?}");
}

#[test]
fn products_link_nothing_of_the_tests() {
    let graph = Graph::of_all_features();
    let tests = root().join("tests");
    let linked = graph.reached(&PRODUCTS, &KINDS);
    let places = linked.iter().filter_map(|id| graph.packages[*id]["manifest_path"].as_str());
    let wrong: Vec<&str> = places.filter(|place| Path::new(place).starts_with(&tests)).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// The packages of the workspace and all their dependencies, on the machine that runs the test.
struct Graph {
    packages: BTreeMap<String, Value>,
    /// The dependencies of each package, with their kinds.
    edges: BTreeMap<String, Vec<(String, BTreeSet<String>)>>,
}

impl Graph {
    fn of_all_features() -> Self {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let platform = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
        let arguments = ["metadata", "--format-version", "1", "--offline", "--locked", "--all-features"];
        let output =
            Command::new(cargo).args(arguments).args(["--filter-platform", &platform]).current_dir(root()).output();
        let output = output.expect("cargo runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let mut metadata: Value = serde_json::from_slice(&output.stdout).expect("metadata is JSON");
        let id = |value: &Value, key: &str| value[key].as_str().expect("an id").to_owned();
        let packages = metadata["packages"].as_array_mut().expect("packages").drain(..);
        let packages = packages.map(|package| (id(&package, "id"), package)).collect();
        let nodes = metadata["resolve"]["nodes"].as_array().expect("nodes");
        let edges = nodes.iter().map(|node| (id(node, "id"), edges(node))).collect();
        Self { packages, edges }
    }

    /// Returns the ids of the packages that packages with some names reach by dependencies of some kinds, including
    /// themselves.
    fn reached(&self, names: &[&str], kinds: &[&str]) -> BTreeSet<&String> {
        let begins = |package: &Value| package["name"].as_str().is_some_and(|name| names.contains(&name));
        let mut open: Vec<&String> =
            self.packages.iter().filter(|(_, package)| begins(package)).map(|(id, _)| id).collect();
        let mut reached: BTreeSet<&String> = open.iter().copied().collect();
        while let Some(id) = open.pop() {
            for (to, as_what) in &self.edges[id] {
                if kinds.iter().any(|kind| as_what.contains(*kind)) && reached.insert(to) {
                    open.push(to);
                }
            }
        }
        reached
    }
}

fn edges(node: &Value) -> Vec<(String, BTreeSet<String>)> {
    let kinds = |edge: &Value| {
        let kinds = edge["dep_kinds"].as_array().expect("kinds").iter();
        kinds.map(|kind| kind["kind"].as_str().unwrap_or("normal").to_owned()).collect()
    };
    let edges = node["deps"].as_array().expect("edges").iter();
    edges.map(|edge| (edge["pkg"].as_str().expect("an id").to_owned(), kinds(edge))).collect()
}

fn denied() -> toml::Table {
    std::fs::read_to_string(root().join("deny.toml")).expect("a file").parse().expect("TOML")
}

fn strings(list: &toml::Value) -> BTreeSet<String> {
    list.as_array().expect("a list").iter().filter_map(|text| text.as_str().map(str::to_owned)).collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the root exists")
}
