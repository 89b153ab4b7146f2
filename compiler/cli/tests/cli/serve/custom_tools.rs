//! Custom tools: their input is a text of a grammar or any text, in `/v1/chat/completions` and in `/v1/responses`.

use ogc_kit::Random;
use serde_json::{Value, json};

use super::client::{Server, folder};
use super::mock::{Mock, Reply};

/// A grammar of sums in brackets, which is not regular, with characters that JSON escapes.
const SUM: &str = "start: \"sum:\\n\" expr \"\\n\"\nexpr: NUMBER | \"(\" expr \"\\\\\" expr \")\" | \"\\\"\" NUMBER \"\\\"\"\nNUMBER: /[0-9]{1,3}/\n";

const CODE: &str = "[a-c]{2}\\n\"\\t[xy]\"";

/// Returns whether a text matches the grammar `SUM`.
fn is_sum(text: &str) -> bool {
    let body = text.strip_prefix("sum:\n").and_then(|rest| rest.strip_suffix('\n'));
    body.and_then(|body| expr(body.as_bytes())).is_some_and(|rest| rest.is_empty())
}

/// Reads an expression; returns the rest of the text.
fn expr(text: &[u8]) -> Option<&[u8]> {
    match text.first()? {
        b'(' => {
            let rest = expr(&text[1..])?.strip_prefix(b"\\")?;
            expr(rest)?.strip_prefix(b")")
        }
        b'"' => digits(&text[1..])?.strip_prefix(b"\""),
        _ => digits(text),
    }
}

fn digits(text: &[u8]) -> Option<&[u8]> {
    let count = text.iter().take(3).take_while(|byte| byte.is_ascii_digit()).count();
    (count > 0).then(|| &text[count..])
}

fn is_code(text: &str) -> bool {
    matches!(text.as_bytes(), [b'a'..=b'c', b'a'..=b'c', b'\n', b'"', b'\t', b'x' | b'y', b'"'])
}

/// Returns the tools in the form of chats: `sum` and `code` have grammars, `note` takes any text, `now` is a function.
fn tools() -> Value {
    let grammar = |syntax: &str, definition: &str| json!({ "type": "grammar", "grammar": { "syntax": syntax, "definition": definition } });
    json!([
        { "type": "custom", "custom": { "name": "sum", "description": "Adds", "format": grammar("lark", SUM) } },
        { "type": "function", "function": { "name": "now", "parameters": { "type": "object", "properties": { "zone": { "enum": [1, 2] } },
          "required": ["zone"], "additionalProperties": false } } },
        { "type": "custom", "custom": { "name": "code", "format": grammar("regex", CODE) } },
        { "type": "custom", "custom": { "name": "note", "format": { "type": "text" } } },
    ])
}

/// Returns the same tools in the flat form of `/v1/responses`.
fn flat_tools() -> Value {
    let flat = |tool: &Value| {
        let kind = tool["type"].as_str().expect("a type");
        let mut flat = tool[kind].clone();
        flat["type"] = json!(kind);
        if flat["format"]["type"] == "grammar" {
            let grammar = flat["format"]["grammar"].clone();
            flat["format"] =
                json!({ "type": "grammar", "syntax": grammar["syntax"], "definition": grammar["definition"] });
        }
        flat
    };
    tools().as_array().expect("tools").iter().map(flat).collect()
}

#[track_caller]
fn check_call(name: &str, kind: &str, input: &str) {
    match (name, kind) {
        ("sum", "custom") => assert!(is_sum(input), "{input:?}"),
        ("code", "custom") => assert!(is_code(input), "{input:?}"),
        ("note", "custom") => {}
        ("now", "function") => {
            assert!([json!({ "zone": 1 }), json!({ "zone": 2 })].contains(&input.parse().expect("JSON")))
        }
        other => panic!("{other:?}"),
    }
}

fn request(more: Value) -> Value {
    let mut request =
        json!({ "max_tokens": 200, "temperature": 1.0, "messages": [{ "role": "user", "content": "Add." }] });
    more.as_object().expect("fields").iter().for_each(|(name, value)| request[name] = value.clone());
    request
}

