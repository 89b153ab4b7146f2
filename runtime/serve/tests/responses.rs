//! Tests of OpenAI's Responses API: requests, responses and events, compared with its documentation.

use ogc_serve::{FormatSource, ServeOptions};
use serde_json::{Value, json};

use crate::running::{Answered, Mock, Running};

/// The documented events that a server of texts sends, each with its fields beside `type` and `sequence_number`.
const EVENTS: [(&str, &[&str]); 20] = [
    ("response.created", &["response"]),
    ("response.in_progress", &["response"]),
    ("response.completed", &["response"]),
    ("response.incomplete", &["response"]),
    ("response.failed", &["response"]),
    ("response.output_item.added", &["output_index", "item"]),
    ("response.output_item.done", &["output_index", "item"]),
    ("response.content_part.added", &["item_id", "output_index", "content_index", "part"]),
    ("response.content_part.done", &["item_id", "output_index", "content_index", "part"]),
    ("response.output_text.delta", &["item_id", "output_index", "content_index", "delta", "logprobs"]),
    ("response.output_text.done", &["item_id", "output_index", "content_index", "text", "logprobs"]),
    ("response.refusal.delta", &["item_id", "output_index", "content_index", "delta"]),
    ("response.refusal.done", &["item_id", "output_index", "content_index", "refusal"]),
    ("response.reasoning_text.delta", &["item_id", "output_index", "content_index", "delta"]),
    ("response.reasoning_text.done", &["item_id", "output_index", "content_index", "text"]),
    ("response.function_call_arguments.delta", &["item_id", "output_index", "delta"]),
    ("response.function_call_arguments.done", &["item_id", "output_index", "arguments"]),
    ("response.custom_tool_call_input.delta", &["item_id", "output_index", "delta"]),
    ("response.custom_tool_call_input.done", &["item_id", "output_index", "input"]),
    ("error", &["code", "message", "param"]),
];

/// The fields of a response.
const RESPONSE: [&str; 29] = [
    "id",
    "object",
    "created_at",
    "status",
    "completed_at",
    "background",
    "error",
    "incomplete_details",
    "instructions",
    "max_output_tokens",
    "max_tool_calls",
    "metadata",
    "model",
    "output",
    "parallel_tool_calls",
    "previous_response_id",
    "prompt_cache_key",
    "reasoning",
    "safety_identifier",
    "service_tier",
    "store",
    "temperature",
    "text",
    "tool_choice",
    "tools",
    "top_logprobs",
    "top_p",
    "truncation",
    "user",
];

/// The fields of items by their type.
const ITEMS: [(&str, &[&str]); 4] = [
    ("message", &["id", "type", "status", "role", "content"]),
    ("reasoning", &["id", "type", "status", "summary", "content"]),
    ("function_call", &["id", "type", "status", "call_id", "name", "arguments"]),
    ("custom_tool_call", &["id", "type", "status", "call_id", "name", "input"]),
];

