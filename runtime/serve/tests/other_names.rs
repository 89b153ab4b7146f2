//! Tests of the names that other servers have for formats, and of their additions to OpenAI's interface.

use ogc_serve::{FormatSource, ServeOptions};
use serde_json::{Value, json};

use crate::running::{Mock, Running};

/// Returns the name and the text of a source of one text.
fn one(source: &FormatSource) -> (&str, &str) {
    match source {
        FormatSource::Texts(texts) if texts.len() == 1 && texts[0].definition.is_none() => {
            (&texts[0].name, &texts[0].text)
        }
        other => panic!("{other:?}"),
    }
}

const TAG: &str = r#"{"type":"structural_tag","format":{"type":"const_string","value":"a"}}"#;
const SCHEMA: &str = r#"{"type":"integer","x":1.5}"#;

fn names() -> Vec<(Value, &'static str, &'static str)> {
    let schema: Value = serde_json::from_str(SCHEMA).expect("JSON");
    let outputs = |value: Value| json!({ "structured_outputs": value });
    vec![
        (json!({ "response_format": { "type": "json_object", "schema": schema } }), "format.schema.json", SCHEMA),
        (json!({ "grammar": "root ::= \"a\"" }), "format.gbnf", "root ::= \"a\""),
        (json!({ "grammar": { "type": "lark", "value": "start: \"a\"" } }), "format.lark", "start: \"a\""),
        (json!({ "json_schema": schema }), "format.schema.json", SCHEMA),
        (json!({ "json_schema": SCHEMA }), "format.schema.json", SCHEMA),
        (json!({ "guided_json": schema }), "format.schema.json", SCHEMA),
        (json!({ "guided_json": SCHEMA }), "format.schema.json", SCHEMA),
        (json!({ "guided_regex": "a+" }), "format.regex", "a+"),
        (json!({ "guided_grammar": "root ::= \"a\"" }), "format.gbnf", "root ::= \"a\""),
        (json!({ "guided_grammar": "start: \"a\"" }), "format.lark", "start: \"a\""),
        (json!({ "guided_choice": ["a", "\"\n\u{1}"] }), "format.ogc", "output Choice = \"a\" | \"\\\"\\n\\u0001\"\n"),
        (outputs(json!({ "json": schema })), "format.schema.json", SCHEMA),
        (outputs(json!({ "regex": "a+", "json": null })), "format.regex", "a+"),
        (outputs(json!({ "choice": ["a"] })), "format.ogc", "output Choice = \"a\"\n"),
        (outputs(json!({ "grammar": "root ::= \"a\"" })), "format.gbnf", "root ::= \"a\""),
        (outputs(json!({ "json_object": true })), "format.schema.json", "{\"type\": \"object\"}"),
        (outputs(json!({ "structural_tag": TAG })), "format.json", TAG),
        (json!({ "structural_tag": serde_json::from_str::<Value>(TAG).expect("JSON") }), "format.json", TAG),
        (json!({ "response_format": serde_json::from_str::<Value>(TAG).expect("JSON") }), "format.json", TAG),
        (json!({ "regex": "a+" }), "format.regex", "a+"),
        (json!({ "ebnf": "root ::= \"a\"" }), "format.gbnf", "root ::= \"a\""),
    ]
}

#[test]
fn formats_are_read_from_the_fields_of_other_servers() {
    let server = Running::start(ServeOptions::default());
    for (parameters, name, text) in names() {
        server.chat(&parameters).good();
        // A format is not compiled twice.
        if let Some(source) = server.compiled().first() {
            assert_eq!(one(source), (name, text), "{parameters}");
        }
        let mut body = parameters.clone();
        body["prompt"] = json!("x");
        body["max_tokens"] = json!(4);
        server.post("/v1/completions", &body.to_string()).good();
    }
}

#[test]
fn an_upstream_server_gets_a_format_only_in_its_own_notation() {
    let part = r#"data: {"choices": [{"index": 0, "delta": {"content": "ab"}, "finish_reason": "stop"}]}"#;
    let mock = Mock::start(Some(&Mock::reply("200 OK", "text/event-stream", &format!("{part}\n\ndata: [DONE]\n\n"))));
    let server = Running::before(&mock.url, None, ServeOptions::default());
    for (parameters, _, _) in names() {
        server.chat(&parameters).good();
        let asked = mock.asked().pop().expect("a request");
        for name in parameters.as_object().expect("an object").keys() {
            assert!(!asked.contains(&format!("\"{name}\"")), "{asked}");
        }
    }
}

