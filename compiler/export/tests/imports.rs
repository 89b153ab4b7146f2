//! Exports types of `.ogc` files that import a schema as JSON Schema: names and annotations are those of the schema.

#![allow(clippy::unwrap_used, reason = "a test fails where nothing can be unwrapped")]

use std::collections::BTreeMap;

use ogc_compiler::db::{Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile, Workspace};
use ogc_compiler::hir::Root;
use ogc_compiler::hir::elaborate::module;
use ogc_compiler::pipeline::formats;
use ogc_export::json_schema::print_module;

/// The schema of the first output of `main.ogc`, beside a schema `s.json`.
fn exported(schema: &str, text: &str) -> String {
    let db = Compiler::default();
    let options = Options::new(&db, JsonPolicy::default(), Formats::default(), Limits::default());
    let file = |name: &str, text: &str, language| SourceFile::new(&db, name.into(), text.into(), language, options);
    let main = file("main.ogc", text, Language::Ogc);
    let schema = file("s.json", schema, Language::JsonSchema);
    Workspace::new(&db, BTreeMap::from([("main.ogc".to_owned(), main), ("s.json".to_owned(), schema)]));
    let output = formats(&db, main).into_iter().next().unwrap();
    let module = module(&db, main, output.name.unwrap()).unwrap();
    let Root::Value(value) = module.root else { panic!("no value: {text}") };
    print_module(&module, value.node)
}

#[test]
fn an_exported_import_keeps_names_and_descriptions() {
    let schema = r##"{"title": "Order", "description": "An order.", "type": "object",
        "properties": {"line": {"$ref": "#/$defs/Line", "description": "The line."}, "id": {"type": "string", "default": "x"}},
        "required": ["id"], "additionalProperties": false,
        "$defs": {"Line": {"type": "object", "properties": {"sku": {"type": "string", "title": "SKU"}}}, "Unused": {}}}"##;
    let export = exported(schema, "import root as S from \"s.json\"\noutput O = S\n");
    let export: serde_json::Value = serde_json::from_str(&export).unwrap();
    let mut expected: serde_json::Value = serde_json::from_str(schema).unwrap();
    expected["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    expected["$defs"].as_object_mut().unwrap().remove("Unused");
    assert_eq!(export, expected);
}

#[test]
fn a_generic_type_becomes_one_definition_per_argument_list() {
    let export = exported("{}", "type P<T> = { items: T[..3] }\noutput R = { a: P<int>, b: P<string> }\n");
    let export: serde_json::Value = serde_json::from_str(&export).unwrap();
    assert_eq!(export["$defs"]["P"]["properties"]["items"]["items"]["type"], "integer");
    assert_eq!(export["properties"]["b"]["$ref"], "#/$defs/P2");
    assert_eq!(export["$defs"]["P2"]["properties"]["items"]["items"]["type"], "string");
}
