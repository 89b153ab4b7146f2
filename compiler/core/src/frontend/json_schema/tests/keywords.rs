//! Tests of each keyword and draft: findings, and verdicts compared with an independent validator.

use super::super::{Fate, FateKind, Formats, Limits, ReadOptions, read};
use super::{codes, import, judge};
use ogc_grammar::Code;
use ogc_grammar::code::Group;
use ogc_regular::number::{NumberSet, Spelling};
use serde_json::{Value as Json, json};

const DRAFTS: [&str; 5] = [
    "http://json-schema.org/draft-04/schema#",
    "http://json-schema.org/draft-06/schema#",
    "http://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft/2019-09/schema",
    "https://json-schema.org/draft/2020-12/schema",
];

/// Values that tell the keywords below apart.
fn values() -> Vec<Json> {
    vec![
        json!(null),
        json!(true),
        json!(0),
        json!(3),
        json!(5),
        json!(7.5),
        json!(""),
        json!("ab"),
        json!("abcd"),
        json!("Zm9vYmFy"),
        json!([]),
        json!([1]),
        json!(["a", 2]),
        json!([1, "a", 2]),
        json!([3, 3, 3]),
        json!({}),
        json!({"a": 1}),
        json!({"a": "x", "b": 2}),
        json!({"a": 1, "b": "y", "c": 3}),
        json!({"abc": 1}),
    ]
}

/// Checks all verdicts against the validator's, under every draft in which the validator accepts `schema`.
fn agrees(schema: &Json) {
    // In draft 2019-09 `contains` evaluates no items (core, 9.3.1.3), but the validator says that it does.
    let is_unclear = schema.get("unevaluatedItems").is_some() && schema.to_string().contains("contains");
    for draft in DRAFTS.iter().filter(|draft| !(is_unclear && draft.contains("2019-09"))) {
        let mut schema = schema.clone();
        schema["$schema"] = json!(draft);
        let Ok(validator) = jsonschema::validator_for(&schema) else { continue };
        let imported = import(&schema.to_string());
        assert!(!imported.has_errors(), "{schema}: {:?}", imported.diagnostics);
        for value in values() {
            let verdict = judge::accepts(&imported.schemas, &value);
            assert_eq!(verdict, Some(validator.is_valid(&value)), "{schema} on {value}");
        }
    }
}

#[test]
fn verdicts_match_the_validator_in_every_draft() {
    for schema in [
        json!({"type": "integer"}),
        json!({"type": ["string", "null"]}),
        json!({"enum": [null, 3, "ab", [1], {"a": 1}]}),
        json!({"const": 3}),
        json!({"minimum": 3, "maximum": 5}),
        json!({"minimum": 3, "exclusiveMinimum": true, "maximum": 7.5, "exclusiveMaximum": true}),
        json!({"exclusiveMinimum": 3, "exclusiveMaximum": 7.5}),
        json!({"multipleOf": 2.5}),
        json!({"minLength": 1, "maxLength": 3.0}),
        json!({"pattern": "^a", "minLength": 3}),
        json!({"contentEncoding": "base64"}),
        json!({"items": {"type": "integer"}, "minItems": 1, "maxItems": 2}),
        json!({"items": [{"type": "integer"}], "additionalItems": {"type": "string"}}),
        json!({"items": [{"type": "integer"}], "additionalItems": false}),
        json!({"additionalItems": false}),
        json!({"prefixItems": [{"type": "integer"}], "items": {"type": "string"}}),
        json!({"uniqueItems": true}),
        json!({"contains": {"type": "string"}}),
        json!({"contains": {"type": "integer"}, "minContains": 2, "maxContains": 2}),
        json!({"contains": {"type": "integer"}, "minContains": 0}),
        json!({"minContains": 2}),
        json!({"properties": {"a": {"type": "integer"}}, "additionalProperties": {"type": "string"}}),
        json!({"patternProperties": {"^a": {"type": "integer"}}, "additionalProperties": false}),
        json!({"propertyNames": {"maxLength": 1}}),
        json!({"required": ["a"], "minProperties": 2, "maxProperties": 2}),
        json!({"dependencies": {"a": ["b"]}}),
        json!({"dependencies": {"a": {"required": ["c"]}}}),
        json!({"dependentRequired": {"a": ["b"]}}),
        json!({"dependentSchemas": {"a": {"required": ["c"]}}}),
        json!({"allOf": [{"type": "string"}, {"minLength": 3}]}),
        json!({"anyOf": [{"type": "string"}, {"minimum": 4}]}),
        json!({"oneOf": [{"type": "number"}, {"minimum": 4}]}),
        json!({"not": {"type": "string"}}),
        json!({"if": {"type": "string"}, "then": {"minLength": 3}, "else": {"type": "array"}}),
        json!({"then": false, "else": false}),
        json!({"properties": {"a": {"$ref": "#/definitions/x", "minimum": 5}}, "definitions": {"x": {"type": "integer"}}}),
        json!({"definitions": {"x": {"type": "integer"}}, "$ref": "#/definitions/x", "minimum": 5}),
    ] {
        agrees(&schema);
    }
}