#[test]
fn two_formats_are_refused_by_both_names() {
    let server = Running::start(ServeOptions::default());
    let refused = |parameters: Value, param: &str, names: [&str; 2]| {
        let error = server.chat(&parameters).refused(400, Some(param), "two formats: remove one");
        let message = error["message"].as_str().unwrap_or_default();
        assert!(names.iter().all(|name| message.contains(&format!("`{name}`"))), "{message}");
    };
    let schema = json!({ "type": "json_schema", "json_schema": { "schema": {} } });
    let path = "response_format.json_schema.schema";
    refused(json!({ "response_format": schema, "guided_regex": "a" }), "guided_regex", [path, "guided_regex"]);
    refused(json!({ "regex": "a", "ebnf": "root ::= \"a\"" }), "ebnf", ["regex", "ebnf"]);
    refused(
        json!({ "structured_outputs": { "regex": "a", "choice": ["a"] } }),
        "structured_outputs.choice",
        ["structured_outputs.regex", "structured_outputs.choice"],
    );
    // Any text counts as no format.
    server.chat(&json!({ "response_format": { "type": "text" }, "regex": "a" })).good();
}

#[test]
fn unsupported_format_fields_are_named() {
    let server = Running::start(ServeOptions::default());
    let outputs = |value: Value| json!({ "structured_outputs": value });
    let wrong = [
        (outputs(json!({})), "structured_outputs", "it has no format"),
        (outputs(json!({ "structural_tag": "x" })), "structured_outputs.structural_tag", "it takes a structural tag"),
        (json!({ "structural_tag": { "type": "object" } }), "structural_tag", "it takes a structural tag"),
        (outputs(json!({ "json_object": false })), "structured_outputs.json_object", "is false; it takes `true`"),
        (json!({ "guided_json": 5 }), "guided_json", "is 5; it takes a JSON schema"),
        (json!({ "guided_choice": [] }), "guided_choice", "at least one string"),
        (json!({ "guided_choice": ["a", 5] }), "guided_choice[1]", "is 5; it takes a string"),
        (json!({ "guided_whitespace_pattern": " " }), "guided_whitespace_pattern", "is not supported"),
        (json!({ "regex": ["a"] }), "regex", "is an array; it takes a string"),
        (json!({ "grammar": { "type": "x", "value": "" } }), "grammar.type", "it takes `regex`"),
    ];
    for (parameters, param, message) in wrong {
        server.chat(&parameters).refused(400, Some(param), message);
    }
}

#[test]
fn allowed_tools_are_the_only_ones() {
    let server = Running::start(ServeOptions::default());
    let tool = |name: &str| json!({ "type": "function", "function": { "name": name } });
    let ask = |mode: &str, names: &[&str]| {
        let allowed = json!({ "mode": mode, "tools": names.iter().map(|name| tool(name)).collect::<Vec<Value>>() });
        let choice = json!({ "type": "allowed_tools", "allowed_tools": allowed });
        server.chat(&json!({ "tools": [tool("a"), tool("b"), tool("c")], "tool_choice": choice }))
    };
    let tools = || match &server.compiled()[..] {
        [FormatSource::Texts(texts)] => (texts[0].text.clone(), texts[1].text.clone()),
        other => panic!("{other:?}"),
    };
    ask("auto", &["a", "c"]).good();
    let (reply, list) = tools();
    assert!(
        reply.contains("mix<text") && list.contains("\"a\"") && !list.contains("\"b\"") && list.contains("\"c\""),
        "{list}"
    );
    ask("required", &["b"]).good();
    let (reply, list) = tools();
    assert!(!reply.contains("mix<text") && list.contains("\"b\"") && !list.contains("\"a\""), "{list}");
    let path = "tool_choice.allowed_tools";
    ask("none", &["a"]).refused(400, Some(&format!("{path}.mode")), "it takes `auto` or `required`");
    ask("auto", &[]).refused(400, Some(&format!("{path}.tools")), "at least one tool");
    ask("auto", &["a", "d"]).refused(400, Some(&format!("{path}.tools[1].function.name")), "`d`, which is no tool");
}
