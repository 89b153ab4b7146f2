//! Compares the output of `ogc inspect` for a small format of each language with a text file next to it. `OGC_BLESS=1`
//! rewrites these files.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::Folder;

/// Each format, with the stages that are shown.
const SHOWN: &[(&str, &[&str])] = &[
    ("small.ogc", &["--stage tree", "--stage schema", "--stage ir", "--stage masks --limit 8"]),
    ("small.schema.json", &["--stage tree", "--stage schema", "--stage ir", "--stage masks --limit 8"]),
    ("small.gbnf", &["--stage tree", "--stage schema", "--stage ir", "--stage masks", "--stage automaton"]),
    ("small.ebnf", &["--stage tree", "--stage ir", "--stage masks"]),
    ("small.lark", &["--stage tree", "--stage ir", "--stage masks"]),
    ("small.regex", &["--stage tree", "--stage ir", "--stage masks"]),
];

/// Each format whose passes are shown, with those passes.
const PASSES: &[(&str, &[&str])] = &[
    ("small.ogc", &["stops", "regular", "captures", "facts", "plan"]),
    ("small.gbnf", &["units", "left", "emit"]),
    ("small.regex", &["plan"]),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/inspect")
}

/// Returns the commands on a format with their output.
fn transcript(name: &str, stages: &[&str]) -> String {
    let text = std::fs::read_to_string(folder().join(name)).expect("a format");
    let place = Folder::with(&[(name, &text)]);
    let passes = PASSES.iter().filter(|(other, _)| *other == name).flat_map(|(_, passes)| passes.iter());
    let stages = stages.iter().map(|&stage| stage.to_owned());
    let mut transcript = String::new();
    for flags in stages.chain(passes.map(|pass| format!("--pass {pass}"))) {
        let flags: Vec<&str> = flags.split(' ').collect();
        let ran = place.run(&[&["inspect", name][..], &flags].concat());
        writeln!(transcript, "$ ogc inspect {name} {}\n{}{}", flags.join(" "), ran.out, ran.err).expect("a string");
    }
    transcript
}

#[test]
fn small_formats_are_shown_at_each_stage() {
    let mut wrong = Vec::new();
    for (name, stages) in SHOWN {
        let (found, kept) = (transcript(name, stages), folder().join(format!("{name}.txt")));
        if std::env::var_os("OGC_BLESS").is_some() {
            std::fs::write(&kept, &found).expect("a writable expectation");
        }
        if std::fs::read_to_string(&kept).ok().as_ref() != Some(&found) {
            wrong.push(format!("{} (OGC_BLESS=1 accepts):\n{found}", kept.display()));
        }
    }
    assert!(wrong.is_empty(), "not as expected:\n{}", wrong.join("\n"));
}

#[test]
fn inspect_shows_the_syntax_tree_of_a_file_with_errors() {
    let folder = Folder::with(&[("two.ogc", "output A = \"a\"\noutput B = \"b\" \"c\n"), ("tools.json", "[]")]);
    let ran = folder.run(&["inspect", "two.ogc", "--stage", "tree"]);
    assert_eq!(ran.code, 1, "it has an error: {ran:?}");
    assert!(ran.out.contains("  output 2:1  output B = \"b\" \"c\n"), "{ran:?}");
    assert!(ran.err.contains("unclosed-string"), "{ran:?}");
}

#[test]
fn inspect_lists_the_known_passes_if_one_is_unknown() {
    let folder = Folder::with(&[("a.gbnf", "root ::= \"a\"\n"), ("a.ogc", "output A = { a: int }\n")]);
    let ran = folder.run(&["inspect", "a.gbnf", "--pass", "parse"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.err.contains("[possible values: stops, regular, captures, facts, plan, units, left, emit]"), "{ran:?}");
    let ran = folder.run(&["inspect", "a.ogc", "--pass", "left"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.err.contains("this definition is a set of values"), "{ran:?}");
}

#[test]
fn inspect_says_so_if_a_format_has_no_schemas() {
    let folder = Folder::with(&[("a.ogc", "output A = \"a\"\n")]);
    assert_eq!(folder.run(&["inspect", "a.ogc", "--stage", "schema"]).out, "no schemas\n");
}

#[test]
fn inspect_counts_the_rows_that_limit_omits() {
    let folder = Folder::with(&[("a.gbnf", "root ::= \"a\" [0-9]{2} \"b\"\n")]);
    let rows = |limit| {
        let ran = folder.run(&["inspect", "a.gbnf", "--stage", "masks", "--limit", limit]);
        assert_eq!(ran.code, 0, "{ran:?}");
        let shown = ran.out.lines().filter(|line| line.starts_with("  base row ")).count();
        (shown, ran.out.lines().find(|line| line.contains("--limit shows them")).map(str::to_owned))
    };
    let (all, none) = rows("1000");
    assert_eq!(none, None);
    let (two, more) = rows("2");
    assert_eq!((two, more.map(|more| more.starts_with(&format!("and {} more", all - 2)))), (2, Some(true)));
}
