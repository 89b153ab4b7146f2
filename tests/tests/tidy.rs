//! The rules of the tree that no compiler checks: the direction of dependencies, between crates and between the modules of
//! one, where `unsafe` may stand, how long a file may be, and that nothing names the machine it was written on.

#![allow(clippy::disallowed_methods, reason = "the sources are files; see clippy.toml")]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Who may depend on whom, from the foot of the pipeline to its head; a crate may know those listed and no other.
const ARROWS: &[(&str, &[&str])] = &[
    ("ogc-kit", &[]),
    ("ogc-ptx", &[]),
    ("ogc-grammar", &[]),
    ("ogc-runtime", &[]),
    ("ogc-regular", &[]),
    ("ogc-schema", &["ogc-regular"]),
    ("ogc-compiler", &["ogc-grammar", "ogc-runtime", "ogc-regular", "ogc-schema"]),
    ("ogc-export", &["ogc-compiler", "ogc-grammar", "ogc-runtime", "ogc-regular", "ogc-schema"]),
    ("ogc-lint", &["ogc-compiler", "ogc-grammar", "ogc-runtime", "ogc-regular", "ogc-schema"]),
    ("ogc-embed", &["ogc-lint", "ogc-compiler", "ogc-grammar", "ogc-runtime"]),
    (
        "ogc-workbench",
        &["ogc-export", "ogc-lint", "ogc-compiler", "ogc-grammar", "ogc-runtime", "ogc-regular", "ogc-schema"],
    ),
    (
        "ogc-ide",
        &[
            "ogc-workbench",
            "ogc-export",
            "ogc-lint",
            "ogc-compiler",
            "ogc-grammar",
            "ogc-runtime",
            "ogc-regular",
            "ogc-schema",
        ],
    ),
    ("ogc-lsp", &["ogc-ide"]),
    ("ogc-cuda", &["ogc-runtime"]),
    ("ogc-generate", &["ogc-runtime", "ogc-cuda"]),
    ("ogc-serve", &["ogc-runtime", "ogc-generate"]),
    (
        "ogc",
        &[
            "ogc-workbench",
            "ogc-export",
            "ogc-lint",
            "ogc-compiler",
            "ogc-grammar",
            "ogc-runtime",
            "ogc-regular",
            "ogc-schema",
            "ogc-lsp",
            "ogc-generate",
            "ogc-serve",
        ],
    ),
    ("ogc-capi", &["ogc-embed", "ogc-compiler", "ogc-runtime", "ogc-cuda"]),
    ("ogc-preload", &["ogc-capi"]),
    ("ogc-python", &["ogc", "ogc-embed", "ogc-workbench", "ogc-compiler", "ogc-grammar", "ogc-runtime"]),
];

