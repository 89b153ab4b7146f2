//! Tests of errors of requests: each names the field, the given value and the expected one, but no internals of the
//! reader.

use ogc_serve::ServeOptions;
use serde_json::{Value, json};

use crate::running::{Mock, Running};

/// Words of the reader's internals that mean nothing to a client.
const INSIDES: [&str; 9] =
    ["untagged", "enum", "variant", "struct ", "u32", "i64", "usize", "invalid type", "expected value"];

#[track_caller]
fn check(answered: &crate::running::Answered, param: &str, message: &str) {
    let error = answered.refused(400, Some(param), message);
    let said = error["message"].as_str().unwrap_or_default();
    assert!(INSIDES.iter().all(|word| !said.contains(word)) && said.contains(&format!("`{param}`")), "{said}");
}

/// Wrong parameters of a chat, each with the field and the message of the error.
fn wrong() -> Vec<(Value, &'static str, &'static str)> {
    let function = |parameters: Value| json!({ "tools": [{ "type": "function", "function": parameters }] });
    let message = |message: Value| json!({ "messages": [{ "role": "user", "content": "x" }, message] });
    let choice = |choice: Value| json!({ "tools": [{ "type": "function", "function": { "name": "a" } }], "tool_choice": choice });
    let format = |format: Value| json!({ "response_format": format });
    let custom =
        |format: Value| json!({ "tools": [{ "type": "custom", "custom": { "name": "a", "format": format } }] });
    vec![
        (json!({ "messages": "x" }), "messages", "is \"x\"; it takes an array"),
        (json!({ "messages": [] }), "messages", "no messages"),
        (json!({ "messages": ["x"] }), "messages[0]", "is \"x\"; it takes an object"),
        (message(json!({ "content": "x" })), "messages[1].role", "is missing"),
        (message(json!({ "role": "robot", "content": "x" })), "messages[1].role", "is \"robot\"; it takes `system` or"),
        (message(json!({ "role": 1, "content": "x" })), "messages[1].role", "is 1; it takes"),
        (message(json!({ "role": "user" })), "messages[1]", "no `content`"),
        (
            message(json!({ "role": "user", "content": 7 })),
            "messages[1].content",
            "is 7; it takes a string, or an array",
        ),
        (message(json!({ "role": "user", "content": [7] })), "messages[1].content[0]", "is 7; it takes an object"),
        (
            message(json!({ "role": "user", "content": [{ "type": "image_url", "image_url": {} }] })),
            "messages[1].content[0].type",
            "is \"image_url\"; it takes `text`",
        ),
        (message(json!({ "role": "user", "content": "x", "audio": {} })), "messages[1].audio", "takes `role`, "),
        (
            message(json!({ "role": "assistant", "tool_calls": [{}] })),
            "messages[1].tool_calls[0].function",
            "is missing",
        ),
        (
            message(json!({ "role": "assistant", "tool_calls": [{ "function": { "name": "a", "arguments": {} } }] })),
            "messages[1].tool_calls[0].function.arguments",
            "is an object; it takes a string",
        ),
        (json!({ "max_tokens": "5" }), "max_tokens", "is \"5\"; it takes a whole number from 1 to"),
        (json!({ "max_tokens": 1.5 }), "max_tokens", "is 1.5"),
        (json!({ "max_completion_tokens": 0 }), "max_completion_tokens", "is 0"),
        (json!({ "max_tokens": 2, "max_completion_tokens": 3 }), "max_tokens", "differ"),
        (json!({ "n": -1 }), "n", "is -1; it takes a whole number from 1 to 8"),
        (json!({ "temperature": "hot" }), "temperature", "is \"hot\"; it takes a number"),
        (json!({ "temperature": 3 }), "temperature", "from 0 to 2"),
        (json!({ "seed": 1e30 }), "seed", "it takes a whole number"),
        (json!({ "stream": "yes" }), "stream", "it takes `true` or `false`"),
        (json!({ "stream_options": { "include_usage": true } }), "stream_options", "it needs `\"stream\": true`"),
        (json!({ "stream": true, "stream_options": { "x": 1 } }), "stream_options.x", "takes `include_usage`, "),
        (json!({ "stream": true, "stream_options": { "include_usage": 1 } }), "stream_options.include_usage", "is 1"),
        (json!({ "logit_bias": [] }), "logit_bias", "is an array; it takes an object"),
        (json!({ "logit_bias": { "5": 101 } }), "logit_bias.5", "is 101; it takes a number from -100 to 100"),
        (json!({ "logit_bias": { "-5": 1 } }), "logit_bias.-5", "ids of tokens, from 0 to"),
        (json!({ "stop": 5 }), "stop", "is 5; it takes a string of 1 to 256 bytes"),
        (json!({ "stop": ["a", ""] }), "stop[1]", "is \"\"; it takes"),
        (
            json!({ "top_logprobs": 21, "logprobs": true }),
            "top_logprobs",
            "is 21; it takes a whole number from 0 to 20",
        ),
        (json!({ "model": 1 }), "model", "is 1; it takes a string"),
        (json!({ "functions": [] }), "functions", "there are 0 functions; it takes 1 to 128"),
        (json!({ "functions": [{}] }), "functions[0].name", "is missing"),
        (
            json!({ "functions": [{ "name": "a" }], "tool_choice": "auto" }),
            "tool_choice",
            "two versions of the interface",
        ),
        (json!({ "function_call": "auto" }), "function_call", "there are no `functions`"),
        (
            json!({ "functions": [{ "name": "a" }], "function_call": "required" }),
            "function_call",
            "it takes `none` or `auto`",
        ),
        (json!({ "functions": [{ "name": "a" }], "function_call": { "name": "b" } }), "function_call.name", "no tool"),
        (json!({ "tools": [{ "type": "custom" }] }), "tools[0].custom", "is missing"),
        (custom(json!({ "type": "gbnf" })), "tools[0].custom.format.type", "it takes `text` or `grammar`"),
        (custom(json!({ "type": "grammar" })), "tools[0].custom.format.grammar", "is missing"),
        (
            custom(json!({ "type": "grammar", "grammar": { "syntax": "gbnf" } })),
            "tools[0].custom.format.grammar.syntax",
            "it takes `lark` or `regex`",
        ),
        (
            custom(json!({ "type": "grammar", "grammar": { "syntax": "lark", "definition": 1 } })),
            "tools[0].custom.format.grammar.definition",
            "is 1; it takes a string",
        ),
        (
            choice(json!({ "type": "custom", "custom": { "name": "a" } })),
            "tool_choice.custom.name",
            "of the type `function`",
        ),
        (
            message(json!({ "role": "assistant", "tool_calls": [{ "type": "custom", "custom": { "name": "a" } }] })),
            "messages[1].tool_calls[0].custom.input",
            "is missing",
        ),
        (json!({ "frobnicate": 1 }), "frobnicate", "is not supported: remove it"),
        (json!({ "tools": {} }), "tools", "is an object; it takes an array"),
        (json!({ "tools": [{ "type": "search" }] }), "tools[0].type", "is \"search\"; it takes `function`"),
        (json!({ "tools": [{ "type": "function" }] }), "tools[0].function", "is missing"),
        (function(json!({ "name": "a b" })), "tools[0].function.name", "is \"a b\"; it takes 1 to 64 letters"),
        (
            function(json!({ "name": "a", "parameters": 1 })),
            "tools[0].function.parameters",
            "is 1; it takes a JSON schema",
        ),
        (function(json!({ "name": "a", "return": {} })), "tools[0].function.return", "takes `name`, `description`"),
        (choice(json!("any")), "tool_choice", "is \"any\"; it takes `none` or `auto` or `required`"),
        (choice(json!({ "type": "function" })), "tool_choice.function", "is missing"),
        (choice(json!({ "type": "function", "function": { "name": "b" } })), "tool_choice.function.name", "no tool"),
        (format(json!("json")), "response_format", "is \"json\"; it takes an object"),
        (format(json!({})), "response_format.type", "is missing"),
        (format(json!({ "type": "xml" })), "response_format.type", "is \"xml\"; it takes `text` or `json_object`"),
        (format(json!({ "type": "json_schema" })), "response_format.json_schema", "is missing"),
        (
            format(json!({ "type": "json_schema", "json_schema": {} })),
            "response_format.json_schema.schema",
            "is missing",
        ),
        (
            format(json!({ "type": "json_schema", "json_schema": { "schema": "x" } })),
            "response_format.json_schema.schema",
            "is \"x\"; it takes a JSON schema",
        ),
        (
            format(json!({ "type": "json_schema", "json_schema": { "schema": {}, "x": 1 } })),
            "response_format.json_schema.x",
            "is not supported",
        ),
        (format(json!({ "type": "text", "ogc": {} })), "response_format.ogc", "is not supported"),
        (format(json!({ "type": "ogc", "ogc": { "name": "a", "text": "b" } })), "response_format.ogc", "either"),
        (
            format(json!({ "type": "grammar", "grammar": { "syntax": "bnf", "text": "" } })),
            "response_format.grammar.syntax",
            "is \"bnf\"; it takes `gbnf`",
        ),
        (
            format(json!({ "type": "grammar", "grammar": { "syntax": "abnf", "text": "a = DIGIT", "start": 1 } })),
            "response_format.grammar.start",
            "is 1; it takes a string",
        ),
    ]
}

