//! Levels of findings, set by flags and by `ogc.toml`, and the other settings in `ogc.toml`.

use super::Folder;

/// A schema with a warning: a keyword that has no effect without another one.
const IDLE: &str = r#"{"then": {"type": "string"}}"#;

fn severity(folder: &Folder, flags: &[&str]) -> (i32, Option<String>) {
    let ran = folder.run(&[&["check", "f/a.schema.json", "--message-format", "json"], flags].concat());
    let found = ran.objects("diagnostic");
    let found = found.iter().find(|found| found["code"] == "idle-keyword");
    (ran.code, found.and_then(|found| found["severity"].as_str().map(str::to_owned)))
}

fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

#[test]
fn level_flags_apply_and_the_last_one_wins() {
    let folder = Folder::with(&[("f/a.schema.json", IDLE)]);
    assert_eq!(severity(&folder, &[]).0, 0);
    assert_eq!(severity(&folder, &["-A", "idle-keyword"]), (0, None));
    assert_eq!(severity(&folder, &["-W", "idle-keyword"]), (0, some("warning")));
    assert_eq!(severity(&folder, &["-D", "idle-keyword"]), (1, some("error")));
    assert_eq!(severity(&folder, &["-D", "idle-keyword", "-A", "idle-keyword"]), (0, None));
    assert_eq!(severity(&folder, &["-A", "idle-keyword", "-D", "idle-keyword"]), (1, some("error")));
    assert_eq!(severity(&folder, &["-D", "no-such-code"]).0, 2);
    let ran = folder.run(&["build", "f", "-D", "idle-keyword", "--no-masks"]);
    assert!(ran.code == 1 && !folder.path("f/a.schema.json.ogca").exists(), "{ran:?}");
}

#[test]
fn the_nearest_settings_apply_and_flags_override_them() {
    let folder = Folder::with(&[("f/a.schema.json", IDLE), ("ogc.toml", "[lints]\nidle-keyword = \"deny\"\n")]);
    assert_eq!(severity(&folder, &[]), (1, some("error")));
    assert_eq!(severity(&folder, &["-A", "idle-keyword"]), (0, None));
    folder.write("f/ogc.toml", "[lints]\nidle-keyword = \"allow\"\n");
    assert_eq!(severity(&folder, &[]), (0, None), "the nearest counts");
}

#[test]
fn errors_cannot_be_allowed() {
    let empty = r#"{"type": "integer", "minimum": 3, "maximum": 1}"#;
    let folder = Folder::with(&[("a.schema.json", empty)]);
    let ran = folder.run(&["check", "a.schema.json", "-A", "empty-format"]);
    assert!(ran.code == 1 && ran.err.contains("empty-format"), "{ran:?}");
}

#[test]
fn settings_choose_the_artifact_folder_and_the_json_policy() {
    let settings = "[build]\nout = \"built\"\nvocab = \"o200k\"\n[policy]\nspace = \"compact\"\n";
    let folder = Folder::with(&[("f/a.schema.json", r#"{"type": "array"}"#), ("ogc.toml", settings)]);
    assert_eq!(folder.run(&["build", "f", "--no-masks"]).code, 0);
    assert!(folder.path("built/a.schema.json.ogca").exists());
    assert_eq!(folder.run(&["run", "f/a.schema.json", "[1, 2]"]).code, 1, "compact");
    assert_eq!(folder.run(&["run", "f/a.schema.json", "[1, 2]", "--space", "any"]).code, 0, "a flag counts more");
}

#[test]
fn mistakes_in_settings_are_errors_with_a_position() {
    let folder = Folder::with(&[("a.schema.json", "{}"), ("ogc.toml", "[build]\nvocabulary = \"v\"\n[lint]\n")]);
    let ran = folder.run(&["check", "a.schema.json", "--message-format", "json"]);
    let found = ran.objects("diagnostic");
    assert_eq!((ran.code, found.len()), (3, 2), "{ran:?}");
    assert_eq!((&found[0]["code"], &found[0]["span"]["line"]), (&"unknown-setting".into(), &2.into()));
    let ran = folder.run(&["check", "a.schema.json"]);
    assert!(ran.err.contains("ogc.toml:2:1") && ran.err.contains("`vocab`, `end` and `out`"), "{ran:?}");
}

#[test]
fn settings_that_cannot_be_read_are_an_error() {
    let folder = Folder::with(&[("a.schema.json", IDLE), ("ogc.toml/inner", "")]);
    let ran = folder.run(&["check", "a.schema.json"]);
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(ran.err.contains("ogc.toml") && ran.err.contains("no file"), "{ran:?}");
}