/// A top module of a crate, and those above it in the table that it may use.
type Module = (&'static str, &'static [&'static str]);

/// Which top modules of a crate may use which: the folder of its sources, and its modules from the foot to the head.
const MODULES: &[(&str, &[Module])] = &[
    (
        "compiler/core/src",
        &[
            ("schema_fault", &[]),
            ("ir", &[]),
            ("lower", &["schema_fault", "ir"]),
            ("pass", &["ir", "lower"]),
            ("frontend", &["ir", "lower", "pass"]),
            ("db", &["lower", "pass", "frontend"]),
            ("budget", &["db"]),
            ("foreign", &["ir", "lower", "frontend", "db", "budget"]),
            ("hir", &["ir", "lower", "frontend", "db", "budget", "foreign"]),
            ("pipeline", &["ir", "lower", "pass", "frontend", "db", "budget", "foreign", "hir"]),
        ],
    ),
    (
        "runtime/core/src",
        &[
            ("container", &[]),
            ("cache", &[]),
            ("logits", &[]),
            ("vocabulary", &[]),
            ("trie", &["vocabulary"]),
            ("automaton", &["vocabulary"]),
            ("step", &["automaton"]),
            ("walk", &["automaton", "step"]),
            ("completion", &["vocabulary", "trie", "automaton", "step"]),
            ("mask", &["container", "vocabulary", "trie", "automaton", "step", "completion"]),
            ("matcher", &["container", "vocabulary", "trie", "automaton", "step", "completion", "mask"]),
            ("captures", &["vocabulary", "automaton", "step", "matcher"]),
            ("events", &["vocabulary", "matcher", "captures"]),
            ("artifact", &["container", "vocabulary", "automaton", "mask", "matcher", "captures"]),
        ],
    ),
    (
        "runtime/cuda/src",
        &[
            ("calls", &[]),
            ("error", &["calls"]),
            ("record", &[]),
            ("slot", &["record"]),
            ("format", &["record", "slot"]),
            ("geometry", &[]),
            ("masking", &["geometry"]),
            ("pool", &["record"]),
            ("masks", &["record", "format", "pool"]),
            ("vocabulary", &["record"]),
            ("outcome", &["record"]),
            ("sampling", &["record", "masking"]),
            ("fused", &["record", "masking", "sampling"]),
            ("driver", &["calls", "error"]),
            ("kernels", &["error", "driver"]),
            ("token_rows", &[]),
            ("run", &["record", "outcome", "kernels"]),
            ("draft", &["record", "slot", "outcome", "sampling", "kernels"]),
            ("stream", &[]),
            ("stopwatch", &["error", "driver", "stream"]),
            ("device", &["error", "kernels", "masking", "driver", "stream", "stopwatch"]),
            ("weight_format", &[]),
            ("machine", &["error", "kernels", "masking", "driver", "stream", "device", "weight_format"]),
            (
                "slots",
                &[
                    "error",
                    "record",
                    "slot",
                    "format",
                    "masking",
                    "pool",
                    "masks",
                    "vocabulary",
                    "outcome",
                    "sampling",
                    "fused",
                    "token_rows",
                    "run",
                    "draft",
                    "machine",
                ],
            ),
            (
                "model",
                &["error", "record", "masking", "pool", "outcome", "sampling", "weight_format", "machine", "slots"],
            ),
            ("sequences", &["machine", "masks", "outcome", "pool", "run", "slot", "slots"]),
        ],
    ),
    (
        "tests/ptx/src",
        &[
            ("lanes", &[]),
            ("ir", &[]),
            ("flow", &["ir"]),
            ("memory", &["lanes", "ir"]),
            ("number", &["lanes", "ir", "memory"]),
            ("text", &["ir", "flow", "memory"]),
            ("report", &["ir", "memory", "number"]),
            ("exec", &["lanes", "ir", "memory", "number", "report"]),
        ],
    ),
];

/// Crates that see everything.
const SEE_ALL: &[&str] = &["ogc-tests", "ogc-bench", "ogc-fuzz"];

/// The longest a source file may be, in lines.
const MAX_LINES: usize = 800;

/// The name under which the command line is listed above, whatever its package is called.
fn listed_name(package: &str) -> &str {
    if package == "ogc-cli" { "ogc" } else { package }
}

#[test]
fn dependencies_follow_the_arrows() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("packages");
    let ours: Vec<&str> = packages.iter().filter_map(|package| package["name"].as_str()).collect();
    let mut wrong = Vec::new();
    for package in packages {
        let name = package["name"].as_str().expect("a name");
        let dependencies = package["dependencies"].as_array().expect("dependencies");
        let dependencies = dependencies.iter().filter(|dependency| dependency["kind"] != "dev");
        for dependency in dependencies.filter_map(|dependency| dependency["name"].as_str()) {
            if ours.contains(&dependency) && !may_depend(name, dependency) {
                wrong.push(format!("{name} must not depend on {dependency}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_crate_is_listed() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("packages");
    for name in packages.iter().filter_map(|package| package["name"].as_str()) {
        let listed = ARROWS.iter().any(|(from, _)| *from == listed_name(name));
        assert!(listed || SEE_ALL.contains(&name), "{name} has no line in ARROWS");
    }
}

fn may_depend(from: &str, to: &str) -> bool {
    let arrow = ARROWS.iter().find(|(name, _)| *name == listed_name(from));
    SEE_ALL.contains(&from) || arrow.is_some_and(|(_, allowed)| allowed.contains(&to))
}

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

/// Returns the name by which sources know a package.
fn library(packages: &[Value], package: &str) -> String {
    let known = packages.iter().find(|known| known["name"] == package);
    let targets = known.and_then(|known| known["targets"].as_array()).map(Vec::as_slice).unwrap_or_default();
    let library =
        targets.iter().find(|target| target["kind"].as_array().is_some_and(|kinds| kinds.contains(&"lib".into())));
    let name = library.and_then(|library| library["name"].as_str()).unwrap_or(package);
    name.replace('-', "_")
}

/// Returns the sources of other folders that a source has as modules, and the examples that it includes.
fn modules_elsewhere(file: &Path, text: &str) -> Vec<String> {
    let folder = file.parent().expect("a folder");
    let paths = text.lines().filter_map(|line| line.strip_prefix("#[path = \"")?.strip_suffix("\"]"));
    let examples =
        text.lines().filter_map(|line| line.trim_start().strip_prefix("#[doc = include_str!(\"")?.strip_suffix("\")]"));
    paths.chain(examples).map(|path| std::fs::read_to_string(folder.join(path)).expect("a source")).collect()
}

#[test]
fn modules_follow_the_arrows() {
    let mut wrong = Vec::new();
    for (folder, modules) in MODULES {
        for (at, (module, allowed)) in modules.iter().enumerate() {
            let above = |name: &&str| modules[..at].iter().any(|(before, _)| before == name);
            let late = allowed.iter().filter(|name| !above(name));
            wrong.extend(late.map(|name| format!("{folder}: {module} may use {name}, which does not stand above it")));
        }
        wrong.extend(arrows_of(folder, modules));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What the sources below a folder use against the table of its modules.
fn arrows_of(folder: &str, modules: &[Module]) -> Vec<String> {
    let folder = root().join(folder);
    let mut wrong = Vec::new();
    for file in sources(&folder) {
        let inside = file.strip_prefix(&folder).expect("it is below").with_extension("");
        let path: Vec<String> = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        if path[0] == "lib" || path[0] == "main" {
            continue;
        }
        let Some((_, allowed)) = modules.iter().find(|(name, _)| *name == path[0]) else {
            wrong.push(format!("{}: `{}` has no line in MODULES", file.display(), path[0]));
            continue;
        };
        let depth = if path.last().is_some_and(|last| last == "mod") { path.len() - 1 } else { path.len() };
        for used in used_modules(&std::fs::read_to_string(&file).expect("a readable source"), depth) {
            let known = modules.iter().any(|(name, _)| *name == used);
            if known && used != path[0] && !allowed.contains(&used.as_str()) {
                wrong.push(format!("{}: `{}` must not use `{used}`", file.display(), path[0]));
            }
        }
    }
    wrong
}

/// The names that a source takes from the root of its crate, by `crate` or, in a module so deep, by as many `super`s.
fn used_modules(source: &str, depth: usize) -> Vec<String> {
    let code: String =
        source.lines().map(|line| line.split("//").next().unwrap_or_default().to_owned() + "\n").collect();
    let ups = "super::".repeat(depth);
    let mut names = Vec::new();
    for way in ["crate::", ups.as_str()] {
        for (at, _) in code.match_indices(way) {
            let before = code[..at].chars().next_back();
            if before.is_none_or(|before| !before.is_alphanumeric() && !"_:".contains(before)) {
                names.extend(first_names(&code[at + way.len()..]));
            }
        }
    }
    names
}

/// The name that a path begins with, or those of a group in braces.
fn first_names(path: &str) -> Vec<String> {
    let name = |text: &str| -> String { text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect() };
    let Some(group) = path.strip_prefix('{') else { return vec![name(path)] };
    let (mut names, mut open) = (vec![name(group.trim_start())], 0);
    for (at, c) in group.char_indices() {
        match c {
            '{' => open += 1,
            '}' if open == 0 => break,
            '}' => open -= 1,
            ',' if open == 0 => names.push(name(group[at + 1..].trim_start())),
            _ => {}
        }
    }
    names
}

#[test]
fn names_from_the_root_are_found() {
    let source = "use crate::{a, b::{c, d}, e};\nuse super::super::f::g;\nlet h = crate::i::j; // crate::k\n";
    assert_eq!(used_modules(source, 2), ["a", "b", "e", "i", "f"]);
    assert_eq!(used_modules("use super::a; use super::super::b;", 1), ["a", "super"]);
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
fn files_say_what_they_are() {
    check(|_, text| (!text.starts_with("//!")).then(|| "does not open with `//!`".to_owned()));
}

#[test]
fn no_file_names_a_machine() {
    let roots = ["home", "root", "work", "Users", "tmp"].map(|folder| format!("\"/{folder}/"));
    check(|_, text| roots.iter().find(|root| text.contains(root.as_str())).map(|root| format!("names {root}")));
}

/// Asks `fault` about every Rust file, its path relative to the root; fails with all that it says.
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
