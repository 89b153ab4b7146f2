//! Tests of the printed text, which must also read without findings.

use ogc_compiler::frontend::json_schema::{ReadOptions, read};
use ogc_compiler::lower::json::{JsonPolicy, Space};
use ogc_grammar::Code;
use ogc_grammar::ogc;
use ogc_regular::number::Spelling;
use ogc_runtime::automaton::{Escapes, KeyOrder};

use super::types;
use crate::ExportGraph;

/// Returns the types of a schema as text, without the output, and the codes of the findings.
fn print(schema: &str) -> (String, Vec<Code>) {
    let imported = read(schema, &ReadOptions { definitions: true, ..ReadOptions::default() });
    assert!(!imported.has_errors(), "{schema}: {:?}", imported.diagnostics);
    let (file, findings) = types(&ExportGraph::of(&imported));
    let text = ogc::print(&file);
    let parse = ogc::parse(&text);
    assert_eq!(parse.diagnostics, [], "{text}");
    assert_eq!(ogc::format(&text), text, "the layout is stable");
    let types = text.lines().filter(|line| !line.starts_with("output ")).collect::<Vec<_>>().join("\n");
    (types, findings.iter().map(|finding| finding.code).collect())
}

/// Returns the single type of a schema.
fn body(schema: &str) -> String {
    let (text, findings) = print(schema);
    assert_eq!(findings, [], "{schema}");
    text.strip_prefix("type Root = ").unwrap_or(&text).to_owned()
}

