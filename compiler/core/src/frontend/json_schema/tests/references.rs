//! References: pointers, ids, anchors, remote and dynamic ones.

use super::super::{ReadOptions, read};
use super::{codes, import, judge};
use ogc_grammar::Code;
use serde_json::{Value as Json, json};

/// Checks that the reference was found: the number 1 is accepted and the text "x" is rejected.
fn finds_integer(schema: &Json, resources: &[(&str, Json)]) {
    let owned = |(uri, schema): &(&str, Json)| ((*uri).to_owned(), schema.to_string());
    let options = ReadOptions { resources: resources.iter().map(owned).collect(), ..ReadOptions::default() };
    let imported = read(&schema.to_string(), &options);
    assert!(!imported.has_errors(), "{schema}: {:?}", imported.diagnostics);
    let verdict = |value: Json| judge::accepts(&imported.schemas, &value);
    assert_eq!((verdict(json!(1)), verdict(json!("x"))), (Some(true), Some(false)), "{schema}");
}

const DRAFT7: &str = "http://json-schema.org/draft-07/schema#";
const DRAFT4: &str = "http://json-schema.org/draft-04/schema#";

#[test]
fn references_within_a_document_resolve() {
    let int = json!({"type": "integer"});
    for schema in [
        json!({"$ref": "#/$defs/a", "$defs": {"a": int}}),
        json!({"$ref": "#/$defs/a~1b~0c%25%22", "$defs": {"a/b~c%\"": int}}),
        json!({"$ref": "#/foo/bar", "foo": {"bar": int}}),
        json!({"$ref": "#/foo/1", "foo": [true, int]}),
        json!({"$ref": "#a", "$defs": {"x": {"$anchor": "a", "type": "integer"}}}),
        json!({"$schema": DRAFT7, "$ref": "#a", "definitions": {"x": {"$id": "#a", "type": "integer"}}}),
        json!({"$schema": DRAFT4, "$ref": "#a", "definitions": {"x": {"id": "#a", "type": "integer"}}}),
        json!({"$id": "http://x/y/z", "$ref": "a#/$defs/b", "$defs": {"q": {"$id": "a", "$defs": {"b": int}}}}),
        json!({"$id": "http://x/y/z", "$ref": "http://x/y/z#/$defs/q", "$defs": {"q": int}}),
        json!({"$id": "http://x/y/", "$ref": "#/$defs/q", "$defs": {"q": {"$id": "s/", "$ref": "t"}, "t": {"$id": "s/t", "type": "integer"}}}),
        json!({"$ref": "urn:a:b#c", "$defs": {"x": {"$id": "urn:a:b", "$defs": {"y": {"$anchor": "c", "type": "integer"}}}}}),
        json!({"$schema": DRAFT7, "allOf": [{"$ref": "#/definitions/a"}], "definitions": {"a": {"$ref": "#/definitions/b", "$id": "http://no/"}, "b": int}}),
        json!({"$dynamicRef": "#a", "$defs": {"x": {"$dynamicAnchor": "a", "type": "integer"}}}),
        json!({"$schema": "https://json-schema.org/draft/2019-09/schema", "$ref": "#/$defs/x", "$defs": {"x": {"$ref": "#/$defs/y", "minimum": 0}, "y": int}}),
    ] {
        finds_integer(&schema, &[]);
    }
}

#[test]
fn references_to_given_resources_resolve() {
    let remote = json!({"$defs": {"a": {"type": "integer"}, "b": {"$ref": "#/$defs/a"}}});
    let bundle =
        [("http://x/r.json", remote), ("http://x/n.json", json!({"$id": "http://y/other", "type": "integer"}))];
    for reference in ["http://x/r.json#/$defs/a", "http://x/r.json#/$defs/b", "http://x/n.json", "http://y/other"] {
        finds_integer(&json!({"$ref": reference}), &bundle);
    }
    finds_integer(&json!({"$id": "http://x/main", "$ref": "r.json#/$defs/b"}), &bundle);
}

