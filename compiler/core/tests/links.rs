//! Schemas that refer to other files: neighbouring files, places of URIs, indexes, and the meta-schemas.

#![allow(clippy::unwrap_used, reason = "a test fails where nothing can be unwrapped")]

use std::collections::BTreeMap;

use ogc_compiler::db::{Compiler, Formats, JsonPolicy, Language, Limits, Options, Resources, SourceFile, Workspace};
use ogc_compiler::foreign::links;
use ogc_compiler::pipeline::{automaton, diagnostics, formats};
use ogc_grammar::{Code, Diagnostic};
use ogc_runtime::automaton::RuleId;

/// A workspace whose first file is compiled.
struct Files {
    db: Compiler,
    files: BTreeMap<String, SourceFile>,
    main: SourceFile,
}

impl Files {
    fn new(files: &[(&str, &str)], resources: Resources) -> Files {
        let db = Compiler::default();
        let options = Options::builder(JsonPolicy::default(), Formats::default(), Limits::default());
        let options = options.resources(resources).new(&db);
        let file = |name: &str, text: &str| {
            let language = Language::of_name(name).unwrap_or(Language::JsonSchema);
            SourceFile::new(&db, name.to_owned(), text.to_owned(), language, options)
        };
        let opened: Vec<(String, SourceFile)> =
            files.iter().map(|(name, text)| ((*name).to_owned(), file(name, text))).collect();
        let main = opened[0].1;
        let files: BTreeMap<String, SourceFile> = opened.into_iter().collect();
        Workspace::new(&db, files.clone());
        Files { db, files, main }
    }

    fn errors(&self) -> Vec<&Diagnostic> {
        diagnostics(&self.db, self.main).iter().filter(|found| found.is_error()).collect()
    }

    /// Returns the names of the files that the first file refers to.
    fn links(&self) -> Vec<&str> {
        let found = &links(&self.db, self.main).files;
        found.iter().map(|file| file.name(&self.db)).collect()
    }

    /// Asserts that the first file is equivalent to the schema `written`, which stands alone.
    #[track_caller]
    fn means(&self, written: &str) {
        assert_eq!(self.errors(), Vec::<&Diagnostic>::new());
        let alone = Files::new(&[("alone.json", written)], Resources::default());
        let fingerprint = |files: &Files| {
            let format = formats(&files.db, files.main).into_iter().next().unwrap();
            automaton(&files.db, format).unwrap().fingerprint(RuleId(0))
        };
        assert_eq!(fingerprint(self), fingerprint(&alone));
    }
}

const NONE: fn() -> Resources = Resources::default;