#[test]
fn types_and_scalars_become_ogc_types() {
    for (schema, expected) in [
        ("true", "any"),
        ("{}", "any"),
        ("false", "any - any"),
        (r#"{"type": ["string", "null"]}"#, "string | null"),
        (r#"{"type": "integer", "minimum": 0, "maximum": 1e2}"#, "int<0..100>"),
        (r#"{"type": "integer", "minimum": 0.5}"#, "int & number<0.5..>"),
        (r#"{"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.25}"#, "number<above = 0, multiple_of = 0.25>"),
        (r#"{"type": "string", "maxLength": 3}"#, "string<..3>"),
        (r#"{"maxLength": 3}"#, "number | bool | array | object | string<..3> | null"),
        (r#"{"type": "string", "pattern": "a/b"}"#, r"string<search = /a\/b/>"),
        (r#"{"type": "string", "pattern": "^a+$"}"#, "/a+/"),
        (r#"{"type": "string", "pattern": "^a+$", "minLength": 2}"#, "string<2.., /a+/>"),
        (r#"{"type": "string", "format": "date-time"}"#, "rfc_datetime"),
        (r#"{"enum": [1, "a", null, [1, []], {"b": {}}]}"#, r#"1 | "a" | null | tuple<1, array<0..0>> | { b: {} }"#),
        (r#"{"enum": [1, "a", null], "type": "string"}"#, r#""a""#),
        (r#"{"type": "boolean", "enum": [true]}"#, "true"),
    ] {
        assert_eq!(body(schema), expected, "{schema}");
    }
}

#[test]
fn patterns_of_practical_formats_become_built_in_names() {
    for name in ["date", "datetime", "time", "duration", "email", "hostname"] {
        let format = if name == "datetime" { "date-time" } else { name };
        let pattern = &ogc_regular::format::practical(format).unwrap().pattern;
        let schema = serde_json::json!({ "type": "string", "format": format, "pattern": pattern });
        assert_eq!(body(&schema.to_string()), name);
        let longer = serde_json::json!({ "type": "string", "format": format, "pattern": pattern, "maxLength": 3 });
        assert_eq!(body(&longer.to_string()), format!("{name} & string<..3>"));
    }
}

#[test]
fn array_keywords_become_ogc_arrays() {
    for (schema, expected) in [
        (r#"{"type": "array"}"#, "array"),
        (r#"{"type": "array", "minItems": 1, "maxItems": 3}"#, "array<1..3>"),
        (r#"{"type": "array", "items": {"type": "null"}, "maxItems": 3}"#, "null[..3]"),
        (r#"{"type": "array", "items": {"type": ["null", "string"]}}"#, "(string | null)[0..]"),
        (r#"{"type": "array", "items": {"type": "null"}, "uniqueItems": true}"#, "null[0..] & array<unique = true>"),
        (r#"{"type": "array", "contains": {"const": 1}}"#, "array<contains = 1>"),
        (
            r#"{"type": "array", "contains": {"const": 1}, "minContains": 0, "maxContains": 2}"#,
            "array<contains = 1, times = ..2>",
        ),
        (
            r#"{"type": "array", "prefixItems": [{"const": 1}, {"const": 2}], "items": false, "minItems": 2}"#,
            "tuple<1, 2>",
        ),
        (r#"{"type": "array", "prefixItems": [{"const": 1}], "items": false}"#, "tuple<1, items = 0..>"),
        (r#"{"type": "array", "prefixItems": [{"const": 1}]}"#, "tuple<1, rest = any, items = 0..>"),
        (
            r#"{"type": "array", "prefixItems": [{"const": 1}], "items": {"type": "null"}, "minItems": 1, "maxItems": 4}"#,
            "tuple<1, rest = null, items = 1..4>",
        ),
        (r#"{"type": "array", "prefixItems": [{"const": 1}], "minItems": 1}"#, "tuple<1, rest = any>"),
        (r#"{"type": "array", "prefixItems": [{"const": 1}, {"const": 2}], "maxItems": 1}"#, "tuple<1, items = 0..>"),
    ] {
        assert_eq!(body(schema), expected, "{schema}");
    }
}

#[test]
fn object_keywords_become_ogc_records() {
    for (schema, expected) in [
        (r#"{"type": "object"}"#, "object"),
        (r#"{"type": "object", "minProperties": 1}"#, "object<1..>"),
        (r#"{"type": "object", "additionalProperties": {"type": "null"}}"#, "map<string, null>"),
        (r#"{"type": "object", "additionalProperties": false}"#, "{}"),
        (r#"{"type": "object", "propertyNames": {"maxLength": 3}}"#, "object<keys = string<..3>>"),
        (
            r#"{"type": "object", "additionalProperties": {"type": "null"}, "propertyNames": {"maxLength": 3}, "maxProperties": 4}"#,
            "map<string<..3>, null> & object<..4>",
        ),
        (
            r#"{"type": "object", "properties": {"a": {}, "b c": {"type": "null"}}, "required": ["b c", "d"]}"#,
            r#"{ a?: any, "b c": null, d: any, ... }"#,
        ),
        (
            r#"{"type": "object", "properties": {"ab": {"type": "string"}, "c": false}, "patternProperties": {"^a": {"maxLength": 3}}, "additionalProperties": false}"#,
            "{\n  ab?: string & (number | bool | array | object | string<..3> | null),\n  c?: any - any,\n  [string<search = /^a/>]: number | bool | array | object | string<..3> | null,\n}",
        ),
        (
            r#"{"type": "object", "patternProperties": {"^a$": {"type": "null"}, "b": true}, "additionalProperties": {"type": "string"}}"#,
            "{\n  [/a/]: null,\n  [string<search = /b/>]: any,\n  [string - /a/ - string<search = /b/>]: string,\n}",
        ),
        (
            r#"{"type": "object", "properties": {"a": {}, "b": {}}, "dependentRequired": {"a": ["b"]}}"#,
            "{ a?: any, b?: any, ... } & (object - { a: any, ... } | { a: any, b: any, ... })",
        ),
    ] {
        assert_eq!(body(schema), expected, "{schema}");
    }
}

#[test]
fn combining_keywords_become_ogc_operators() {
    for (schema, expected) in [
        (r#"{"anyOf": [{"type": "null"}, {"type": "string"}]}"#, "null | string"),
        (r#"{"type": "string", "anyOf": [{"maxLength": 3}, {"format": "date"}]}"#, "string<..3> | rfc_date"),
        (r#"{"oneOf": [{"type": "null"}, {"type": "string"}]}"#, "null | string"),
        (
            r#"{"oneOf": [{"type": "integer"}, {"type": "number", "minimum": 3}]}"#,
            "int - number<3..> | number<3..> - int",
        ),
        (r#"{"type": "string", "not": {"const": "a"}}"#, r#"string - "a""#),
        (r#"{"not": {"type": "null"}}"#, "any - null"),
        (r#"{"type": "object", "not": {"required": ["a"]}}"#, "object - { a: any, ... }"),
        (
            r#"{"type": "object", "properties": {"a": {}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}"#,
            "{ a?: any, ... } & ({ a: any, ... } | object - { b?: any - any, ... })",
        ),
        (
            r#"{"if": {"type": "string"}, "then": {"maxLength": 3}, "else": {"type": "null"}}"#,
            "string & (number | bool | array | object | string<..3> | null) | null - string",
        ),
    ] {
        assert_eq!(body(schema), expected, "{schema}");
    }
}

#[test]
fn titles_and_descriptions_become_names_and_docs() {
    let schema = r##"{"type": "object", "description": "Everything.", "properties": {
        "kind": {"description": "Which.\n\nOf two.", "title": "Kind", "enum": ["a"], "default": "a", "deprecated": true},
        "home": {"$ref": "#/$defs/postal address"}, "work": {"$ref": "#/$defs/postal address", "description": "Daytime."},
        "next": {"$ref": "#", "default": [1, {"a": null}]}, "date": {"$ref": "#/$defs/date"}},
        "$defs": {"date": {"type": "string", "examples": ["x", {"a": 1}]}, "postal address": {"type": "object"}}}"##;
    let expected = r#"/// Everything.
type Root = {
  /// Which.
  ///
  /// Of two.
  @title("Kind") @default("a") @deprecated kind?: "a",
  home?: PostalAddress,
  /// Daytime.
  work?: PostalAddress,
  @default(tuple<1, { a: null }>) next?: Root,
  date?: Date,
  ...,
}
type PostalAddress = object
@examples("x", { a: 1 })
type Date = string"#;
    assert_eq!(print(schema).0, expected);
}

#[test]
fn unions_of_records_have_a_discriminator() {
    let schema = r#"{"oneOf": [
        {"type": "object", "description": "Round.", "properties": {"kind": {"const": "circle"}, "r": {"type": "number"}}, "required": ["kind"], "additionalProperties": false},
        {"type": "object", "properties": {"kind": {"const": "square"}}, "required": ["kind"], "additionalProperties": false}]}"#;
    let expected = "@discriminator(\"kind\")\ntype Root =\n  /// Round.\n  | { kind: \"circle\", r?: number }\n  | { kind: \"square\" }";
    assert_eq!(print(schema).0, expected);
}

#[test]
fn annotations_of_branches_are_kept() {
    let schema = r#"{"anyOf": [
        {"type": "integer", "title": "Port", "description": "A number.", "default": 8080, "x-unit": {"a": []}},
        {"const": "auto", "description": "Any free one."},
        {"type": "null", "deprecated": true, "deprecationMessage": "write auto"}]}"#;
    let expected = r#"type Root =
  /// A number.
  | @title("Port") @default(8080) @annotation("x-unit", { a: array<0..0> }) int
  /// Any free one.
  | "auto"
  | @deprecated("write auto") null"#;
    assert_eq!(print(schema).0, expected);
}

#[test]
fn overlapping_alternatives_get_no_discriminator() {
    let arm = |kind: &str| {
        format!(
            r#"{{"type": "object", "properties": {{"kind": {{"const": "{kind}"}}}}, "required": ["kind"], "additionalProperties": false}}"#
        )
    };
    let schema = format!(r#"{{"anyOf": [{}, {}]}}"#, arm("a"), arm("b"));
    assert_eq!(print(&schema).0, "type Root = { kind: \"a\" } | { kind: \"b\" }");
}

#[test]
fn only_policies_that_differ_from_the_default_are_written() {
    let text = |policy: JsonPolicy| {
        let (item, findings) = super::policy(&policy, policy.spelling);
        assert!(findings.is_empty());
        ogc::print(&ogc::ast::File { items: item.into_iter().collect() })
    };
    let plain = JsonPolicy { space: Space::Compact, spelling: Spelling::Plain, ..JsonPolicy::default() };
    assert_eq!(text(plain), "");
    assert_eq!(text(JsonPolicy { order: KeyOrder::Any, ..plain }), "policy order = \"any\"\n");
    assert_eq!(text(JsonPolicy { escapes: Escapes::Canonical, ..plain }), "policy escapes = \"canonical\"\n");
    assert_eq!(text(JsonPolicy { space: Space::Spaced, ..plain }), "policy space = \"spaced\"\n");
    let pretty = JsonPolicy { space: Space::Pretty { indent: 4 }, ..plain };
    assert_eq!(text(pretty), "policy space = \"pretty\", indent = 4\n");
    let long = JsonPolicy { space: Space::Any { max_run: Some(5) }, ..plain };
    assert_eq!(text(long), "policy space = \"any\", run = 5\n");
    let (_, findings) = super::policy(&JsonPolicy::default(), Spelling::Signed);
    assert_eq!(findings.iter().map(|one| one.code).collect::<Vec<_>>(), [Code::ExportIntegers]);
}

#[test]
fn deep_schemas_become_several_types() {
    let schema = format!("{}true{}", r#"{"type":"object","properties":{"a":"#.repeat(60), "}}".repeat(60));
    let (text, findings) = print(&schema);
    assert!(findings.is_empty());
    assert!(text.lines().filter(|line| line.starts_with("type ")).count() > 3, "{text}");
}

#[test]
fn cyclic_and_long_chains_of_references_are_printed() {
    let cycle = r##"{"anyOf": [{"$ref": "#/$defs/a"}, {"type": "null"}], "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"allOf": [{"$ref": "#/$defs/a"}]}}}"##;
    assert_eq!(print(cycle).0, "type Root = a | null\ntype a = b\ntype b = a");
    let link = |at: u32| format!(r##""d{at}": {{"allOf": [{{"$ref": "#/$defs/d{}"}}], "minLength": {at}}}"##, at + 1);
    let links: Vec<String> = (0..2000).map(link).collect();
    let chain = format!(r##"{{"$ref": "#/$defs/d0", "$defs": {{{}, "d2000": true}}}}"##, links.join(","));
    let (text, findings) = print(&chain);
    assert_eq!((text.lines().filter(|line| line.starts_with("type ")).count(), findings.len()), (2001, 0));
}

#[test]
fn requiring_a_key_does_not_change_the_declared_order() {
    // Only a branch declares `b`, so requiring it must not declare it before `a`.
    let schema = r#"{"type": "object", "required": ["b"], "anyOf": [
        {"properties": {"a": {}, "b": {"type": "null"}}}, {"properties": {"c": {}, "b": {"type": "string"}}}]}"#;
    let expected = "({ a?: any, b?: null, ... } | { c?: any, b?: string, ... }) - { b?: any - any, ... }";
    assert_eq!(body(schema), expected);
}

#[test]
fn an_empty_graph_is_an_empty_file() {
    let schemas = ogc_schema::source::Schemas::default();
    let docs = ogc_compiler::frontend::docs::DocsByNode::default();
    let graph = ExportGraph { schemas: &schemas, names: Vec::new(), targets: &[], docs: &docs, origins: &[] };
    let (file, findings) = types(&graph);
    assert!(file.items.is_empty() && findings.is_empty());
}

#[test]
fn constructs_that_ogc_cannot_express_are_errors() {
    let pattern = r#"{"properties": {"ab": true}, "patternProperties": {"(a)\\1": {"type": "string"}}}"#;
    assert!(print(pattern).1.contains(&Code::PrintPattern));
    let (grammar, _) = ogc_grammar::parse_gbnf("root ::= <[1000]> \"x\"\n");
    let codes: Vec<Code> = super::rules(&grammar, None).1.iter().map(|found| found.code).collect();
    assert_eq!(codes, [Code::PrintToken]);
}