#[test]
fn findings_in_remote_schemas_are_placed_at_the_reference() {
    let text = r#"{"$ref": "http://x/"}"#;
    let resources = vec![("http://x/".to_owned(), r#"                           {"type": "flaot"}"#.to_owned())];
    let imported = read(text, &ReadOptions { resources, ..ReadOptions::default() });
    assert_eq!(imported.diagnostics[0].span.text(text), "\"http://x/\"");
    assert_eq!(imported.diagnostics[0].code, Code::UnknownType);
}

#[test]
fn broken_references_are_errors_with_advice() {
    for (text, expected) in [
        (r##"{"$ref": "#/$defs/a"}"##, Code::UnresolvedReference),
        (r##"{"$ref": "#definitions/a"}"##, Code::UnresolvedReference),
        (r##"{"$ref": "#/%"}"##, Code::UnresolvedReference),
        (r##"{"$ref": "#/a", "a": 3}"##, Code::ReferenceTarget),
        (r##"{"$ref": 3}"##, Code::KeywordValue),
        (r##"{"$ref": "http://json-schema.org/draft-03/schema#"}"##, Code::RemoteReference),
    ] {
        let imported = import(text);
        assert_eq!(codes(&imported), [expected], "{text}");
        assert!(imported.diagnostics[0].help.is_some(), "{text}");
    }
    let resources = vec![("http://x/".to_owned(), "{".to_owned())];
    let imported = read(r#"{"$ref": "http://x/"}"#, &ReadOptions { resources, ..ReadOptions::default() });
    assert_eq!(codes(&imported), [Code::RemoteSyntax]);
}

#[test]
fn cyclic_references_become_edges_of_the_graph() {
    let text = r##"{"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}"##;
    assert_eq!(import(text).schemas.nodes.len(), 3);
    let text = r##"{"properties": {"x": {"$ref": "#"}, "y": {"$recursiveRef": "#"}}}"##;
    let text = text.replacen('{', r#"{"$schema": "https://json-schema.org/draft/2019-09/schema","#, 1);
    assert_eq!(import(&text).schemas.nodes.len(), 3);
}

#[test]
fn a_pointer_not_found_in_its_resource_is_resolved_from_the_root() {
    let text =
        r##"{"$id": "http://x/", "properties": {"p": {"$id": "/p", "$ref": "#/$defs/a"}}, "$defs": {"a": true}}"##;
    let imported = import(text);
    assert_eq!((codes(&imported), imported.has_errors()), (vec![Code::ReferenceScope], false));
}

#[test]
fn dynamic_references_follow_the_dynamic_scope() {
    let tree = json!({"$id": "http://x/tree", "$dynamicAnchor": "node", "type": "object", "properties":
        {"data": true, "children": {"type": "array", "items": {"$dynamicRef": "#node"}}}});
    let strict =
        json!({"$id": "http://x/strict", "$dynamicAnchor": "node", "$ref": "tree", "unevaluatedProperties": false});
    let resources = vec![("http://x/tree".to_owned(), tree.to_string())];
    let imported = read(&strict.to_string(), &ReadOptions { resources, ..ReadOptions::default() });
    assert!(!imported.has_errors(), "{:?}", imported.diagnostics);
    let verdict = |value: Json| judge::accepts(&imported.schemas, &value);
    assert_eq!(verdict(json!({"children": [{"data": 1}]})), Some(true));
    assert_eq!(verdict(json!({"children": [{"daat": 1}]})), Some(false));
}

#[test]
fn resources_passed_through_by_a_pointer_add_no_dynamic_scope() {
    let list = json!({"$id": "list", "items": {"$ref": "item"}, "$defs": {
        "item": {"$id": "item", "properties": {"content": {"$dynamicRef": "#content"}},
            "$defs": {"default": {"$dynamicAnchor": "content", "type": "integer"}}},
        "content": {"$dynamicAnchor": "content", "type": "string"}}});
    for (reference, value) in [
        ("list#/$defs/item", json!(1)),
        ("#/$defs/list/$defs/item", json!(1)),
        ("item", json!(1)),
        ("list#/items", json!("x")),
    ] {
        let schema = json!({"$id": "http://x/main", "$ref": reference, "$defs": {"list": list}});
        let imported = read(&schema.to_string(), &ReadOptions::default());
        assert!(!imported.has_errors(), "{:?}", imported.diagnostics);
        let verdict = |value: &Json| judge::accepts(&imported.schemas, &json!({"content": value}));
        let other = if value.is_string() { json!(1) } else { json!("x") };
        assert_eq!((verdict(&value), verdict(&other)), (Some(true), Some(false)), "{reference}");
    }
}
