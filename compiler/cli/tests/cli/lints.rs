//! Cost lints on the command line: the commands that show them, levels, corrections.

use super::Folder;

const UNUSED: &str = "output Out = string\n\n/// Not needed.\ntype Old = int\n";

fn codes(folder: &Folder, arguments: &[&str]) -> (i32, Vec<(String, String)>) {
    let ran = folder.run(&[arguments, &["--message-format", "json"]].concat());
    let word = |found: &serde_json::Value, key: &str| found[key].as_str().unwrap_or_default().to_owned();
    let found = ran.objects("diagnostic").iter().map(|found| (word(found, "code"), word(found, "severity"))).collect();
    (ran.code, found)
}

fn one(code: &str, severity: &str) -> Vec<(String, String)> {
    vec![(code.to_owned(), severity.to_owned())]
}

#[test]
fn unused_items_are_removed_only_with_remove_unused() {
    let folder = Folder::with(&[("a.ogc", UNUSED)]);
    assert_eq!(codes(&folder, &["check", "a.ogc"]), (0, one("unused-item", "warning")));
    let kept = folder.run(&["check", "--fix", "a.ogc", "--message-format", "json"]);
    assert_eq!(folder.read("a.ogc"), UNUSED, "{kept:?}");
    let refused = &kept.objects("fixed")[0]["refused"][0];
    let says = |text: &str| refused.as_str().is_some_and(|refused| refused.contains(text));
    assert!(says("line 4, unused-item") && says("--remove-unused"), "{kept:?}");
    let ran = folder.run(&["check", "--fix", "--remove-unused", "a.ogc", "--message-format", "json"]);
    assert_eq!(folder.read("a.ogc"), "output Out = string\n", "{ran:?}");
    assert_eq!(ran.objects("fixed")[0]["fixes"][0], "remove `Old`, which nothing uses");
    assert!(ran.objects("diagnostic").is_empty(), "{ran:?}");
    assert_eq!(codes(&folder, &["check", "a.ogc"]), (0, Vec::new()));
}

#[test]
fn nothing_is_removed_from_a_file_with_errors() {
    for wrong in ["output Out = { w: Weath er, }\n", "output Out = Weathr\ntest Out {\n  accept 5 }\n"] {
        let text =
            format!("// kept\ntype Weather = {{ c: string }}\n/// Kept.\ntype Search = {{ q: string }}\n{wrong}");
        let folder = Folder::with(&[("a.ogc", &text)]);
        let ran = folder.run(&["check", "--fix", "--remove-unused", "a.ogc"]);
        let after = folder.read("a.ogc");
        assert!(
            after.contains("// kept\ntype Weather") && after.contains("/// Kept.\ntype Search"),
            "{after}\n{ran:?}"
        );
    }
}

#[test]
fn allowed_lints_are_not_corrected() {
    let kept = "output Out = string\n@allow(\"unused-item\")\ntype Old = int\n";
    let folder = Folder::with(&[("a.ogc", kept)]);
    folder.run(&["check", "--fix", "a.ogc"]);
    assert_eq!(folder.read("a.ogc"), kept);
    folder.write("a.ogc", UNUSED);
    folder.run(&["check", "--fix", "a.ogc", "-A", "unused-item"]);
    assert_eq!(folder.read("a.ogc"), UNUSED);
}

#[test]
fn syntax_is_corrected_even_if_names_do_not_resolve() {
    let folder = Folder::with(&[("a.ogc", "type A: Nothing;\noutput Out = A\n")]);
    folder.run(&["check", "--fix", "a.ogc"]);
    assert_eq!(folder.read("a.ogc"), "type A = Nothing\noutput Out = A\n");
}

#[test]
fn a_file_that_another_one_imports_is_used_by_it() {
    let library = "type A = int\noutput Out = string\n";
    let folder = Folder::with(&[("f/a.ogc", library), ("f/b.ogc", "import A from \"a.ogc\"\noutput O = A\n")]);
    assert_eq!(codes(&folder, &["check", "f"]), (0, Vec::new()));
    assert_eq!(codes(&folder, &["check", "f/a.ogc"]).1, one("unused-item", "warning"));
}

