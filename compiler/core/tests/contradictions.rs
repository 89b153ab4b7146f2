//! Formats without values: the finding names the contradiction and its places.

#![allow(clippy::unwrap_used, reason = "a test fails where nothing can be unwrapped")]

use ogc_compiler::db::{Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile, Workspace};
use ogc_compiler::pipeline::diagnostics;
use ogc_grammar::{Code, Diagnostic};

fn found(name: &str, text: &str) -> Vec<Diagnostic> {
    let db = Compiler::default();
    let options = Options::new(&db, JsonPolicy::default(), Formats::default(), Limits::default());
    let language = Language::of_name(name).unwrap();
    let file = SourceFile::new(&db, name.to_owned(), text.to_owned(), language, options);
    Workspace::new(&db, [(name.to_owned(), file)].into());
    diagnostics(&db, file).iter().filter(|found| found.code == Code::EmptyFormat).cloned().collect()
}

/// Returns the message of a schema's only contradiction, and the texts at its labels.
fn said(schema: &str) -> (String, Vec<String>) {
    let found = found("a.json", schema);
    let [one] = &found[..] else { panic!("{schema}: {found:?}") };
    let message = one.message.strip_prefix("no JSON value satisfies this schema: ").unwrap_or_default().to_owned();
    assert!(one.help.is_some(), "{schema}");
    let text = |(span, _): &(ogc_grammar::Span, String)| schema[span.start as usize..span.end as usize].to_owned();
    (message, one.labels.iter().map(text).collect())
}