#[test]
fn wrong_fields_of_chats_are_named() {
    let server = Running::start(ServeOptions::default());
    for (parameters, param, message) in wrong() {
        check(&server.chat(&parameters), param, message);
    }
    let post = |body: &str| server.post("/v1/chat/completions", body);
    for body in ["", "{\"messages\": [", "{} x", "\u{1}"] {
        post(body).refused(400, None, "the body is no JSON: ");
    }
    post("[1]").refused(400, None, "the body is an array; it takes an object");
    post("{\"n\": 1, \"n\": 2}").refused(400, Some("n"), "stands twice");
    post(&format!("{{\"messages\": {}}}", "[".repeat(4_000))).refused(400, None, "the body is no JSON: ");
    let deep = format!("{{\"messages\": {}{}}}", "[".repeat(4_000), "]".repeat(4_000));
    post(&deep).refused(400, Some("messages[0]"), "is an array; it takes an object");
    // A field that is null counts as absent.
    server.chat(&json!({ "seed": null, "tools": null, "response_format": null, "functions": null, "x": null })).good();
}

#[test]
fn errors_that_concern_no_field_have_the_same_form() {
    let server = Running::start(ServeOptions::default());
    let get = |path: &str| server.ask(&format!("GET {path} HTTP/1.1\nhost: localhost"), "");
    for path in ["/v1/models/%ff", "/v1/models/a/b", "/v1/nothing"] {
        get(path).refused(404, None, "no such path");
    }
    get("/v1/models/%22").refused(404, Some("model"), "there is no model");
    get("/v1/completions").refused(405, None, "does not have this method");
    let head =
        "POST /v1/completions HTTP/1.1\nhost: localhost\ncontent-type: application/json\ntransfer-encoding: chunked";
    server.ask(head, "zz\r\n").refused(400, None, "");
}

