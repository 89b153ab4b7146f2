//! Schemas that are legal but misleading, and requests that contain a schema.

#![allow(clippy::unwrap_used, reason = "a test fails where nothing can be unwrapped")]

use ogc_compiler::frontend::json_schema::{ReadOptions, read};
use ogc_compiler::frontend::tools::read_schema_or_tools;
use ogc_grammar::{Code, Diagnostic};

fn found(schema: &str) -> Vec<Diagnostic> {
    read(schema, &ReadOptions::default()).diagnostics
}

#[test]
fn schema_traps_are_reported_and_similar_schemas_are_not() {
    let discriminated = |kinds: [&str; 2]| {
        let arm =
            |kind: &str| format!(r#"{{"type": "object", "properties": {{"kind": {kind}}}, "required": ["kind"]}}"#);
        let [one, two] = kinds.map(arm);
        format!(r#"{{"oneOf": [{one}, {two}], "discriminator": {{"propertyName": "kind"}}}}"#)
    };
    let tagged = discriminated([r#"{"const": "a"}"#, r#"{"enum": ["b"]}"#]);
    let untagged = discriminated([r#"{"const": "a"}"#, "{}"]);
    for (schema, expected) in [
        (r#"{"properties": {"name": {}}, "required": ["nmae"]}"#, Some((Code::UndeclaredKey, "did you mean \"name\""))),
        (r#"{"properties": {"name": {}}, "required": ["id"]}"#, Some((Code::UndeclaredKey, "declare \"id\""))),
        (r#"{"properties": {"name": {}}, "required": ["name"]}"#, None),
        (r#"{"required": ["id"]}"#, None),
        (r#"{"properties": {"a": {}}, "required": ["id"], "allOf": [{"properties": {"id": {}}}]}"#, None),
        (r#"{"properties": {"a": {}}, "required": ["id"], "additionalProperties": {"type": "null"}}"#, None),
        (
            r#"{"properties": {"name": {}}, "required": ["nmae"], "additionalProperties": {"type": "null"}}"#,
            Some((Code::UndeclaredKey, "did you mean \"name\"")),
        ),
        (
            r#"{"properties": {"name": {}}, "required": ["nmae"], "additionalProperties": true}"#,
            Some((Code::UndeclaredKey, "did you mean \"name\"")),
        ),
        // Another schema for the same value declares the key: the schema next to the choice, or one that refers to this
        // one.
        (r#"{"properties": {"id": {}}, "oneOf": [{"properties": {"a": {}}, "required": ["a", "id"]}]}"#, None),
        (
            r#"{"properties": {"id": {}}, "allOf": [{"if": {}, "then": {"properties": {"a": {}}, "required": ["id"]}}]}"#,
            None,
        ),
        (
            r##"{"$defs": {"a": {"properties": {"a": {}}, "required": ["id"]}},
                "allOf": [{"$ref": "#/$defs/a"}, {"properties": {"id": {}}}]}"##,
            None,
        ),
        (
            r#"{"properties": {"id": {}, "b": {"properties": {"a": {}}, "required": ["id"]}}}"#,
            Some((Code::UndeclaredKey, "declare \"id\"")),
        ),
        (r#"{"properties": {"a": {}}, "required": ["id"], "unevaluatedProperties": {"type": "null"}}"#, None),
        (r#"{"type": "string", "enum": ["a", null]}"#, Some((Code::LostValue, "add \"null\" to `type`"))),
        (r#"{"type": ["integer", "null"], "enum": [1, 1.0, 1.5, null]}"#, Some((Code::LostValue, "add \"number\""))),
        (r#"{"type": ["number", "object"], "enum": [1, 1.5, {}]}"#, None),
        (r#"{"type": ["string", "null"], "enum": ["a"]}"#, Some((Code::LostNull, "add `null`"))),
        (r#"{"type": ["string", "null"], "const": "a"}"#, Some((Code::LostNull, "add `null`"))),
        (r#"{"type": ["string", "null"], "enum": ["a", null]}"#, None),
        (r#"{"type": ["string", "null"]}"#, None),
        (
            r#"{"allOf": [{"properties": {"a": {}}, "additionalProperties": false},
                {"properties": {"b": {}}, "additionalProperties": false}]}"#,
            Some((Code::LostKeys, "unevaluatedProperties")),
        ),
        (
            r##"{"$defs": {"a": {"properties": {"a": {}}, "additionalProperties": false}}, "allOf": [{"$ref": "#/$defs/a"}],
                "properties": {"b": {}}}"##,
            Some((Code::LostKeys, "unevaluatedProperties")),
        ),
        (
            r#"{"properties": {"a": {}, "b": {}}, "additionalProperties": false, "allOf": [{"properties": {"a": {}}}]}"#,
            None,
        ),
        (r#"{"allOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}]}"#, None),
        (untagged.as_str(), Some((Code::ForeignKeyword, "into each branch"))),
        (tagged.as_str(), None),
        (r#"{"$schema": "http://json-schema.org/draft-03/schema#"}"#, Some((Code::OldDraft, "required names"))),
        (r#"{"$schema": "https://json-schema.org/draft-02/hyper-schema"}"#, Some((Code::OldDraft, "required names"))),
        (r#"{"$schema": "http://json-schema.org/draft-04/schema"}"#, None),
    ] {
        let found = found(schema);
        let told = found.first().map(|one| (one.code, one.help.clone().unwrap_or_default()));
        assert!(found.len() < 2, "{schema}: {found:?}");
        assert_eq!(told.as_ref().map(|(code, _)| *code), expected.map(|(code, _)| code), "{schema}");
        let (Some((_, help)), Some((_, part))) = (told, expected) else { continue };
        assert!(help.contains(part), "{schema}: {help}");
    }
}

#[test]
fn the_schema_inside_of_an_api_request_is_found() {
    let schema = r#"{"type": "object", "properties": {"a": {"type": "string"}}}"#;
    for (request, pointer) in [
        (
            r#"{"type": "json_schema", "json_schema": {"name": "n", "strict": true, "schema": S}}"#,
            "/json_schema/schema",
        ),
        (
            r#"{"model": "m", "messages": [], "response_format": {"type": "json_schema", "json_schema": {"schema": S}}}"#,
            "/response_format/json_schema/schema",
        ),
        (
            r#"{"model": "m", "input": "i", "text": {"format": {"type": "json_schema", "name": "n", "schema": S}}}"#,
            "/text/format/schema",
        ),
        (
            r#"{"model": "m", "messages": [], "output_format": {"type": "json_schema", "schema": S}}"#,
            "/output_format/schema",
        ),
        (r#"{"contents": [], "generationConfig": {"responseJsonSchema": S}}"#, "/generationConfig/responseJsonSchema"),
        (r#"{"model": "m", "prompt": "p", "format": S}"#, "/format"),
        (r#"{"model": "m", "messages": [], "guided_json": S}"#, "/guided_json"),
    ] {
        let text = request.replace(": S", &format!(": {schema}"));
        let imported = read_schema_or_tools(&text, &ReadOptions { report: true, ..ReadOptions::default() });
        let [note] = &imported.diagnostics[..] else { panic!("{text}: {:?}", imported.diagnostics) };
        assert!(note.code == Code::WrappedSchema && note.message.contains(&format!("`{pointer}`")), "{note:?}");
        assert_eq!(imported.report[0].pointer, format!("{pointer}/type"));
        let alone = read(schema, &ReadOptions::default());
        assert_eq!(imported.schemas.nodes.len(), alone.schemas.nodes.len());
    }
    for schema in
        [r#"{"type": "string", "format": "email"}"#, r#"{"properties": {"format": {"type": "object"}}, "model": 1}"#]
    {
        let found = read_schema_or_tools(schema, &ReadOptions::default()).diagnostics;
        assert!(!found.iter().any(|one| one.code == Code::WrappedSchema), "{schema}");
    }
}

#[test]
fn tools_of_gemini_and_bedrock_are_read() {
    let schema = r#"{"type": "object", "properties": {"a": {"type": "string"}}}"#;
    for (list, pointer) in [
        (
            r#"{"contents": [], "tools": [{"functionDeclarations": [{"name": "f", "parameters": S}, {"name": "g"}]}]}"#,
            "/tools/0/functionDeclarations/0/parameters",
        ),
        (
            r#"[{"function_declarations": [{"name": "f", "parametersJsonSchema": S}, {"name": "g"}]}]"#,
            "/0/function_declarations/0/parametersJsonSchema",
        ),
        (
            r#"{"functionDeclarations": [{"name": "f", "parameters": S}, {"name": "g"}]}"#,
            "/functionDeclarations/0/parameters",
        ),
        (
            r#"{"toolConfig": {"tools": [{"toolSpec": {"name": "f", "description": "d", "inputSchema": {"json": S}}}, {"toolSpec": {"name": "g"}}]}}"#,
            "/toolConfig/tools/0/toolSpec/inputSchema/json",
        ),
    ] {
        let text = list.replace(": S", &format!(": {schema}"));
        let imported = read_schema_or_tools(&text, &ReadOptions { report: true, ..ReadOptions::default() });
        assert_eq!(imported.diagnostics, [], "{text}");
        let names: Vec<&str> = imported.definitions.iter().map(|one| one.name.as_str()).collect();
        assert_eq!((imported.is_tools, names), (true, vec!["f", "g"]), "{text}");
        assert_eq!(imported.report[0].pointer, format!("{pointer}/type"));
    }
    // Gemini's spelling of types is reported, with a correction.
    let upper = r#"[{"functionDeclarations": [{"name": "f", "parameters": {"type": "OBJECT", "properties": {"a": {"type": "STRING"}}}}]}]"#;
    let found = read_schema_or_tools(upper, &ReadOptions::default()).diagnostics;
    assert!(found.iter().all(|one| one.code == Code::UnknownType && one.fix.is_some()), "{found:?}");
    assert_eq!(found.len(), 2);
}