#[test]
fn custom_tool_calls_in_chats_match_their_grammars() {
    let server = Server::start(folder(), &[]);
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..12 {
        let asked = request(json!({ "tools": tools(), "tool_choice": "required", "seed": seed }));
        let answer = server.chat(&asked).good();
        assert_eq!(answer["choices"][0]["finish_reason"], "tool_calls");
        let calls = answer["choices"][0]["message"]["tool_calls"].as_array().expect("calls").clone();
        let whole: Vec<(String, String, String)> = calls.iter().map(called).collect();
        assert!(!whole.is_empty());
        for (name, kind, input) in &whole {
            check_call(name, kind, input);
            seen.insert(name.clone());
        }
        let mut asked = asked;
        asked["stream"] = json!(true);
        assert_eq!(streamed(&server.chat(&asked).events()), whole);
    }
    assert!(seen.len() > 1, "{seen:?}");
    for name in ["sum", "code", "note"] {
        let choice = json!({ "type": "custom", "custom": { "name": name } });
        let asked = request(json!({ "tools": tools(), "tool_choice": choice, "parallel_tool_calls": false }));
        let answer = server.chat(&asked).good();
        let calls = answer["choices"][0]["message"]["tool_calls"].as_array().expect("calls").clone();
        let [(called, kind, input)] = &calls.iter().map(called).collect::<Vec<_>>()[..] else { panic!("{calls:?}") };
        assert_eq!(called, name);
        check_call(called, kind, input);
    }
    // No call is required, and a chat continues after calls.
    let history = json!([
        { "role": "user", "content": "Add." },
        { "role": "assistant", "tool_calls": [{ "id": "1", "type": "custom", "custom": { "name": "sum", "input": "sum:\n\"1\"\n" } }] },
        { "role": "tool", "tool_call_id": "1", "content": "1" },
    ]);
    server.chat(&request(json!({ "tools": tools(), "messages": history, "max_tokens": 30 }))).good();
}

/// Returns the name, the type and the input of a call.
fn called(call: &Value) -> (String, String, String) {
    let kind = call["type"].as_str().expect("a type");
    let field = if kind == "custom" { "input" } else { "arguments" };
    let text = |name: &str| call[kind][name].as_str().unwrap_or_else(|| panic!("{call}")).to_owned();
    (text("name"), kind.to_owned(), text(field))
}

/// Returns the calls in the events of a stream.
fn streamed(events: &[Value]) -> Vec<(String, String, String)> {
    let mut calls: Vec<(String, String, String)> = Vec::new();
    for event in events {
        for call in event["choices"][0]["delta"]["tool_calls"].as_array().into_iter().flatten() {
            if call["id"].is_string() {
                assert_eq!(call["index"], json!(calls.len()));
                calls.push(called(call));
                continue;
            }
            let last = calls.last_mut().expect("a call");
            let field = if last.1 == "custom" { "input" } else { "arguments" };
            last.2.push_str(call[&last.1][field].as_str().expect("text"));
        }
    }
    calls
}

#[test]
fn custom_tool_calls_in_responses_match_their_grammars() {
    let server = Server::start(folder(), &[]);
    for seed in 0..6 {
        let mut asked = json!({ "input": "Add.", "max_output_tokens": 200, "tools": flat_tools(), "tool_choice": "required", "seed": seed });
        let response = server.post("/v1/responses", &asked.to_string()).good();
        assert_eq!(response["status"], "completed");
        let output = response["output"].as_array().expect("items");
        for item in output {
            let custom = item["type"] == "custom_tool_call";
            let input = if custom { &item["input"] } else { &item["arguments"] };
            let kind = if custom { "custom" } else { "function" };
            check_call(item["name"].as_str().expect("a name"), kind, input.as_str().expect("text"));
        }
        asked["stream"] = json!(true);
        let stream = server.post("/v1/responses", &asked.to_string());
        let last = stream.body.lines().rfind(|line| line.starts_with("data: ")).expect("an event");
        let last: Value = serde_json::from_str(&last["data: ".len()..]).expect("JSON");
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
        assert_eq!(plain(&last["response"]["output"]), plain(&response["output"]));
    }
}

#[test]
fn a_broken_tool_grammar_is_refused_with_its_field_and_position() {
    let server = Server::start(folder(), &[]);
    let broken = |syntax: &str, definition: &str| {
        let format = json!({ "type": "grammar", "syntax": syntax, "definition": definition });
        json!([{ "type": "custom", "name": "ok" }, { "type": "custom", "name": "a", "format": format }])
    };
    for (syntax, definition) in [("lark", "start: \"a\" missing\n"), ("regex", "a(")] {
        let asked = json!({ "input": "x", "tools": broken(syntax, definition) });
        let error =
            server.post("/v1/responses", &asked.to_string()).refused(400, "`tools[1].format.definition` has 1 error");
        assert_eq!(error["param"], "tools[1].format.definition");
        assert_eq!(error["findings"][0]["line"], 1);
    }
    // A special token is no character, so it cannot occur in a string.
    let asked = json!({ "input": "x", "tools": broken("lark", "start: <|x|>\n") });
    let error = server.post("/v1/responses", &asked.to_string()).refused(400, "`tools` has 1 error");
    assert!(error["message"].as_str().is_some_and(|said| said.contains("cannot be `quoted`")), "{error}");
}

