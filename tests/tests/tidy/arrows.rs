//! The direction of dependencies: between crates, and between the top modules of a crate.

use super::modules::Crate;
use super::{metadata, root, roots};
use std::collections::BTreeSet;

/// The allowed dependencies, from the foot of the pipeline to its head; a crate may depend only on the listed ones.
const ARROWS: &[(&str, &[&str])] = &[
    ("ogc-counting", &[]),
    ("ogc-kit", &[]),
    ("ogc-ptx", &[]),
    ("ogc-driver", &["ogc-ptx"]),
    ("ogc-grammar", &[]),
    ("ogc-runtime", &[]),
    ("ogc-regular", &[]),
    ("ogc-schema", &["ogc-regular"]),
    ("ogc-compiler", &["ogc-grammar", "ogc-runtime", "ogc-regular", "ogc-schema"]),
    ("ogc-export", &["ogc-compiler", "ogc-grammar", "ogc-runtime", "ogc-regular", "ogc-schema"]),
    ("ogc-lint", &["ogc-compiler", "ogc-grammar", "ogc-runtime", "ogc-regular", "ogc-schema"]),
    ("ogc-embed", &["ogc-lint", "ogc-compiler", "ogc-schema", "ogc-grammar", "ogc-runtime"]),
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
    ("ogc-llama", &["ogc-runtime", "ogc-generate"]),
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
            "ogc-llama",
            "ogc-serve",
        ],
    ),
    ("ogc-capi", &["ogc-embed", "ogc-compiler", "ogc-runtime", "ogc-cuda"]),
    ("ogc-preload", &["ogc-capi"]),
    ("ogc-python", &["ogc", "ogc-embed", "ogc-workbench", "ogc-compiler", "ogc-grammar", "ogc-runtime", "ogc-cuda"]),
];

/// Crates that see everything.
const SEE_ALL: &[&str] = &["ogc-tests", "ogc-bench", "ogc-fuzz"];