#[test]
fn a_file_without_outputs_is_reported_unless_another_one_imports_it() {
    let folder = Folder::with(&[("f/a.ogc", "type A = int\n"), ("f/b.ogc", "import A from \"a.ogc\"\noutput O = A\n")]);
    assert_eq!(codes(&folder, &["check", "f"]), (0, Vec::new()));
    assert_eq!(codes(&folder, &["check", "f/a.ogc"]), (0, one("no-output", "note")));
    assert_eq!(codes(&folder, &["build", "f/a.ogc"]).1, one("no-output", "note"));
    folder.write("f/a.ogc", "");
    assert_eq!(codes(&folder, &["check", "f/a.ogc"]), (0, one("no-output", "warning")));
}

#[test]
fn levels_change_lints_too() {
    let folder = Folder::with(&[("a.ogc", UNUSED)]);
    assert_eq!(codes(&folder, &["check", "a.ogc", "-A", "unused-item"]), (0, Vec::new()));
    assert_eq!(codes(&folder, &["check", "a.ogc", "-D", "unused-item"]), (1, one("unused-item", "error")));
    folder.write("ogc.toml", "[lints]\nunused-item = \"deny\"\n");
    assert_eq!(codes(&folder, &["build", "a.ogc", "--no-masks"]).0, 1);
    assert!(!folder.path("a.ogc.Out.ogca").exists());
}

#[test]
fn quiet_lints_appear_when_they_are_asked_for() {
    let folder = Folder::with(&[("a.schema.json", r#"{"type": "integer", "multipleOf": 5}"#)]);
    assert_eq!(codes(&folder, &["check", "a.schema.json"]), (0, Vec::new()));
    let asked = codes(&folder, &["check", "a.schema.json", "-W", "ignored-elsewhere"]);
    assert_eq!(asked, (0, one("ignored-elsewhere", "warning")));
}

#[test]
fn mask_lints_run_only_with_a_vocabulary() {
    let folder = Folder::with(&[("a.ogc", "output Out = \"<a>\" text \"</a>\"\n")]);
    let spells = one("text-spells-token", "note");
    assert_eq!(codes(&folder, &["check", "a.ogc"]), (0, Vec::new()));
    assert_eq!(codes(&folder, &["check", "a.ogc", "--vocab", "o200k"]), (0, spells.clone()));
    assert_eq!(codes(&folder, &["build", "a.ogc"]), (0, spells.clone()));
    assert_eq!(codes(&folder, &["cost", "a.ogc"]), (0, spells));
    assert_eq!(codes(&folder, &["cost", "a.ogc", "-A", "text-spells-token"]), (0, Vec::new()));
}

/// Findings carry figures: the times in a sentence for people, all figures for machines.
#[test]
fn findings_carry_cost_figures() {
    let folder = Folder::with(&[("a.ogc", "output Out = { a: /[a-z]{1,1500}/ }\n")]);
    let ran = folder.run(&["check", "a.ogc", "--vocab", "o200k", "--message-format", "json"]);
    let found = &ran.objects("diagnostic")[0];
    assert_eq!((&found["code"], &found["span"]["column"]), (&"large-repetition".into(), &20.into()), "{ran:?}");
    let figure = |name: &str| found["cost"][name].as_f64().unwrap_or_default();
    let figures = ["states", "bytes", "rows", "row_bytes", "build_ms", "slowest_row_ms"].map(figure);
    assert!(figures.iter().all(|figure| *figure > 0.0), "{ran:?}");
    assert!(figures[4] > figures[5], "one row is less than all: {ran:?}");
    assert!(!found["message"].as_str().unwrap_or_default().contains(" ms"), "the same in every run: {ran:?}");
    let people = folder.run(&["check", "a.ogc", "--vocab", "o200k"]);
    assert!(
        people.err.contains("its masks took ") && people.err.contains(" of the build, the slowest row "),
        "{people:?}"
    );
    let bare = folder.run(&["check", "a.ogc", "--message-format", "json"]);
    assert!(bare.objects("diagnostic")[0]["cost"]["rows"].is_null(), "{bare:?}");
}