/// A grammar with the possible start rules `start`, `root` and `sum`, which have different texts, with ignored text
/// around them.
const THREE: &str = "start: \"s\"\nroot: \"r\"\nsum: N \"+\" N\nN: /[0-9]/\n%ignore / {1,2}/\n";

/// The tool `one` with the grammar [`THREE`].
fn started(syntax: &str, start: &str) -> Value {
    let format = json!({ "type": "grammar", "syntax": syntax, "definition": THREE, "start": start });
    json!([{ "type": "custom", "name": "one", "format": format }])
}

#[test]
fn a_custom_tool_names_the_rule_that_inputs_begin_with() {
    let server = Server::start(folder(), &[]);
    for (start, texts) in [("start", ["s"].as_slice()), ("root", &["r"]), ("sum", &["1+2", "1 + 2"])] {
        let tools = json!([{ "type": "custom", "custom": {
            "name": "one",
            "format": { "type": "grammar", "grammar": { "syntax": "lark", "definition": THREE, "start": start } },
        } }]);
        let asked = request(json!({ "tools": tools, "tool_choice": "required", "parallel_tool_calls": false }));
        let answer = server.chat(&asked).good();
        let (_, _, input) = called(&answer["choices"][0]["message"]["tool_calls"][0]);
        let body = input.replace(' ', "");
        assert!(if start == "sum" { body.len() == 3 && body.contains('+') } else { body == texts[0] }, "{input:?}");
        let upstream = |text: &str| {
            let arguments = json!({ "input": text }).to_string();
            let call = json!({ "index": 0, "id": "x", "type": "function", "function": { "name": "one", "arguments": arguments } });
            let mock = Mock::start(vec![Reply::Deltas(vec![json!({ "tool_calls": [call] })], "tool_calls")]);
            let server = Server::before(folder(), &mock.url, &["--dialect", "vllm", "--retries", "0"]);
            server.chat(&request(json!({ "tools": tools })))
        };
        for text in texts {
            upstream(text).good();
            upstream(&format!(" {text}  ")).good();
        }
        upstream("q").refused(502, "tool_calls[0].custom.input");
    }
    for (syntax, start, said) in
        [("lark", "som", "there is no rule `som`; did you mean `sum`?"), ("regex", "sum", "has no rules")]
    {
        let asked = json!({ "input": "x", "tools": started(syntax, start) });
        server.post("/v1/responses", &asked.to_string()).refused(400, said);
    }
}

#[test]
fn custom_tool_inputs_of_an_upstream_server_are_verified() {
    let mut random = Random::new(5);
    let call = |arguments: Value| json!({ "tool_calls": [{ "index": 0, "id": "x", "type": "function", "function": arguments }] });
    for text in ["sum:\n(1\\\"2\")\n", "sum:\n(1\\2\n"] {
        let arguments = json!({ "input": text }).to_string();
        let mut deltas = vec![call(json!({ "name": "sum", "arguments": "" }))];
        let characters: Vec<char> = arguments.chars().collect();
        for part in characters.chunks(1 + random.below(4)) {
            deltas.push(call(json!({ "arguments": part.iter().collect::<String>() })));
        }
        let mock = Mock::start(vec![Reply::Deltas(deltas, "tool_calls")]);
        let server = Server::before(folder(), &mock.url, &["--dialect", "vllm", "--retries", "0"]);
        let answered = server.chat(&request(json!({ "tools": tools() })));
        if is_sum(text) {
            let answer = answered.good();
            let called = called(&answer["choices"][0]["message"]["tool_calls"][0]);
            assert_eq!(called, ("sum".to_owned(), "custom".to_owned(), text.to_owned()));
        } else {
            answered.refused(502, "tool_calls[0].custom.input");
        }
        // A server that supports only functions gets the tools as functions.
        let body = &mock.asked(1)[0].body;
        let told = &body["tools"][0];
        assert_eq!((&told["type"], &told["function"]["name"]), (&json!("function"), &json!("sum")));
        let input = &told["function"]["parameters"]["properties"]["input"];
        assert!(input["description"].as_str().is_some_and(|said| said.contains(SUM)), "{told}");
        assert_eq!(told.get("custom"), None);
    }
}
