//! Keys that are almost keywords, keywords without effect, and texts that are not schemas.

use ogc_compiler::frontend::json_schema::{ReadOptions, read};
use ogc_grammar::Code;

/// Returns the code and the help of the only finding, if there is one.
fn finding(schema: &str) -> (Option<Code>, String) {
    let found = read(schema, &ReadOptions::default()).diagnostics;
    match found.as_slice() {
        [] => (None, String::new()),
        [only] => (Some(only.code), only.help.clone().unwrap_or_default()),
        more => panic!("{schema}: {more:?}"),
    }
}

#[test]
fn misspelled_keywords_are_reported_with_the_intended_keyword() {
    for (slip, meant) in [
        (r#"{"type": "string", "minLenght": 1}"#, "minLength"),
        (r#"{"type": "string", "max_length": 5}"#, "maxLength"),
        (r#"{"type": "string", "patern": "^a"}"#, "pattern"),
        (r#"{"type": "object", "requried": ["a"]}"#, "required"),
        (r#"{"type": "object", "requires": ["a"]}"#, "required"),
        (r#"{"type": "object", "additionalproperties": false}"#, "additionalProperties"),
        (r#"{"type": "object", "additional_properties": false}"#, "additionalProperties"),
        (r#"{"type": "object", "additionalProperty": false}"#, "additionalProperties"),
        (r#"{"type": "object", "propertis": {"a": {}}}"#, "properties"),
        (r#"{"title": "T", "enums": ["a", "b"]}"#, "enum"),
        (r#"{"type": "array", "item": {"type": "string"}}"#, "items"),
        (r#"{"type": "number", "minumum": 3}"#, "minimum"),
        (r#"{"type": "number", "max": 3}"#, "maximum"),
        (r#"{"type": "object", "properties": {"a": {"Type": "string"}}}"#, "type"),
        (r#"{"oneof": [{"type": "null"}]}"#, "oneOf"),
        (r#"{"title": "T", "any_of": [{"type": "null"}]}"#, "anyOf"),
        (r#"{"type": "array", "uniqueitems": true}"#, "uniqueItems"),
        (r#"{"tpye": "string"}"#, "type"),
        (r#"{"typ": "string"}"#, "type"),
        (r#"{"title": "T", "enun": ["a", "b"]}"#, "enum"),
        (r##"{"properties": {"a": {"$reff": "#/$defs/A"}}, "$defs": {"A": {"type": "string"}}}"##, "$ref"),
        (r#"{"type": "object", "property": {"a": {"type": "string"}}}"#, "properties"),
        (r#"{"type": "object", "props": {"a": {"type": "string"}}}"#, "properties"),
        (r#"{"type": "string", "values": ["a"]}"#, "enum"),
        (r#"{"type": "string", "options": ["a"]}"#, "enum"),
    ] {
        let (code, help) = finding(slip);
        assert_eq!(code, Some(Code::MisspelledKeyword), "{slip}");
        assert!(help.contains(&format!("`{meant}`")), "{slip}: {help}");
    }
}

#[test]
fn a_misspelled_keyword_has_a_fix() {
    let text = r#"{"type": "string", "minLenght": 1}"#;
    let found = read(text, &ReadOptions::default()).diagnostics;
    let (mended, _) = ogc_grammar::fix::apply(text, found.iter().filter_map(|one| one.fix.as_ref()));
    assert_eq!(mended, r#"{"type": "string", "minLength": 1}"#);
}

#[test]
fn user_keys_and_foreign_vocabularies_are_not_reported_as_misspelled() {
    for schema in [
        r#"{"type": "string", "x-minLenght": 1, "xml": {"name": "a"}, "example": "a", "externalDocs": {"url": "u"}}"#,
        r#"{"type": "object", "properties": {"minLenght": {"type": "string"}, "requried": {}, "enums": {}}}"#,
        r#"{"type": "object", "default": {"minLenght": 1}, "examples": [{"enums": []}]}"#,
        r#"{"enum": [{"minLenght": 1}]}"#,
        r#"{"type": "object", "props": {"size": 3}, "property": {}}"#,
        r#"{"type": "string", "options": {"hidden": true}, "values": "many", "choices": [{"label": "A"}]}"#,
        r#"{"type": "string", "enum": ["a"], "options": ["A"]}"#,
        r#"{"type": "string", "typo": "a", "$rel": "self"}"#,
        r#"{"type": "string", "discriminator": {"propertyName": "kind"}, "enumNames": ["a"], "formatMaximum": "b"}"#,
        r#"{"type": "string", "types": "many", "note": "x", "order": 3, "label": "L", "pattens": 3}"#,
        r#"{"type": "string", "minLenght": "words", "requried": true}"#,
        r#"{"type": ["string", "null"], "nullable": true}"#,
        r#"{"type": "string", "properties": {}, "required": [], "uniqueItems": false}"#,
        r#"{"type": "string", "_format": "uri", "_minLength": 3, "//minLength": 3}"#,
        r#"{"description": "anything"}"#,
        r#"{"$defs": {"A": {"type": "null"}}}"#,
        "{}",
    ] {
        assert_eq!(finding(schema).0, None, "{schema}");
    }
}

#[test]
fn keywords_without_effect_are_reported() {
    for (schema, code) in [
        (r#"{"type": "string", "nullable": true}"#, Code::ForeignKeyword),
        (r#"{"$schema": "http://json-schema.org/draft-07/schema#", "$defs": {"A": {}}}"#, Code::ForeignKeyword),
        (r#"{"$schema": "http://json-schema.org/draft-04/schema#", "const": 1}"#, Code::ForeignKeyword),
        (r#"{"type": "string", "properties": {"a": {}}}"#, Code::IdleKeyword),
        (r#"{"type": "array", "minLength": 1}"#, Code::IdleKeyword),
        (r#"{"type": "object", "minimum": 1}"#, Code::IdleKeyword),
    ] {
        assert_eq!(finding(schema).0, Some(code), "{schema}");
    }
}

#[test]
fn json_that_is_no_schema_is_reported_as_what_it_is() {
    for (text, code, help) in [
        (r#"{"tools": [{"name": "f", "inputSchema": {"type": "object"}}]}"#, Code::ToolList, "import tools from"),
        (
            r#"{"jsonrpc": "2.0", "result": {"tools": [{"name": "f", "inputSchema": {}}]}}"#,
            Code::ToolList,
            "import tools from",
        ),
        (r#"{"name": "f", "description": "d", "parameters": {"type": "object"}}"#, Code::ToolList, "import tools from"),
        (r#"{"name": "f", "input_schema": {"type": "object"}}"#, Code::ToolList, "import tools from"),
        (
            r#"{"type": "function", "function": {"name": "f", "parameters": {}}}"#,
            Code::UnknownType,
            "import tools from",
        ),
        (
            r#"[{"type": "function", "function": {"name": "f", "parameters": {}}}]"#,
            Code::NotASchema,
            "import tools from",
        ),
        (r#"[1, 2]"#, Code::NotASchema, "`{\"enum\": [...]}`"),
        ("[]", Code::NotASchema, "`true`"),
        (r#"{"name": "Ada", "age": 36}"#, Code::NoKeywords, "what is allowed"),
        (r#"{"description": "d", "version": "1.0"}"#, Code::NoKeywords, "what is allowed"),
        (r#"{"openapi": "3.0.0", "components": {"schemas": {}}}"#, Code::NoKeywords, "#/components/schemas/Pet"),
    ] {
        let (found, said) = finding(text);
        assert_eq!(found, Some(code), "{text}");
        assert!(said.contains(help), "{text}: {said}");
    }
}

#[test]
fn a_value_in_place_of_a_schema_has_help_with_the_meant_schema() {
    for (value, meant) in [
        (r#"["a", "b"]"#, r#"{"enum": [...]}"#),
        (r#"[{"type": "null"}, {"type": "string"}]"#, r#"{"anyOf": [...]}"#),
        ("5", r#"{"const": ...}"#),
        ("null", r#"{"type": "null"}"#),
        (r#""False""#, "`false` without quotes"),
        (r#""int""#, "integer"),
        (r#""red""#, r#"{"const": ...}"#),
    ] {
        let (code, help) = finding(&format!(r#"{{"properties": {{"kind": {value}}}}}"#));
        assert_eq!(code, Some(Code::NotASchema), "{value}");
        assert!(help.contains(meant), "{value}: {help}");
    }
}

#[test]
fn literals_of_other_languages_have_help_with_their_json_spelling() {
    for (written, meant) in
        [("False", "false"), ("True", "true"), ("None", "null"), ("undefined", "null"), ("NULL", "null")]
    {
        let (code, help) = finding(&format!(r#"{{"type": "object", "additionalProperties": {written}}}"#));
        assert_eq!((code, help), (Some(Code::JsonSyntax), format!("JSON writes `{meant}`")));
    }
}