#[test]
fn verdicts_of_unevaluated_keywords_match_the_validator() {
    for schema in [
        json!({"properties": {"a": {}}, "unevaluatedProperties": false}),
        json!({"allOf": [{"properties": {"a": {}}}], "properties": {"b": {}}, "unevaluatedProperties": false}),
        json!({"anyOf": [{"properties": {"a": {"type": "string"}}}, {"properties": {"b": {"type": "string"}}}],
            "unevaluatedProperties": {"type": "integer"}}),
        json!({"oneOf": [{"required": ["c"], "properties": {"c": {}}}, {"properties": {"b": {"const": 2}}, "required": ["b"]}],
            "properties": {"a": {}}, "unevaluatedProperties": false}),
        json!({"if": {"properties": {"a": {"type": "string"}}, "required": ["a"]}, "then": {"properties": {"b": {}}},
            "else": {"properties": {"c": {}, "a": {}}}, "unevaluatedProperties": false}),
        json!({"dependentSchemas": {"a": {"properties": {"b": {}}}}, "properties": {"a": {}}, "unevaluatedProperties": false}),
        json!({"not": {"not": {"properties": {"a": {}}}}, "unevaluatedProperties": false}),
        json!({"allOf": [{"unevaluatedProperties": true}], "unevaluatedProperties": false}),
        json!({"anyOf": [{"patternProperties": {"^a": {}}}, true], "unevaluatedProperties": false}),
        json!({"allOf": [{"anyOf": [{"properties": {"a": {"type": "integer"}}}, {"properties": {"b": {"type": "integer"}}}]}],
            "unevaluatedProperties": false}),
        json!({"prefixItems": [{}], "unevaluatedItems": false}),
        json!({"prefixItems": [{}], "contains": {"type": "string"}, "unevaluatedItems": {"const": 2}}),
        json!({"items": [{}], "unevaluatedItems": false}),
        json!({"anyOf": [{"prefixItems": [{"type": "string"}]}, {"prefixItems": [{}, {"type": "string"}]}],
            "unevaluatedItems": false}),
        json!({"contains": {"const": 3}, "unevaluatedItems": false}),
        json!({"if": {"contains": {"type": "string"}}, "then": {"prefixItems": [{}]}, "unevaluatedItems": {"type": "integer"}}),
    ] {
        agrees(&schema);
    }
}

