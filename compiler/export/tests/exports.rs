//! Exports types of `.ogc` files as JSON Schema: with few and usual keywords, and all annotations.

#![allow(clippy::unwrap_used, reason = "a test fails where nothing can be unwrapped")]

use ogc_compiler::db::{Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile};
use ogc_compiler::hir::Root;
use ogc_compiler::hir::elaborate::module;
use ogc_compiler::pipeline::{diagnostics, formats};
use ogc_export::json_schema::print_module;
use ogc_grammar::Diagnostic;

/// The schema of the first output of a file, on one line, without `$schema`.
fn exported(text: &str) -> String {
    let db = Compiler::default();
    let options = Options::new(&db, JsonPolicy::default(), Formats::default(), Limits::default());
    let file = SourceFile::new(&db, "main.ogc".into(), text.into(), Language::Ogc, options);
    let found = diagnostics(&db, file);
    assert!(!found.iter().any(Diagnostic::is_error), "{text}: {found:?}");
    let output = formats(&db, file).into_iter().next().unwrap();
    let module = module(&db, file, output.name.clone().unwrap()).unwrap();
    let Root::Value(value) = module.root else { panic!("no value: {text}") };
    let schema = print_module(&module, value.node);
    let lines = schema.lines().map(str::trim).filter(|line| !line.starts_with("\"$schema\""));
    lines.collect::<Vec<_>>().join(" ").replace("{ ", "{").replace(" }", "}")
}

/// Checks the schema of a field with these values.
fn check(values: &str, expected: &str) {
    let exported: serde_json::Value =
        serde_json::from_str(&exported(&format!("output O = {{ field: {values} }}\n"))).unwrap();
    assert_eq!(exported.pointer("/properties/field").unwrap().to_string(), json(expected), "{values}");
}

/// Normalises the spacing of JSON text.
fn json(text: &str) -> String {
    serde_json::from_str::<serde_json::Value>(text).unwrap().to_string()
}

#[test]
fn unions_of_types_become_type_lists() {
    check("string | null", r#"{"type": ["string", "null"]}"#);
    check("null | string", r#"{"type": ["null", "string"]}"#);
    check("int | string", r#"{"type": ["integer", "string"]}"#);
    check("int<0..9> | null", r#"{"type": ["integer", "null"], "minimum": 0, "maximum": 9}"#);
    check("string[1..] | null", r#"{"type": ["array", "null"], "items": {"type": "string"}, "minItems": 1}"#);
    // Merged, conditions of one type would apply to both types; so would those of numbers to whole numbers.
    check(
        "int<0..> | string<1..>",
        r#"{"anyOf": [{"type": "integer", "minimum": 0}, {"type": "string", "minLength": 1}]}"#,
    );
    check(
        "int<0..> | number<9..>",
        r#"{"anyOf": [{"type": "integer", "minimum": 0}, {"type": "number", "minimum": 9}]}"#,
    );
    check("string | true", r#"{"anyOf": [{"type": "string"}, {"const": true}]}"#);
    check("null", r#"{"type": "null"}"#);
}

#[test]
fn literals_become_enums_in_their_order_with_the_type_they_share() {
    check(r#""a" | "b""#, r#"{"type": "string", "enum": ["a", "b"]}"#);
    check(r#""a" | "b" | null"#, r#"{"type": ["string", "null"], "enum": ["a", "b", null]}"#);
    check("1 | 2", r#"{"type": "integer", "enum": [1, 2]}"#);
    check(r#"1 | "a""#, r#"{"enum": [1, "a"]}"#);
    check("int<9..> | 1 | 2", r#"{"anyOf": [{"type": "integer", "minimum": 9}, {"type": "integer", "enum": [1, 2]}]}"#);
}

#[test]
fn intersections_become_one_schema_if_possible() {
    check("any - string", r#"{"not": {"type": "string"}}"#);
    check(
        "object - { a: any, ... }",
        r#"{"type": "object", "not": {"type": "object", "properties": {"a": true}, "required": ["a"]}}"#,
    );
    check(
        r#"("a" | "b")[..2] & array<unique = true>"#,
        r#"{"type": "array", "items": {"type": "string", "enum": ["a", "b"]}, "maxItems": 2, "uniqueItems": true}"#,
    );
    check("string<..9> & rfc_email", r#"{"type": "string", "maxLength": 9, "format": "email"}"#);
    check("int & number<0.5..>", r#"{"type": "integer", "minimum": 0.5}"#);
    // Two records are not merged: each constrains the other keys differently.
    check(
        "{ a: null, ... } & { b: null, ... }",
        r#"{"allOf": [{"type": "object", "properties": {"a": {"type": "null"}}, "required": ["a"]},
            {"type": "object", "properties": {"b": {"type": "null"}}, "required": ["b"]}]}"#,
    );
}

#[test]
fn practical_formats_are_exported_with_a_pattern() {
    for (name, format) in [("date", "date"), ("datetime", "date-time"), ("email", "email"), ("hostname", "hostname")] {
        let exported = exported(&format!("output O = {name}\n"));
        let schema: serde_json::Value = serde_json::from_str(&exported).unwrap();
        let pattern = &ogc_regular::format::practical(format).unwrap().pattern;
        assert_eq!((&schema["format"], &schema["pattern"]), (&format.into(), &pattern.as_str().into()), "{exported}");
    }
}

#[test]
fn maps_and_key_types_become_object_keywords() {
    check("map<string, int>", r#"{"type": "object", "additionalProperties": {"type": "integer"}}"#);
    check(
        "{ [string<search = /^x-/>]: int }",
        r#"{"type": "object", "patternProperties": {"^x-": {"type": "integer"}}, "additionalProperties": false}"#,
    );
    check(
        "{ [string<search = /^x-/>]: int, [string - string<search = /^x-/>]: null }",
        r#"{"type": "object", "patternProperties": {"^x-": {"type": "integer"}}, "additionalProperties": {"type": "null"}}"#,
    );
}

#[test]
fn discriminated_unions_become_one_of() {
    let text = "@discriminator(\"k\")\ntype T = { k: \"a\", ... } | { k: \"b\", ... }\noutput O = T\n";
    let text = exported(text);
    assert!(text.contains("\"oneOf\": [") && !text.contains("anyOf"), "{text}");
    let text = exported("output O = { k: \"a\", ... } | { k: \"b\", ... }\n");
    assert!(text.contains("\"anyOf\": ["), "{text}");
}

#[test]
fn all_annotations_of_types_are_exported() {
    let text = r#"
type T = {
  /// Any value.
  @annotation("readOnly", true) e: any,
  @title("Port") @default(8080) @examples({ a: tuple<1, 2> }, array<0..0>) port?: int,
  @deprecated("use port") old?: any,
  shape:
    /// Round.
    | @title("Circle") "circle"
    /// Not round.
    | "square"
    | null,
}
output O = T
"#;
    let expected: serde_json::Value = serde_json::json!({
        "e": {"description": "Any value.", "readOnly": true},
        "port": {"title": "Port", "type": "integer", "default": 8080, "examples": [{"a": [1, 2]}, []]},
        "old": {"deprecated": true, "deprecationMessage": "use port"},
        "shape": {"anyOf": [{"title": "Circle", "description": "Round.", "const": "circle"},
            {"description": "Not round.", "const": "square"}, {"type": "null"}]},
    });
    let exported: serde_json::Value = serde_json::from_str(&exported(text)).unwrap();
    let properties = exported.pointer("/properties").or_else(|| exported.pointer("/$defs/T/properties"));
    assert_eq!(properties, Some(&expected), "{exported}");
}
