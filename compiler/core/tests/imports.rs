//! Imported schemas in `.ogc` files: what spreads them is the record that one would write.

#![allow(clippy::unwrap_used, reason = "a test fails where nothing can be unwrapped")]

use std::collections::BTreeMap;
use std::sync::Arc;

use ogc_compiler::db::{Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile, Workspace};
use ogc_compiler::pipeline::{automaton, diagnostics, formats};
use ogc_grammar::{Code, Diagnostic};
use ogc_runtime::automaton::Automaton;

/// The findings about `main.ogc`, beside a schema `s.json`, and its first output.
fn compile(schema: &str, text: &str) -> (Vec<Diagnostic>, Option<Arc<Automaton>>) {
    let db = Compiler::default();
    let options = Options::new(&db, JsonPolicy::default(), Formats::default(), Limits::default());
    let file = |name: &str, text: &str, language| SourceFile::new(&db, name.into(), text.into(), language, options);
    let main = file("main.ogc", text, Language::Ogc);
    let schema = file("s.json", schema, Language::JsonSchema);
    Workspace::new(&db, BTreeMap::from([("main.ogc".to_owned(), main), ("s.json".to_owned(), schema)]));
    let found = diagnostics(&db, main).to_vec();
    let output = formats(&db, main).into_iter().next().unwrap();
    (found, automaton(&db, output))
}

const IMPORT: &str = "import root as S from \"s.json\"\n";

/// `{ ...S, MEMBERS }` is the written record, whose automaton is the same.
fn same(schema: &str, members: &str, written: &str) {
    let (found, spread) = compile(schema, &format!("{IMPORT}output O = {{ ...S, {members} }}\n"));
    assert!(!found.iter().any(Diagnostic::is_error), "{schema}: {found:?}");
    let (found, written) = compile("{}", &format!("output O = {written}\n"));
    assert!(!found.iter().any(Diagnostic::is_error), "{found:?}");
    let (spread, written) = (spread.unwrap(), written.unwrap());
    assert_eq!(spread.rules[0].fingerprint, written.rules[0].fingerprint, "{schema} with {members}");
}

#[test]
fn a_spread_schema_is_the_record_that_it_describes() {
    let closed = r#"{"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "https://example.org/s",
        "title": "One", "description": "d", "$comment": "c", "type": "object",
        "properties": {"a": {"type": "string"}, "n": {"type": "integer"}}, "required": ["a"],
        "additionalProperties": false, "$defs": {"X": {"type": "null"}}, "x-more": [1]}"#;
    same(closed, "b: int", "{ a: string, n?: int, b: int }");
    same(closed, "a?: bool", "{ n?: int, a?: bool }");
    let open = r#"{"type": "object", "properties": {"a": {"const": 1}}}"#;
    same(open, "b: int", "{ a?: 1, b: int, ... }");
    let said = r#"{"type": "object", "properties": {"a": {"const": 1}}, "additionalProperties": true}"#;
    same(said, "b: int", "{ a?: 1, b: int, ... }");
    let referred = r##"{"$ref": "#/$defs/R", "$defs": {"R": {"type": "object", "properties": {"a": {"$ref": "#/$defs/T"}},
        "required": ["a"], "additionalProperties": false}, "T": {"enum": ["x", "y"]}}}"##;
    same(referred, "b: int", "{ a: \"x\" | \"y\", b: int }");
    let rest = r#"{"type": "object", "properties": {"a": {"const": 1}}, "additionalProperties": {"type": "integer"}}"#;
    same(rest, "b: bool", "{ a?: 1, b: bool, [string]: int }");
    let patterns = r#"{"type": "object", "properties": {"x-a": {"enum": [1, "y"]}}, "patternProperties":
        {"^x-": {"type": "string"}}, "additionalProperties": false}"#;
    same(patterns, "b: bool", "{ \"x-a\"?: \"y\", b: bool, [/x-[\\s\\S]*/]: string }");
    same(patterns, "\"x-b\": bool", "{ \"x-a\"?: \"y\", \"x-b\": bool, [/x-[\\s\\S]*/]: string }");
    let required = r#"{"type": "object", "properties": {"a": {"const": 1}}, "required": ["z", "a"],
        "additionalProperties": {"type": "integer"}}"#;
    same(required, "b: bool", "{ a: 1, z: int, b: bool, [string]: int }");
}