#[test]
fn each_schema_mistake_has_its_code() {
    for (text, expected) in [
        (r#"{"#, vec![Code::JsonSyntax]),
        (r"3", vec![Code::NotASchema]),
        (r#"{"type": 3}"#, vec![Code::KeywordValue]),
        (r#"{"type": []}"#, vec![Code::KeywordValue]),
        (r#"{"type": "float"}"#, vec![Code::UnknownType]),
        (r#"{"type": ["string", "any"]}"#, vec![Code::UnknownType]),
        (r#"{"properties": []}"#, vec![Code::KeywordValue]),
        (r#"{"properties": {"a": 1}}"#, vec![Code::NotASchema]),
        (r#"{"required": true}"#, vec![Code::KeywordValue]),
        (r#"{"required": [1]}"#, vec![Code::KeywordValue]),
        (r#"{"allOf": []}"#, vec![Code::KeywordValue]),
        (r#"{"anyOf": {}}"#, vec![Code::KeywordValue]),
        (r#"{"multipleOf": 0}"#, vec![Code::KeywordValue]),
        (r#"{"multipleOf": -2}"#, vec![Code::KeywordValue]),
        (r#"{"minLength": -1}"#, vec![Code::KeywordValue]),
        (r#"{"minLength": 1.5}"#, vec![Code::KeywordValue]),
        (r#"{"minLength": 2.0}"#, vec![]),
        (r#"{"minimum": "1"}"#, vec![Code::KeywordValue]),
        (r#"{"minimum": 1e99999}"#, vec![Code::NumberLimit]),
        (r#"{"enum": [1, 1e99999]}"#, vec![Code::NumberLimit]),
        (r#"{"enum": 1}"#, vec![Code::KeywordValue]),
        (r#"{"uniqueItems": 1}"#, vec![Code::KeywordValue]),
        (r#"{"format": "date"}"#, vec![]),
        (r#"{"format": "utc-millisec"}"#, vec![Code::UnknownFormat]),
        (r#"{"format": "regex"}"#, vec![Code::NarrowedFormat]),
        (r#"{"$schema": "http://json-schema.org/draft-07/schema", "format": "uuid"}"#, vec![Code::UnknownFormat]),
        (r#"{"$schema": "https://json-schema.org/draft/2019-09/schema", "format": "uuid"}"#, vec![]),
        (r#"{"$schema": "http://json-schema.org/draft-04/schema", "format": "date"}"#, vec![]),
        (r#"{"$schema": "http://json-schema.org/draft-04/schema", "const": 1}"#, vec![Code::ForeignKeyword]),
        (r#"{"$schema": "http://json-schema.org/draft-07/schema", "prefixItems": [true]}"#, vec![Code::ForeignKeyword]),
        (
            r#"{"$schema": "http://json-schema.org/draft-07/schema", "contentMediaType": "application/json"}"#,
            vec![Code::IrregularContent],
        ),
        (r#"{"type": "str", "minLength": 1}"#, vec![Code::UnknownType]),
        (r#"{"properties": {"a": {}, "required": ["a"]}}"#, vec![Code::NotASchema]),
        (r#"{"properties": {"required": {"type": "string"}}}"#, vec![]),
        (r#"{"pattern": "/^a$/"}"#, vec![Code::EmptyPattern]),
        (r#"{"patternProperties": {"/^a/i": true}}"#, vec![Code::EmptyPattern]),
        (r#"{"pattern": "/a/"}"#, vec![]),
        (r#"{"$schema": "http://example.com/mine"}"#, vec![Code::UnknownDraft]),
        (r#"{"extends": {}}"#, vec![Code::ForeignKeyword]),
        (r#"{"items": [true]}"#, vec![Code::ArrayItems]),
        (r#"{"items": [true], "prefixItems": [true]}"#, vec![Code::KeywordValue]),
        (r#"{"additionalItems": false}"#, vec![Code::IdleKeyword]),
        (r#"{"then": false}"#, vec![Code::IdleKeyword]),
        (r#"{"minContains": 2, "maxContains": 3}"#, vec![Code::IdleKeyword; 2]),
        (r#"{"minimum": 1, "exclusiveMinimum": true}"#, vec![Code::BooleanBound]),
        (r#"{"exclusiveMinimum": true}"#, vec![Code::ExclusiveWithoutBound]),
        (r#"{"nullable": true, "discriminator": {}, "x-a": 1, "title": "t", "default": []}"#, vec![]),
        (r#"{"type": "object", "type": "string"}"#, vec![Code::JsonRepeatedKey]),
        (
            r##"{"$schema": "http://json-schema.org/draft-07/schema", "$ref": "#/a", "a": true, "minimum": 1, "title": ""}"##,
            vec![Code::HiddenSibling],
        ),
    ] {
        let imported = import(text);
        assert_eq!(codes(&imported), expected, "{text}: {:?}", imported.diagnostics);
        assert!(imported.diagnostics.iter().all(|f| f.code.group() == Group::Json || f.help.is_some()), "{text}");
    }
}

#[test]
fn findings_have_exact_places() {
    let text = r#"{"properties": {"a": {"type": "flaot"}}}"#;
    let imported = import(text);
    assert_eq!(imported.diagnostics[0].span.text(text), "\"flaot\"");
}

#[test]
fn the_import_report_lists_the_fate_of_every_keyword() {
    let text = r#"{"title": "t", "properties": {"a/b": {"minimum": 1}}, "$defs": {}, "$ref": "http://x/"}"#;
    let report = import(text).report;
    let brief: Vec<_> = report.iter().map(|Fate { pointer, fate, .. }| (pointer.as_str(), fate.clone())).collect();
    let remote = FateKind::Error("no schema is known as \"http://x/\"".to_owned());
    assert_eq!(
        brief,
        [
            ("/title", FateKind::Annotation),
            ("/properties", FateKind::Enforced),
            ("/properties/a~1b/minimum", FateKind::Enforced),
            ("/$defs", FateKind::Annotation),
            ("/$ref", remote),
        ]
    );
    assert!(read(text, &ReadOptions::default()).report.is_empty());
}

#[test]
fn formats_can_be_read_as_annotations() {
    let text = r#"{"format": "regex", "items": {"format": "date"}}"#;
    let with = |formats| read(text, &ReadOptions { formats, ..ReadOptions::default() });
    assert_eq!(codes(&with(Formats::Annotate)), []);
    assert_eq!(codes(&with(Formats::Assert)), [Code::NarrowedFormat]);
    let old = r#"{"$schema": "http://json-schema.org/draft-07/schema", "format": "uuid"}"#;
    let with = |formats| read(old, &ReadOptions { formats, ..ReadOptions::default() });
    assert_eq!(codes(&with(Formats::Assert)), [Code::UnknownFormat]);
    assert_eq!(codes(&with(Formats::All)), []);
}

#[test]
fn exceeded_limits_are_errors_with_numbers() {
    let deep = format!("{}true{}", r#"{"not":"#.repeat(300), "}".repeat(300));
    assert_eq!(codes(&import(&deep)), [Code::JsonTooDeep]);
    let idle: String = (0..200).map(|at| format!(r#""k{at}": {{"then": {{}}}}, "#)).collect();
    let many = codes(&import(&format!(r#"{{"properties": {{ {idle} "z": {{}} }} }}"#)));
    assert!(many.contains(&Code::MoreFindings), "{many:?}");
    let limits = Limits { schemas: 3, ..Limits::default() };
    let options = ReadOptions { limits, ..ReadOptions::default() };
    let imported = read(r#"{"allOf": [true, false, true, false]}"#, &options);
    assert_eq!(codes(&imported), [Code::TooManySchemas]);
    assert_eq!(imported.schemas.nodes.len(), 3);
}

#[test]
fn large_schemas_take_linear_time() {
    use std::fmt::Write;
    let (mut properties, mut definitions) = (String::new(), String::new());
    for index in 0..100_000 {
        let comma = if index > 0 { "," } else { "" };
        write!(properties, r##"{comma}"p{index}":{{"$ref":"#/$defs/d{index}"}}"##).unwrap();
        write!(definitions, r#"{comma}"d{index}":{{"minimum":{index}}}"#).unwrap();
    }
    let text = format!(r#"{{"properties":{{{properties}}},"$defs":{{{definitions}}}}}"#);
    let start = std::time::Instant::now();
    let imported = read(&text, &ReadOptions::default());
    assert!(!imported.has_errors());
    assert_eq!(imported.schemas.nodes.len(), 200_001);
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn integers_of_draft_4_have_no_fraction_or_exponent() {
    assert!(import(r#"{"$schema": "http://json-schema.org/draft-04/schema#"}"#).plain_integers);
    assert!(!import("{}").plain_integers);
    let four = import(r#"{"$schema": "http://json-schema.org/draft-04/schema#"}"#);
    let spelling = four.integers(Spelling::Json);
    let texts = NumberSet::integers().language(spelling, &ogc_regular::Limits::default()).unwrap();
    let taken = ["0", "-0", "-7", "1.0", "1e3", "-0.0"].map(|text| texts.contains(text.as_bytes()));
    assert_eq!(taken, [true, true, true, false, false, false]);
    assert_eq!(four.integers(Spelling::Plain), Spelling::Plain);
    assert_eq!(import("{}").integers(Spelling::Json), Spelling::Json);
}

#[test]
fn unknown_formats_suggest_a_known_one() {
    let cases = [("ip-address", "ipv4"), ("date_time", "date-time"), ("emial", "email")];
    for (written, meant) in cases {
        let found = import(&format!(r#"{{"format": "{written}"}}"#)).diagnostics;
        let help = found.iter().find_map(|one| one.help.as_deref()).unwrap_or_default();
        assert_eq!(help, format!("did you mean {meant:?}?"), "{written}: {found:?}");
    }
}

#[test]
fn annotations_of_the_wrong_type_are_reported_and_ignored() {
    for (text, place) in [
        (r#"{"description": 5}"#, "5"),
        (r#"{"title": ["a"], "type": "string"}"#, "[\"a\"]"),
        (r#"{"properties": {"a": {"$comment": true}}}"#, "true"),
        (r#"{"examples": {"a": 1}}"#, "{\"a\": 1}"),
        (r#"{"deprecated": "yes"}"#, "\"yes\""),
        (r#"{"readOnly": 1}"#, "1"),
    ] {
        let found: Vec<(Code, bool, String)> = import(text)
            .diagnostics
            .iter()
            .map(|one| (one.code, one.is_error(), one.span.text(text).to_owned()))
            .collect();
        assert_eq!(found, [(Code::KeywordValue, false, place.to_owned())], "{text}");
    }
    for right in [
        r#"{"description": "d", "title": "t", "examples": [1], "deprecated": true, "$comment": "c"}"#,
        r#"{"description": null, "default": 5, "properties": {"description": {"title": "t"}}}"#,
    ] {
        assert_eq!(import(right).diagnostics, [], "{right}");
    }
}