fn fields(value: &Value) -> Vec<&str> {
    let mut names: Vec<&str> = value.as_object().expect("an object").keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

#[track_caller]
fn check_fields(value: &Value, expected: &[&str]) {
    let mut expected = expected.to_vec();
    expected.sort_unstable();
    assert_eq!(fields(value), expected, "{value}");
}

/// Checks that a response has the fields of the documentation; returns it.
#[track_caller]
fn check_response(response: Value) -> Value {
    let mut expected = RESPONSE.to_vec();
    expected.push("usage");
    expected.extend(response.get("ogc").map(|_| "ogc"));
    check_fields(&response, &expected);
    assert_eq!((&response["object"], &response["store"]), (&json!("response"), &json!(false)));
    for item in response["output"].as_array().expect("items") {
        check_item(item);
    }
    if !response["usage"].is_null() {
        let usage = &response["usage"];
        check_fields(
            usage,
            &["input_tokens", "input_tokens_details", "output_tokens", "output_tokens_details", "total_tokens"],
        );
        check_fields(&usage["input_tokens_details"], &["cached_tokens", "cache_write_tokens"]);
        check_fields(&usage["output_tokens_details"], &["reasoning_tokens"]);
        let sum = usage["input_tokens"].as_u64().unwrap_or(0) + usage["output_tokens"].as_u64().unwrap_or(0);
        assert_eq!(usage["total_tokens"], json!(sum));
    }
    response
}

#[track_caller]
fn check_item(item: &Value) {
    let kind = item["type"].as_str().expect("a type");
    let (_, expected) = ITEMS.iter().find(|(name, _)| *name == kind).unwrap_or_else(|| panic!("{item}"));
    let namespace = item.get("namespace").map(|_| "namespace");
    check_fields(item, &[*expected, namespace.as_slice()].concat());
}

/// Reads the events of a stream; each must have the documented fields and the next number.
#[track_caller]
fn events(answered: &Answered) -> Vec<Value> {
    answered.good();
    assert!(answered.header("content-type").is_some_and(|kind| kind.starts_with("text/event-stream")));
    let mut events: Vec<Value> = Vec::new();
    let mut lines = answered.body.lines();
    while let Some(name) = lines.by_ref().find_map(|line| line.strip_prefix("event: ")) {
        let data = lines.next().and_then(|line| line.strip_prefix("data: ")).expect("data behind the name");
        let event: Value = serde_json::from_str(data).expect("JSON");
        assert_eq!(event["type"], name);
        assert_eq!(event["sequence_number"], json!(events.len()), "{event}");
        let (_, expected) = EVENTS.iter().find(|(known, _)| *known == name).unwrap_or_else(|| panic!("{event}"));
        check_fields(&event, &[&["type", "sequence_number"], *expected].concat());
        if let Some(response) = event.get("response") {
            check_response(response.clone());
        }
        if let Some(item) = event.get("item") {
            check_item(item);
        }
        events.push(event);
    }
    assert!(!answered.body.contains("[DONE]"), "{answered:?}");
    check_grown(&events);
    events
}

/// Checks that the growing parts of a stream equal the whole at its end: text by item, and items by the last event.
#[track_caller]
fn check_grown(events: &[Value]) {
    let last = events.last().expect("events");
    let done: Vec<&Value> = of_type(events, "response.output_item.done").iter().map(|event| &event["item"]).collect();
    assert_eq!(json!(done), last["response"]["output"], "{last}");
    for item in done {
        let of_item = |event: &&Value| event["item_id"] == item["id"] && event.get("delta").is_some();
        let grown: String = events.iter().filter(of_item).filter_map(|event| event["delta"].as_str()).collect();
        let part = &item["content"][0];
        let texts = [&item["arguments"], &item["input"], &part["text"], &part["refusal"]];
        assert_eq!(texts.iter().find_map(|text| text.as_str()), Some(grown.as_str()), "{item}");
    }
}

fn of_type<'e>(events: &'e [Value], kind: &str) -> Vec<&'e Value> {
    events.iter().filter(|event| event["type"] == kind).collect()
}

fn types(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["type"].as_str().unwrap_or_default()).collect()
}

fn ask(server: &Running, more: Value) -> Answered {
    let mut body = json!({ "model": "model", "input": "x", "max_output_tokens": 4 });
    more.as_object().expect("an object").iter().for_each(|(name, value)| body[name] = value.clone());
    server.post("/v1/responses", &body.to_string())
}

#[track_caller]
fn good(answered: &Answered) -> Value {
    answered.good();
    check_response(serde_json::from_str(&answered.body).expect("JSON"))
}

/// The server compiles each format to the text `ab`.
fn schema() -> Value {
    json!({ "format": { "type": "json_schema", "name": "n", "strict": true, "schema": { "type": "integer", "x": 1.5 } } })
}