#[test]
fn aliases_definitions_and_parameters_are_spread_too() {
    let schema = r#"{"title": "One", "type": "object", "properties": {"a": {"const": 1}}, "additionalProperties": false,
        "$defs": {"Two": {"type": "object", "properties": {"c": {"const": 2}}, "additionalProperties": false}}}"#;
    let expected = compile("{}", "output O = { a?: 1, b: int }\n").1.unwrap().rules[0].fingerprint;
    for text in [
        "import One from \"s.json\"\noutput O = { ...One, b: int }\n",
        "import \"s.json\" as m\noutput O = { ...m.root, b: int }\n",
        "import root as S from \"s.json\"\ntype A = S\ntype B = (A)\noutput O = { ...B, b: int }\n",
        "import root as S from \"s.json\"\ntype W<T> = { ...T, b: int }\noutput O = W<S>\n",
    ] {
        let (found, made) = compile(schema, text);
        assert!(!found.iter().any(Diagnostic::is_error), "{text}: {found:?}");
        assert_eq!(made.unwrap().rules[0].fingerprint, expected, "{text}");
    }
    let both = "import One, Two from \"s.json\"\noutput O = { ...Two, x: null, ...One }\n";
    let written = compile("{}", "output O = { c?: 2, x: null, a?: 1 }\n").1.unwrap();
    assert_eq!(compile(schema, both).1.unwrap().rules[0].fingerprint, written.rules[0].fingerprint);
}

#[test]
fn what_cannot_be_spread_says_which_keyword_prevents_it() {
    for (schema, keyword) in [
        ("{\"type\": \"object\",\n\"anyOf\": [{\"required\": [\"a\"]}]}", "`anyOf`"),
        ("{\"type\": \"object\",\n\"minProperties\": 1}", "`minProperties`"),
        ("{\"type\": \"object\",\n\"propertyNames\": {\"maxLength\": 3}}", "`propertyNames`"),
        ("{\"type\": \"object\",\n\"not\": {\"required\": [\"a\"]}}", "`not`"),
        ("{\"properties\": {},\n\"type\": [\"object\", \"null\"]}", "`type`"),
    ] {
        let (found, _) = compile(schema, &format!("{IMPORT}type T = {{ ...S, b: int }}\noutput O = T\n"));
        let errors: Vec<&Diagnostic> = found.iter().filter(|one| one.is_error()).collect();
        assert_eq!(errors.len(), 1, "{schema}: {errors:?}");
        assert_eq!(errors[0].code, Code::NotARecord);
        assert!(errors[0].message.contains(keyword), "{}", errors[0].message);
        assert!(errors[0].message.contains("line 2 of `s.json`"), "{}", errors[0].message);
    }
    let (found, _) = compile(r#"{"properties": {"a": {}}}"#, &format!("{IMPORT}output O = {{ ...S, b: int }}\n"));
    assert!(found.iter().any(|one| one.code == Code::NotARecord && one.message.contains("type")), "{found:?}");
}

#[test]
fn what_replaces_a_definition_may_use_the_import() {
    let schema = r##"{"$ref": "#/$defs/B", "$defs": {"A": {"type": "string"}, "B": {"type": "object",
        "properties": {"a": {"$ref": "#/$defs/A"}}, "additionalProperties": false}}}"##;
    let text = "import A, B from \"s.json\" with { A = B | null }\noutput O = B\n";
    let (found, made) = compile(schema, text);
    assert!(!found.iter().any(Diagnostic::is_error), "{found:?}");
    assert!(made.is_some());
}