#[test]
fn contradictions_of_schemas_are_named() {
    for (schema, wanted) in [
        ("false", "its schema is `false`"),
        (
            r#"{"type": "string", "allOf": [{"type": "integer"}]}"#,
            "`type` string and `type` integer exclude each other",
        ),
        (r#"{"type": "integer", "const": "a"}"#, "`type` integer and the value \"a\" exclude each other"),
        (r#"{"type": "integer", "const": 1.5}"#, "the value 1.5 and `type` integer exclude each other"),
        (r#"{"enum": [1, 2], "allOf": [{"enum": [3]}]}"#, "the values 1, 2 and the value 3 exclude each other"),
        (r#"{"const": "abc", "pattern": "^x"}"#, "the value \"abc\" and `pattern` \"^x\" exclude each other"),
        (r#"{"type": "integer", "minimum": 10, "maximum": 3}"#, "`minimum` 10 and `maximum` 3 exclude each other"),
        (
            r#"{"type": "number", "minimum": 3, "exclusiveMaximum": 3}"#,
            "`minimum` 3 and `exclusiveMaximum` 3 exclude each other",
        ),
        (
            r#"{"type": "integer", "minimum": 0.1, "maximum": 0.9}"#,
            "`minimum` 0.1, `maximum` 0.9 and `type` integer exclude each other",
        ),
        (r#"{"type": "string", "minLength": 3, "maxLength": 1}"#, "`minLength` 3 and `maxLength` 1 exclude each other"),
        (
            r#"{"type": "string", "pattern": "^a$", "minLength": 3}"#,
            "`minLength` 3 and `pattern` \"^a$\" exclude each other",
        ),
        (r#"{"type": "string", "pattern": "a^"}"#, "`pattern` \"a^\" holds for no value"),
        (r#"{"type": "array", "minItems": 3, "maxItems": 1}"#, "`minItems` 3 and `maxItems` 1 exclude each other"),
        (
            r#"{"type": "object", "minProperties": 3, "maxProperties": 1}"#,
            "`minProperties` 3 and `maxProperties` 1 exclude each other",
        ),
        (
            r#"{"type": "object", "required": ["nmae"], "properties": {"name": {}}, "additionalProperties": false}"#,
            "\"nmae\" is required, and a closed object does not declare it; it declares \"name\"",
        ),
        (
            r#"{"type": "object", "required": ["b"], "properties": {"a": {}, "b": false}, "additionalProperties": false}"#,
            "`/b` must be there, and its schema is `false`",
        ),
        (
            r#"{"type": "object", "allOf": [{"properties": {"a": {}}, "required": ["a"], "additionalProperties": false},
                {"properties": {"b": {}}, "required": ["b"], "additionalProperties": false}]}"#,
            "two closed objects are joined, and \"a\" of one is not declared by the other",
        ),
        (
            r##"{"type": "object", "required": ["next"], "properties": {"next": {"$ref": "#"}}}"##,
            "`/next` must be there, and it needs another value like it inside, without end",
        ),
        (
            r#"{"type": "object", "required": ["a"], "properties": {"a": {"type": "object", "required": ["b"],
                "properties": {"b": {"type": "integer", "minimum": 2, "maximum": 1}}}}}"#,
            "`/a/b` must be there, and `minimum` 2 and `maximum` 1 exclude each other",
        ),
        (
            r#"{"type": "array", "minItems": 2, "prefixItems": [{}, {"type": "string", "minLength": 2, "maxLength": 1}]}"#,
            "`/1` must be there, and `minLength` 2 and `maxLength` 1 exclude each other",
        ),
        (
            r#"{"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}},
                "anyOf": [{"properties": {"a": {"type": "null"}}}, {"type": "array"}]}"#,
            "no branch of `anyOf` is left beside `type` object, the required \"a\" and the schema of \"a\"; in the first, \
             `/a` must be there, and `type` string and `type` null exclude each other",
        ),
        (
            r#"{"oneOf": [{"type": "string"}, {"type": ["string"]}]}"#,
            "what one branch of `oneOf` accepts, another accepts too",
        ),
        (
            r#"{"type": "object", "required": ["a", "b"], "properties": {"a": {"enum": ["x"], "pattern": "x"},
                "b": {"type": "string", "minLength": 2, "maxLength": 1}}}"#,
            "`/b` must be there, and `minLength` 2 and `maxLength` 1 exclude each other",
        ),
        (r#"{"type": "string", "not": {"type": "string"}}"#, "`type` string and `not` exclude each other"),
    ] {
        assert_eq!(said(schema).0, wanted, "{schema}");
    }
}

#[test]
fn both_contradicting_keywords_are_labelled() {
    let schema = r#"{"allOf": [{"minimum": 10}, {"maximum": 3, "type": "number"}]}"#;
    assert_eq!(said(schema).1, ["\"minimum\": 10", "\"maximum\": 3"].map(|keyword| keyword.to_owned()));
}

/// Long chains, many branches and many members do not delay the finding.
#[test]
fn large_contradictions_are_reported_in_bounded_time() {
    let members =
        |count: usize| (0..count).map(|at| format!(r#""k{at}": {{"type": "string"}}"#)).collect::<Vec<_>>().join(", ");
    let keys = (0..1_000).map(|at| format!("\"k{at}\"")).collect::<Vec<_>>().join(", ");
    let wide = format!(
        r#"{{"type": "object", "properties": {{{}}}, "required": [{keys}, "x"], "additionalProperties": false}}"#,
        members(1_000)
    );
    assert_eq!(said(&wide).0, "\"x\" is required, and a closed object does not declare it");
    let mut deep = r#"{"type": "string", "minLength": 2, "maxLength": 1}"#.to_owned();
    for _ in 0..60 {
        deep = format!(r#"{{"type": "object", "required": ["a"], "properties": {{"a": {deep}}}}}"#);
    }
    assert_eq!(found("a.json", &deep).len(), 1);
}

#[test]
fn contradicting_types_are_named_with_advice() {
    let said = |text: &str| {
        let found = found("a.ogc", text);
        let first = found.first().unwrap_or_else(|| panic!("{text} holds something"));
        format!("{}; {}", first.message, first.help.clone().unwrap_or_default())
    };
    for (text, parts) in [
        ("type A = { a: int } & { b: int }\noutput O = A\n", ["two closed records are joined", "`, ...`"]),
        ("type A = { next: A }\noutput O = A\n", ["`next` must be there, and it needs", "`key?: T`"]),
        ("type A = int & string\noutput O = A\n", ["the type `int` and the type `string` exclude", "`|`"]),
        (
            "output O = { a: { b: int<5..9> & int<0..3> } }\n",
            ["`a.b` must be there, and at least 5 and at most 3", "`|`"],
        ),
        (
            "type Code = string<8.., /[A-Z]{2,4}/>\noutput O = Code[1]\n",
            ["`[0]` must be there, and at least 8 characters and the pattern", "`|`"],
        ),
    ] {
        let said = said(text);
        assert!(parts.iter().all(|part| said.contains(part)), "{text}: {said}");
    }
}

/// After the fix, the text of joined records compiles.
#[test]
fn the_fix_opens_closed_records_that_are_joined() {
    for (text, wanted) in [
        ("output O = { a: int } & { b: int, }\n", "output O = { a: int, ... } & { b: int, ..., }\n"),
        (
            "type A = {\n  a: int // one\n}\noutput O = A & {}\n",
            "type A = {\n  a: int // one\n}\noutput O = A & { ... }\n",
        ),
        ("output O = { a: int } & { a: int, b: int }\n", "output O = { a: int, ... } & { a: int, b: int }\n"),
    ] {
        let found = found("a.ogc", text);
        let fix = found[0].guesses.first().unwrap_or_else(|| panic!("{text}: {found:?}"));
        let (fixed, _) = ogc_grammar::fix::apply(text, [fix].into_iter());
        assert_eq!(fixed, wanted);
        assert_eq!(self::found("a.ogc", &fixed), []);
    }
    // Opening the records does not help here.
    let text = "output O = { a: 1 } & { a: 2, b: int }\n";
    assert!(found("a.ogc", text).iter().all(|one| one.fix.is_none() && one.guesses.is_empty()));
}