#[test]
fn a_response_has_a_message_with_its_text() {
    let server = Running::start(ServeOptions::default());
    let response =
        good(&ask(&server, json!({ "text": schema(), "metadata": { "a": "b" }, "store": true, "temperature": 0.5 })));
    assert_eq!((&response["status"], &response["incomplete_details"]), (&json!("completed"), &Value::Null));
    assert!(response["id"].as_str().is_some_and(|id| id.starts_with("resp_")));
    let item = &response["output"][0];
    assert!(item["id"].as_str().is_some_and(|id| id.starts_with("msg_")));
    assert_eq!(item["content"], json!([{ "type": "output_text", "annotations": [], "logprobs": [], "text": "ab" }]));
    assert_eq!((&item["role"], &item["status"]), (&json!("assistant"), &json!("completed")));
    // The response repeats the parameters of the request.
    assert_eq!((&response["metadata"], &response["temperature"]), (&json!({ "a": "b" }), &json!(0.5)));
    assert_eq!((&response["text"], &response["max_output_tokens"]), (&schema(), &json!(4)));
    match &server.compiled()[..] {
        [FormatSource::Texts(texts)] => {
            assert_eq!(texts[0].name, "format.schema.json");
            assert_eq!(texts[0].text, "{\"type\":\"integer\",\"x\":1.5}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_events_of_a_text_come_in_the_documented_order() {
    let server = Running::start(ServeOptions::default());
    let events = events(&ask(&server, json!({ "text": schema(), "stream": true })));
    let mut seen = types(&events);
    seen.dedup();
    let expected = [
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.content_part.added",
        "response.output_text.delta",
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.completed",
    ];
    assert_eq!(seen, expected);
    let created = &events[0]["response"];
    assert_eq!(
        (&created["status"], &created["output"], &created["usage"]),
        (&json!("in_progress"), &json!([]), &Value::Null)
    );
    let added = &of_type(&events, "response.output_item.added")[0]["item"];
    assert_eq!((&added["status"], &added["content"]), (&json!("in_progress"), &json!([])));
    assert_eq!(of_type(&events, "response.output_text.done")[0]["text"], "ab");
    let last = &events.last().expect("events")["response"];
    assert_eq!((&last["id"], &last["status"]), (&created["id"], &json!("completed")));
}

#[test]
fn a_truncated_text_makes_the_response_incomplete() {
    let server = Before::text("abababab", "length");
    let response = good(&ask(&server.running, json!({})));
    assert_eq!((&response["status"], &response["completed_at"]), (&json!("incomplete"), &Value::Null));
    assert_eq!(response["incomplete_details"], json!({ "reason": "max_output_tokens" }));
    assert_eq!(response["output"][0]["status"], "incomplete");
    let events = events(&ask(&server.running, json!({ "stream": true })));
    assert_eq!(types(&events).last(), Some(&"response.incomplete"));
    let server = Before::text("ab", "content_filter");
    let response = good(&ask(&server.running, json!({})));
    assert_eq!(response["incomplete_details"], json!({ "reason": "content_filter" }));
}

#[test]
fn probabilities_are_included_on_request() {
    let server = Running::start(ServeOptions::default());
    let asked = json!({ "text": schema(), "include": ["message.output_text.logprobs"], "top_logprobs": 2, "seed": 7 });
    let response = good(&ask(&server, asked.clone()));
    let tokens = response["output"][0]["content"][0]["logprobs"].as_array().expect("tokens").clone();
    assert_eq!(json!(tokens.len()), response["usage"]["output_tokens"]);
    for token in &tokens {
        check_fields(token, &["token", "logprob", "bytes", "top_logprobs"]);
    }
    let mut streamed = asked;
    streamed["stream"] = json!(true);
    let events = events(&ask(&server, streamed));
    let told: Vec<&Value> = of_type(&events, "response.output_text.delta");
    let told: Vec<&Value> = told.iter().flat_map(|event| event["logprobs"].as_array().expect("tokens")).collect();
    assert_eq!(told.len(), tokens.len());
    told.iter().for_each(|token| check_fields(token, &["token", "logprob", "top_logprobs"]));
}

/// Wrong requests, each with the field and the message of the error.
fn wrong() -> Vec<(Value, &'static str, &'static str)> {
    let item = |item: Value| json!({ "input": [{ "role": "user", "content": "x" }, item] });
    let format = |format: Value| json!({ "text": { "format": format } });
    let tools = |tool: Value| json!({ "tools": [tool] });
    let custom = |format: Value| json!({ "tools": [{ "type": "custom", "name": "a", "format": format }] });
    let choice = |choice: Value| json!({ "tools": [{ "type": "function", "name": "a" }], "tool_choice": choice });
    let namespace = |tools: Value| json!({ "type": "namespace", "name": "ns", "description": "d", "tools": tools });
    vec![
        (json!({ "input": 5 }), "input", "is 5; it takes a string, or an array of items"),
        (json!({ "input": null }), "input", "is missing"),
        (json!({ "input": [] }), "input", "there are no messages"),
        (json!({ "input": ["x"] }), "input[0]", "takes an object"),
        (item(json!({ "role": "tool", "content": "x" })), "input[1].role", "is \"tool\"; it takes `user`"),
        (item(json!({ "role": "user" })), "input[1].content", "is missing"),
        (
            item(json!({ "role": "user", "content": [{ "type": "input_image" }] })),
            "input[1].content[0].type",
            "`input_text`",
        ),
        (
            item(json!({ "role": "user", "content": [{ "type": "input_text" }] })),
            "input[1].content[0].text",
            "is missing",
        ),
        (item(json!({ "type": "web_search_call" })), "input[1].type", "is \"web_search_call\"; it takes `message` or"),
        (item(json!({ "type": "item_reference", "id": "msg_1" })), "input[1]", "send the item itself"),
        (item(json!({ "type": "function_call", "name": "a", "arguments": "{}" })), "input[1].call_id", "is missing"),
        (item(json!({ "type": "function_call_output", "call_id": "c" })), "input[1].output", "is missing"),
        (item(json!({ "type": "custom_tool_call", "call_id": "c", "name": "a" })), "input[1].input", "is missing"),
        (json!({ "instructions": 5 }), "instructions", "is 5; it takes a string"),
        (json!({ "previous_response_id": "resp_1" }), "previous_response_id", "send the items before in `input`"),
        (json!({ "conversation": "conv_1" }), "conversation", "send their items in `input`"),
        (json!({ "background": true }), "background", "`\"stream\": true`"),
        (json!({ "prompt": { "id": "p" } }), "prompt", "send its text"),
        (json!({ "truncation": "auto" }), "truncation", "shorten it"),
        (json!({ "truncation": "none" }), "truncation", "it takes `disabled`"),
        (json!({ "max_output_tokens": 0 }), "max_output_tokens", "is 0; it takes a whole number"),
        (json!({ "max_tokens": 5 }), "max_tokens", "is not supported"),
        (json!({ "stop": "x" }), "stop", "is not supported"),
        (json!({ "n": 2 }), "n", "is not supported"),
        (json!({ "response_format": { "type": "json_object" } }), "response_format", "is not supported"),
        (json!({ "include": ["x"] }), "include[0]", "it takes `message.output_text.logprobs`"),
        (json!({ "top_logprobs": 2 }), "top_logprobs", "message.output_text.logprobs"),
        (json!({ "stream_options": {} }), "stream_options", "it needs `\"stream\": true`"),
        (
            json!({ "stream": true, "stream_options": { "include_obfuscation": true } }),
            "stream_options.include_obfuscation",
            "it is not supported",
        ),
        (
            json!({ "stream": true, "stream_options": { "include_usage": true } }),
            "stream_options.include_usage",
            "takes",
        ),
        (json!({ "text": [] }), "text", "it takes an object"),
        (json!({ "text": { "x": 1 } }), "text.x", "is not supported"),
        (format(json!({ "type": "xml" })), "text.format.type", "it takes `text` or `json_object`"),
        (format(json!({ "type": "json_schema", "name": "n" })), "text.format.schema", "is missing"),
        (format(json!({ "type": "json_schema", "json_schema": {} })), "text.format.schema", "is missing"),
        (format(json!({ "type": "ogc", "ogc": {} })), "text.format.ogc", "either"),
        (tools(json!({ "type": "web_search" })), "tools[0].type", "is \"web_search\"; it takes `function` or `custom`"),
        (tools(json!({ "type": "function" })), "tools[0].name", "is missing"),
        (tools(json!({ "type": "function", "function": { "name": "a" } })), "tools[0].name", "is missing"),
        (tools(json!({ "type": "function", "name": "a b" })), "tools[0].name", "1 to 64 letters"),
        (
            tools(json!({ "type": "function", "name": "a", "defer_loading": true })),
            "tools[0].defer_loading",
            "takes `type`",
        ),
        (custom(json!({ "type": "grammar" })), "tools[0].format.syntax", "is missing"),
        (
            custom(json!({ "type": "grammar", "syntax": "gbnf" })),
            "tools[0].format.syntax",
            "it takes `lark` or `regex`",
        ),
        (custom(json!({ "type": "grammar", "syntax": "lark" })), "tools[0].format.definition", "is missing"),
        (custom(json!({ "type": "x" })), "tools[0].format.type", "it takes `text` or `grammar`"),
        (tools(namespace(json!([]))), "tools[0].tools", "there are no tools"),
        (tools(namespace(json!([namespace(json!([]))]))), "tools[0].tools[0].type", "it takes `function` or `custom`"),
        (
            json!({ "tools": [namespace(json!([{ "type": "function", "name": "a" }])), { "type": "custom", "name": "ns__a" }] }),
            "tools[1]",
            "the name `ns__a` already",
        ),
        (choice(json!("any")), "tool_choice", "it takes `none` or `auto`"),
        (choice(json!({ "type": "web_search" })), "tool_choice.type", "it takes `function` or `custom`"),
        (choice(json!({ "type": "function", "name": "b" })), "tool_choice.name", "no tool of the request"),
        (choice(json!({ "type": "custom", "name": "a" })), "tool_choice.name", "a tool of the type `function`"),
        (
            choice(json!({ "type": "allowed_tools", "mode": "auto", "tools": [{ "type": "function", "name": "b" }] })),
            "tool_choice.tools[0].name",
            "no tool of the request",
        ),
    ]
}

#[test]
fn wrong_fields_are_named_with_and_without_an_upstream_server() {
    let own = Running::start(ServeOptions::default());
    let mock = Mock::start(Some(&Mock::reply("500 No", "text/plain", "")));
    let before = Running::before(&mock.url, None, ServeOptions::default());
    for (more, param, message) in wrong() {
        for server in [&own, &before] {
            let error = ask(server, more.clone()).refused(400, Some(param), message);
            assert!(error["message"].as_str().is_some_and(|said| said.contains(&format!("`{param}`"))), "{error}");
        }
    }
    assert!(mock.asked().is_empty(), "{:?}", mock.asked());
    ask(&own, json!({ "model": "other" })).refused(404, Some("model"), "there is no model `other`");
    own.post("/v1/responses", "").refused(400, None, "the body is no JSON");
}

#[test]
fn fields_that_clients_always_send_are_accepted() {
    let server = Running::start(ServeOptions::default());
    let more = json!({
        "store": false, "background": false, "truncation": "disabled", "previous_response_id": null, "user": "u",
        "service_tier": "auto", "prompt_cache_key": "k", "safety_identifier": "s", "max_tool_calls": 3,
        "reasoning": { "effort": "low", "summary": "auto" }, "include": ["reasoning.encrypted_content"],
        "text": { "verbosity": "low", "format": schema()["format"] }, "parallel_tool_calls": false, "tools": [],
        "tool_choice": "auto", "top_p": 0.9, "stream": true, "stream_options": { "include_obfuscation": false },
    });
    let last = events(&ask(&server, more)).pop().expect("events");
    let response = &last["response"];
    assert_eq!(response["reasoning"], json!({ "effort": "low", "summary": "auto" }));
    assert_eq!((&response["service_tier"], &response["parallel_tool_calls"]), (&json!("default"), &json!(false)));
}

#[test]
fn requests_for_stored_responses_are_refused() {
    let server = Running::start(ServeOptions::default());
    for line in [
        "GET /v1/responses/resp_1",
        "DELETE /v1/responses/resp_1",
        "POST /v1/responses/resp_1/cancel",
        "GET /v1/responses/a/input_items",
    ] {
        server.ask(&format!("{line} HTTP/1.1\nhost: localhost"), "").refused(404, None, "responses are not kept here");
    }
    for line in ["GET /v1/responses", "POST /v1/responses/input_tokens", "POST /v1/responses/compact"] {
        server.ask(&format!("{line} HTTP/1.1\nhost: localhost"), "").refused(405, None, "does not have this method");
    }
}

/// A conversation with each kind of item, as clients send it back.
fn conversation() -> Value {
    json!([
        { "role": "developer", "content": "Be brief." },
        { "type": "message", "role": "user", "content": [{ "type": "input_text", "text": "a" }, { "type": "input_text", "text": "b" }] },
        { "type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "x" },
        { "type": "message", "id": "msg_1", "status": "completed", "role": "assistant",
          "content": [{ "type": "output_text", "text": "c", "annotations": [], "logprobs": [] }] },
        { "type": "function_call", "id": "fc_1", "status": "completed", "call_id": "call_1", "name": "f", "arguments": "{\"a\": 1}" },
        { "type": "custom_tool_call", "id": "ctc_1", "call_id": "call_2", "name": "p", "input": "+ \"a\"\n" },
        { "type": "function_call_output", "call_id": "call_1", "output": "1" },
        { "type": "custom_tool_call_output", "call_id": "call_2", "output": [{ "type": "input_text", "text": "2" }] },
        { "role": "user", "content": "and?" },
    ])
}

fn tools() -> Value {
    json!([
        { "type": "function", "name": "f", "description": "d", "strict": true, "parameters": { "type": "object", "x": 1.5 } },
        { "type": "custom", "name": "p", "format": { "type": "grammar", "syntax": "lark", "definition": "start: \"a\"" } },
        { "type": "custom", "name": "q", "format": { "type": "grammar", "syntax": "regex", "definition": "a+" } },
        { "type": "custom", "name": "r" },
    ])
}

#[test]
fn tools_constrain_the_response_to_their_calls() {
    let server = Running::start(ServeOptions::default());
    let response = good(&ask(&server, json!({ "input": conversation(), "tools": tools(), "instructions": "Help." })));
    assert_eq!((&response["tools"][1], &response["instructions"]), (&tools()[1], &json!("Help.")));
    assert_eq!(response["tools"][3]["format"], json!({ "type": "text" }));
    let compiled = server.compiled();
    let [FormatSource::Texts(texts)] = &compiled[..] else { panic!("{compiled:?}") };
    let named: Vec<(&str, &str)> = texts.iter().map(|text| (text.name.as_str(), text.text.as_str())).collect();
    assert_eq!(named[1], ("tools.json", "[{\"name\": \"f\", \"parameters\": {\"type\":\"object\",\"x\":1.5}}]"));
    assert_eq!(named[2..], [("input0.lark", "start: \"a\""), ("input1.regex", "a+")]);
    let reply = named[0].1;
    for rule in
        ["import root as input0 from \"input0.lark\"", "quoted<input1>", "\"r\"", "mix<text, region, calls = 0..16>"]
    {
        assert!(reply.contains(rule), "{reply}");
    }
    let named = json!({ "type": "custom", "name": "p" });
    good(&ask(&server, json!({ "tools": tools(), "tool_choice": named, "parallel_tool_calls": false })));
    let compiled = server.compiled();
    let [FormatSource::Texts(texts)] = &compiled[..] else { panic!("{compiled:?}") };
    assert_eq!(texts.iter().map(|text| text.name.as_str()).collect::<Vec<_>>(), ["reply.ogc", "input0.lark"]);
    assert!(texts[0].text.ends_with("output Reply = region[1..1]\n"), "{}", texts[0].text);
}

/// A server in front of a mock that sends parts of a stream.
struct Before {
    running: Running,
    mock: Mock,
}

impl Before {
    fn parts(parts: &[Value]) -> Self {
        let stream: String = parts.iter().map(|part| format!("data: {part}\n\n")).collect();
        let mock = Mock::start(Some(&Mock::reply("200 OK", "text/event-stream", &format!("{stream}data: [DONE]\n\n"))));
        Self { running: Running::before(&mock.url, None, ServeOptions::default()), mock }
    }

    /// Starts a server whose mock writes one text, and ends it for a reason.
    fn text(text: &str, finish: &str) -> Self {
        let usage = json!({ "prompt_tokens": 3, "completion_tokens": 2 });
        let mut last = end(finish);
        last["usage"] = usage;
        Self::parts(&[delta(json!({ "content": text })), last])
    }

    /// Returns the body of the request that was sent last.
    fn asked(&self) -> Value {
        let asked = self.mock.asked().pop().expect("a request");
        let (_, body) = asked.split_once("\r\n\r\n").expect("a body");
        serde_json::from_str(body).expect("JSON")
    }
}

fn delta(delta: Value) -> Value {
    json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": null }] })
}

fn end(reason: &str) -> Value {
    json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": reason }] })
}

#[test]
fn responses_are_sent_upstream_as_chats() {
    let before = Before::text("ab", "stop");
    let asked = json!({
        "instructions": "Help.", "input": conversation(), "tools": tools(), "tool_choice": "auto", "text": schema(),
        "parallel_tool_calls": true, "temperature": 0.5, "top_p": 0.9, "reasoning": { "effort": "low" }, "metadata": { "a": "b" },
        "include": ["message.output_text.logprobs"], "top_logprobs": 2, "store": true, "seed": 7, "max_output_tokens": 50,
    });
    let response = good(&ask(&before.running, asked));
    assert_eq!(response["usage"]["input_tokens"], 3);
    assert_eq!(response["output"][0]["content"][0]["text"], "ab");
    let expected = json!({
        "model": "model", "temperature": 0.5, "top_p": 0.9, "seed": 7, "parallel_tool_calls": true,
        "messages": [
            { "role": "system", "content": "Help." },
            { "role": "developer", "content": "Be brief." },
            { "role": "user", "content": "ab" },
            { "role": "assistant", "content": "c", "tool_calls": [
                { "id": "call_1", "type": "function", "function": { "name": "f", "arguments": "{\"a\": 1}" } },
                { "id": "call_2", "type": "custom", "custom": { "name": "p", "input": "+ \"a\"\n" } },
            ] },
            { "role": "tool", "content": "1", "tool_call_id": "call_1" },
            { "role": "tool", "content": "2", "tool_call_id": "call_2" },
            { "role": "user", "content": "and?" },
        ],
        "max_tokens": 50,
        "tools": [
            { "type": "function", "function": { "name": "f", "description": "d", "strict": true, "parameters": { "type": "object", "x": 1.5 } } },
            { "type": "custom", "custom": { "name": "p", "format": { "type": "grammar", "grammar": { "syntax": "lark", "definition": "start: \"a\"" } } } },
            { "type": "custom", "custom": { "name": "q", "format": { "type": "grammar", "grammar": { "syntax": "regex", "definition": "a+" } } } },
            { "type": "custom", "custom": { "name": "r" } },
        ],
        "tool_choice": "auto",
        "response_format": { "type": "json_schema", "json_schema": { "name": "n", "strict": true, "schema": { "type": "integer", "x": 1.5 } } },
        "reasoning_effort": "low", "logprobs": true, "top_logprobs": 2,
        "stream": true, "stream_options": { "include_usage": true },
    });
    assert_eq!(before.asked(), expected);
    let named = |kind: &str, name: &str| json!({ "type": kind, "name": name });
    let choice =
        json!({ "type": "allowed_tools", "mode": "auto", "tools": [named("function", "f"), named("custom", "p")] });
    good(&ask(&before.running, json!({ "tools": tools(), "tool_choice": choice })));
    let nested = json!({ "type": "allowed_tools", "allowed_tools": { "mode": "auto", "tools": [
        { "type": "function", "function": { "name": "f" } }, { "type": "custom", "custom": { "name": "p" } } ] } });
    assert_eq!(before.asked()["tool_choice"], nested);
}

#[test]
fn upstream_calls_reasoning_and_texts_become_items() {
    let call = |index: usize, kind: &str, field: &str, name: &str, text: &str| {
        delta(
            json!({ "tool_calls": [{ "index": index, "id": "x", "type": kind, kind: { "name": name, field: text } }] }),
        )
    };
    let before = Before::parts(&[
        delta(json!({ "reasoning_content": "hm" })),
        delta(json!({ "content": "a" })),
        delta(json!({ "content": "b" })),
        call(0, "function", "arguments", "f", "a"),
        delta(json!({ "tool_calls": [{ "index": 0, "function": { "arguments": "b" } }] })),
        call(1, "custom", "input", "p", "ab"),
        // A server that only knows functions writes the input as an argument.
        call(2, "function", "arguments", "q", "{ \"input\": \"a"),
        delta(json!({ "tool_calls": [{ "index": 2, "function": { "arguments": "b\" }" } }] })),
        end("tool_calls"),
    ]);
    let events = events(&ask(&before.running, json!({ "tools": tools(), "stream": true })));
    let whole = good(&ask(&before.running, json!({ "tools": tools() })));
    let output = &events.last().expect("events")["response"]["output"];
    let plain = |output: &Value| -> Vec<Value> {
        let items = output.as_array().expect("items").iter().cloned();
        items
            .map(|mut item| {
                item["id"].take();
                item["call_id"].take();
                item
            })
            .collect()
    };
    assert_eq!(plain(output), plain(&whole["output"]));
    let expected = [
        ("reasoning", "content", json!([{ "type": "reasoning_text", "text": "hm" }])),
        ("message", "content", json!([{ "type": "output_text", "annotations": [], "logprobs": [], "text": "ab" }])),
        ("function_call", "arguments", json!("ab")),
        ("custom_tool_call", "input", json!("ab")),
        ("custom_tool_call", "input", json!("ab")),
    ];
    let found: Vec<(&str, &str, Value)> = output
        .as_array()
        .expect("items")
        .iter()
        .zip(&expected)
        .map(|(item, (_, field, _))| (item["type"].as_str().expect("a type"), *field, item[*field].clone()))
        .collect();
    assert_eq!(found, expected);
    // Each item ends before the next one begins.
    let borders: Vec<(&str, &Value)> = events
        .iter()
        .filter(|event| event.get("item").is_some())
        .map(|event| (event["type"].as_str().expect("a type"), &event["output_index"]))
        .collect();
    let in_turn = (0..5).flat_map(|at| [("response.output_item.added", at), ("response.output_item.done", at)]);
    assert!(
        borders.iter().copied().eq(in_turn
            .map(|(kind, at)| (kind, json!(at)))
            .collect::<Vec<_>>()
            .iter()
            .map(|(kind, at)| (*kind, at)))
    );
    assert_eq!(whole["ogc"]["whole"], true);
}

#[test]
fn tools_of_a_namespace_are_called_by_namespace_and_name() {
    let call = json!({ "index": 0, "id": "x", "function": { "name": "ns__f", "arguments": "ab" } });
    let before = Before::parts(&[delta(json!({ "tool_calls": [call] })), end("tool_calls")]);
    let tools = json!([{ "type": "namespace", "name": "ns", "description": "Of n.",
        "tools": [{ "type": "function", "name": "f", "description": "d" }, { "type": "custom", "name": "p" }] }]);
    let input = json!([
        { "role": "user", "content": "x" },
        { "type": "function_call", "call_id": "c", "namespace": "ns", "name": "f", "arguments": "{}" },
        { "type": "function_call_output", "call_id": "c", "namespace": "ns", "name": "f", "output": "1" },
    ]);
    let asked = json!({ "tools": tools, "input": input, "client_metadata": { "a": "b" } });
    let response = good(&ask(&before.running, asked.clone()));
    let item = &response["output"][0];
    assert_eq!((&item["namespace"], &item["name"], &item["arguments"]), (&json!("ns"), &json!("f"), &json!("ab")));
    assert_eq!(response["tools"][0]["tools"][0]["name"], "f");
    let sent = before.asked();
    let first = json!({ "type": "function", "function": { "name": "ns__f", "description": "Of n.\n\nd" } });
    assert_eq!(sent["tools"], json!([first, { "type": "custom", "custom": { "name": "ns__p" } }]));
    assert_eq!(sent["messages"][1]["tool_calls"][0]["function"]["name"], "ns__f");
    let mut streamed = asked;
    streamed["stream"] = json!(true);
    let events = events(&ask(&before.running, streamed));
    assert_eq!(of_type(&events, "response.output_item.added")[0]["item"]["namespace"], "ns");
    let own = Running::start(ServeOptions::default());
    good(&ask(&own, json!({ "tools": tools })));
    let compiled = own.compiled();
    let [FormatSource::Texts(texts)] = &compiled[..] else { panic!("{compiled:?}") };
    assert_eq!(texts[1].text, "[{\"name\": \"ns__f\", \"parameters\": {}}]");
    assert!(texts[0].text.contains("\"ns__p\""), "{}", texts[0].text);
}

#[test]
fn invalid_input_is_not_sent_upstream() {
    let broken = |arguments: &str| {
        let call = json!({ "tool_calls": [{ "index": 0, "function": { "name": "p", "arguments": arguments } }] });
        let before = Before::parts(&[delta(call), end("tool_calls")]);
        let refused = ask(&before.running, json!({ "tools": tools(), "temperature": 0 }));
        refused.refused(502, None, "wrote no text of the format");
        refused.body
    };
    assert!(broken("{\"input\": 5}").contains("tool_calls[0].custom.input"));
    assert!(broken("{\"input\": \"ax\"}").contains("expected 'b'"));
    assert!(broken("{\"input\": \"ab\"").contains("found the end"));
    assert!(broken("{\"input\": \"a\"}").contains("found the end, expected 'b'"));
}

#[test]
fn an_upstream_refusal_becomes_a_part_of_a_message() {
    let before = Before::parts(&[delta(json!({ "refusal": "no" })), end("stop")]);
    let response = good(&ask(&before.running, json!({ "text": schema() })));
    assert_eq!(response["output"][0]["content"], json!([{ "type": "refusal", "refusal": "no" }]));
    let events = events(&ask(&before.running, json!({ "text": schema(), "stream": true })));
    assert!(types(&events).contains(&"response.refusal.done"));
}

#[test]
fn upstream_log_probabilities_of_any_shape_are_accepted() {
    for logprobs in [json!("x"), json!([1]), json!({ "content": null }), json!({ "content": ["x", { "token": "a" }] })]
    {
        let mut first = delta(json!({ "content": "ab" }));
        first["choices"][0]["logprobs"] = logprobs;
        let before = Before::parts(&[first, end("stop")]);
        good(&ask(&before.running, json!({})));
        events(&ask(&before.running, json!({ "stream": true })));
    }
}

#[test]
fn a_stream_that_fails_says_so_in_its_last_event() {
    let before = Before::parts(&[delta(json!({ "content": "a" })), delta(json!({ "content": "x" })), end("stop")]);
    let answered = ask(&before.running, json!({ "text": schema(), "temperature": 0, "stream": true }));
    answered.good();
    let last = answered.body.lines().rfind(|line| line.starts_with("data: ")).expect("an event");
    let last: Value = serde_json::from_str(&last["data: ".len()..]).expect("JSON");
    assert_eq!((&last["type"], &last["response"]["status"]), (&json!("response.failed"), &json!("failed")));
    let error = &last["response"]["error"];
    assert_eq!(error["code"], "server_error");
    assert!(error["message"].as_str().is_some_and(|said| said.contains("expected 'b'")), "{error}");
}