#[test]
fn wrong_fields_of_completions_are_named() {
    let server = Running::start(ServeOptions::default());
    let complete = |body: Value| server.post("/v1/completions", &body.to_string());
    check(&complete(json!({})), "prompt", "is missing; it takes a string, an array of strings");
    check(&complete(json!({ "prompt": 5 })), "prompt", "is 5; it takes a string");
    check(&complete(json!({ "prompt": ["a", 5] })), "prompt[1]", "is 5; it takes a string");
    check(&complete(json!({ "prompt": [1, "a"] })), "prompt[1]", "is \"a\"; it takes the id of a token");
    check(
        &complete(json!({ "prompt": [[1, 99_999]] })),
        "prompt[0][1]",
        "is 99999; it takes the id of a token, from 0 to",
    );
    check(&complete(json!({ "prompt": "x", "echo": true })), "echo", "not supported");
    check(&complete(json!({ "prompt": ["x"], "n": 8, "logprobs": 50 })), "logprobs", "from 0 to 20");
    check(&complete(json!({ "prompt": ["x", "y"], "n": 8 })), "prompt", "is 16 texts; it must be from 1 to 8");
}

#[test]
fn wrong_fields_are_named_before_asking_an_upstream_server() {
    let mock = Mock::start(Some(&Mock::reply("500 No", "text/plain", "")));
    let server = Running::before(&mock.url, None, ServeOptions::default());
    for (parameters, param, message) in wrong() {
        let is_read = ["tool", "response_format"].iter().any(|name| param.starts_with(name)) || param == "messages";
        if is_read && message != "no messages" && parameters.get("functions").is_none() {
            check(&server.chat(&parameters), param, message);
        }
    }
    check(&server.post("/v1/completions", "{\"prompt\": [1]}"), "prompt", "takes one string");
    assert!(mock.asked().is_empty(), "{:?}", mock.asked());
}
