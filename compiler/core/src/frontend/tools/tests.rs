//! Tests lists of tools in every shape, and the findings about broken lists.

use super::super::json_schema::{Imported, ReadOptions};
use super::read_schema_or_tools;
use ogc_grammar::{Code, Diagnostic};

fn read(text: &str) -> Imported {
    let options = ReadOptions { definitions: true, report: true, ..ReadOptions::default() };
    read_schema_or_tools(text, &options)
}

fn names(imported: &Imported) -> Vec<&str> {
    imported.definitions.iter().map(|one| one.name.as_str()).collect()
}

/// Returns the codes of the findings, each with the text at its place.
fn found(text: &str) -> Vec<(Code, &str)> {
    let imported = read(text);
    assert!(imported.is_tools, "{text}");
    imported.diagnostics.iter().map(|one| (one.code, one.span.text(text))).collect()
}

#[test]
fn every_known_shape_of_a_tool_list_is_read() {
    let schema = r#"{"type": "object", "properties": {"city": {"type": "string"}}}"#;
    let chat =
        format!(r#"{{"type": "function", "function": {{"name": "a", "description": "d", "parameters": {schema}}}}}"#);
    let responses = format!(r#"{{"type": "function", "name": "a", "description": "d", "parameters": {schema}}}"#);
    let anthropic = format!(r#"{{"name": "a", "description": "d", "input_schema": {schema}}}"#);
    let mcp = format!(r#"{{"name": "a", "description": "d", "inputSchema": {schema}, "annotations": {{}}}}"#);
    for entry in [chat, responses, anthropic, mcp] {
        let texts = [
            format!("[{entry}]"),
            format!(r#"{{"model": "m", "tools": [{entry}]}}"#),
            format!(r#"{{"jsonrpc": "2.0", "id": 1, "result": {{"tools": [{entry}]}}}}"#),
            format!(r#"{{"functions": [{entry}]}}"#),
        ];
        for text in texts {
            let imported = read(&text);
            assert!(imported.diagnostics.is_empty() && imported.is_tools, "{text}: {:?}", imported.diagnostics);
            assert_eq!(names(&imported), ["a"]);
            let docs = &imported.docs[&imported.definitions[0].node];
            assert_eq!(docs.description.as_deref(), Some("d"));
            assert_eq!(imported.definitions[0].span.text(&text), "\"a\"");
            assert!(imported.report.iter().all(|fate| fate.pointer.contains("/0/")), "{:?}", imported.report);
        }
    }
}

#[test]
fn schemas_are_not_mistaken_for_tool_lists() {
    for text in [
        r#"{"properties": {"tools": {}}}"#,
        "true",
        "[1, 2]",
        r#"{"type": "object", "properties": {}, "tools": []}"#,
        "{}",
    ] {
        assert!(!read(text).is_tools, "{text}");
    }
}

#[test]
fn references_resolve_within_the_schema_of_their_tool() {
    let tool = |name: &str, kind: &str| {
        format!(
            r##"{{"name": "{name}", "input_schema": {{"type": "object", "$id": "x", "$defs": {{"v": {{"type": "{kind}"}}}},
            "properties": {{"v": {{"$ref": "#/$defs/v"}}}}}}}}"##
        )
    };
    let text = format!("[{}, {}]", tool("a", "string"), tool("b", "integer"));
    let imported = read(&text);
    assert!(imported.diagnostics.is_empty(), "{:?}", imported.diagnostics);
    let types: Vec<String> = imported.schemas.nodes.iter().map(|node| format!("{:?}", node.kind)).collect();
    let with = |flag: &str| types.iter().filter(|kind| kind.contains("types: Some") && kind.contains(flag)).count();
    assert_eq!((with("string: true, array: false"), with("integer: true, number: false")), (1, 1), "{types:#?}");
    let broken = r##"{"$defs": 1, "tools": []}"##;
    assert!(!read(broken).is_tools);
    let text =
        r##"{"tools": [{"name": "a", "parameters": {"type": "object", "properties": {"v": {"$ref": "#/tools"}}}}]}"##;
    assert!(read(text).diagnostics.iter().any(Diagnostic::is_error), "outside of the tool's schema");
}

#[test]
fn tools_without_parameters_take_the_empty_object() {
    for text in [r#"[{"name": "a"}]"#, r#"[{"name": "a", "parameters": {}}]"#, r#"[{"name": "a", "parameters": null}]"#]
    {
        let imported = read(text);
        assert!(imported.diagnostics.is_empty() && imported.schemas.nodes.len() == 2, "{text}: {imported:?}");
    }
}

#[test]
fn findings_on_broken_tools_have_spans() {
    assert_eq!(found("[]"), [(Code::BrokenTool, "[]")]);
    assert_eq!(found(r#"[{"name": "a"}, 1]"#), [(Code::BrokenTool, "1")]);
    assert_eq!(found(r#"{"tools": [{"function": 3}]}"#), [(Code::BrokenTool, "3")]);
    assert_eq!(found(r#"[{"parameters": {}}]"#), [(Code::BrokenTool, r#"{"parameters": {}}"#)]);
    assert_eq!(found(r#"[{"name": 1, "parameters": {}}]"#), [(Code::BrokenTool, "1")]);
    assert_eq!(found(r#"[{"name": "", "parameters": {}}]"#), [(Code::BrokenTool, "\"\"")]);
    assert_eq!(found(r#"[{"name": "get the weather"}]"#), [(Code::BrokenTool, r#""get the weather""#)]);
    assert_eq!(found(r#"[{"name": "wetter_für"}]"#), [(Code::BrokenTool, r#""wetter_für""#)]);
    assert_eq!(found(r#"[{"name": "a/b.c:d-e_f"}]"#), []);
    assert_eq!(found(r#"[{"name": "a", "parameters": {"type": "obj"}}]"#), [(Code::UnknownType, "\"obj\"")]);
    assert_eq!(found(r#"[{"name": "a", "parameters": {"type": "array"}}]"#), [(Code::ToolArguments, "\"array\"")]);
    assert_eq!(found(r#"[{"name": "a", "paramters": {}}]"#), [(Code::BrokenTool, "\"paramters\"")]);
    assert_eq!(found(r#"[{"name": "a", "email": "x"}]"#), [(Code::BrokenTool, "\"email\"")]);
    let hosted = r#"{"type": "web_search"}"#;
    let alone = format!("[{hosted}]");
    assert_eq!(found(&alone), [(Code::BrokenTool, alone.as_str()), (Code::BrokenTool, hosted)]);
    assert_eq!(found(&format!(r#"[{hosted}, {{"name": "a"}}]"#)), [(Code::BrokenTool, hosted)]);
    assert_eq!(found(r#"[{"name": "a", "parameters": "{}"}]"#), [(Code::BrokenTool, "\"{}\"")]);
    assert_eq!(found(r#"[{"name": "a", "parameters": {}, "input_schema": []}]"#), [(Code::BrokenTool, "[]")]);
    assert_eq!(found(r#"[{"name": "a"}, {"name": "a"}]"#), [(Code::DuplicateTool, "\"a\"")]);
    assert_eq!(found(r#"{"tools": [{"name": "a"}], "nextCursor": "p2"}"#), [(Code::BrokenTool, "\"p2\"")]);
    assert_eq!(found(r#"[{"name": "a", "parameters": {"type": "string"}}]"#), [(Code::ToolArguments, "\"string\"")]);
    assert_eq!(
        found(r#"[{"name": "a", "parameters": {"properties": {}}}]"#),
        [(Code::ToolArguments, r#"{"properties": {}}"#)]
    );
}

#[test]
fn strict_tools_must_be_closed_and_require_all_properties() {
    let text = r#"[{"type": "function", "function": {"name": "a", "strict": true, "parameters":
        {"type": "object", "properties": {"b": {"type": "object", "additionalProperties": true}}, "additionalProperties": false}}}]"#;
    assert_eq!(found(text), [(Code::StrictTool, "\"b\""), (Code::StrictTool, "true")]);
    assert_eq!(found(&text.replace("\"strict\": true, ", "")), []);
}

#[test]
fn slips_in_the_members_of_a_tool_are_found_at_their_place() {
    let tool = |kind: &str, name: &str, strict: &str| {
        format!(
            r#"[{{"type": {kind}, "function": {{{name}: "a", "strict": {strict}, "parameters": {{"type": "object", "additionalProperties": false}}}}}}]"#
        )
    };
    for (text, place) in [
        (tool("\"func\"", "\"name\"", "true"), "\"func\""),
        (tool("\"functon\"", "\"name\"", "true"), "\"functon\""),
        (tool("\"function\"", "\"nane\"", "true"), "\"nane\""),
        (tool("\"function\"", "\"name\"", "\"true\""), "\"true\""),
    ] {
        assert_eq!(found(&text), [(Code::BrokenTool, place)], "{text}");
    }
    for kind in ["\"function\"", "\"web_search\"", "\"computer_20250124\""] {
        assert_eq!(found(&tool(kind, "\"name\"", "null")), [], "{kind}");
    }
}