#[test]
fn referenced_schemas_are_found_by_relative_path() {
    let integer = r#"{"$defs": {"n": {"type": "integer"}}, "type": "string"}"#;
    let expected = r#"{"type": "integer"}"#;
    for (main, reference, other) in [
        ("a.json", "b.json#/$defs/n", "b.json"),
        ("a.json", "./b.json#/$defs/n", "b.json"),
        ("s/a.json", "../t/b.json#/$defs/n", "t/b.json"),
        ("../s/a.json", "../t/b.json#/$defs/n", "../t/b.json"),
        ("/r/s/a.json", "b%20c.json#/$defs/n", "/r/s/b c.json"),
        ("a.json", "b#/$defs/n", "b.json"),
        ("a.json", "b#/$defs/n", "b.schema.json"),
    ] {
        let schema = format!(r#"{{"$ref": "{reference}"}}"#);
        let files = Files::new(&[(main, &schema), (other, integer)], NONE());
        files.means(expected);
        assert_eq!(files.links(), [other]);
    }
}

#[test]
fn referenced_schemas_are_found_by_the_id_of_the_schema() {
    let schema = r#"{"$id": "https://x.org/v1/a.json", "$ref": "https://x.org/common/b"}"#;
    let other = r#"{"$id": "https://x.org/common/b", "$ref": "deep/c.json"}"#;
    let files = [("s/v1/a.json", schema), ("s/common/b.json", other), ("s/common/deep/c.json", r#"{"enum": [1]}"#)];
    Files::new(&files, NONE()).means(r#"{"enum": [1]}"#);
}

#[test]
fn resource_folders_and_indexes_map_uris_to_files() {
    let schema = r#"{"prefixItems": [{"$ref": "https://x.org/a/b.json"}, {"$ref": "http://y.org/c#"}, {"$ref": "urn:d"}],
        "items": false, "minItems": 3, "type": "array"}"#;
    let mut resources = Resources::default();
    resources.add("https://x.org/", "vendor");
    resources.add_index("lists/index.json");
    let files = [
        ("main.json", schema),
        ("vendor/a/b.json", r#"{"$ref": "../e.json"}"#),
        ("vendor/e.json", r#"{"enum": [1]}"#),
        ("lists/index.json", r#"{"https://y.org/c": "c.json", "urn:d": "../d.json", "about": 3}"#),
        ("lists/c.json", r#"{"enum": [2]}"#),
        ("d.json", r#"{"enum": [3]}"#),
    ];
    Files::new(&files, resources).means(r#"{"const": [1, 2, 3]}"#);
}

#[test]
fn uris_cannot_escape_their_resource_folder() {
    let mut resources = Resources::default();
    resources.add("https://x.org/", "vendor");
    for rest in ["%2e%2e/secret.json", "a/%2e%2e/%2e%2e/secret.json", "..%2fsecret.json", "/secret.json", "a%00.json"] {
        assert!(resources.names(&format!("https://x.org/{rest}")).is_empty(), "{rest}");
    }
    assert_eq!(resources.names("https://x.org/a.json"), ["vendor/a.json"]);
}

#[test]
fn a_missing_schema_is_reported_with_advice() {
    let files = Files::new(&[("s/a.json", r#"{"$ref": "b.json"}"#)], NONE());
    let [error] = files.errors()[..] else { panic!("{:?}", files.errors()) };
    assert_eq!((error.code, error.message.as_str()), (Code::RemoteReference, "there is no schema \"s/b.json\""));
    assert_eq!(links(&files.db, files.main).wanted, ["s/b.json"]);
    let files = Files::new(&[("a.json", r#"{"$ref": "https://x.org/b.json"}"#)], NONE());
    let [error] = files.errors()[..] else { panic!("{:?}", files.errors()) };
    assert_eq!(error.message, "no schema is known as \"https://x.org/b.json\"");
    assert!(error.help.as_ref().unwrap().contains("--resource https://x.org/b.json=FILE"));
    let broken = Files::new(&[("a.json", r#"{"$ref": "b.json"}"#), ("b.json", "{")], NONE());
    let [error] = broken.errors()[..] else { panic!("{:?}", broken.errors()) };
    assert!(error.code == Code::RemoteSyntax && error.message.contains("\"b.json\""), "{error:?}");
}

#[test]
fn schemas_of_several_files_can_be_mutually_recursive() {
    let one = r#"{"type": "object", "properties": {"next": {"$ref": "b.json"}}, "additionalProperties": false}"#;
    let two = r#"{"type": "object", "properties": {"next": {"$ref": "a.json"}}, "additionalProperties": false}"#;
    let alone = r##"{"type": "object", "properties": {"next": {"$ref": "#/$defs/b"}}, "additionalProperties": false,
        "$defs": {"b": {"type": "object", "properties": {"next": {"$ref": "#"}}, "additionalProperties": false}}}"##;
    let files = Files::new(&[("a.json", one), ("b.json", two)], NONE());
    files.means(alone);
    assert_eq!(files.links(), ["b.json", "a.json"][..1]);
}

#[test]
fn references_to_metaschemas_resolve() {
    for uri in [
        "http://json-schema.org/draft-04/schema#",
        "http://json-schema.org/draft-06/schema",
        "https://json-schema.org/draft-07/schema#",
        "https://json-schema.org/draft/2019-09/schema",
        "https://json-schema.org/draft/2020-12/schema",
        "https://json-schema.org/draft/2020-12/meta/core",
        "https://json-schema.org/schema",
    ] {
        let files = Files::new(&[("a.json", &format!(r#"{{"$ref": "{uri}"}}"#))], NONE());
        let remote = |found: &&&Diagnostic| matches!(found.code, Code::RemoteReference | Code::RemoteSyntax);
        assert_eq!(files.errors().iter().find(remote), None, "{uri}");
    }
}

#[test]
fn imported_schemas_bring_the_schemas_that_they_reference() {
    let main = "import root as A from \"s/a.json\"\noutput O = A\n";
    let files = [("main.ogc", main), ("s/a.json", r#"{"$ref": "b.json"}"#), ("s/b.json", r#"{"enum": ["x"]}"#)];
    let files = Files::new(&files, NONE());
    assert_eq!(files.errors(), Vec::<&Diagnostic>::new());
    let format = formats(&files.db, files.main).into_iter().next().unwrap();
    assert!(automaton(&files.db, format).is_some());
    let tools = r#"[{"name": "f", "parameters": {"type": "object", "properties": {"x": {"$ref": "b.json"}}}}]"#;
    let main = "import tools from \"s/tools.json\"\noutput O = json<tools.f>\n";
    let files = Files::new(&[("main.ogc", main), ("s/tools.json", tools), ("s/b.json", r#"{"enum": ["x"]}"#)], NONE());
    assert_eq!(files.errors(), Vec::<&Diagnostic>::new());
    assert_eq!(links(&files.db, files.files["s/tools.json"]).files.len(), 1);
}

#[test]
fn the_total_size_of_referenced_files_is_bounded() {
    let db = Compiler::default();
    let mut limits = Limits::default();
    limits.read.bytes = 1000;
    let options = Options::new(&db, JsonPolicy::default(), Formats::default(), limits);
    let file = |name: &str, text: &str| SourceFile::new(&db, name.into(), text.into(), Language::JsonSchema, options);
    let main = file("a.json", r#"{"allOf": [{"$ref": "b.json"}, {"$ref": "c.json"}]}"#);
    let long = format!(r#"{{"description": "{}"}}"#, "x".repeat(600));
    let files = [("b.json", file("b.json", &long)), ("c.json", file("c.json", &long))];
    Workspace::new(&db, files.into_iter().map(|(name, file)| (name.to_owned(), file)).collect());
    let found: Vec<&Diagnostic> = diagnostics(&db, main).iter().filter(|found| found.is_error()).collect();
    let [error] = found[..] else { panic!("{found:?}") };
    assert!(error.message.contains("have 1238 bytes up to here, and the limit is 1000"), "{error:?}");
}