/// A top module of a crate, and the modules above it in the table that it may use.
type Module = (&'static str, &'static [&'static str]);

/// The allowed uses between top modules: the folder of a crate's sources, and its modules from the foot to the head.
const MODULES: &[(&str, &[Module])] = &[
    (
        "compiler/core/src",
        &[
            ("contradiction", &[]),
            ("schema_fault", &["contradiction"]),
            ("ir", &[]),
            ("lower", &["contradiction", "schema_fault", "ir"]),
            ("pass", &["ir", "lower"]),
            ("frontend", &["schema_fault", "ir", "lower", "pass"]),
            ("db", &["lower", "pass", "frontend"]),
            ("budget", &["schema_fault", "db"]),
            ("foreign", &["ir", "lower", "frontend", "db", "budget"]),
            ("hir", &["schema_fault", "ir", "lower", "frontend", "db", "budget", "foreign"]),
            ("pipeline", &["schema_fault", "ir", "lower", "pass", "frontend", "db", "budget", "foreign", "hir"]),
        ],
    ),
    (
        "runtime/core/src",
        &[
            ("container", &[]),
            ("cache", &[]),
            ("logits", &[]),
            ("item", &[]),
            ("watch", &[]),
            ("vocabulary", &[]),
            ("sampling", &["vocabulary"]),
            ("trie", &["vocabulary"]),
            ("automaton", &["vocabulary"]),
            ("step", &["item", "watch", "automaton"]),
            ("walk", &["automaton", "step"]),
            ("completion", &["item", "watch", "vocabulary", "trie", "automaton", "step"]),
            ("mask", &["container", "watch", "vocabulary", "trie", "automaton", "step", "completion"]),
            ("canonical", &["watch", "vocabulary", "trie", "automaton", "mask"]),
            (
                "matcher",
                &[
                    "container",
                    "item",
                    "watch",
                    "vocabulary",
                    "trie",
                    "automaton",
                    "step",
                    "completion",
                    "mask",
                    "canonical",
                ],
            ),
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
            ("masks", &["record", "slot", "format", "pool"]),
            ("vocabulary", &["record"]),
            ("outcome", &["record"]),
            ("sampling", &["record", "masking", "pool"]),
            ("fused", &["record", "masking", "sampling"]),
            ("driver", &["calls", "error"]),
            ("kernels", &["error", "driver"]),
            ("token_rows", &[]),
            ("run", &["record", "outcome", "kernels"]),
            ("draft", &["record", "slot", "pool", "outcome", "sampling", "kernels"]),
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

/// The floors of the other crates, from the foot to the head: a module may use only modules of the rows before its own.
const FLOORS: &[(&str, &[&[&str]])] = &[
    (
        "grammar/src",
        &[
            &["cost", "line_ends", "looks", "pulse", "severity", "span"],
            &["spelling"],
            &["code", "fix", "lines"],
            &["diagnostic"],
            &["json", "level", "rules"],
            &["doubts"],
            &["notation"],
            &["abnf", "gbnf", "lark", "ogc"],
            &["ebnf"],
            &["outline"],
        ],
    ),
    (
        "compiler/regular/src",
        &[
            &["limits", "lists", "partition", "state"],
            &["budget", "graph", "trim", "utf8"],
            &["charset", "dfa", "kept", "refine"],
            &["construct", "equivalence", "length", "number", "query", "sequence", "substring"],
            &["minimize", "pattern"],
            &["product"],
            &["format"],
        ],
    ),
    (
        "compiler/schema/src",
        &[
            &["diagram", "keyword", "limits", "ordered_set", "source", "term", "words"],
            &["atom", "error", "key_formula", "leaf", "value"],
            &["shape", "table"],
            &["algebra", "shared"],
            &["assemble", "relation", "satisfy", "terms"],
            &["context", "formulas", "negate", "one_of", "tags", "unquoted"],
        ],
    ),
    (
        "compiler/export/src",
        &[&["edges", "rules"], &["graph", "text"], &["ogc"], &["json_schema", "prompt"], &["notation"]],
    ),
    (
        "compiler/lint/src",
        &[
            &["library", "misspelled"],
            &[
                "compiled",
                "findings",
                "idle_policy",
                "ignored_elsewhere",
                "mixed_scripts",
                "narrowed_format",
                "no_output",
                "one_of",
                "quoted_pattern",
                "quoted_text",
                "quoted_type",
                "split_regex",
                "stacked_repetition",
                "swapped_parameters",
                "unpaired_token",
                "unused_item",
                "unused_parameter",
            ],
            &[
                "contained_branch",
                "default_mismatch",
                "empty_branch",
                "idle_difference",
                "expensive_part",
                "large_pattern",
                "large_repetition",
                "loose_space",
                "missing_token",
                "open_record",
                "overlapping_union",
                "spaced_operator",
                "swallowed",
                "text_spells_token",
                "unbounded_recursion",
                "unbuilt_masks",
                "unspelled_text",
            ],
            &["places", "shared_value", "wide_record"],
        ],
    ),
    ("compiler/embed/src", &[&["finding", "source"], &["compile"]]),
    (
        "compiler/workbench/src",
        &[
            &["correct", "cut", "describe", "markup", "random", "vocabulary", "words"],
            &["attempt", "diagram", "difference", "sample", "settings"],
            &["cases", "mask_view", "repair"],
        ],
    ),
    (
        "compiler/cli/src",
        &[
            &["message", "source", "table", "templates", "verdict", "visible"],
            &["args", "problem", "render"],
            &["files", "output"],
            &["project", "vocabulary"],
            &["session"],
            &["commands", "documented"],
        ],
    ),
    (
        "lsp/ide/src",
        &[
            &["growth", "json_place", "measured", "place", "vocabulary"],
            &["changes", "schema_place", "snapshot"],
            &["diagnostics", "foreign_names", "links", "lookup", "scratch", "shape", "walk"],
            &["documentation", "items"],
            &[
                "code_lens",
                "costs",
                "file_rename",
                "formatting",
                "goto",
                "inlay_hints",
                "references",
                "related",
                "rename",
                "schema_keywords",
                "selection",
                "semantic_tokens",
                "signature_help",
                "symbols",
                "tests",
            ],
            &["actions", "call_hierarchy", "completion", "folding", "highlight", "hover"],
            &["requests", "settings_file"],
            &["host"],
        ],
    ),
    (
        "lsp/server/src",
        &[
            &[
                "client",
                "failure",
                "files",
                "frame",
                "imports",
                "last_tokens",
                "pool",
                "schema_mark",
                "settings",
                "task_id",
            ],
            &["disk", "documents", "library", "outbox"],
            &["view"],
            &["convert", "job", "requests"],
            &["capabilities", "event"],
            &["backend", "progress"],
            &["owner"],
            &["transport"],
        ],
    ),
    (
        "runtime/generate/src",
        &[&["chosen", "error", "sample"], &["model", "prompt"], &["folder"], &["loaded"], &["decode", "draft_model"]],
    ),
    (
        "runtime/llama/src",
        &[&["error", "log"], &["parameters"], &["functions", "layout"], &["library", "tokenizer"], &["model"]],
    ),
    (
        "runtime/serve/src",
        &[
            &["access", "call_syntax", "compile", "held", "metrics", "peer", "record", "system", "turns"],
            &["answer", "background", "connections", "memory", "options", "text_places"],
            &["api"],
            &["formats", "scheduler", "upstream"],
            &["shared"],
            &["log", "texts"],
            &["gate"],
            &["routes"],
            &["server"],
        ],
    ),
    (
        "runtime/capi/src",
        &[
            &["text", "version"],
            &["status"],
            &["pointers", "tokenizer"],
            &["vocabulary"],
            &["canonical", "format"],
            &["events", "matcher", "pool", "source"],
            &["forced", "llama", "rows", "state"],
            &["batch", "logits"],
            &["device"],
            &["slots"],
        ],
    ),
    ("runtime/preload/src", &[&["library", "models"], &["fork"]]),
    (
        "runtime/python/src",
        &[
            &["command", "error", "shared"],
            &["finding", "rows", "vocabulary"],
            &["format"],
            &["events"],
            &["matcher"],
            &["cuda", "follow", "format_methods"],
        ],
    ),
    ("runtime/driver/src", &[&["memory", "status"], &["modules"], &["launch"], &["calls"]]),
    (
        "tests/src",
        &[
            &["device", "events", "likeness", "python_text"],
            &["corpus"],
            &["siblings"],
            &["engine"],
            &["ambiguous", "copies", "counts", "forced", "lockstep", "oracle"],
            &["verdicts"],
        ],
    ),
    ("tests/kit/src", &[&["blocks", "corpora", "random", "safetensors", "skip"], &["gguf"], &["model"]]),
];

/// The name of the command line in the tables above; other packages have their own names.
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
fn modules_follow_the_arrows() {
    let mut wrong = Vec::new();
    for (folder, modules) in MODULES {
        for (at, (module, allowed)) in modules.iter().enumerate() {
            let above = |name: &&str| modules[..at].iter().any(|(before, _)| before == name);
            let late = allowed.iter().filter(|name| !above(name));
            wrong.extend(late.map(|name| format!("{folder}: {module} may use {name}, which does not stand above it")));
        }
        wrong.extend(wrong_arrows(folder, |from| {
            modules.iter().find(|(name, _)| *name == from).map(|(_, allowed)| allowed.to_vec())
        }));
    }
    for (folder, floors) in FLOORS {
        wrong.extend(wrong_arrows(folder, |from| {
            let own = floors.iter().position(|floor| floor.contains(&from))?;
            Some(floors[..own].concat())
        }));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the forbidden uses of modules in a crate; `allowed` returns the modules that a top module may use, `None`
/// for an unlisted one.
fn wrong_arrows<'a>(folder: &str, allowed: impl Fn(&str) -> Option<Vec<&'a str>>) -> Vec<String> {
    let root = root().join(folder).join("lib.rs");
    let mut wrong = BTreeSet::new();
    for import in Crate::read(&root).imports() {
        let (Some(from), Some(to)) = (import.from.first(), import.to.first()) else { continue };
        match allowed(from) {
            None => drop(wrong.insert(format!("{folder}: `{from}` is not listed"))),
            Some(allowed) if from == to || allowed.contains(&to.as_str()) => {}
            Some(_) => drop(wrong.insert(format!(
                "{folder}: `{}` must not use `{}`",
                import.from.join("::"),
                import.to.join("::")
            ))),
        }
    }
    wrong.into_iter().collect()
}

#[test]
fn every_crate_has_its_modules_listed() {
    let listed: Vec<&str> =
        MODULES.iter().map(|(folder, _)| *folder).chain(FLOORS.iter().map(|(folder, _)| *folder)).collect();
    let missing: Vec<String> = roots()
        .into_iter()
        .filter(|root| root.ends_with("lib.rs") && Crate::read(root).has_arrows())
        .filter_map(|root| Some(root.strip_prefix(super::root()).ok()?.parent()?.to_str()?.to_owned()))
        .filter(|folder| !listed.contains(&folder.as_str()))
        .collect();
    assert!(missing.is_empty(), "neither in MODULES nor in FLOORS: {missing:?}");
}
