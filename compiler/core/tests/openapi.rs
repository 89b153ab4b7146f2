//! OpenAPI documents: `nullable`, `discriminator`, and the names of schemas and bodies.

#![allow(clippy::unwrap_used, reason = "a test fails where nothing can be unwrapped")]

use std::sync::Arc;

use ogc_compiler::db::{Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile, Workspace};
use ogc_compiler::foreign::foreign_names_of;
use ogc_compiler::pipeline::{automaton, diagnostics, select};
use ogc_grammar::Diagnostic;
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::Vocabulary;

/// Compiles a definition of a document.
fn compile(document: &str, definition: &str) -> (Option<Arc<Automaton>>, Vec<Diagnostic>) {
    let db = Compiler::default();
    let options = Options::builder(JsonPolicy::default(), Formats::default(), Limits::default());
    let options = options.definition(Some(definition.to_owned())).new(&db);
    let file = SourceFile::new(&db, "api.json".into(), document.into(), Language::JsonSchema, options);
    Workspace::new(&db, Default::default());
    let format = select(&db, file, Some(definition)).unwrap();
    (automaton(&db, format), diagnostics(&db, file).clone())
}

/// Returns an OpenAPI document of a version with these schemas.
fn document(version: &str, schemas: &str) -> String {
    format!(r#"{{"openapi": "{version}", "info": {{}}, "paths": {{}}, "components": {{"schemas": {schemas}}}}}"#)
}

fn accepts(automaton: &Arc<Automaton>, text: &str) -> bool {
    let bytes: Vec<Option<[u8; 1]>> = (0..=u8::MAX).map(|byte| Some([byte])).collect();
    let vocabulary = Vocabulary::from_tokens(&bytes, &[]).unwrap();
    let mut matcher = Matcher::new(Arc::clone(automaton), MaskStore::new(Arc::new(vocabulary)));
    matcher.accept_bytes(text.as_bytes()).is_ok() && matcher.is_complete()
}

#[track_caller]
fn check(document: &str, definition: &str, accepted: &[&str], refused: &[&str]) {
    let (automaton, found) = compile(document, definition);
    let automaton = automaton.unwrap_or_else(|| panic!("{found:?}"));
    for text in accepted {
        assert!(accepts(&automaton, text), "{definition} refuses {text}");
    }
    for text in refused {
        assert!(!accepts(&automaton, text), "{definition} accepts {text}");
    }
}

#[test]
fn nullable_allows_null_beside_any_keyword() {
    for (schema, value, wrong) in [
        (r#"{"type": "string", "minLength": 1}"#, "\"a\"", "\"\""),
        (r#"{"type": "string", "enum": ["a"]}"#, "\"a\"", "\"b\""),
        (r#"{"const": 1}"#, "1", "2"),
        (r##"{"$ref": "#/components/schemas/N"}"##, "3", "\"a\""),
        (r##"{"allOf": [{"$ref": "#/components/schemas/N"}], "description": "d"}"##, "3", "\"a\""),
        (r##"{"oneOf": [{"$ref": "#/components/schemas/N"}, {"type": "boolean"}]}"##, "true", "\"a\""),
        (r#"{"not": {"type": "null"}, "type": "integer"}"#, "3", "\"a\""),
        (r#"{"type": "integer", "minimum": 3, "exclusiveMinimum": true}"#, "4", "3"),
    ] {
        let with = |nullable: &str| {
            let schema = schema.replacen('{', &format!("{{\"nullable\": {nullable}, "), 1);
            document("3.0.3", &format!(r#"{{"A": {schema}, "N": {{"type": "integer"}}}}"#))
        };
        check(&with("true"), "A", &[value, "null"], &[wrong]);
        check(&with("false"), "A", &[value], &[wrong, "null"]);
        // 3.1 uses JSON Schema, which has no `nullable`.
        check(&with("true").replace("3.0.3", "3.1.0"), "A", &[value], &["null"]);
    }
    let alone = r#"{"nullable": true, "type": "string"}"#;
    let db = Compiler::default();
    let options = Options::new(&db, JsonPolicy::default(), Formats::default(), Limits::default());
    let file = SourceFile::new(&db, "a.json".into(), alone.into(), Language::JsonSchema, options);
    assert_eq!(diagnostics(&db, file).len(), 1);
}

const PETS: &str = r##"{
    "Cat": {"type": "object", "required": ["kind", "claws"], "properties": {"kind": {"type": "string"}, "claws": {"type": "integer"}}},
    "Dog": {"type": "object", "required": ["kind", "bark"], "properties": {"kind": {"type": "string"}, "bark": {"type": "boolean"}}},
    "Named": {"oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}],
        "discriminator": {"propertyName": "kind"}},
    "Mapped": {"anyOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}],
        "discriminator": {"propertyName": "kind", "mapping": {"c": "#/components/schemas/Cat", "tiger": "Cat", "d": "Dog"}}},
    "Own": {"oneOf": [{"$ref": "#/components/schemas/One"}, {"$ref": "#/components/schemas/Two"}],
        "discriminator": {"propertyName": "kind"}},
    "One": {"type": "object", "properties": {"kind": {"enum": ["1"]}}},
    "Two": {"type": "object", "properties": {"kind": {"enum": ["2"]}}}
}"##;

#[test]
fn a_discriminator_chooses_the_branch_of_a_union() {
    for version in ["3.0.1", "3.1.1"] {
        let pets = document(version, PETS);
        let cat = |kind: &str| format!(r#"{{"kind": "{kind}", "claws": 3}}"#);
        let dog = |kind: &str| format!(r#"{{"kind": "{kind}", "bark": true}}"#);
        check(
            &pets,
            "Named",
            &[&cat("Cat"), &dog("Dog")],
            &[&cat("Dog"), &dog("Cat"), &cat("cat"), r#"{"claws": 3}"#, "3"],
        );
        check(
            &pets,
            "Mapped",
            &[&cat("c"), &cat("tiger"), &dog("d")],
            &[&cat("Cat"), &cat("d"), &dog("c"), &dog("Dog")],
        );
        check(&pets, "Own", &[r#"{"kind": "1"}"#, r#"{"kind": "2", "x": 1}"#], &["{}", r#"{"kind": "One"}"#]);
    }
}

const FAMILY: &str = r##"{
    "Pet": {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}}, "discriminator": {"propertyName": "kind" MAPPING}},
    "Cat": {"allOf": [{"$ref": "#/components/schemas/Pet"}, {"type": "object", "required": ["claws"], "properties": {"claws": {"type": "integer"}}}]},
    "Lion": {"allOf": [{"$ref": "#/components/schemas/Cat"}, {"type": "object", "required": ["mane"], "properties": {"mane": {"type": "boolean"}}}]},
    "Pets": {"type": "array", "items": {"$ref": "#/components/schemas/Pet"}},
    "Cats": {"type": "array", "items": {"$ref": "#/components/schemas/Cat"}}
}"##;

#[test]
fn a_discriminator_chooses_among_the_schemas_that_extend_another() {
    let plain = document("3.0.1", &FAMILY.replace("MAPPING", ""));
    let (pet, cat, lion) =
        (r#"{"kind": "Pet"}"#, r#"{"kind": "Cat", "claws": 1}"#, r#"{"kind": "Lion", "claws": 1, "mane": true}"#);
    let (bad_cat, bad_lion) = (r#"{"kind": "Cat"}"#, r#"{"kind": "Lion", "claws": 1}"#);
    check(&plain, "Pet", &[pet, cat, lion], &[bad_cat, bad_lion, r#"{"kind": "Fish"}"#, "{}"]);
    check(&plain, "Cat", &[cat, lion], &[pet, bad_cat, bad_lion]);
    let list = |items: &[&str]| format!("[{}]", items.join(","));
    check(&plain, "Pets", &[&list(&[pet, cat, lion])], &[&list(&[bad_cat])]);
    check(&plain, "Cats", &[&list(&[cat, lion])], &[&list(&[pet]), &list(&[bad_lion])]);
    let mapped = document(
        "3.0.1",
        &FAMILY.replace("MAPPING", r##", "mapping": {"c": "#/components/schemas/Cat", "l": "Lion"}"##),
    );
    let (cat, lion) = (r#"{"kind": "c", "claws": 1}"#, r#"{"kind": "l", "claws": 1, "mane": true}"#);
    check(&mapped, "Pet", &[pet, cat, lion], &[r#"{"kind": "Cat", "claws": 1}"#, r#"{"kind": "c"}"#]);
}

#[test]
fn schemas_and_bodies_of_openapi_are_named_definitions() {
    let document = r##"{"openapi": "3.0.0", "paths": {
        "/pets/{id}": {"parameters": [], "get": {"operationId": "getPet", "responses": {
            "200": {"content": {"application/json; charset=utf-8": {"schema": {"$ref": "#/components/schemas/a-pet"}}}},
            "404": {"$ref": "#/components/responses/None"}, "204": {"description": "d"}}},
          "put": {"requestBody": {"content": {"application/merge-patch+json": {"schema": {"type": "object"}}}}, "responses": {}}}},
        "components": {"schemas": {"a-pet": {"type": "integer"}},
            "responses": {"None": {"content": {"text/plain": {}, "application/json": {"schema": {"enum": ["none"]}}}}}}}"##;
    let db = Compiler::default();
    let options = Options::new(&db, JsonPolicy::default(), Formats::default(), Limits::default());
    let file = SourceFile::new(&db, "api.json".into(), document.into(), Language::JsonSchema, options);
    let names = ["a-pet", "responses/None", "getPet/200", "getPet/404", "PUT /pets/{id}/request", "root"];
    assert_eq!(foreign_names_of(&db, file), &names.map(str::to_owned));
    check(document, "getPet/200", &["3"], &["\"none\""]);
    check(document, "getPet/404", &["\"none\""], &["3"]);
    let main = "import \"api.json\" as api\noutput O = api.\"a-pet\"\n";
    let main = SourceFile::new(&db, "main.ogc".into(), main.into(), Language::Ogc, options);
    Workspace::new(&db, [("main.ogc".to_owned(), main), ("api.json".to_owned(), file)].into());
    assert!(!diagnostics(&db, main).iter().any(Diagnostic::is_error));
}
