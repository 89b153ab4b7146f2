//! Definitions by name, and annotations.

use super::super::{Imported, ReadOptions, read};
use super::{codes, import};
use ogc_grammar::Code;
use ogc_schema::source::{NodeId, NodeKind, Value};

fn read_all(text: &str) -> Imported {
    read(text, &ReadOptions { definitions: true, report: true, ..ReadOptions::default() })
}

fn node(imported: &Imported, name: &str) -> NodeId {
    imported.definitions.iter().find(|definition| definition.name == name).expect(name).node
}

#[test]
fn every_definition_has_a_node() {
    let text = r##"{"$ref": "#/$defs/used", "definitions": {"old": true, "used": false, "list": [1]},
        "$defs": {"used": {"type": "integer"}, "unused": {"items": {"$ref": "#/definitions/old"}}, "a/b": {"type": "null"}}}"##;
    let imported = read_all(text);
    assert_eq!(codes(&imported), []);
    let names: Vec<_> = imported.definitions.iter().map(|d| (d.name.as_str(), d.span.text(text))).collect();
    assert_eq!(
        names,
        [("old", "\"old\""), ("used", "\"used\""), ("unused", "\"unused\""), ("a/b", "\"a/b\"")],
        "in source order, the first of two with one name"
    );
    let kind = |name| &imported.schemas.nodes[node(&imported, name).0 as usize].kind;
    assert_eq!((kind("old"), kind("used")), (&NodeKind::Bool(true), &NodeKind::Bool(false)));
    let NodeKind::Keywords(unused) = kind("unused") else { panic!("an object") };
    let items = unused.array.items.as_ref().expect("items").value;
    let NodeKind::Keywords(items) = &imported.schemas.nodes[items.0 as usize].kind else { panic!("a reference") };
    assert_eq!(items.reference.as_ref().map(|target| target.value), Some(node(&imported, "old")), "shared nodes");
    assert!(imported.report.iter().any(|fate| fate.pointer == "/$defs/a~1b/type"), "{:?}", imported.report);
}

#[test]
fn a_definition_shares_the_node_of_its_references() {
    let text = r##"{"$id": "http://x/", "$ref": "#/$defs/a", "$defs": {"a": {"$id": "y", "items": {"$ref": "/#/$defs/b"}}, "b": {"type": "null"}}}"##;
    let (plain, named) = (import(text), read_all(text));
    assert_eq!(plain.schemas, named.schemas, "no node of its own for a definition that is reached");
    assert_eq!(named.definitions.len(), 2);
}

#[test]
fn reading_definitions_leaves_the_other_nodes_unchanged() {
    let text = r#"{"title": "T", "type": "object", "properties": {"a": {"description": "d"}}, "$defs": {"a": {"type": "nul"}}}"#;
    let (plain, named) = (import(text), read_all(text));
    assert!(plain.definitions.is_empty() && plain.docs.is_empty() && plain.diagnostics.is_empty());
    assert_eq!(named.schemas.nodes[..plain.schemas.nodes.len()], plain.schemas.nodes[..]);
    assert_eq!(named.schemas.root, plain.schemas.root);
    assert_eq!(codes(&named), [Code::UnknownType], "an unreached definition is read, and has findings");
}

#[test]
fn annotations_are_kept_by_node() {
    let text = r##"{"$schema": "http://json-schema.org/draft-07/schema#", "title": "Whole", "description": " ", "examples": [1, "x", 1e99999999999],
        "properties": {"a": {"$ref": "#/definitions/b", "description": "Beside.\nTwo lines.", "deprecated": true}},
        "definitions": {"b": {"title": 3, "default": {"k": [0.50]}}, "c": {"type": "null", "examples": 3, "deprecated": "no"}}}"##;
    let imported = read_all(text);
    let root = &imported.docs[&NodeId(0)];
    assert_eq!((root.title.as_deref(), root.description.as_deref()), (Some("Whole"), None));
    assert_eq!(root.examples.len(), 2, "a number beyond the limits is no example");
    let beside = imported.docs.values().find(|docs| docs.deprecated).expect("beside the reference");
    assert_eq!(beside.description.as_deref(), Some("Beside.\nTwo lines."));
    let Some(Value::Object(default)) = &imported.docs[&node(&imported, "b")].default else { panic!("an object") };
    assert_eq!(default[0].0, "k");
    assert!(!imported.docs.contains_key(&node(&imported, "c")), "operands of the wrong type say nothing");
}

#[test]
fn invalid_schemas_have_no_definitions() {
    for text in ["", "{", "true", "[]", r#"{"$defs": 3}"#, r#"{"$defs": []}"#] {
        assert!(read_all(text).definitions.is_empty(), "{text}");
    }
}
