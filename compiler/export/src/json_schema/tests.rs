//! Tests that the written text reads back as an equal or equivalent graph.

use ogc_compiler::frontend::json_schema::{Imported, ReadOptions, read};

use super::print;
use crate::ExportGraph;

fn import(text: &str) -> Imported {
    let imported = read(text, &ReadOptions { definitions: true, ..ReadOptions::default() });
    assert!(!imported.has_errors(), "{text}: {:?}", imported.diagnostics);
    imported
}

/// Returns the export of `text`, without `$schema`, on one line.
fn export(text: &str) -> String {
    let text = print(&ExportGraph::of(&import(text)));
    assert_eq!(print(&ExportGraph::of(&import(&text))), text, "an export is its own export");
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.starts_with("\"$schema\"")).collect();
    lines.join(" ")
}

#[test]
fn keywords_survive_import_and_export() {
    for text in [
        r#"{ "type": ["string", "null"], "minLength": 1, "maxLength": 9, "pattern": "^a\"\\\\/", "format": "date" }"#,
        r#"{ "enum": [1, -2.5, "x", null, true, [], {}, {"b": [1], "a": 2}] }"#,
        r#"{ "type": "integer", "minimum": 0, "exclusiveMaximum": 12345678901234567890123, "multipleOf": 0.25 }"#,
        r#"{ "prefixItems": [true, {"type": "null"}], "items": false, "minItems": 2, "uniqueItems": true }"#,
        r#"{ "contains": {"const": 1}, "minContains": 0, "maxContains": 3 }"#,
        r#"{ "properties": {"b": true, "a": {}}, "patternProperties": {"^x": false}, "additionalProperties": {"type": "number"} }"#,
        r#"{ "required": ["a"], "propertyNames": {"maxLength": 3}, "minProperties": 1, "maxProperties": 2 }"#,
        r#"{ "dependentRequired": {"a": ["b"]}, "dependentSchemas": {"c": {"required": ["d"]}} }"#,
        r#"{ "if": {"type": "null"}, "then": false, "else": {"minimum": 1}, "not": {"const": 3} }"#,
        r#"{ "anyOf": [{"type": "null"}, true], "oneOf": [{"type": "null"}, {"minimum": 1}], "allOf": [{"maximum": 3}] }"#,
    ] {
        assert_eq!(export(text), text);
    }
}

#[test]
fn shared_and_recursive_nodes_become_definitions() {
    let text = r##"{"properties": {"list": {"$ref": "#/properties/node"}, "node": {"items": {"$ref": "#/properties/node"}}, "up": {"$ref": "#"}}}"##;
    let expected = r##"{ "properties": { "list": {"$ref": "#/$defs/node"}, "node": {"$ref": "#/$defs/node"}, "up": {"$ref": "#"} }, "$defs": {"node": {"items": {"$ref": "#/$defs/node"}}} }"##;
    assert_eq!(export(text), expected);
}

#[test]
fn definitions_keep_their_names() {
    let text = r##"{"$ref": "#/definitions/a~1b%20c", "definitions": {"a/b c": {"title": "T"}, "unused": {"examples": [1.50], "deprecated": true}}}"##;
    let expected = r##"{ "$ref": "#/$defs/a~1b%20c", "$defs": { "a/b c": {"title": "T"}, "unused": {"examples": [1.5], "deprecated": true} } }"##;
    assert_eq!(export(text), expected);
}

#[test]
fn deep_schemas_are_split_into_definitions() {
    let text = format!("{}true{}", r#"{"items":"#.repeat(100), "}".repeat(100));
    let export = print(&ExportGraph::of(&import(&text)));
    assert!(export.contains("$defs"), "{export}");
    import(&export);
}

#[test]
fn boolean_schemas_become_objects() {
    assert_eq!(export("true"), "{ }");
    assert_eq!(export("false"), r#"{ "not": {} }"#);
}

#[test]
fn annotations_for_other_tools_survive_import_and_export() {
    let text = r#"{ "title": "T", "type": "string", "default": "a", "$comment": "c", "x-order": {"b": 1}, "format": "int-64" }"#;
    assert_eq!(export(text), text);
}

#[test]
fn references_keep_their_names_and_are_not_wrapped_in_all_of() {
    let text = r##"{"properties": {"a": {"allOf": [{"$ref": "#/definitions/group/inner"}], "description": "d"}, "b": {"$ref": "#/x/y"}},
        "definitions": {"group": {"inner": {"type": "null"}}}, "x": {"y": {"const": 1}}}"##;
    let exported: serde_json::Value = serde_json::from_str(&print(&ExportGraph::of(&import(text)))).unwrap();
    assert_eq!(exported["properties"]["a"], serde_json::json!({"description": "d", "$ref": "#/$defs/inner"}));
    assert_eq!(exported["properties"]["b"], serde_json::json!({"$ref": "#/$defs/y"}));
    assert_eq!(exported["$defs"]["inner"], serde_json::json!({"type": "null"}));
}
