//! Schemas that refer to other files: neighbouring files, `--resource`, `ogc.toml` and indexes.

use super::Folder;

const MAIN: &str = r#"{"$id": "https://x.org/s/main.json", "type": "object", "additionalProperties": false, "required": ["a", "b"],
    "properties": {"a": {"$ref": "part.json#/$defs/a"}, "b": {"$ref": "https://y.org/other.json"}}}"#;
const PART: &str = r##"{"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "deep/more.json"}}}"##;
const MORE: &str = r#"{"enum": ["x"]}"#;
const OTHER: &str = r#"{"enum": [1]}"#;

fn files() -> Folder {
    Folder::with(&[
        ("s/main.json", MAIN),
        ("s/part.json", PART),
        ("s/deep/more.json", MORE),
        ("lib/other.json", OTHER),
        ("lib/index.json", r#"{"https://y.org/other.json": "other.json"}"#),
    ])
}

#[test]
fn a_missing_schema_is_reported_with_the_option_that_provides_it() {
    let ran = files().run(&["check", "s/main.json"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.err.contains("no schema is known as \"https://y.org/other.json\""), "{ran:?}");
    assert!(ran.err.contains("--resource https://y.org/other.json=FILE"), "{ran:?}");
    assert!(!ran.err.contains("there is no schema"), "{ran:?}");
}

#[test]
fn schemas_are_found_through_the_resource_option() {
    let folder = files();
    for place in ["https://y.org/other.json=lib/other.json", "http://y.org/=lib", "lib", "lib/index.json"] {
        let text = r#"{"a": "x", "b": 1}"#;
        let ran = folder.run(&["run", "s/main.json", text, "--resource", place]);
        assert_eq!(ran.code, 0, "{place}: {ran:?}");
        let ran = folder.run(&["run", "s/main.json", r#"{"a": "y", "b": 1}"#, "--resource", place]);
        assert_eq!(ran.code, 1, "{place}: {ran:?}");
    }
    let ran = folder.run(&["check", "s/main.json", "--resource", "other.json=lib/other.json"]);
    assert!(ran.code == 2 && ran.err.contains("no absolute URI"), "{ran:?}");
}

#[test]
fn schemas_are_found_through_settings() {
    for line in [
        "\"https://y.org/other.json\" = \"lib/other.json\"",
        "\"https://y.org/\" = \"lib\"",
        "index = \"lib/index.json\"",
    ] {
        let folder = files();
        folder.write("ogc.toml", &format!("[resources]\n{line}\n"));
        let ran = folder.run(&["check", "s/main.json"]);
        assert_eq!(ran.code, 0, "{line}: {ran:?}");
        folder.write("all.ogc", "import root as Main from \"s/main.json\"\noutput O = Main\n");
        let ran = folder.run(&["check", "all.ogc"]);
        assert_eq!(ran.code, 0, "{line}: {ran:?}");
    }
}

#[test]
fn a_change_of_a_referenced_schema_causes_a_rebuild() {
    let folder = files();
    let build = ["build", "s/main.json", "--resource", "lib", "-o", "out", "--no-masks"];
    assert_eq!(folder.run(&build).code, 0);
    let unchanged = folder.run(&build);
    assert!(unchanged.out.contains("up to date"), "{unchanged:?}");
    folder.write("s/deep/more.json", r#"{"enum": ["changed"]}"#);
    let changed = folder.run(&build);
    assert!(!changed.out.contains("up to date"), "{changed:?}");
}
